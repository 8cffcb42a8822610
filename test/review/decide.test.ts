import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fingerprintOf, fingerprintOfCreation, makePlan } from '../../src/plan/seal.ts';
import type { ContractPlan, CreatePlan } from '../../src/plan/plan.ts';
import { decideChanges, type ReviewedChange, reviewedTogether } from '../../src/review/compare.ts';
import { withReview } from '../../src/commands/review.ts';
import { updateOf } from '../support/contracts.ts';

const base = updateOf({ description: 'Old.' }, { description: 'New.' });
const source = { file: 'a.yaml', line: 1, column: 1 };

type Known = Exclude<ContractPlan, CreatePlan>;

function contract(id: string, action: Known['action'], value: string): Known {
  switch (action) {
    case 'update':
    case 'blocked': {
      const differences = [{ place: '/description', after: value }];
      return { ...base, action, id, fingerprint: fingerprintOf(id, differences) };
    }
    case 'unmanaged':
      return { action, id };
    case 'unchanged':
    case 'missing':
      return { action, id, source, problems: [] };
  }
}

const actions = ['update', 'blocked', 'unchanged', 'missing', 'unmanaged'] as const;
const contracts = fc.uniqueArray(
  fc
    .tuple(
      fc.constantFrom('a', 'b', 'c', 'd'),
      fc.constantFrom(...actions),
      fc.constantFrom('x', 'y'),
    )
    .map(([id, action, value]) => contract(id, action, value)),
  { selector: ({ id }) => id },
);
const reviewed = fc.array(
  fc
    .tuple(
      fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      fc.constantFrom('x', 'y'),
      fc.constantFrom(64, 99),
    )
    .map(([id, after, length]) => ({
      id,
      fingerprint: fingerprintOf(id, [{ place: '/description', after }]).slice(0, length),
    })),
);

test('an apply sends reviewed changes alone, and accounts for each change of the plan and of the review', () => {
  fc.assert(
    fc.property(contracts, reviewed, (all, approvals) => {
      const plan = makePlan('http://x', all, []);
      const { approved, refused } = decideChanges(plan, approvals, new Map());
      const sent = new Set(approved.contracts.filter(({ action }) => action === 'update'));
      for (const change of plan.contracts) {
        if (change.action !== 'update') continue;
        const isReviewed = approvals.some(
          ({ id, fingerprint }) => id === change.id && change.fingerprint === fingerprint,
        );
        expect(sent.has(change)).toBe(isReviewed);
        expect(refused.some((each) => each.change === change)).toBe(!isReviewed);
      }
      const seen = new Set(
        all
          .filter(({ action }) => action !== 'missing' && action !== 'unmanaged')
          .map(({ id }) => id),
      );
      const lost = new Set(approvals.map(({ id }) => id).filter((id) => !seen.has(id)));
      const notFound = refused.filter(({ kind }) => kind === 'not-found');
      expect(
        notFound.map(({ change }) => ('id' in change ? (change.id ?? '') : '')).toSorted(),
      ).toEqual([...lost].toSorted());
    }),
  );
});

test('without a review everything is refused; a plan without changes has nothing to refuse', () => {
  const plan = makePlan('http://x', [contract('a', 'update', 'x')], []);
  expect(decideChanges(plan, [], new Map()).refused).toMatchObject([
    { kind: 'not-reviewed', isKnown: false },
  ]);
  expect(
    decideChanges(makePlan('http://x', [contract('a', 'unchanged', 'x')], []), [], new Map())
      .refused,
  ).toEqual([]);
});

function decide(all: readonly ContractPlan[], approvals: readonly ReviewedChange[]) {
  return decideChanges(makePlan('http://x', all, []), approvals, new Map());
}

