import fc from 'fast-check';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { deepEqual, type JsonObject, type JsonValue } from '../../src/core/json.ts';
import type { HistoryRules } from '../../src/history/version.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { answerOfVersion, type Version } from '../../src/sandbox/openmetadata/contract.ts';
import { patchContract } from '../../src/sandbox/openmetadata/patch-contract.ts';
import { sow } from '../../src/sandbox/openmetadata/seed.ts';
import { makeWorld, requireContract } from '../../src/sandbox/openmetadata/world.ts';
import { nextVersion } from '../../src/sandbox/contract.ts';
import type { Equivalence } from '../../src/contract/equality.ts';
import { fieldAfter, type PlaceEdit, placeEdits } from './edits.ts';

/** What somebody does at one moment. */
export type Step = {
  readonly edits: readonly PlaceEdit[];
  readonly user: string;
  /** How long after the step before. */
  readonly minutes: number;
  /** With If-Match, which keeps a change out of sessions. */
  readonly guarded: boolean;
};

export const steps: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(placeEdits, { minLength: 1, maxLength: 2 }),
  user: fc.constantFrom('ada', 'mira', 'zoe'),
  minutes: fc.constantFrom(1, 4, 11),
  guarded: fc.boolean(),
});

/** What the catalog tells of a walk, and what truly happened. */
export type Walk = {
  /** Newest first, out of their texts. */
  readonly snapshots: readonly JsonObject[];
  /** What the contract was after each step; at 0 as it was made. */
  readonly states: readonly JsonObject[];
  /** The version's number after each step. */
  readonly numbers: readonly string[];
  readonly users: readonly string[];
  /** The steps that went into each snapshot, oldest first. */
  readonly merged: readonly (readonly number[])[];
};

export type Dialect = {
  readonly name: string;
  readonly walk: (steps: readonly Step[]) => Walk;
  readonly equivalence: Equivalence;
  readonly rules: HistoryRules;
};

const start = 1_790_000_000_000;
const minute = 60_000;

const id = '0a000000-0000-4000-8000-000000000001';

const first: JsonObject = {
  id,
  name: 'orders',
  description: 'One.',
  entityStatus: 'Draft',
  schema: ['id', 'amount', 'city', 'note'].map((name) => ({ name, dataType: 'INT' })),
};

/** Each change is a version of its own (interface §3, §9). */
function walkStandard(taken: readonly Step[]): Walk {
  let current: JsonObject = { ...first, version: 0.1, updatedAt: start, updatedBy: 'admin' };
  const versions = [current];
  const states = [current];
  const merged = [[0]];
  let now = start;
  for (const [index, { edits, user, minutes }] of taken.entries()) {
    now += minutes * minute;
    const fields = fieldsAfter(current, edits);
    const names = Object.keys(fields).filter((name) => !deepEqual(fields[name], current[name]));
    if (names.length > 0) {
      const version = nextVersion(Number(current['version']), names);
      current = withFields(current, { ...fields, version, updatedAt: now, updatedBy: user });
      versions.unshift(current);
      merged.push([index + 1]);
    }
    states.push(current);
  }
  return { ...told(versions), states, merged, users: usersOf(taken), numbers: numbersOf(states) };
}

/** A null takes a field away, also one that was not there. */
function withFields(document: JsonObject, fields: JsonObject): JsonObject {
  const all = Object.entries({ ...document, ...fields });
  return Object.fromEntries(all.filter(([, value]) => value !== null));
}

function fieldsAfter(document: JsonObject, edits: readonly PlaceEdit[]): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const edit of edits) Object.assign(fields, fieldAfter({ ...document, ...fields }, edit));
  const here = Object.entries(fields).filter(([name, value]) => value !== null || document[name]);
  return Object.fromEntries(here);
}

/** Versions as OpenMetadata makes them, with sessions. */
function walkOpenMetadata(taken: readonly Step[]): Walk {
  let now = start;
  const world = makeWorld(() => now);
  const entity = { fullyQualifiedName: 'shop.sales.web.orders' };
  const users = ['ada', 'mira', 'zoe', 'bot'].map((name) => ({ name }));
  sow(world, { users, contracts: [{ ...first, entity }] });
  const states: JsonObject[] = [requireContract(world, id).current];
  const merged = [[0]];
  for (const [index, step] of taken.entries()) {
    now += step.minutes * minute;
    const before = requireContract(world, id);
    patchContract(world, {
      id,
      caller: { name: step.user, isAdmin: true, isBot: false, roles: [] },
      text: JSON.stringify(patchOf(fieldsAfter(before.current, step.edits))),
      ifMatch: step.guarded ? '*' : undefined,
    });
    const after = requireContract(world, id);
    states.push(after.current);
    if (after.current !== before.current) noteStep(merged, index + 1, after.history.length + 1);
  }
  const { current, history } = requireContract(world, id);
  const versions = [current, ...history].map((version: Version) => answerOfVersion(version));
  return { ...told(versions), states, merged, users: usersOf(taken), numbers: numbersOf(states) };
}

function patchOf(fields: JsonObject): JsonValue {
  return Object.entries(fields).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
}

/** A step makes a version, joins the last one, or takes the last one back into the one before. */
function noteStep(merged: number[][], step: number, versions: number): void {
  if (versions > merged.length) {
    merged.push([step]);
    return;
  }
  const undone = merged.splice(versions).flat();
  merged.at(-1)?.push(...undone, step);
}

/** As the catalog sends them. */
function told(versions: readonly JsonObject[]) {
  return { snapshots: versions.map((each): JsonObject => JSON.parse(JSON.stringify(each))) };
}

function usersOf(taken: readonly Step[]): readonly string[] {
  return ['admin', ...taken.map(({ user }) => user)];
}

function numbersOf(states: readonly JsonObject[]): readonly string[] {
  return states.map(({ version }) => JSON.stringify(version));
}

const { arrays, equivalence } = defaultRules;
const fromOpenMetadata = { ...openmetadata.equivalence, ignore: [] };

export const dialects: readonly Dialect[] = [
  { name: 'standard', walk: walkStandard, equivalence, rules: { equivalence, arrays } },
  {
    name: 'openmetadata',
    walk: walkOpenMetadata,
    equivalence: fromOpenMetadata,
    rules: { equivalence: fromOpenMetadata, arrays },
  },
];
