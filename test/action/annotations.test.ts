import { expect, test } from 'vitest';
import { annotationsOf } from '../../src/action/result.ts';
import { type Outcome, summarizeOutcomes } from '../../src/apply/outcome.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { ContractPlan } from '../../src/plan/plan.ts';
import type { Problem } from '../../src/core/diagnostic.ts';
import { sourceOf, update } from '../report/plans.ts';

function unchangedWith(number: number, problem: Partial<Problem>): ContractPlan {
  const source = { file: `${String(number).padStart(2, '0')}.yaml`, line: 1, column: 1 };
  const told = {
    code: 'some-code',
    severity: 'warning',
    message: `Of ${number}.`,
    source,
  } as const;
  return { action: 'unchanged', id: String(number), source, problems: [{ ...told, ...problem }] };
}

test('of many warnings those are shown that break consumers', () => {
  const mild = Array.from({ length: 12 }, (_, number) => unchangedWith(number, {}));
  const breaking = [90, 91].map((number) => unchangedWith(number, { impact: 'breaking' }));
  const plan = makePlan('https://catalog.example.com/api', [...mild, ...breaking], []);
  const shown = annotationsOf({ kind: 'plan', plan });
  expect(shown).toHaveLength(10);
  expect(shown.slice(0, 3).map(({ message }) => message)).toEqual(['Of 90.', 'Of 91.', 'Of 0.']);
});

const { fullyQualifiedName: _name, ...unnamed } = update('orders', { id: '7', name: 'orders' });

test.for<readonly [string, ContractPlan, Partial<Outcome>]>([
  ['an update without a qualified name', unnamed, { id: '7' }],
  [
    'a creation that the catalog has already given an id',
    {
      action: 'create',
      name: 'orders',
      fullyQualifiedName: 'shop.orders',
      entity: { id: 'e', type: 'table' },
      source: sourceOf('orders'),
      document: {},
      fingerprint: '',
      changes: [],
      problems: [],
    },
    { id: 'new', fullyQualifiedName: 'shop.orders' },
  ],
])('%s is annotated at its file where it fails', ([, planned, names]) => {
  const plan = makePlan('https://catalog.example.com/api', [planned], []);
  const error = { code: 'unverified', message: 'Not seen.' };
  const outcomes = summarizeOutcomes(plan, [{ result: 'unverified', error, ...names }]);
  const records = { all: [], own: undefined, isWhole: true };
  const [first] = annotationsOf({ kind: 'apply', plan, outcomes, records });
  expect(first).toMatchObject({ code: 'unverified', source: sourceOf('orders') });
});
