import { describe, expect, test } from 'vitest';
import {
  advance,
  type Catalog,
  type Delivery,
  type Event,
  isWhole,
  planned,
} from '../../src/apply/delivery.ts';
import { ApiError, type Fault, heldFault, statusFault } from '../../src/catalog/fault.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { updates } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { idOf } from '../support/server.ts';
import { rules as everyMove } from './openmetadata-world.ts';
import { desiredOf, liveOf, rules } from './world.ts';

const rule = { name: 'amount is positive', rule: '{}' };
const old = { id: idOf(0), description: 'Old.', semantics: [], version: 0.1, updatedAt: 1 };
const [unmoved, shown, moved] = [
  liveOf(old),
  liveOf({ ...old, semantics: [rule], version: 0.2, updatedAt: 2 }),
  liveOf({ ...old, description: 'By others.', version: 0.2, updatedAt: 2 }),
];

const request = { operation: 'patch', method: 'PATCH', url: new URL('https://catalog') } as const;

function failed(status: number, more: Partial<Fault> = {}, isTagged = false): Event {
  const answer = statusFault({ status, headers: new Headers(), text: '', bytes: 0 }, 'patch', 0);
  return {
    kind: 'failed',
    error: new ApiError(request, { ...answer, ...more }, 1),
    isTagged,
  };
}

const lost: Partial<Fault> = { code: 'connection-lost', status: undefined };
const failedTest = "The JSON Patch operation 'test' failed for path '/updatedAt' and value '1'";

const events: Readonly<Record<string, Event>> = {
  yes: { kind: 'answered', answer: shown, before: undefined },
  '202': failed(202, heldFault),
  '400': failed(400),
  '400 to the second try': failed(400, { isSecondTry: true }),
  '403': failed(403),
  '409': failed(409),
  '412 to a tag': failed(412, {}, true),
  '415': failed(415),
  '429': failed(429),
  '503': failed(503),
  'a reset': failed(503, lost),
  'a pause': failed(503, { ...lost, isPaused: true, mayHaveLanded: false }),
  'a failed test': failed(500, { reason: failedTest }),
  'no connection': { kind: 'unsent', why: { code: 'unreachable', message: 'Unreachable.' } },
  'the end': { kind: 'stopped', why: { code: 'interrupted', message: 'The run ends.' } },
  'a read that shows it': { kind: 'seen', live: shown },
  unmoved: { kind: 'seen', live: unmoved },
  moved: { kind: 'seen', live: moved },
  gone: { kind: 'gone' },
  deleted: { kind: 'deleted' },
  'no read': { kind: 'unreadable', error: new Error('It broke.') },
  'an interrupted read': { kind: 'interrupted' },
};

const byStandard: Catalog = { rules, product: standard, guards: 'unknown' };
const byTaking: Catalog = { ...byStandard, guards: 'taken' };
const byOpenMetadata = { ...byStandard, rules: everyMove, product: openmetadata };

function planChange(live: LiveContract, managed: JsonObject, catalog: Catalog): Delivery {
  const change = planUpdate(live, desiredOf(live, managed), catalog.rules);
  const [update] = updates(makePlan('https://catalog', [change], []));
  if (!update) throw new Error('There is no change.');
  return planned(update, catalog);
}

/** A rule that is appended, after these events. */
function deliver(path: string, catalog: Catalog): Delivery {
  return path.split(', ').reduce<Delivery>(
    (before, name) => {
      const event = events[name];
      if (!event) throw new Error(`There is no event "${name}".`);
      return advance(before, event, catalog);
    },
    planChange(unmoved, { semantics: [rule] }, catalog),
  );
}

function stateOf(delivery: Delivery, catalog: Catalog): string {
  const { state, form } = delivery;
  if (state.kind === 'due')
    return `due: ${isWhole(delivery, catalog) && form !== 'whole' ? 'whole, ' : ''}${form}`;
  if (state.kind !== 'settled') return state.kind;
  const { result, error } = state.outcome;
  return error ? `${result}: ${error.code}` : result;
}

const lostSevenTimes = Array.from({ length: 7 }, () => 'a reset, unmoved').join(', ');

