import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Difference } from '../../src/patch/describe.ts';
import { fingerprintOfCreation, makePlan } from '../../src/plan/seal.ts';
import type { ContractPlan, CreatePlan, Plan, UpdatePlan } from '../../src/plan/plan.ts';
import { compareChanges, comparePlans, reviewedChanges } from '../../src/review/compare.ts';
import { updateOf } from '../support/contracts.ts';

const describeIt: Difference = { place: '/description', before: 'Old.', after: 'New.' };
const activate: Difference = { place: '/entityStatus', before: 'Draft', after: 'Active' };
const newer: Difference = { ...describeIt, after: 'Newer.' };
const edited: Difference = { ...describeIt, before: 'By hand.' };

/** The differences are those of fields. */
function update(id: string, differences: readonly Difference[], version = 1): UpdatePlan {
  const [before, after] = (['before', 'after'] as const).map((side) =>
    Object.fromEntries(
      differences.map((difference) => [difference.place.slice(1), difference[side] ?? null]),
    ),
  );
  const live = { ...before, id, version: version / 10, updatedAt: version };
  return {
    ...updateOf({ ...live, fullyQualifiedName: `shop.${id}` }, { ...after }),
    action: 'update',
    problems: [],
  };
}

function unchanged(id: string, version: number): ContractPlan {
  const { source } = update(id, [describeIt]);
  return {
    action: 'unchanged',
    id,
    fullyQualifiedName: `shop.${id}`,
    source,
    liveVersion: `0.${version}`,
    liveUpdatedAt: version,
    problems: [],
  };
}

function plan(...contracts: ContractPlan[]): Plan {
  return makePlan('http://catalog.test/api', contracts, []);
}

test('the same changes are the same plan', () => {
  const both = plan(update('a', [describeIt]), update('b', [activate]));
  expect(comparePlans(both, both)).toEqual({ verdict: 'same', contracts: [] });
});

test('what the catalog shows since is landed, and the rest is as approved', () => {
  const approved = plan(update('a', [describeIt]), update('b', [activate]));
  const proposed = plan(unchanged('a', 2), update('b', [activate]));
  const changes = reviewedChanges(approved);
  for (const kind of ['landed', 'superseded'] as const) {
    const landings = new Map(changes.slice(0, 1).map((change) => [change, kind]));
    expect(compareChanges(changes, proposed, landings)).toMatchObject({
      verdict: 'rest',
      contracts: [{ id: 'a', kind }],
    });
  }
  expect(comparePlans(approved, proposed)).toMatchObject({
    verdict: 'different',
    contracts: [{ id: 'a', kind: 'gone' }],
  });
});

test("an approval under another name doesn't count for the contract", () => {
  const approved = plan(update('a', [describeIt]));
  const renamed = plan({ ...update('a', [describeIt]), fullyQualifiedName: 'shop.renamed' });
  for (const [then, now] of [
    [approved, renamed],
    [renamed, approved],
  ] as const) {
    const { verdict, contracts } = comparePlans(then, now);
    expect([verdict, ...contracts.map(({ kind }) => kind).toSorted()]).toEqual([
      'different',
      'gone',
      'new',
    ]);
  }
});

test.for<[string, Plan, object]>([
  [
    'a contract that was not approved',
    plan(update('a', [describeIt]), update('b', [activate])),
    { id: 'b', kind: 'new', differences: [{ kind: 'new', difference: activate }] },
  ],
  [
    'a contract that is no longer planned, since its file changed',
    plan(unchanged('a', 1)),
    { id: 'a', kind: 'gone', differences: [{ kind: 'gone', difference: describeIt }] },
  ],
  ['a contract that has vanished', plan(), { id: 'a', kind: 'gone' }],
  [
    'another value',
    plan(update('a', [newer])),
    { id: 'a', kind: 'changed', differences: [changed(newer)] },
  ],
  [
    'another value that would be overwritten',
    plan(update('a', [edited])),
    { id: 'a', kind: 'changed', differences: [changed(edited)] },
  ],
  [
    'one more place',
    plan(update('a', [activate, describeIt])),
    {
      differences: [
        { kind: 'same', difference: describeIt },
        { kind: 'new', difference: activate },
      ],
    },
  ],
  [
    'another place',
    plan(update('a', [activate])),
    {
      differences: [
        { kind: 'new', difference: activate },
        { kind: 'gone', difference: describeIt },
      ],
    },
  ],
])('%s is a difference', ([, proposed, contract]) => {
  const comparison = comparePlans(plan(update('a', [describeIt])), proposed);
  expect(comparison).toMatchObject({ verdict: 'different', contracts: [contract] });
});

