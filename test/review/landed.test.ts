import { describe, expect, test } from 'vitest';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { ApiError } from '../../src/catalog/fault.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { planContract } from '../../src/plan/contract-plan.ts';
import { noFacts } from '../../src/plan/facts.ts';
import type { ContractPlan, Plan } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { reviewedChanges } from '../../src/review/compare.ts';
import { findLanded, isInVersions } from '../../src/review/landed.ts';
import { review } from '../../src/commands/review.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import { lenientRules as rules } from '../support/rules.ts';

const columns = (...names: readonly string[]) => names.map((name) => ({ name, dataType: 'TEXT' }));
const steps = (...names: readonly string[]) => ({ steps: names.map((name) => ({ do: name })) });

const id = '11111111-1111-4111-8111-111111111111';
const unwritten = { id, fullyQualifiedName: 'shop.sales.orders', version: 0.1, updatedAt: 1 };

function planOf(live: LiveContract, managed: JsonObject): ContractPlan {
  const planned = planContract({ live, desired: desiredOf(managed) }, noFacts, rules);
  if (!planned) throw new Error('There is no plan.');
  return planned;
}

function sealed(...contracts: readonly ContractPlan[]): Plan {
  return makePlan('https://catalog.example.com/api', contracts, []);
}

type Row = [title: string, before: JsonObject, managed: JsonObject, shown: JsonObject, boolean];

test.for<Row>([
  [
    'shows a value',
    { description: 'Old.' },
    { description: 'New.' },
    { description: 'New.' },
    true,
  ],
  [
    'shows the old value',
    { description: 'Old.' },
    { description: 'New.' },
    { description: 'Old.' },
    false,
  ],
  ['lacks a removed value', { sla: { a: 1 } }, { sla: null }, {}, true],
  ['has a removed value still', { sla: { a: 1 } }, { sla: null }, { sla: { a: 1 } }, false],
  ['lacks an added value', {}, { sla: { a: 1 } }, {}, false],
  [
    'has a column behind the one that it was moved behind',
    { schema: columns('id', 'city', 'note') },
    { schema: columns('id', 'note', 'city') },
    { schema: columns('tip', 'id', 'note', 'city') },
    true,
  ],
  [
    'has another column between',
    { schema: columns('id', 'city', 'note') },
    { schema: columns('id', 'note', 'city') },
    { schema: columns('id', 'tip', 'note', 'city') },
    false,
  ],
  [
    'has a column in front of the one that it was moved behind',
    { schema: columns('id', 'city', 'note') },
    { schema: columns('id', 'note', 'city') },
    { schema: columns('note', 'id', 'city') },
    false,
  ],
  [
    'has a column in front that was moved to the front',
    { schema: columns('id', 'city') },
    { schema: columns('city', 'id') },
    { schema: columns('city', 'id') },
    true,
  ],
  [
    'has an element behind the one without a key that it was moved behind',
    { extension: { steps: [{ name: 'x' }, { do: 'a' }, { do: 'b' }] } },
    { extension: { steps: [{ do: 'a' }, { do: 'b' }, { name: 'x' }] } },
    { extension: { steps: [{ do: 'a' }, { do: 'b' }, { name: 'x' }, { do: 'c' }] } },
    true,
  ],
  [
    'has that element behind another one without a key',
    { extension: { steps: [{ name: 'x' }, { do: 'a' }, { do: 'b' }] } },
    { extension: { steps: [{ do: 'a' }, { do: 'b' }, { name: 'x' }] } },
    { extension: { steps: [{ do: 'a' }, { name: 'x' }, { do: 'b' }] } },
    false,
  ],
  [
    'has a new value in one of two elements of a name',
    { extension: { steps: [{ name: 'x' }, { name: 'x', does: 1 }] } },
    { extension: { steps: [{ name: 'x' }, { name: 'x', does: 2 }] } },
    { extension: { steps: [{ name: 'x', does: 2 }, { name: 'x' }] } },
    true,
  ],
  [
    'has another column in front',
    { schema: columns('id', 'city') },
    { schema: columns('city', 'id') },
    { schema: columns('tip', 'city', 'id') },
    false,
  ],
  [
    'lacks a moved column',
    { schema: columns('id', 'city') },
    { schema: columns('city', 'id') },
    { schema: columns('id') },
    false,
  ],
  [
    'has an added element without a key',
    { extension: steps('a') },
    { extension: steps('a', 'b') },
    { extension: steps('b', 'c') },
    true,
  ],
  [
    'lacks an added element without a key',
    { extension: steps('a') },
    { extension: steps('a', 'b') },
    { extension: steps('a') },
    false,
  ],
  [
    'lacks a removed element without a key',
    { extension: steps('a', 'b') },
    { extension: steps('a') },
    { extension: steps('a') },
    true,
  ],
  [
    'has a removed element without a key',
    { extension: steps('a', 'b') },
    { extension: steps('a') },
    { extension: steps('b') },
    false,
  ],
  [
    'has no list for an added element',
    { extension: steps('a') },
    { extension: steps('a', 'b') },
    { extension: {} },
    false,
  ],
])('a contract that %s: %#', ([, before, managed, shown, hasLanded]) => {
  const [change] = reviewedChanges(sealed(planOf(liveOf({ ...unwritten, ...before }), managed)));
  const live = liveOf({ ...unwritten, ...shown, version: 0.2, updatedAt: 2 });
  // What was reviewed counts, also at a place that `ignore` names since.
  const ignore = Object.keys(managed).map((field) => [field]);
  for (const equivalence of [rules.equivalence, { ...rules.equivalence, ignore }])
    expect(change && isInVersions([], live, change, { ...rules, equivalence })).toBe(hasLanded);
});

