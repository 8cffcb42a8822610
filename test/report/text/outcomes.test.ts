import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Outcome, summarizeOutcomes } from '../../../src/apply/outcome.ts';
import { makePlan } from '../../../src/plan/seal.ts';
import { renderHtml } from '../../../src/report/html.ts';
import { renderOutcomesJson } from '../../../src/report/json.ts';
import { renderMarkdown } from '../../../src/report/markdown.ts';
import { outcomesPage, renderOutcomesText } from '../../../src/report/outcomes.ts';
import { plain } from '../../../src/report/blocks.ts';
import { expectGolden } from '../../support/golden.ts';
import { expectValid } from '../../support/schema.ts';

const named = (name: string) => ({ id: name, fullyQualifiedName: `shop.${name}` });
const versions = { versionBefore: '0.1', versionAfter: '0.2' };
const planHash = `sha256:${'0'.repeat(64)}`;

const all: readonly Outcome[] = [
  {
    result: 'applied',
    ...named('carts'),
    ...versions,
    note: 'The catalog counts 0.2 where 1.0 was expected.',
    error: null,
  },
  { result: 'unchanged', ...named('customers'), ...versions, error: null },
  {
    result: 'stale',
    ...named('orders'),
    ...versions,
    differences: ['description'],
    error: { code: 'contract-moved', message: 'It was changed.', hint: 'Plan again.' },
  },
  {
    result: 'failed',
    id: 'no-name',
    versionBefore: '0.1',
    error: { code: 'server-error', message: 'An \u001b[31mescape\nand more.' },
  },
  {
    result: 'unverified',
    ...named('refunds'),
    ...versions,
    error: { code: 'nothing-stored', message: 'Nothing was stored.' },
  },
  {
    result: 'overlapped',
    ...named('parcels'),
    ...versions,
    differences: ['semantics'],
    error: { code: 'overlapped', message: 'It lacks what mira (0.1) had set: semantics.' },
  },
  {
    result: 'skipped',
    ...named('returns'),
    error: { code: 'interrupted', message: 'Not attempted.' },
  },
];

const outcomes = summarizeOutcomes({ planHash }, all);

test('every kind of outcome as text', () => {
  const golden = join(import.meta.dirname, 'golden', 'outcomes.txt');
  expectGolden(golden, renderOutcomesText(outcomes, { palette: plain }));
});

test('the JSON fits its schema', () => {
  expectValid('outcomes', JSON.parse(renderOutcomesJson(outcomes)));
});

test('changes that a run did not come to are one line with their number and the first names', () => {
  const untried = 'abcdefg'.split('').map((name): Outcome => ({
    result: 'skipped',
    ...named(name),
    error: { code: 'interrupted', message: 'Not attempted.', hint: 'Apply again.' },
  }));
  const unguardable: Outcome = {
    result: 'skipped',
    ...named('bare'),
    error: { code: 'no-guard', message: 'It has no version.' },
  };
  const applied: Outcome = { result: 'applied', ...named('orders'), ...versions, error: null };
  const outcomes = summarizeOutcomes({ planHash }, [...untried, unguardable, applied]);
  expect(renderOutcomesText(outcomes, { palette: plain })).toBe(`\
! shop.bare  skipped
    It has no version.
✓ shop.orders  applied  version 0.1 → 0.2
! 7 contracts  skipped
    shop.a, shop.b, shop.c, shop.d, shop.e and 2 more
    Not attempted.
    Apply again.

Apply: 1 applied, 8 skipped.
`);
  const single = summarizeOutcomes({ planHash }, untried.slice(0, 1));
  expect(renderOutcomesText(single, { palette: plain })).toContain('! shop.a  skipped');
});

const unreachable = (name: string) => ({
  code: 'unreachable',
  message: `Can't connect to catalog: refused. (PATCH https://catalog/v1/dataContracts/${name}, 2 attempts)`,
  hint: 'Check your VPN.',
});

test('a fault of many contracts is printed once, with their names, in every format', () => {
  const names = Array.from({ length: 51 }, (_, number) => `table_${number}`);
  const outcomes = summarizeOutcomes(
    { planHash },
    names.map((name): Outcome => ({ result: 'failed', ...named(name), error: unreachable(name) })),
  );
  const text = renderOutcomesText(outcomes, { palette: plain });
  const inOrder = names.map((name) => `shop.${name}`).join(', ');
  expect(text).toBe(`\
✗ 51 contracts  failed
    ${inOrder}
    Can't connect to catalog: refused.
    Check your VPN.

Apply: 0 applied, 51 failed.
`);
  const plan = makePlan('https://catalog', [], []);
  const formats = [
    renderMarkdown(outcomesPage(plan, outcomes), { budget: 60_000 }),
    renderHtml(outcomesPage(plan, outcomes)),
  ];
  for (const page of formats) {
    expect(page.split('connect to catalog').length - 1).toBe(1);
    expect(names.filter((name) => !page.includes(name))).toEqual([]);
  }
});
