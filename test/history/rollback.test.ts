import { describe, expect, test } from 'vitest';
import { managedFields } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import {
  fieldsToRestore,
  undoRun,
  versionBefore,
  versionsNumbered,
} from '../../src/history/rollback.ts';
import { at, standard, versionsOf } from './histories.ts';

test('the way back to a state sets fields whole, and removes those that were absent', () => {
  const then = { description: 'One.', schema: [{ name: 'id' }], displayName: 'Orders' };
  const now = { description: 'Two.', sla: { timezone: 'UTC' }, owners: null };
  expect(fieldsToRestore(then, now, managedFields)).toEqual({
    displayName: 'Orders',
    description: 'One.',
    schema: [{ name: 'id' }],
    sla: null,
  });
});

const id = { name: 'id', dataType: 'INT' };
const amount = { name: 'amount', dataType: 'INT' };
const city = { name: 'city', dataType: 'INT' };
const long = { dataType: 'LONG' };

type Undo = readonly [string, ...(readonly [JsonObject, JsonObject, JsonObject, JsonObject])];

const undone: readonly Undo[] = [
  [
    'a field that is still as the run left it',
    { description: 'One.' },
    { description: 'Two.' },
    { description: 'Two.' },
    { description: 'One.' },
  ],
  [
    'a field that was not there before',
    {},
    { sla: { timezone: 'UTC' } },
    { sla: { timezone: 'UTC' } },
    { sla: null },
  ],
  [
    'one column, though another was edited since',
    { schema: [id, amount] },
    { schema: [{ ...id, ...long }, amount] },
    {
      schema: [
        { ...id, ...long },
        { ...amount, ...long },
      ],
    },
    { schema: [id, { ...amount, ...long }] },
  ],
  [
    'a column that was dropped, behind the one that it stood behind',
    { schema: [id, amount] },
    { schema: [id] },
    { schema: [city, id] },
    { schema: [city, id, amount] },
  ],
  [
    'the order, with what came since',
    { schema: [id, amount] },
    { schema: [amount, id] },
    { schema: [amount, city, id] },
    { schema: [id, amount, city] },
  ],
  [
    'an owner, and keeps one that came since',
    { owners: [{ name: 'ada' }] },
    { owners: [{ name: 'mira' }] },
    { owners: [{ name: 'zoe' }, { name: 'mira' }] },
    { owners: [{ name: 'ada' }, { name: 'zoe' }] },
  ],
  [
    'nothing of what somebody has already taken back',
    { description: 'One.' },
    { description: 'Two.' },
    { description: 'One.' },
    {},
  ],
];

test.each(undone)('a run is undone: %s', (_, ...[before, after, now, expected]) => {
  expect(undo(before, after, now)).toEqual({ fields: expected, conflicts: [] });
});

describe('a conflict', () => {
  test('is left as it is, and names who changed the place', () => {
    const { fields, conflicts } = undo(
      { description: 'One.', schema: [id, amount] },
      {
        description: 'Two.',
        schema: [
          { ...id, ...long },
          { ...amount, ...long },
        ],
      },
      {
        description: 'Two.',
        schema: [
          { ...id, dataType: 'TEXT' },
          { ...amount, ...long },
        ],
      },
    );
    expect(fields).toEqual({ description: 'One.', schema: [{ ...id, dataType: 'TEXT' }, amount] });
    expect(conflicts).toEqual([
      {
        path: ['schema', '{name=id}', 'dataType'],
        label: 'schema[id].dataType',
        of: 'value',
        blame: {
          kind: 'changed',
          before: 'LONG',
          version: expect.objectContaining({ user: 'zoe', version: '0.3' }),
        },
      },
    ]);
  });

  test('is a place that one has edited and the other removed', () => {
    const { fields, conflicts } = undo({ schema: [id] }, { schema: [{ ...id, ...long }] }, {});
    expect(fields).toEqual({});
    expect(conflicts).toMatchObject([{ path: ['schema'], of: 'value' }]);
  });

  test('over the order keeps the later order, and undoes changes within the elements', () => {
    const { fields, conflicts } = undo(
      { schema: [id, amount, city] },
      { schema: [amount, { ...id, ...long }, city] },
      { schema: [city, amount, { ...id, ...long }] },
    );
    expect(fields).toEqual({ schema: [city, amount, id] });
    expect(conflicts).toMatchObject([
      { path: ['schema'], of: 'order', blame: { kind: 'changed', version: { version: '0.3' } } },
    ]);
  });

  test('is a whole list if its elements have no key', () => {
    const rules = ['one', 'two', 'three'].map((rule) => ({ semantics: [{ rule }, { rule: 'x' }] }));
    const [before = {}, after = {}, now = {}] = rules;
    expect(undo(before, after, now)).toMatchObject({
      fields: {},
      conflicts: [{ path: ['semantics'], of: 'value' }],
    });
  });
});