describe.for<[string, Catalog, readonly [path: string, state: string][]]>([
  [
    'a catalog that may know no test',
    byStandard,
    [
      ['yes', 'answered'],
      ['202', 'lost'],
      ['400', 'tests-refused'],
      ['400 to the second try', 'tests-refused'],
      ['403', 'failed: forbidden'],
      ['409', 'refused'],
      ['412 to a tag', 'tag-refused'],
      ['415', 'refused'],
      ['429', 'lost'],
      ['503', 'lost'],
      ['a reset', 'lost'],
      ['no connection', 'failed: unreachable'],
      ['the end', 'skipped: interrupted'],
      ['a read that shows it', 'unchanged'],
      ['unmoved', 'due: guarded'],
      ['moved', 'stale: contract-moved'],
      ['gone', 'stale: contract-gone'],
      ['deleted', 'stale: contract-deleted'],
      ['no read', 'failed: internal-error'],
      ['an interrupted read', 'skipped: interrupted'],
      // Answered with yes.
      ['yes, a read that shows it', 'applied'],
      ['yes, unmoved', 'unverified: nothing-stored'],
      ['yes, moved', 'unverified: content-differs'],
      ['yes, gone', 'unverified: outcome-unknown'],
      ['yes, no read', 'unverified: outcome-unknown'],
      ['yes, an interrupted read', 'unverified: outcome-unknown'],
      // Lost.
      ['202, unmoved', 'held: held'],
      ['429, unmoved', 'due: whole, guarded'],
      ['a reset, a read that shows it', 'applied'],
      ['a reset, unmoved', 'due: whole, guarded'],
      ['a reset, moved', 'unverified: outcome-unknown'],
      ['a reset, gone', 'unverified: outcome-unknown'],
      ['a reset, no read', 'unverified: outcome-unknown'],
      ['a reset, an interrupted read', 'unverified: outcome-unknown'],
      ['a reset, unmoved, yes', 'answered'],
      ['a reset, unmoved, 400', 'tests-refused'],
      ['a reset, unmoved, 400, a read that shows it', 'applied'],
      ['a reset, unmoved, 400, unmoved', 'due: whole'],
      ['a reset, unmoved, 403', 'refused'],
      ['a reset, unmoved, 403, unmoved', 'unverified: outcome-unknown'],
      ['a reset, unmoved, no connection', 'unverified: outcome-unknown'],
      ['a reset, unmoved, the end', 'unverified: outcome-unknown'],
      [lostSevenTimes, 'due: whole, guarded'],
      [`${lostSevenTimes}, a reset, unmoved`, 'unverified: outcome-unknown'],
      // Refused.
      ['400, a read that shows it', 'unchanged'],
      ['400, unmoved', 'due: whole'],
      ['400, unmoved, yes', 'answered'],
      ['400, unmoved, 400', 'tests-refused'],
      ['400, unmoved, 400, unmoved', 'due: whole, bare'],
      ['400, moved', 'stale: contract-moved'],
      ['400, no read', 'failed: bad-request'],
      ['400, an interrupted read', 'skipped: interrupted'],
      ['400 to the second try, a read that shows it', 'applied'],
      ['400, unmoved, 400, unmoved, a pause', 'due: whole, bare'],
      ['400, unmoved, 400, unmoved, 400', 'refused'],
      ['400, unmoved, 400, unmoved, 400, unmoved', 'failed: bad-request'],
      ['400, unmoved, a reset, unmoved', 'due: whole'],
      ['409, a read that shows it', 'applied'],
      ['409, unmoved', 'failed: conflict'],
      ['409, moved', 'unverified: outcome-unknown'],
      ['415, unmoved', 'due: guarded'],
      ['415, unmoved, 415, unmoved', 'failed: unsupported-media-type'],
    ],
  ],
  [
    'a catalog that has taken a guard',
    byTaking,
    [
      ['400, unmoved', 'failed: bad-request'],
      ['a reset, unmoved', 'due: whole, guarded'],
      ['a reset, unmoved, 400, unmoved', 'unverified: outcome-unknown'],
    ],
  ],
  [
    'OpenMetadata',
    byOpenMetadata,
    [
      ['a reset, unmoved', 'due: guarded'],
      ['a failed test, moved', 'stale: contract-moved'],
      ['a failed test, unmoved', 'stale: contract-moved'],
      ['a reset, unmoved, a failed test, unmoved', 'unverified: outcome-unknown'],
      ['412 to a tag, moved', 'stale: contract-moved'],
      ['412 to a tag, unmoved', 'due: guarded'],
    ],
  ],
])('an append to %s', ([, catalog, rows]) => {
  test.for(rows)('after %s is %s', ([path, state]) => {
    expect(stateOf(deliver(path, catalog), catalog)).toBe(state);
  });
});