describe('a creation', () => {
  const fingerprint = fingerprintOfCreation('shop.orders', { name: 'orders' });
  const creation: ContractPlan = {
    action: 'create',
    fingerprint,
    name: 'orders',
    fullyQualifiedName: 'shop.orders',
    entity: { id: 'e', type: 'table' },
    source,
    document: { name: 'orders' },
    changes: [],
    problems: [],
  };
  const approval = { fullyQualifiedName: 'shop.orders', fingerprint };

  test('is sent where it was reviewed', () => {
    expect(decide([creation], [approval])).toMatchObject({
      approved: { contracts: [creation] },
      refused: [],
    });
  });

  test('is not sent where another was', () => {
    const other = { ...approval, fingerprint: fingerprintOfCreation('shop.orders', {}) };
    expect(decide([creation], [other])).toMatchObject({
      approved: { contracts: [] },
      refused: [{ kind: 'not-reviewed', isKnown: true }],
    });
  });

  test('has landed where the catalog has the contract', () => {
    const landed = { ...contract('id', 'unchanged', ''), fullyQualifiedName: 'shop.orders' };
    expect(decide([landed as ContractPlan], [approval]).refused).toEqual([]);
  });
});

describe('a reviewed change', () => {
  const change = contract('a', 'update', 'x');
  const approval = { id: 'a', fingerprint: 'fingerprint' in change ? change.fingerprint : '' };
  const decideLanded = (one: ContractPlan) =>
    decideChanges(makePlan('http://x', [one], []), [approval], new Map([[approval, 'landed']]));

  test('that has landed is not sent again', () => {
    expect(decideLanded(change).refused).toMatchObject([{ kind: 'not-reviewed', isKnown: true }]);
  });

  test('that has landed is not found in a contract that is unmanaged', () => {
    expect(decideLanded(contract('a', 'unmanaged', '')).refused).toMatchObject([
      { kind: 'not-found' },
    ]);
  });

  test('that is not found goes by the name of the latest review', () => {
    const named = ['shop.new', 'shop.old'].map((fullyQualifiedName) => ({
      ...approval,
      fullyQualifiedName,
    }));
    expect(decide([], named).refused).toEqual([{ kind: 'not-found', change: named[0] }]);
  });

  test('is of the contract with the name that was reviewed', () => {
    const renamed = { ...approval, fullyQualifiedName: 'shop.other' };
    expect(decide([change], [renamed]).refused).toMatchObject([{ kind: 'not-reviewed' }]);
  });
});

function reviewOf(values: { readonly before: string; readonly after: string }) {
  const differences = [{ place: '/description', ...values }];
  return { id: 'a', fingerprint: fingerprintOf('a', differences), differences };
}

test.for([
  { latest: { before: 'b', after: 'c' }, joined: { before: 'a', after: 'c' } },
  { latest: { before: 'edited', after: 'c' }, joined: { before: 'edited', after: 'c' } },
])('a review of a → b and then of $latest is one of $joined', ({ latest, joined }) => {
  const together = reviewedTogether([reviewOf(latest), reviewOf({ before: 'a', after: 'b' })]);
  expect(together).toEqual([{ id: 'a', fingerprint: reviewOf(joined).fingerprint }]);
});

test.for([
  { drift: undefined, message: 'The plan is not the one that was reviewed.' },
  {
    drift: { differences: [] },
    message:
      'The plan is not the one that was reviewed: `drift: leave` leaves edits of the catalog as they are.',
  },
])('a reviewed change that is gone from the plan: $message', ({ drift, message }) => {
  const unchanged = { ...contract('a', 'unchanged', ''), ...(drift && { drift }) } as ContractPlan;
  const gone = { id: 'a', kind: 'gone', differences: [] } as const;
  const comparison = { verdict: 'different', contracts: [gone] } as const;
  const plan = makePlan('http://x', [unchanged], []);
  expect(withReview(plan, { verdict: 'different', comparison })).toMatchObject({
    errored: true,
    diagnostics: [{ code: 'plan-changed', message }],
  });
});