describe('a contract that was edited since', () => {
  const [change] = reviewedChanges(
    sealed(planOf(liveOf({ ...unwritten, description: 'Old.' }), { description: 'New.' })),
  );
  const { id: _, ...creation } = change ?? { fingerprint: '' };
  const removal = { differences: [{ place: '/description', before: 'Old.' }] };
  const live = { ...unwritten, description: 'By others.', version: 0.3, updatedAt: 3 };
  const shown = { ...unwritten, description: 'New.', version: 0.2, updatedAt: 2 };

  test.for<[string, JsonObject[], object, boolean]>([
    ['had the change in a version', [live, shown], {}, true],
    ['had it in no version', [live, { ...unwritten, description: 'Old.' }], {}, false],
    ['had it before the review alone', [live, { ...shown, updatedAt: 1 }], {}, false],
    ['had it before the review, as a creation', [live, { ...shown, updatedAt: 1 }], creation, true],
    // A catalog whose versions have no time counts them.
    ['had it in a version of a higher number', [{ ...shown, updatedAt: null }], {}, true],
    [
      'had it in a version of the same number',
      [{ ...shown, updatedAt: null, version: 0.1 }],
      {},
      false,
    ],
    [
      'has versions that tell nothing of a removed description',
      [{ ...unwritten, version: 0.2, updatedAt: 2 }],
      removal,
      false,
    ],
  ])('%s', ([, versions, reviewed, hasLanded]) => {
    const known = creation === reviewed ? creation : { ...creation, id, ...reviewed };
    expect(isInVersions(versions, liveOf(live), known, rules)).toBe(hasLanded);
  });

  test.for<[before: JsonObject, managed: JsonObject]>([
    [{ description: 'Old.' }, { description: 'New.' }],
    [{ schema: columns('id', 'city') }, { schema: columns('city', 'id') }],
  ])('and set back to %j had it, where the time of the review is known', ([before, managed]) => {
    const [reviewed] = reviewedChanges(
      sealed(planOf(liveOf({ ...unwritten, ...before }), managed)),
    );
    const setBack = { ...live, ...before };
    const undated = { ...creation, ...reviewed, isUndated: true };
    const versions = [setBack, { ...shown, ...managed }];
    const dated = { ...creation, ...reviewed };
    expect(isInVersions(versions, liveOf(setBack), undated, rules)).toBe(false);
    expect(isInVersions(versions, liveOf(setBack), dated, rules)).toBe(true);
  });
});

