/** What a saved plan shows and its hash doesn't cover decides nothing, and is never said again. */

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { SyncError } from '../../src/core/diagnostic.ts';
import { deepEqual, isArray, isObject } from '../../src/core/json.ts';
import { planAbsent, planMissing } from '../../src/plan/contract-plan.ts';
import {
  differencesOf,
  fingerprintOf,
  fingerprintOfCreation,
  planHash,
  sealPlan,
  withPatches,
  makePlan,
} from '../../src/plan/seal.ts';
import { noFacts } from '../../src/plan/facts.ts';
import { type Plan, plannedChanges } from '../../src/plan/plan.ts';
import type { Rules } from '../../src/plan/rules.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { renderPlanJson } from '../../src/report/plan.ts';
import { compareChanges, decideChanges, reviewedIn } from '../../src/review/compare.ts';
import { openPlan } from '../../src/review/open-plan.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import { rounds } from '../support/rounds.ts';
import { lenientRules } from '../support/rules.ts';

const rules: Rules = { ...lenientRules, conventions: openmetadata };

const columns = ['id', 'amount', 'city', 'note'].map((name) => ({ name, dataType: 'INT' }));

/** A change of each kind, in a contract of this name. */
function updated(name: string, last: string) {
  const fullyQualifiedName = `shop.${name}`;
  const identity = { id: `${name}-id`, name, fullyQualifiedName, entity: { id: `${name}-asset` } };
  const live = liveOf({
    ...identity,
    version: 1.2,
    updatedAt: 1,
    description: `Old ${name}.`,
    entityStatus: 'Draft',
    effectiveFrom: 1_700_000_000_000,
    tags: ['a', 'b'],
    schema: columns,
  });
  const planned = planUpdate(
    { ...live, versionNumber: 1.2 },
    desiredOf({
      description: `New ${name}.`,
      entityStatus: 'Approved',
      effectiveFrom: '2026-01-01',
      tags: ['c', 'b'],
      schema: [...columns.slice(2), { name: 'id', dataType: 'BIGINT' }, { name: last }],
    }),
    rules,
  );
  if (planned.action === 'unchanged') throw new Error('no update');
  return { ...planned, action: 'update', problems: [] } as const;
}

function created(name: string) {
  const file = {
    ...desiredOf({ description: 'Made.', entityStatus: 'Draft' }),
    identity: { name },
  };
  const found = { id: `${name}-asset`, type: 'table', fullyQualifiedName: `shop.${name}` };
  const free = {
    kind: 'free',
    asset: found,
    fullyQualifiedName: `shop.${name}.dataContract_${name}`,
  } as const;
  const prospects = new Map([[file, free]]);
  return { ...planAbsent({ desired: file }, { ...noFacts, prospects }, rules), team: 'all' };
}

const identity = { id: 'x', name: 'away', fullyQualifiedName: 'shop.away' };
const entity = { id: 'x-asset', type: 'table', name: 'away', fullyQualifiedName: 'shop.away' };
const absent = { ...desiredOf({}), identity: { ...identity, entity } };
const source = { file: 'parcels.yaml', line: 1, column: 1 };
const message = 'The number is inexact.';
const error = { code: 'number-inexact', severity: 'error', message, scope: 'contract' } as const;
const parcels = { id: 'p', name: 'parcels', fullyQualifiedName: 'shop.parcels' };

const reviewed: Plan = {
  ...makePlan(
    'https://catalog.example.com/api',
    [
      updated('carts', 'note'),
      updated('orders', 'text'),
      created('coupons'),
      created('vouchers'),
      { ...updated('returns', 'x'), action: 'blocked', problems: [error] },
      { ...planMissing({ desired: absent }, { ...rules, missing: 'report' }), team: 'all' },
      { action: 'unchanged', ...parcels, liveVersion: '1.2', source, problems: [] },
      { action: 'unmanaged', ...identity, id: 'u', inScope: true, retired: true },
    ],
    [{ ...error, severity: 'warning' }],
    {
      dialect: { name: 'openmetadata', release: '1.12.6' },
      environment: 'prod',
      base: 'b'.repeat(40),
      arrays: { ...rules.arrays, keys: { rows: ['key'] } },
    },
  ),
  commit: 'a'.repeat(40),
};

type Draft = ReturnType<typeof JSON.parse>;

const honest: Draft = JSON.parse(renderPlanJson(reviewed, { all: true }));

/** What an apply of a saved plan sends and says of it; undefined where it is refused. */
function applied(document: object, fresh: Plan) {
  try {
    const saved = openPlan(JSON.stringify(document), 'plan.json');
    const isForThis =
      saved.catalogUrl === fresh.catalogUrl && saved.environment === fresh.environment;
    if (!isForThis || saved.errored || saved.rollback) return undefined;
    const changes = reviewedIn(saved, fresh);
    const { approved, refused } = decideChanges(fresh, changes, new Map());
    return { sent: plannedChanges(approved), refused, said: compareChanges(changes, fresh) };
  } catch (thrown) {
    if (thrown instanceof SyncError) return undefined;
    throw thrown;
  }
}

type Place = readonly string[];