function changed(difference: Difference) {
  return { kind: 'changed', approved: describeIt, difference };
}

test('the same change of a contract that was written since is the reviewed one', () => {
  const approved = plan(update('a', [describeIt]));
  expect(comparePlans(approved, plan(update('a', [describeIt], 2))).verdict).toBe('same');
});

test('any two plans are the same exactly when their hashes are', () => {
  const difference = fc.constantFrom(describeIt, activate, newer, edited);
  const change = fc
    .tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.uniqueArray(difference, { minLength: 1, selector: ({ place }) => place }),
      fc.nat(2),
    )
    .map(([id, differences, version]) => update(id, differences, version));
  const anyPlan = fc
    .uniqueArray(change, { selector: ({ id }) => id })
    .map((contracts) => plan(...contracts));
  fc.assert(
    fc.property(anyPlan, anyPlan, (approved, proposed) => {
      const { verdict } = comparePlans(approved, proposed);
      expect(verdict === 'same').toBe(approved.planHash === proposed.planHash);
      expect(verdict).not.toBe('rest');
    }),
  );
});

/** The creation of a contract that will be called `shop.<name>`. */
function creation(name: string, target: JsonObject): CreatePlan {
  const { source } = update(name, [describeIt]);
  const fullyQualifiedName = `shop.${name}`;
  return {
    action: 'create',
    fingerprint: fingerprintOfCreation(fullyQualifiedName, target),
    name,
    fullyQualifiedName,
    entity: { id: 'e', type: 'table' },
    source,
    document: target,
    changes: Object.entries(target).map(([field, after]) => {
      const path = `/${field}`;
      return { kind: 'add', path, place: path, label: field, after };
    }),
    problems: [],
  };
}

test('a creation that was not reviewed is listed, with what it holds', () => {
  const approved = plan(update('a', [describeIt]));
  const proposed = plan(update('a', [describeIt]), creation('b', { description: 'New.' }));
  expect(comparePlans(approved, proposed)).toEqual({
    verdict: 'different',
    contracts: [
      {
        fullyQualifiedName: 'shop.b',
        kind: 'new',
        differences: [{ kind: 'new', difference: { place: '/description', after: 'New.' } }],
      },
    ],
  });
});

test('a reviewed creation that is there now as its file wants it has landed', () => {
  const created = creation('a', { description: 'New.' });
  const approved = plan(created, update('b', [activate]));
  const changes = reviewedChanges(approved);
  const landings = new Map(changes.slice(0, 1).map((change) => [change, 'landed' as const]));
  const there = { ...unchanged('a', 1), fullyQualifiedName: 'shop.a' };
  const proposed = plan(there, update('b', [activate]));
  expect(compareChanges(changes, proposed, landings)).toMatchObject({
    verdict: 'rest',
    contracts: [{ fullyQualifiedName: 'shop.a', kind: 'landed' }],
  });
});

test.for<[string, Plan, object]>([
  [
    'holds other content is changed',
    plan(creation('a', { description: 'Newer.', sourceUrl: 'x' })),
    { kind: 'changed', differences: [{ kind: 'changed' }, { kind: 'same' }] },
  ],
  [
    'is there with other content is changed',
    plan(update('a', [describeIt])),
    { id: 'a', kind: 'changed' },
  ],
  ['is no longer planned is gone', plan(), { kind: 'gone' }],
])('a reviewed creation that %s', ([, proposed, contract]) => {
  const approved = plan(creation('a', { description: 'New.', sourceUrl: 'x' }));
  expect(comparePlans(approved, proposed).contracts).toMatchObject([contract]);
});