describe('a reviewed change of a contract that is planned no longer', () => {
  const written = { version: 0.1, updatedAt: 1 };
  const live = { ...unwritten, description: 'By others.', version: 0.3, updatedAt: 3 };
  const shown = { ...unwritten, description: 'New.', version: 0.2, updatedAt: 2 };
  const request = {
    operation: 'versions',
    method: 'GET',
    url: new URL('https://catalog'),
  } as const;
  const lost = {
    code: 'connection-lost',
    message: 'Lost.',
    transient: true,
    mayHaveLanded: false,
  } as const;
  const unread = new ApiError(request, lost, 1);
  const names = { id, fullyQualifiedName: 'shop.sales.orders' };
  const { source } = desiredOf({});
  const unchanged = { action: 'unchanged', ...names, source, problems: [] } as const;
  const unmanaged = { action: 'unmanaged', ...names } as const;

  /** What is found of it, by the fresh plan, what is stored and the versions. */
  async function find(
    fresh: ContractPlan,
    stored: JsonObject[],
    versions: JsonObject[] | Error,
    mayHaveLanded = false,
  ) {
    const before = liveOf({ ...unwritten, description: 'Old.' });
    const changes = reviewedChanges(sealed(planOf(before, { description: 'New.' })));
    const reader = {
      list: async function* () {
        yield { contracts: stored.map(liveOf) };
      },
      versions: async () => {
        if (versions instanceof Error) throw versions;
        return { entityType: 'dataContract', versions };
      },
    } as unknown as CatalogReader;
    const catalog = { reader, rules, product: standard };
    const earlier = new Set(mayHaveLanded ? changes : []);
    const landings = await findLanded(sealed(fresh), changes, catalog, earlier);
    return [...landings.values()];
  }

  test.for<[string, ContractPlan, JsonObject[], JsonObject[] | Error, string[]]>([
    ['has landed where the catalog shows it', unchanged, [shown], [], ['landed']],
    ['was superseded where a version showed it', unchanged, [live], [live, shown], ['superseded']],
    ['is not known to have landed by its versions', unchanged, [live], [live], []],
    ['is not known to have landed where they are unread', unchanged, [live], unread, []],
    ['is not known to have landed where the contract is gone', unchanged, [], [shown], []],
    [
      'has landed in a contract that is retired',
      { ...unmanaged, retired: true },
      [shown],
      [],
      ['landed'],
    ],
    ['is not looked for in one that is unmanaged', unmanaged, [shown], [], []],
  ])('%s', async ([, fresh, stored, versions, expected]) => {
    expect(await find(fresh, stored, versions)).toEqual(expected);
  });

  test.for<[title: string, since: JsonObject, mayHaveLanded: boolean, expected: string[]]>([
    ['is spent where a version showed it', live, true, ['superseded']],
    ['is not spent where no run can have applied it', live, false, []],
    ['is not spent where nothing has changed since the review', { ...live, ...written }, true, []],
  ])('and planned again %s', async ([, since, mayHaveLanded, expected]) => {
    const fresh = planOf(liveOf(since), { description: 'New.' });
    expect(await find(fresh, [since], [since, shown], mayHaveLanded)).toEqual(expected);
  });

  test('ends the run where its versions fail otherwise', async () => {
    await expect(find(unchanged, [live], new Error('A bug.'))).rejects.toThrow('A bug.');
  });
});

describe('a review by hash', () => {
  const before = { ...unwritten, schema: columns('id', 'city'), extension: steps('a') };
  const managed = { schema: columns('city', 'id'), extension: steps('a', 'b') };
  const landed = { ...unwritten, ...managed, version: 0.2, updatedAt: 2 };
  const other = { id: id.replace(/^1/u, '2'), fullyQualifiedName: 'shop.returns' };
  const waiting = planOf(liveOf({ ...unwritten, ...other }), { description: 'New.' });
  const whole = sealed(planOf(liveOf(before), managed), waiting);
  const rest = sealed(planOf(liveOf(landed), managed), waiting);
  const reader = {
    list: async function* () {
      yield { contracts: [liveOf(landed)] };
    },
    versions: (of: string) =>
      Promise.resolve({ entityType: 'dataContract', versions: of === id ? [landed, before] : [] }),
  } as unknown as CatalogReader;
  const planLive = (live: LiveContract) => Promise.resolve(planOf(live, managed));
  const openPlanner = () => Promise.resolve(planLive);
  const session = { reader, rules, product: standard };

  test('accepts the same plan', async () => {
    const { planHash = '' } = rest;
    expect(await review(rest, { planHash }, session, openPlanner)).toEqual({ verdict: 'same' });
  });

  test('accepts the rest of a plan of which half has landed, and lists that half', async () => {
    const { planHash = '' } = whole;
    expect(planHash).not.toBe(rest.planHash);
    expect(await review(rest, { planHash }, session, openPlanner)).toMatchObject({
      verdict: 'rest',
      comparison: { contracts: [{ fullyQualifiedName: 'shop.sales.orders', kind: 'landed' }] },
    });
  });

  test('tells which contract was edited since, also one that was not in the plan', async () => {
    const edited = { ...landed, description: 'By hand.', version: 0.3, updatedAt: 3 };
    const asReviewed = { ...landed, description: 'Old.' };
    const wanted = { ...managed, description: 'Old.' };
    const history = {
      ...reader,
      versions: (of: string) =>
        Promise.resolve({
          entityType: 'dataContract',
          versions: of === id ? [edited, asReviewed] : [],
        }),
    };
    const found = await review(
      sealed(planOf(liveOf(edited), wanted), waiting),
      { planHash: sealed(waiting).planHash ?? '' },
      { ...session, reader: history },
      async () => async (live) => planOf(live, wanted),
    );
    expect(found).toMatchObject({
      verdict: 'different',
      comparison: { contracts: [{ fullyQualifiedName: 'shop.sales.orders', kind: 'new' }] },
    });
  });

  test('refuses any other hash, even of equal contents', async () => {
    const planHash = `sha256:${'0'.repeat(64)}`;
    expect(await review(rest, { planHash }, session, openPlanner)).toEqual({
      verdict: 'different',
    });
    expect((await review(rest, { planHash, plan: rest }, session, openPlanner)).verdict).toBe(
      'different',
    );
  });
});