const read = (document: JsonObject): Event => ({ kind: 'seen', live: liveOf(document) });

describe('a refused patch of owners beside other fields', () => {
  const [ada, zoe] = ['ada', 'zoe'].map((name, n) => ({ id: idOf(n + 1), type: 'user', name }));
  const owned = { ...old, owners: [ada ?? {}], entityStatus: 'Draft' };
  const given = { ...owned, owners: [zoe ?? {}] };
  const change = () =>
    planChange(liveOf(owned), { owners: [zoe ?? {}], extension: { tier: 'x' } }, byOpenMetadata);
  const refusals = {
    'an unknown property': failed(400, { reason: 'Unknown custom field tier' }),
    'a wrong status': failed(403, { reason: "User 'admin' is not a reviewer" }),
    'a fault of the server': failed(500, { reason: 'An exception with message [null]' }),
    'a lacking permission': failed(403, { reason: "Principal: CatalogPrincipal{name='zoe'}" }),
  };
  const later = { version: 0.2, updatedAt: 2 };

  test.for<[keyof typeof refusals, string, Event | undefined, string]>([
    ['an unknown property', 'its owners', read(given), 'landed-in-part: landed-in-part'],
    ['an unknown property', 'nothing', read(owned), 'failed: change-refused'],
    [
      'an unknown property',
      'what cannot be read',
      events['no read'],
      'unverified: outcome-unknown',
    ],
    [
      'an unknown property',
      'its owners, which others have edited since',
      read({ ...given, description: 'By others.', ...later }),
      'landed-in-part: landed-in-part',
    ],
    [
      'a wrong status',
      'owners of before',
      read({ ...owned, owners: [] }),
      'landed-in-part: landed-in-part',
    ],
    ['a fault of the server', 'its owners', read(given), 'landed-in-part: landed-in-part'],
    ['a fault of the server', 'nothing', read(owned), 'due: guarded'],
    ['a lacking permission', 'anything', undefined, 'failed: forbidden'],
  ])('for %s, which leaves %s', ([refusal, , after, state]) => {
    const sent = advance(change(), refusals[refusal], byOpenMetadata);
    const delivery = after ? advance(sent, after, byOpenMetadata) : sent;
    expect(stateOf(delivery, byOpenMetadata)).toBe(state);
  });
});

describe('a status that a workflow of the catalog owns', () => {
  const before = { ...old, entityStatus: 'Draft' };
  const owned = failed(403, { reason: "The status is owned by the workflow 'Approval'." });
  const change = (managed: JsonObject) =>
    planChange(liveOf(before), { entityStatus: 'Approved', ...managed }, byOpenMetadata);
  const after = (...events: readonly Event[]) =>
    events.reduce(
      (delivery, event) => advance(delivery, event, byOpenMetadata),
      change({ description: 'New.' }),
    );

  test('fails a change of nothing else', () => {
    expect(stateOf(advance(change({}), owned, byOpenMetadata), byOpenMetadata)).toBe(
      'failed: status-owned',
    );
  });

  test('leaves the other fields to be sent without it', () => {
    const { state, patch, guard } = after(owned);
    expect({ state, patch }).toEqual({
      state: { kind: 'due' },
      patch: [{ op: 'replace', path: '/description', value: 'New.' }],
    });
    expect(guard.map(({ path }) => path)).not.toContain('/entityStatus');
  });

  test.for([
    ['moved', 'stale: contract-moved'],
    ['a failed test, moved', 'stale: contract-moved'],
    ['403', 'failed: forbidden'],
    ['the end', 'skipped: interrupted'],
  ] as const)('where the rest comes to %s, is %s', ([path, state]) => {
    const rest = path.split(', ').map((name) => events[name] ?? events['the end']);
    expect(stateOf(after(owned, ...rest.flatMap((event) => event ?? [])), byOpenMetadata)).toBe(
      state,
    );
  });
});