/** Every member of the document, those of lists too. */
function* places(value: Draft, place: Place = []): Generator<Place> {
  if (!isArray(value) && !isObject(value)) return;
  for (const [token, child] of Object.entries(value)) {
    yield [...place, token];
    yield* places(child, [...place, token]);
  }
}

function at(document: Draft, place: Place): Draft {
  return place.reduce((value: Draft, token) => value?.[token], document);
}

const actionAt = (index = '') => honest.contracts[Number(index)]?.action ?? '';

/** Of members that differ in their index alone, the first. */
const members = [
  ...Map.groupBy(places(honest), ([first = '', index, ...rest]) => {
    const name = first === 'contracts' ? [actionAt(index), ...rest] : [first, index, ...rest];
    return name.join('.').replaceAll(/\b\d+\b/gu, '*');
  }).values(),
].flatMap(([first]) => (first ? [first] : []));

function other(value: Draft): unknown {
  if (typeof value === 'number') return value + 98_765;
  if (typeof value === 'boolean') return !value;
  if (isArray(value)) return [];
  return isObject(value) ? {} : 'forged';
}

type Edit = (holder: Draft, token: string, place: Place) => void;

const edits: readonly Edit[] = [
  (holder, token) => {
    if (Array.isArray(holder)) holder.splice(Number(token), 1);
    else delete holder[token];
  },
  (holder, token) => {
    holder[token] = other(holder[token]);
  },
  // The same member of another contract.
  (holder, token, [, index, ...rest]) => {
    const found = honest.contracts
      .toSpliced(Number(index), 1)
      .map((each: Draft) => at(each, rest))
      .find((value: Draft) => value !== undefined && !deepEqual(value, holder[token]));
    if (found !== undefined && rest.length > 0) holder[token] = structuredClone(found);
  },
];

function edited(...changes: readonly (readonly [Place, Edit])[]): Draft {
  const { checksum: _, ...plan }: Draft = structuredClone(honest);
  for (const [place, edit] of changes) {
    const holder = at(plan, place.slice(0, -1));
    if (isArray(holder) || isObject(holder)) edit(holder, place.at(-1) ?? '', place);
  }
  return plan;
}

/** As somebody does who knows how; `rehashed`: with hashes of what it says its changes are. */
const seals: Readonly<Record<string, (plan: Draft) => Draft>> = {
  sealed: sealPlan,
  rehashed: (plan) => {
    try {
      const contracts = plan.contracts.map((contract: Draft) => {
        const { action, fullyQualifiedName, document, id } = contract;
        if (action === 'create')
          return { ...contract, fingerprint: fingerprintOfCreation(fullyQualifiedName, document) };
        if (action !== 'update' && action !== 'blocked') return contract;
        const fingerprint = fingerprintOf(id, differencesOf(contract, plan.arrays));
        return { ...contract, fingerprint };
      });
      const hash = planHash(contracts, plan.environment);
      return sealPlan(withPatches({ ...plan, contracts, planHash: hash }));
    } catch {
      // What no fingerprint can be made of.
      return sealPlan(plan);
    }
  },
};

/** `same`: it is taken for the honest one, and the apply does and says the same. */
type Fate = 'honest' | 'refused' | 'same' | 'less';

/** Of documents by their checksums: many edits give the same one. */
const fates = new Map<string, Fate>();

function fateOf(document: Draft): Fate {
  const fate = fates.get(document.checksum) ?? findFate(document);
  fates.set(document.checksum, fate);
  return fate;
}

function findFate(document: Draft): Fate {
  if (deepEqual(document, honest)) return 'honest';
  const found = applied(document, reviewed);
  if (!found) return 'refused';
  expect(truth?.sent).toEqual(expect.arrayContaining(found.sent));
  if (found.sent.length < (truth?.sent.length ?? 0)) return 'less';
  expect(found).toEqual(truth);
  return 'same';
}

const truth = applied(honest, reviewed);

test('an honest plan is sent whole, without a refusal', () => {
  expect(truth?.sent).toHaveLength(4);
  expect(truth).toMatchObject({ refused: [], said: { verdict: 'same' } });
});

describe.each(Object.entries(seals))('a plan with any one member changed and %s', (_, seal) => {
  test('is refused, or sends less, or the apply shows and sends what the honest one does', () => {
    const open = new Set<string>();
    for (const place of members) {
      const found = new Set(edits.map((edit) => fateOf(seal(edited([place, edit])))));
      const [first = '', index, member = '', , ofChange = ''] = place;
      const isSent = ['update', 'create'].includes(actionAt(index));
      const name = member === 'changes' ? `changes.${ofChange}` : member;
      if (found.has('same'))
        open.add(first === 'contracts' ? (isSent ? name : actionAt(index)) : first);
    }
    // None of these is covered by a hash: an apply finds them out anew, and shows its own.
    expect([...open].toSorted().join(' ')).toMatchInlineSnapshot(
      `"arrays base blocked changes.source commit diagnostics dialect entityId failure liveUpdatedAt liveVersionNumber missing problems source summary team unchanged unmanaged"`,
    );
  });

  test('or with several of them, the same', () => {
    const change = fc.tuple(fc.constantFrom(...members), fc.constantFrom(...edits));
    const some = fc.array(change, { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(some, (changes) => void fateOf(seal(edited(...changes)))),
      { numRuns: rounds(150) },
    );
  });
});
