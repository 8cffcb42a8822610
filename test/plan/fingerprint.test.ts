import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type JsonObject, type JsonValue } from '../../src/core/json.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { differencesOf, planHash, sealPlan, withPatches, makePlan } from '../../src/plan/seal.ts';
import { defaultRules, type Rules } from '../../src/plan/rules.ts';
import { openPlan } from '../../src/review/open-plan.ts';
import { desiredOf, liveOf, updateOf } from '../support/contracts.ts';
import { rounds } from '../support/rounds.ts';

const columns = [
  { name: 'id', dataType: 'BIGINT' },
  { name: 'amount', dataType: 'INT' },
  { name: 'note', dataType: 'TEXT' },
];

const live: JsonObject = { description: 'Old.', schema: columns, semantics: [], tags: ['a'] };

const wanted: JsonObject = {
  description: 'New.',
  schema: [
    { name: 'id', dataType: 'BIGINT' },
    { name: 'amount', dataType: 'DECIMAL' },
  ],
};

function fingerprint(before: JsonObject, managed: JsonObject, rules: Rules = defaultRules): string {
  const planned = planUpdate(liveOf(before), desiredOf(managed), rules);
  return planned.action === 'unchanged' ? 'none' : planned.fingerprint;
}

const approved = fingerprint(live, wanted);

describe('the fingerprint of a change is the same', () => {
  const fill = [['schema', '*', 'tags']];
  test.for<[string, JsonObject, JsonObject, Rules?]>([
    [
      'at whatever index a column stands',
      { ...live, schema: columns.toReversed() },
      {
        ...wanted,
        schema: [
          { name: 'amount', dataType: 'DECIMAL' },
          { name: 'id', dataType: 'BIGINT' },
        ],
      },
    ],
    [
      'with whatever column beside it, where the file has it too',
      {
        ...live,
        schema: [{ name: 'new', dataType: 'X' }, ...columns],
      },
      { ...wanted, schema: [{ name: 'new', dataType: 'X' }, ...[wanted['schema'] ?? []].flat()] },
    ],
    [
      'with members that the server adds to what stays',
      {
        ...live,
        schema: columns.map((column) =>
          column.name === 'note' ? column : { ...column, tags: [] },
        ),
      },
      wanted,
      { ...defaultRules, equivalence: { ...defaultRules.equivalence, fill } },
    ],
  ])('%s', ([, before, managed, rules]) => {
    expect(fingerprint(before, managed, rules)).toBe(approved);
  });
});

describe('the fingerprint of a change is another', () => {
  test.for<[string, JsonObject, JsonObject]>([
    ['for another contract', { ...live, id: '22222222-2222-4222-8222-222222222222' }, wanted],
    ['where another value is overwritten', { ...live, description: 'Corrected by hand.' }, wanted],
    ['where another value is written', live, { ...wanted, description: 'Newer.' }],
    ['where nothing was there', { schema: columns }, wanted],
    ['where null was there', { ...live, description: null }, wanted],
    [
      'where another value is removed',
      {
        ...live,
        schema: columns.map((column) => (column.name === 'note' ? { ...column, x: 1 } : column)),
      },
      wanted,
    ],
    ['where more is removed', { ...live, schema: [...columns, { name: 'by_hand' }] }, wanted],
    [
      'where elements come in another order',
      live,
      {
        ...wanted,
        schema: [
          { name: 'amount', dataType: 'DECIMAL' },
          { name: 'id', dataType: 'BIGINT' },
        ],
      },
    ],
    ['where something is done to one more place', live, { ...wanted, entityStatus: 'Active' }],
  ])('%s', ([, before, managed]) => {
    expect(fingerprint(before, managed)).not.toBe(approved);
  });

  test('where an element is added behind another', () => {
    const [id, amount] = [{ name: 'id' }, { name: 'amount' }];
    const added = { name: 'x' };
    const at = (schema: JsonValue) => fingerprint({ schema: [id, amount] }, { schema });
    expect(at([id, added, amount])).not.toBe(at([id, amount, added]));
  });
});

