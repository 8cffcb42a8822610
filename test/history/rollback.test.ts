import { describe, expect, test } from 'vitest';
import { managedFields } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { fieldsToRestore, undoRun } from '../../src/history/rollback.ts';
import { standard, versionsOf } from './histories.ts';

describe('the way back to a state', () => {
  test('sets fields whole, and removes what was not there', () => {
    const then = { description: 'One.', schema: [{ name: 'id' }], displayName: 'Orders' };
    const now = { description: 'Two.', sla: { timezone: 'UTC' }, owners: null };
    expect(fieldsToRestore(then, now, managedFields)).toEqual({
      displayName: 'Orders',
      description: 'One.',
      schema: [{ name: 'id' }],
      sla: null,
    });
  });
});

const id = { name: 'id', dataType: 'INT' };
const amount = { name: 'amount', dataType: 'INT' };
const city = { name: 'city', dataType: 'INT' };
const long = { dataType: 'LONG' };

type Undo = readonly [string, ...(readonly [JsonObject, JsonObject, JsonObject, JsonObject])];

const undone: readonly Undo[] = [
  [
    'a field that nobody has touched',
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

describe('a run is undone:', () => {
  test.each(undone)('%s', (_, ...[before, after, now, expected]) => {
    expect(undo(before, after, now)).toEqual({ fields: expected, conflicts: [] });
  });
});

describe('a conflict', () => {
  test('is left as it is, and tells who has changed the place', () => {
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

  test('over the order keeps theirs, and undoes what is in the elements', () => {
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

  test('is a whole list of which nothing tells the elements apart', () => {
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
  const [live, made, found] = versions;
  if (!live || !made || !found) throw new Error('A history has three versions.');
  return undoRun(
    { before: found, after: made, live: live.document, versions },
    managedFields,
    standard,
  );
}
