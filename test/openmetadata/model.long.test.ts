/** Edits of files, edits by hand, people who leave and pauses, in any order, at each release. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Outcome } from '../../src/apply/outcome.ts';
import type { Problem } from '../../src/core/diagnostic.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import {
  type Change,
  type ContractPlan,
  contractProblems,
  type Plan,
  updates,
} from '../../src/plan/plan.ts';
import { rounds } from '../support/rounds.ts';
import { byHand, entity, file, openOrders, pauses, run } from './edits.ts';
import { idOf } from '../sandbox/openmetadata/served.ts';
import type { World } from './world.ts';

/** 900 by `PROPERTY_ROUNDS=15`. */
const numRuns = rounds(60);

const edit = fc.constantFrom(...byHand);

const step = fc.record({
  content: file,
  before: fc.array(edit, { maxLength: 2 }),
  /** Between the plan and the apply, or right before its patch arrives. */
  meanwhile: fc.option(fc.record({ edit, isLast: fc.boolean() }), { freq: 2 }),
  editor: fc.constantFrom('admin', 'ingestion-bot'),
  away: fc.subarray(['ada', 'mira']),
  pause: fc.constantFrom(...pauses),
});

const script = fc.record({
  release: fc.constantFrom('1.12', '1.13', '2.0'),
  asks: fc.boolean(),
  steps: fc.array(step, { minLength: 2, maxLength: 6 }),
});

type Script = typeof script extends fc.Arbitrary<infer Value> ? Value : never;

test(
  'an apply overwrites no edit that it has read, sends no change twice, and reports true outcomes',
  {
    timeout: 60_000 + numRuns * 2000,
  },
  async () => {
    const seed = Date.now() % 2 ** 31;
    const told = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(script, async (each) => play(each, told)),
      { numRuns, seed, endOnFailure: numRuns > 100 },
    );
    console.log(`${numRuns} runs, seed ${seed}:`, Object.fromEntries(told));
  },
);

async function play({ release, asks, steps }: Script, told: Map<string, number>): Promise<void> {
  const world = await openOrders(release);
  const users = await Promise.all(
    ['ada', 'mira'].map(async (name) => [name, await idOf(world, 'users', name)] as const),
  );
  for (const { content, before, meanwhile, editor, away, pause } of steps) {
    for (const [name, id] of users) await setPresent(world, id, !away.includes(name));
    for (const one of before) await editByHand(world, one, editor);
    world.pass(pause);
    const texts = [JSON.stringify({ name: 'orders', entity, ...content })];
    const plan = await world.plan(texts, { ...run, asks });
    if (plan.errored || plan.contracts.flatMap(contractProblems).some(isError)) continue;
    const seen = await read(world);
    const arrived: (JsonObject | undefined)[] = [];
    const interfere = async (): Promise<void> => {
      if (!meanwhile || arrived.length > 0) return;
      await editByHand(world, meanwhile.edit, editor);
      arrived.push(await read(world));
    };
    if (meanwhile?.isLast === false) await interfere();
    const late: typeof fetch = async (input, init) => {
      if (init?.method === 'PATCH') await interfere();
      return fetch(input, init);
    };
    const effects = { sleep: () => Promise.resolve(), random: () => 0, fetch: late };
    const { outcomes } = await world.apply(plan, { ...run, connection: { effects } });
    const after = await read(world);
    const isDisturbed = arrived.length > 0;
    count(outcomes, told);
    const states = { seen, edited: arrived[0] ?? seen, after, isDisturbed };
    outcomes.forEach((outcome) => expectTrue(outcome, plan, states));
    if (!isDisturbed && outcomes.every(isAsPlanned)) {
      const next = await world.plan(texts, { ...run, asks });
      expect(next.contracts.flatMap(changesOf)).toEqual([]);
    }
  }
}

function count(outcomes: readonly Outcome[], told: Map<string, number>): void {
  for (const name of outcomes.map(nameOf)) told.set(name, (told.get(name) ?? 0) + 1);
}

function isError({ severity }: Problem): boolean {
  return severity === 'error';
}

async function setPresent(world: World, id: string, isPresent: boolean): Promise<void> {
  await (isPresent
    ? world.ask('PUT', '/users/restore', { body: { id } })
    : world.ask('DELETE', `/users/${id}`));
}

