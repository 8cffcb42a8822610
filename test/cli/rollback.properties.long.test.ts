import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isArray, isObject, type JsonObject } from '../../src/core/json.ts';
import { fieldAfter, type PlaceEdit, placeEdits } from '../history/edits.ts';
import { openPast, ordersFile, type Past, pastDialects } from '../support/past.ts';

const day = 24 * 60;

/** Of some minutes, so that a catalog with sessions merges some of them. */
type Step = { readonly edit: PlaceEdit; readonly user: string; readonly minutes: number };

const steps: fc.Arbitrary<Step> = fc.record({
  // The lifecycle has its own say on statuses.
  edit: placeEdits.filter(({ kind }) => kind !== 'status'),
  user: fc.constantFrom('ada', 'mira', 'zoe'),
  minutes: fc.constantFrom(1, 11),
});

/** The states that it leads through, oldest first. */
async function walk(past: Past, taken: readonly Step[]): Promise<readonly JsonObject[]> {
  const states = [await past.live()];
  for (const { edit, user, minutes } of taken) {
    past.pass(minutes);
    await past.edit(user, fieldAfter(await past.live(), edit));
    states.push(await past.live());
  }
  return states;
}

/** Each walk is a catalog, a repository and some runs of the command line. */
const runs = { numRuns: 6 };

function columnsOf({ schema }: JsonObject): readonly JsonObject[] {
  return isArray(schema) ? schema.filter(isObject) : [];
}

describe.each(pastDialects)('in the dialect %s, after a random walk of edits', (dialect) => {
  test('a rollback to any version leaves nothing to roll back', { timeout: 120_000 }, async () => {
    const walks = fc.array(steps, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(walks, fc.nat(), async (taken, choice) => {
        const past = await openPast(dialect);
        await walk(past, taken);
        past.pass(day);
        const versions = await past.versions();
        const wanted = versions[choice % versions.length] ?? {};
        const to = ['rollback', past.name, '--to', JSON.stringify(wanted['version'])];
        const { code, stderr } = await past.run(...to, '--yes');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        const live = await past.live();
        expect(live['description']).toBe(wanted['description']);
        expect(columnsOf(live)).toEqual(columnsOf(wanted));
        expect((await past.run(...to, '--yes')).stdout).toContain('No changes.');
      }),
      runs,
    );
  });

  test('a rollback of a run keeps all that others did', { timeout: 120_000 }, async () => {
    const walks = fc.array(steps, { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(walks, async (taken) => {
        const past = await openPast(dialect);
        past.pass(day);
        await runOverGit(past);
        past.pass(day);
        const states = await walk(past, taken);
        past.pass(day);
        const { code } = await past.run('rollback', '--run', 'outcomes.json', '--yes');
        expect(code).toBe(0);
        expectOthersKept(states, await past.live());
      }),
      runs,
    );
  });
});

/** A run that describes the orders and retypes their amount. */
async function runOverGit(past: Past): Promise<void> {
  const columns = ['{ name: id, dataType: BIGINT }', '{ name: amount, dataType: BIGINT }'];
  const schema = `schema: [${columns.join(', ')}, { name: city, dataType: VARCHAR }]`;
  past.commit({
    'contracts/orders.yaml': ordersFile(past.name, 'description: By git.', schema),
  });
  writeFileSync(
    join(past.folder, 'contract-sync.yaml'),
    'contracts: { include: [contracts] }\ncompatibility: { mode: none }\n',
  );
  const report = join(past.folder, 'outcomes.json');
  expect((await past.run('apply', '--yes', '--report', report)).code).toBe(0);
}

const bookkeeping = new Set([
  'version',
  'updatedAt',
  'updatedBy',
  'changeDescription',
  'incrementalChangeDescription',
]);

/** What the run set: the description, and the type of the amount. */
type RunPlaces = { readonly description: unknown; readonly dataType: unknown };

const asRunLeft: RunPlaces = { description: 'By git.', dataType: 'BIGINT' };
const asBeforeRun: RunPlaces = { description: 'One row per order.', dataType: 'DECIMAL' };

function runPlacesOf(document: JsonObject): RunPlaces {
  const amount = columnsOf(document).find(({ name }) => name === 'amount');
  return { description: document['description'], dataType: amount?.['dataType'] };
}

/** What stands after the rollback, by the states that the others made, oldest first. */
function expectOthersKept(states: readonly JsonObject[], after: JsonObject): void {
  const before = states.at(-1) ?? {};
  expect(othersOf(after)).toEqual(othersOf(before));
  const [now, restored] = [runPlacesOf(before), runPlacesOf(after)];
  for (const place of ['description', 'dataType'] as const) {
    const isTouched = states.some((state) => runPlacesOf(state)[place] !== asRunLeft[place]);
    // Who sets what the run has set may or may not be seen in a catalog with sessions.
    const isBack = isTouched && now[place] === asRunLeft[place];
    if (!isBack) expect(restored[place]).toBe((isTouched ? now : asBeforeRun)[place]);
  }
}

/** All but what the run set. */
function othersOf(document: JsonObject): JsonObject {
  const { description: _d, schema: _s, ...rest } = withoutNotes(document);
  const columns = columnsOf(document).map((column) =>
    column['name'] === 'amount' ? { ...column, dataType: 'of the run' } : column,
  );
  return { ...rest, schema: columns };
}

function withoutNotes(document: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !bookkeeping.has(field)));
}