function undo(before: JsonObject, after: JsonObject, now: JsonObject) {
  const versions = versionsOf([before, after, { ...now, updatedBy: 'zoe' }]);
  const run = { before, after, version: '0.2', updatedAt: at(1), updatedBy: 'ada' };
  return undoRun(run, now, versions, standard);
}

function writtenTo(previousVersion: number): JsonObject {
  return {
    changeDescription: { previousVersion: 0.1 },
    incrementalChangeDescription: { previousVersion },
  };
}

describe("a value that another wrote after the run stays, though it equals the run's:", () => {
  const run = {
    before: { schema: [id] },
    after: { schema: [id, amount] },
    version: '0.2',
    updatedAt: at(1),
    updatedBy: 'ada',
  };
  const live = { schema: [id, amount] };
  const undoIn = (states: readonly JsonObject[]) =>
    undoRun(run, live, versionsOf(states), standard);
  const kept = { fields: {}, conflicts: [{ label: 'schema[amount]' }] };

  test('by another version', () => {
    const states = [run.before, run.after, run.before, { ...live, updatedBy: 'zoe' }];
    expect(undoIn(states)).toMatchObject(kept);
  });

  test('by a version of the same number, of another user', () => {
    const again = { ...live, version: 0.2, updatedAt: at(3), updatedBy: 'zoe' };
    expect(undoIn([run.before, again])).toMatchObject(kept);
  });

  test('by a version of the same number, of the same user, made in one write', () => {
    const again = { ...live, ...writtenTo(0.1), updatedAt: at(3) };
    expect(undoIn([run.before, again])).toMatchObject(kept);
  });

  test('but not by a version that later edits have joined, with a reason', () => {
    const joined = { ...live, ...writtenTo(0.2), updatedAt: at(3), description: 'Later.' };
    const { fields, conflicts, mergedInto } = undoIn([run.before, joined]);
    expect({ fields, conflicts }).toEqual({ fields: run.before, conflicts: [] });
    expect(mergedInto).toMatchObject({ version: '0.2', user: 'ada' });
  });

  test('and not by one that was there before', () => {
    const states = [
      { ...run.before, version: 0.2, updatedAt: at(-3) },
      { ...live, updatedAt: at(1) },
    ];
    expect(undoIn(states)).toEqual({ fields: run.before, conflicts: [] });
  });

  test('nor by a version without an earlier one that carries the field', () => {
    const states = [{}, run.after, { ...live, entity: {}, updatedBy: 'zoe' }];
    expect(undoIn(states)).toEqual({ fields: run.before, conflicts: [] });
  });
});

const merged: JsonObject = {
  changeDescription: { previousVersion: 0.2 },
  incrementalChangeDescription: { previousVersion: 0.3 },
};
const versions = versionsOf([{}, {}, merged, { version: 1 }]);
const restored = versionsOf([{}, {}, { version: 0.1 }, { version: 0.2 }]);

describe('a version by its number', () => {
  test('is found with or without its decimal', () => {
    for (const number of ['1', '1.0'])
      expect(versionsNumbered(versions, number)).toEqual([versions[0]]);
  });

  test('is missing where the history does not have it', () => {
    expect(versionsNumbered(versions, '0.9')).toEqual([]);
  });

  test('is listed twice where the catalog gave it twice', () => {
    expect(versionsNumbered(restored, '0.1')).toEqual([restored[1], restored[3]]);
  });
});

describe('a version by a moment', () => {
  test('is the last one that was written before it', () => {
    expect(versionBefore(versions, at(1))?.version).toBe(versions[3]);
    expect(versionBefore(versions, at(1) + 1)).toEqual({
      version: versions[2],
      mergedInto: versions[1],
    });
  });

  test('is unknown before the first', () => {
    expect(versionBefore(versions, at(0))).toBeUndefined();
  });
});