function isAsPlanned({ result, note }: Outcome): boolean {
  return result === 'applied' && !note?.startsWith('Changed after');
}

function changesOf(contract: ContractPlan): readonly Change[] {
  return 'changes' in contract ? contract.changes : [];
}

type States = {
  readonly seen: JsonObject | undefined;
  /** What there was when the patch arrived, as far as known. */
  readonly edited: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly isDisturbed: boolean;
};

function expectTrue(outcome: Outcome, plan: Plan, states: States): void {
  const { seen, edited, after } = states;
  for (const list of ['schema', 'semantics']) expectOnce(before(list, edited), before(list, after));
  if (plan.summary.create === 1) {
    if (outcome.result !== 'applied')
      expect({ outcome, after }).toEqual({ outcome, after: edited });
    return;
  }
  const [change] = updates(plan);
  const fields = new Set(change?.changes.map(({ place }) => place.split('/')[1] ?? ''));
  expectUntouched(fields, outcome, states);
  if (outcome.result !== 'applied') return expectNothingDone(outcome, states);
  // An edit that the plan has not seen is in none of the fields that the patch has changed.
  for (const field of fields)
    expect({ field, value: edited?.[field] }).toEqual({ field, value: seen?.[field] });
}

// What the change does not touch is as it was right before the patch.
function expectUntouched(
  fields: ReadonlySet<string>,
  { note }: Outcome,
  { edited = {}, after = {} }: States,
): void {
  const isMoved = note?.startsWith('Changed after') === true;
  const left = Object.keys({ ...edited, ...after }).filter(
    (field) => !fields.has(field) && !(isMoved && field === 'entityStatus'),
  );
  for (const field of left)
    expect({ field, value: after[field] }).toEqual({ field, value: edited[field] });
}

const refusals = ['needs-reviewer', 'change-refused', 'value-refused', 'unknown-column'];

function expectNothingDone({ result, error }: Outcome, { edited, after, isDisturbed }: States) {
  expect(['unchanged', 'stale', 'failed']).toContain(result);
  if (result === 'stale') expect(isDisturbed).toBe(true);
  if (result === 'failed') expect(refusals).toContain(error?.code);
  expect(after).toEqual(edited);
}

function before(list: string, document: JsonObject | undefined): readonly JsonValue[] {
  const value = document?.[list];
  return isArray(value)
    ? value.map((item) => (isObject(item) ? (item['name'] ?? null) : null))
    : [];
}

/** No name comes twice that did not before. */
function expectOnce(earlier: readonly JsonValue[], later: readonly JsonValue[]): void {
  const known = new Set(twice(earlier));
  expect(twice(later).filter((name) => !known.has(name))).toEqual([]);
}

function twice(names: readonly JsonValue[]): readonly JsonValue[] {
  return names.filter((name, index) => names.indexOf(name) !== index);
}

async function editByHand(world: World, one: JsonObject, editor: string): Promise<void> {
  const { body } = await world.ask('GET', '/dataContracts');
  for (const { id } of body.data) {
    await world.ask('PATCH', `/dataContracts/${id}`, { body: [one] }, editor);
  }
}

/** The content of the contract, without what the server notes of it. */
async function read(world: World): Promise<JsonObject | undefined> {
  const { body } = await world.ask('GET', '/dataContracts?fields=owners,reviewers,extension');
  const [contract] = body.data;
  if (!contract) return undefined;
  const { displayName, owners, reviewers } = contract;
  const content = Object.entries(contract).filter(
    ([field, value]) => !ofServer.has(field) && !(Array.isArray(value) && value.length === 0),
  );
  return {
    ...Object.fromEntries(content),
    ...(displayName !== undefined && displayName !== 'orders' && { displayName }),
    owners: present(owners),
    reviewers: present(reviewers),
  };
}

const ofServer = new Set([
  'version',
  'updatedAt',
  'updatedBy',
  'impersonatedBy',
  'changeDescription',
  'incrementalChangeDescription',
  'displayName',
  'owners',
  'reviewers',
]);

function present(people: { id: string; deleted: boolean }[] = []): string[] {
  return people
    .filter(({ deleted }) => !deleted)
    .map(({ id }) => id)
    .toSorted();
}

function nameOf({ result, error }: Outcome): string {
  return error ? `${result}: ${error.code}` : result;
}
