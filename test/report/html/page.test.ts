import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Outcomes, summarizeOutcomes } from '../../../src/apply/outcome.ts';
import { makePlan } from '../../../src/plan/seal.ts';
import type { Plan } from '../../../src/plan/plan.ts';
import { type HtmlOptions, renderHtml } from '../../../src/report/html.ts';
import { outcomesPage } from '../../../src/report/outcomes.ts';
import { planPage, type PlanView } from '../../../src/report/plan.ts';
import { hostileText, planSaying } from '../hostile-text.ts';
import { elementsOf, type PageElement, parseErrorsOf } from './elements.ts';
import { planOfEachKind, update } from '../plans.ts';

const files = 'https://github.com/acme/contracts/blob/main';
const catalogUrl = 'https://catalog.example.com/api';

function renderPlanHtml(plan: Plan, options: HtmlOptions & PlanView): string {
  return renderHtml(planPage(plan, { ...options, isWhole: true }), options);
}

function renderOutcomesHtml(plan: Plan, outcomes: Outcomes, options: HtmlOptions): string {
  return renderHtml(outcomesPage(plan, outcomes, { isWhole: true }), options);
}

function only(elements: readonly PageElement[], tag: string): PageElement {
  const found = elements.filter((element) => element.tag === tag);
  expect(found).toHaveLength(1);
  return found[0] ?? expect.fail(tag);
}

function contractsIn(page: string): PageElement[] {
  return elementsOf(page).filter(({ attributes }) => attributes['class']?.startsWith('contract '));
}

function headingsIn(page: string): string[] {
  return elementsOf(page)
    .filter(({ tag }) => tag === 'h2')
    .map(({ text }) => text);
}