test('an outcome names the fault, its cause and the next step', () => {
  const paths = [
    'moved',
    'gone',
    'deleted',
    'an interrupted read',
    '400, no read',
    'yes, unmoved',
    'yes, moved',
    'yes, gone',
    'a reset, moved',
    'a reset, gone',
    'a reset, unmoved, 403, unmoved',
  ];
  const said = paths.map((path) => {
    const { state } = deliver(path, byStandard);
    const { message, hint } = (state.kind === 'settled' && state.outcome.error) || {};
    return `${path}: ${message}\n  ${hint}`;
  });
  expect(said.join('\n')).toMatchInlineSnapshot(`
    "moved: Changed since the plan (now 0.2): not applied.
      Plan again and have the new plan reviewed.
    gone: The catalog no longer lists the contract under its asset.
      Plan again and have the new plan reviewed.
    deleted: The contract is deleted in the catalog but can be restored.
      Restore it in the catalog and plan again.
    an interrupted read: The run was interrupted.
      Apply again: it reads the catalog first, so nothing is done twice.
    400, no read: The catalog refused this change. (PATCH https://catalog/, status 400) The contract can't be read to check for changes since the plan: Error: It broke.
      Apply again: it reads the catalog first, so nothing is done twice. If the catalog names a value, correct it in the file. Otherwise run contract-sync doctor to see the release of the catalog.
    yes, unmoved: The catalog accepted the change but stored nothing: the contract still differs at semantics[0 amount is positive].
      Some catalogs store such a field only together with others, or not at all.
    yes, moved: The catalog accepted the change, but the contract differs from the plan at semantics[0 amount is positive].
      Check the contract in the catalog: either the catalog changed the values, or somebody did since.
    yes, gone: The catalog accepted the change, but the contract can't be read to check it: The catalog no longer lists the contract under its asset.
      Apply again: it reads the catalog first, so nothing is done twice.
    a reset, moved: The change may have landed. Others have changed the contract (now 0.2): check its history.
      Plan again and have the new plan reviewed.
    a reset, gone: The change may have landed, and the contract can't be read to check: The catalog no longer lists the contract under its asset.
      Apply again: it reads the catalog first, so nothing is done twice.
    a reset, unmoved, 403, unmoved: The change has not landed so far, but still may. The owner of the access token lacks the permission to update data contracts. (PATCH https://catalog/, status 403)
      Ask an administrator of the catalog to let this user update data contracts. Apply again: it reads the catalog first, so nothing is done twice."
  `);
});

test.for<[answered: string | null, read: string, result: string]>([
  ['Approved', 'In Review', 'applied'],
  // The catalog never took it.
  ['In Review', 'In Review', 'unverified: content-differs'],
  ['In Review', 'Draft', 'unverified: content-differs'],
  ['Draft', 'In Review', 'unverified: content-differs'],
  [null, 'Draft', 'unverified: content-differs'],
])('an approval answered with %s and read as %s is %s', ([answered, read, result]) => {
  const draft = { ...old, entityStatus: 'Draft', updatedBy: 'admin' };
  const change = planChange(liveOf(draft), { entityStatus: 'Approved' }, byOpenMetadata);
  const answer = liveOf({ ...draft, entityStatus: answered, updatedAt: 2 });
  const live = liveOf({ ...draft, entityStatus: read, updatedAt: 2 });
  const sent = advance(change, { kind: 'answered', answer, before: undefined }, byOpenMetadata);
  const delivery = advance(sent, { kind: 'seen', live }, byOpenMetadata);
  expect(stateOf(delivery, byOpenMetadata)).toBe(result);
  const note =
    'Changed after: admin moved the status from Approved to In Review right after the write.';
  expect('outcome' in delivery.state && delivery.state.outcome.note).toBe(
    result === 'applied' ? note : undefined,
  );
});