const value = fc.constantFrom<JsonValue>('a', 'b', 1, null, true, ['a'], { x: 1 }, { x: 2, y: [] });
const column = fc.record({ dataType: value }, { requiredKeys: [] });
const names = ['p', 'q', 'r', 's'] as const;
const schema = fc
  .tuple(...names.map(() => fc.option(column, { nil: undefined })))
  .map((found) =>
    found.flatMap((each, index) => (each ? [{ name: names[index] ?? '', ...each }] : [])),
  )
  .chain((found) => fc.shuffledSubarray(found, { minLength: found.length }));
const list = fc.array(fc.constantFrom<JsonValue>('a', 'b', 'c', { z: 1 }, { z: 2 }));
const fields = fc
  .record(
    {
      description: value,
      schema,
      semantics: list,
      extension: fc.record({ tags: list, note: value }, { requiredKeys: [] }),
    },
    { requiredKeys: [] },
  )
  // As a catalog sends it: no part of it stands at two places.
  .map((document): JsonObject => JSON.parse(JSON.stringify(document)));

describe('for any contract and file', () => {
  test('the fingerprint of a change covers all of its values, and the saved plan opens again', () => {
    fc.assert(
      fc.property(fields, fields, (before, managed) => {
        const planned = planUpdate(liveOf(before), desiredOf(managed), defaultRules);
        if (planned.action === 'unchanged') return;
        expect(differencesOf(planned, defaultRules.arrays).length).toBeGreaterThan(0);
        const contracts = [{ ...planned, action: 'update' as const }];
        const plan = makePlan('http://x', contracts, [], { arrays: defaultRules.arrays });
        const text = JSON.stringify(sealPlan(withPatches(plan)));
        expect(openPlan(text, 'plan.json').planHash).toBe(plan.planHash);
      }),
      { numRuns: rounds(250) },
    );
  });

  test("unmanaged fields, version, time and the order of members don't change its fingerprint", () => {
    fc.assert(
      fc.property(fields, fields, value, fc.nat(), (before, managed, other, updatedAt) => {
        const elsewhere = Object.fromEntries(Object.entries(before).toReversed());
        expect(fingerprint({ ...elsewhere, sla: other, updatedAt, version: 3 }, managed)).toBe(
          fingerprint(before, managed),
        );
      }),
      { numRuns: rounds(150) },
    );
  });

  test('two states that give the same fingerprint are the same at every place that it names', () => {
    fc.assert(
      fc.property(fields, fields, fields, (one, other, managed) => {
        if (fingerprint(one, managed) !== fingerprint(other, managed)) return;
        const planned = planUpdate(liveOf(one), desiredOf(managed), defaultRules);
        if (planned.action === 'unchanged') return;
        const again = planUpdate(liveOf(other), desiredOf(managed), defaultRules);
        if (again.action === 'unchanged') throw new Error('no change');
        const [differences, others] = [planned, again].map((each) =>
          differencesOf(each, defaultRules.arrays),
        );
        expect(others).toEqual(differences);
      }),
      { numRuns: rounds(250) },
    );
  });
});

const base = updateOf({ description: 'Old.' }, { description: 'New.' });

test('the hash of a plan does not depend on the order of the contracts', () => {
  const contracts = ['a', 'b', 'c', 'd'].map((print) => ({ ...base, fingerprint: print }));
  const expected = planHash(contracts);
  fc.assert(
    fc.property(fc.shuffledSubarray(contracts, { minLength: 4 }), (shuffled) => {
      expect(planHash(shuffled)).toBe(expected);
    }),
  );
});

test('the hash of a plan depends on the fingerprints of its updates, and on nothing else', () => {
  const blocked = { ...base, action: 'blocked', fingerprint: 'z' } as const;
  const elsewhere = { ...base, liveVersion: '7.0', source: { file: 'b', line: 9, column: 3 } };
  expect(planHash([elsewhere, blocked, { action: 'unmanaged', id: 'z' }])).toBe(planHash([base]));
  expect(planHash([{ ...base, fingerprint: 'z' }])).not.toBe(planHash([base]));
  expect(planHash([])).not.toBe(planHash([base]));
});