describe('the page', () => {
  const page = renderPlanHtml(planOfEachKind, { files });
  const elements = elementsOf(page);

  test('allows its own style by its hash, and nothing else', () => {
    const { text } = only(elements, 'style');
    const hashOf = `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    const policy = elements.find(({ attributes }) => attributes['http-equiv'] !== undefined);
    expect(policy?.attributes).toEqual({
      'http-equiv': 'Content-Security-Policy',
      content: `default-src 'none'; style-src ${hashOf}; base-uri 'none'; form-action 'none'`,
    });
  });

  test('begins with the deeds of an apply, then grave contracts, then the rest', () => {
    const title = 'nothing: 1 blocked, 1 missing';
    expect(only(elements, 'h1').text).toBe(title);
    const note = elements.find(({ attributes }) => attributes['class']?.startsWith('note '));
    expect(note?.text).toBe('Nothing can be applied: 1 error.');
    expect(headingsIn(page)).toEqual(['Blocked and breaking 2', 'Contracts 3']);
    expect(contractsIn(page).map(({ attributes }) => attributes['id'])).toEqual([
      'shop.blocked',
      'shop.breaking',
      'shop.moving',
      'shop.plain',
      'shop.missing',
    ]);
  });

  test('is well-formed: all that is not for the eye stands in its head', () => {
    const tags = elements.map(({ tag }) => tag);
    const head = ['meta', 'meta', 'meta', 'meta', 'meta', 'title', 'style'];
    expect(tags.slice(0, tags.indexOf('header'))).toEqual(['html', 'head', ...head, 'body']);
    expect(parseErrorsOf(page)).toEqual([]);
  });
});

test('of many contracts only the grave stand open', () => {
  const many = Array.from({ length: 5 }, (_, number) => update(`plain_${number}`));
  const page = renderPlanHtml(makePlan(catalogUrl, [...planOfEachKind.contracts, ...many], []), {});
  const open = contractsIn(page).filter(({ attributes }) => 'open' in attributes);
  expect(open.map(({ attributes }) => attributes['id'])).toEqual(['shop.blocked', 'shop.breaking']);
});

test('edits of the catalog that stay are listed apart from the changes of the same contract', () => {
  const drift = {
    differences: [{ place: '/description', before: 'By <hand>.', after: 'As in the file.' }],
    updatedBy: 'mira.okafor',
  };
  const plan = makePlan(catalogUrl, [update('plain', { drift }), update('other')], []);
  const page = renderPlanHtml(plan, {});
  expect(headingsIn(page)).toEqual(['Contracts 2', 'Drift 1']);
  const item = elementsOf(page).find(({ tag }) => tag === 'li');
  expect(item?.text).toContain('last written by mira.okafor');
  expect(item?.text).toContain('description: "As in the file." → "By <hand>."');
  expectOurs(page);
});

test('unchanged contracts are listed with --all', () => {
  const same = { action: 'unchanged', id: 'same', source: update('same').source, problems: [] };
  const plan = makePlan(catalogUrl, [update('plain'), { ...same, action: 'unchanged' }], []);
  expect(headingsIn(renderPlanHtml(plan, { all: true }))).toEqual(['Contracts 1', 'Unchanged 1']);
  expect(headingsIn(renderPlanHtml(plan, {}))).toEqual(['Contracts 1']);
});

test('a text of 100,000 lines is cut, and the page counts the lines that it leaves out', () => {
  const after = Array.from({ length: 100_000 }, (_, line) => `line ${line}`).join('\n');
  const plan = makePlan(catalogUrl, [update('long', { after })], []);
  const page = renderPlanHtml(plan, {});
  expect(page.length).toBeLessThan(300_000);
  expect(page).toContain('98001 more lines are in the JSON plan.');
});

/** All that the page is made of; whatever else shows up has come out of a text. */
const ownTags = new Set(
  'html head meta title style body header p code a h1 h2 h3 ul li div main section details summary span strong pre table thead tbody tr th td'.split(
    ' ',
  ),
);
const ownAttributes = /^(?:lang|charset|http-equiv|content|name|class|id|href|open)$/u;
const ownClasses = new Set(
  'plain facts totals obstacle error warning good information count contract badge blocked update missing unchanged breaking name place move body change sign added removed changed context gap same hint note problems names list'.split(
    ' ',
  ),
);

test('the note of a change that has landed is on the page', () => {
  const note = 'The catalog stored it with another display name.';
  const outcomes = summarizeOutcomes({}, [{ result: 'applied', id: '1', note, error: null }]);
  expect(renderOutcomesHtml(planOfEachKind, outcomes, {})).toContain(note);
});

describe('hostile texts', () => {
  test('are text alone, also if they look like HTML', () => {
    fc.assert(
      fc.property(fc.infiniteStream(hostileText), (texts) => {
        const page = renderPlanHtml(
          planSaying(() => texts.next().value ?? 'x', 6),
          { files },
        );
        expectOurs(page);
        expect(contractsIn(page)).toHaveLength(7);
      }),
      { numRuns: 40 },
    );
  });

  test('are text alone among outcomes', () => {
    fc.assert(
      fc.property(fc.infiniteStream(hostileText), (texts) => {
        const say = () => texts.next().value ?? 'x';
        const error = { code: 'x', message: say(), hint: say() };
        const failed = { result: 'failed', id: '1', fullyQualifiedName: say(), error } as const;
        const outcomes = summarizeOutcomes({ planHash: say() }, [
          { ...failed, versionBefore: say() },
          { result: 'applied', fullyQualifiedName: say(), note: say(), error: null },
        ]);
        expectOurs(renderOutcomesHtml(planSaying(say, 1), outcomes, { files }));
      }),
      { numRuns: 40 },
    );
  });

  test('end neither the style nor an attribute, and move nothing', () => {
    const text = '</script></style><script>alert(1)</script>" onclick="x" \u202E\u001B[2J\u2066';
    const page = renderPlanHtml(
      planSaying(() => text, 1),
      { files },
    );
    expectOurs(page);
    expect(page).toContain(String.raw`\u202E\u001B[2J\u2066`);
  });
});

function expectOurs(page: string): void {
  // oxlint-disable-next-line no-control-regex -- what must not be there
  expect(page).not.toMatch(/[\0-\b\v-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2060-\u206F]/u);
  const elements = elementsOf(page);
  expect(elements.some(({ tag }) => tag === 'script')).toBe(false);
  only(elements, 'style');
  expect(elements.flatMap(foreignParts)).toEqual([]);
}

/** What of an element cannot be ours. */
function foreignParts({ tag, attributes }: PageElement): string[] {
  const { href = '#', class: classes = '' } = attributes;
  return [
    ...(ownTags.has(tag) ? [] : [tag]),
    ...Object.keys(attributes).filter((name) => !ownAttributes.test(name)),
    ...(/^#|^https:\/\/github\.com\/acme\//u.test(href) ? [] : [href]),
    ...classes.split(' ').filter((name) => name !== '' && !ownClasses.has(name)),
  ];
}
