import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomeCases, planCases, renderJunit, validationCases } from '../../src/report/json.ts';
import { summarizeOutcomes } from '../../src/apply/outcome.ts';
import { hostileText, planSaying } from './hostile-text.ts';

const problem = (severity: 'error' | 'warning', message: string, file = 'a.yaml') => ({
  code: 'unknown-key',
  severity,
  message,
  source: { file, line: 3, column: 1 },
});

test('a contract with an error fails, one with a warning passes and says it', () => {
  const cases = [
    { name: 'shop.orders', problems: [problem('error', 'A < B'), problem('warning', 'Old.')] },
    { name: 'shop.carts', problems: [problem('warning', 'Old.')] },
    { name: 'shop.wombats', problems: [] },
  ];
  expect(renderJunit(cases)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="contract-sync" tests="3" failures="1" errors="0">
  <testsuite name="contract-sync" tests="3" failures="1" errors="0" skipped="0">
    <testcase classname="contract-sync" name="shop.orders">
      <failure type="unknown-key" message="A &lt; B">a.yaml:3:1: error: A &lt; B [unknown-key]</failure>
      <system-out>a.yaml:3:1: warning: Old. [unknown-key]</system-out>
    </testcase>
    <testcase classname="contract-sync" name="shop.carts">
      <system-out>a.yaml:3:1: warning: Old. [unknown-key]</system-out>
    </testcase>
    <testcase classname="contract-sync" name="shop.wombats">
    </testcase>
  </testsuite>
</testsuites>
`);
});

test('what XML forbids is replaced', () => {
  expect(renderJunit([{ name: 'a\uFFFEb', problems: [] }])).toContain('name="a\uFFFDb"');
});

test('two contracts of one name are one case, so that GitLab hides neither', () => {
  const cases = ['one', 'two'].map((text) => ({ name: 'a', problems: [problem('error', text)] }));
  const { tests, failures } = elementsOf(renderJunit(cases))[1]?.attributes ?? {};
  expect({ tests, failures }).toEqual({ tests: '1', failures: '1' });
  expect(renderJunit(cases).match(/<failure/gu)).toHaveLength(2);
});

test('a change that was not sent is skipped, and no failure', () => {
  const error = { code: 'run-stopped', message: 'Not sent.' };
  const outcomes = [
    { result: 'applied' as const, fullyQualifiedName: 'shop.orders', error: null },
    { result: 'failed' as const, fullyQualifiedName: 'shop.carts', error },
    { result: 'skipped' as const, fullyQualifiedName: 'shop.refunds', error },
  ];
  const elements = elementsOf(renderJunit(outcomeCases(summarizeOutcomes({}, outcomes, []))));
  expect(elements[1]?.attributes).toMatchObject({ tests: '4', failures: '1', skipped: '1' });
  expect(elements.map(({ name }) => name).filter((name) => /failure|skipped/u.test(name))).toEqual([
    'failure',
    'skipped',
  ]);
});

test('validate has a case for each file with problems, and one for all others', () => {
  const cases = validationCases([problem('error', 'x', 'b.yaml'), problem('error', 'y')], 5);
  expect(cases.map(({ name }) => name)).toEqual(['b.yaml', 'a.yaml', 'files without problems: 3']);
});

// What junit-10.xsd allows: the elements, their attributes and the elements within them.
const allowed: Readonly<Record<string, readonly [attributes: string, within: string]>> = {
  testsuites: ['name time tests failures errors', ''],
  testsuite: ['name tests failures errors group time skipped timestamp hostname id package file log url', 'testsuites'],
  testcase: ['name time classname group', 'testsuite'],
  failure: ['type message', 'testcase'],
  skipped: ['type message', 'testcase'],
  'system-out': ['', 'testcase testsuite'],
}; // prettier-ignore

test('the report of any plan is XML, and what the schema of its readers allows', () => {
  fc.assert(
    fc.property(fc.infiniteStream(hostileText), (texts) => {
      const plan = planSaying(() => texts.next().value ?? 'x', 5);
      for (const { name, attributes, within } of elementsOf(renderJunit(planCases(plan)))) {
        const [known, parents] = allowed[name] ?? [];
        expect(parents?.split(' '), name).toContain(within);
        expect(known?.split(' ')).toEqual(expect.arrayContaining(Object.keys(attributes)));
      }
    }),
    { numRuns: 100 },
  );
});

type Element = { name: string; attributes: Record<string, string>; within: string };

/** The elements of a document; throws where it is not well formed (XML 1.0 §2). */
function elementsOf(xml: string): Element[] {
  const elements: Element[] = [];
  const open: string[] = [];
  const text = '(?:[^<&]|&(?:amp|lt|gt|quot);)*';
  const token = new RegExp(
    `^(?:<(?<end>/?)(?<name>[a-z-]+)(?<attributes>(?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot);)*")*)>|${text})`,
    'u',
  );
  expect(xml).not.toMatch(/[^\n\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u);
  let rest = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '');
  while (rest !== '') {
    const [all = '', end, name = '', given = ''] = token.exec(rest) ?? [];
    expect(all, `at ${rest.slice(0, 80)}`).not.toBe('');
    rest = rest.slice(all.length);
    if (end === '/') expect(open.pop()).toBe(name);
    else if (end === '') {
      const pairs = [...given.matchAll(/ (?<key>[a-z]+)="(?<value>[^"]*)"/gu)];
      const attributes = Object.fromEntries(pairs.map(([, key = '', value = '']) => [key, value]));
      elements.push({ name, attributes, within: open.at(-1) ?? '' });
      open.push(name);
    }
  }
  expect(open).toEqual([]);
  return elements;
}
