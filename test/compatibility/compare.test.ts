import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareContracts } from '../../src/compatibility/compatibility.ts';
import { impactOf, type Mode } from '../../src/compatibility/rule.ts';
import { knownWidenings, parseWidening } from '../../src/compatibility/type.ts';
import type { JsonObject } from '../../src/core/json.ts';

function rulesOf(before: JsonObject, after: JsonObject, widenings = knownWidenings): string[] {
  return compareContracts(before, after, widenings).map(({ rule }) => rule);
}

function schema(...columns: readonly (string | readonly [string, string])[]): JsonObject {
  return {
    schema: columns.map((column) =>
      typeof column === 'string'
        ? { name: column, dataType: 'INT' }
        : { name: column[0], dataType: column[1] },
    ),
  };
}

describe('a column under a new name', () => {
  test('is one finding where type and place match', () => {
    expect(rulesOf(schema('a', 'b', 'c'), schema('a', 'x', 'c'))).toEqual(['column-renamed']);
  });

  test('is one gone and one added where the type differs', () => {
    expect(rulesOf(schema('a', 'b'), schema('a', ['x', 'TEXT']))).toEqual([
      'column-removed',
      'column-added',
    ]);
  });

  test('is one gone and one added where the place differs', () => {
    expect(rulesOf(schema('a', 'b', 'c'), schema('a', 'c', 'x'))).toEqual([
      'column-removed',
      'column-added',
    ]);
  });

  test('is found beside columns that are gone, by its type', () => {
    const before = schema('a', ['b', 'TEXT'], 'c', 'd');
    expect(rulesOf(before, schema('a', 'x', 'd'))).toEqual(['column-removed', 'column-renamed']);
  });

  test('has findings for its other changes too', () => {
    const before = { schema: [{ name: 'a', dataType: 'INT', constraint: 'NOT_NULL' }] };
    const after = { schema: [{ name: 'b', dataType: 'INT' }] };
    expect(rulesOf(before, after)).toEqual(['column-renamed', 'required-dropped']);
  });
});

test.for([
  [{ dataLength: 10 }, { dataLength: 20 }, 'length from X(10) to X(20)'],
  [{ precision: 12, scale: 2 }, {}, 'precision from X(12, 2) to X'],
  [{ dataType: 'INT' }, { dataType: 'BIGINT' }, 'type from INT to BIGINT'],
] as const)(
  'the finding of a changed type names the part that changes: %j to %j',
  ([old, next, words]) => {
    const [before, after] = [old, next].map((type) => ({
      schema: [{ name: 'a', dataType: 'X', ...type }],
    }));
    const findings = compareContracts(before ?? {}, after ?? {}, knownWidenings);
    expect(findings.map(({ message }) => message)).toEqual([`Column a changes its ${words}.`]);
  },
);

test.for([
  [
    { retention: { period: 1, unit: 'month' } },
    { retention: { period: 31, unit: 'day' } },
    'The SLA changes its `retention`.',
  ],
  [
    { retention: { period: 1, unit: 'year' } },
    { retention: { period: 365, unit: 'day' } },
    'The SLA changes its `retention`.',
  ],
  [
    { retention: { period: 1, unit: 'month' } },
    { retention: { period: 30, unit: 'day' } },
    '`retention` gets worse: from 1 month to 30 days.',
  ],
  [{ maxLatency: { value: 30, unit: 'minute' } }, {}, '`maxLatency` is no longer promised.'],
  [
    { maxLatency: { value: 30, unit: 'minute' } },
    { maxLatency: '30m' },
    "Can't compare `maxLatency` 30 minutes with 30m, so it counts as worse.",
  ],
  [
    { availabilityTime: '08:30', timezone: 'Europe/Athens' },
    { availabilityTime: '08:30' },
    "Can't compare `availabilityTime` 08:30 Europe/Athens with 08:30 (no time zone), so it counts as worse.",
  ],
] as const)(
  'a change of the SLA says what it does to readers: %j to %j',
  ([old, next, message]) => {
    const findings = compareContracts({ sla: old }, { sla: next }, knownWidenings);
    expect(findings.map((finding) => finding.message)).toEqual([message]);
  },
);

test.for([
  [{ schema: ['a'] }, { schema: ['b'] }, 'other-changed', 'Column 1 changes its `value`.'],
  [
    { semantics: ['a'] },
    { semantics: ['b'] },
    'semantics-rule-changed',
    'Semantic rule "1" changes its `value`.',
  ],
] as const)(
  'an element without members is compared whole: %j to %j',
  ([before, after, rule, message]) => {
    expect(compareContracts(before, after, [])).toMatchObject([{ rule, message }]);
  },
);

test.for<[string, JsonObject, JsonObject, string[]]>([
  [
    'that has a name alone is not taken for renamed',
    { name: 'a' },
    { name: 'b' },
    ['semantics-rule-removed', 'semantics-rule-added'],
  ],
  [
    'of another content is not taken for renamed',
    { name: 'a', rule: 'x > 0' },
    { name: 'b', rule: 'y > 0' },
    ['semantics-rule-removed', 'semantics-rule-added'],
  ],
  [
    'that states what holds without a word is not switched on',
    { name: 'a', rule: 'x > 0' },
    { name: 'a', rule: 'x > 0', enabled: true },
    ['other-changed'],
  ],
  [
    'that is switched on and described has a finding for each',
    { name: 'a', enabled: false, description: 'Old.' },
    { name: 'a', enabled: true, description: 'New.' },
    ['semantics-rule-added', 'description-changed'],
  ],
])('a semantic rule %s', ([, before, after, expected]) => {
  expect(rulesOf({ semantics: [before] }, { semantics: [after] })).toEqual(expected);
});

test('names with dots are not taken for paths', () => {
  const nested = { schema: [{ name: 'a', children: [{ name: 'b' }] }, { name: 'a.b' }] };
  const flat = { schema: [{ name: 'a', children: [] }, { name: 'a.b' }] };
  const findings = compareContracts(nested, flat, []);
  expect(findings).toEqual([
    {
      rule: 'column-removed',
      message: 'Column a › b is removed.',
      pointer: ['schema', '0', 'children'],
      column: ['a', 'b'],
    },
  ]);
});

test.for(['constructor', 'toString', 'hasOwnProperty'])(
  'a member called %s is a member like any other',
  (member) => {
    const [plain, odd] = [{ a: 1 }, { a: 1, [member]: 1 }];
    expect(rulesOf({ schema: [plain] }, { schema: [odd] })).toEqual(['other-changed']);
    expect(rulesOf({ semantics: [plain] }, { semantics: [odd] })).toEqual([
      'semantics-rule-changed',
    ]);
    expect(rulesOf({ sla: odd }, { sla: plain })).toEqual(['other-changed']);
    expect(rulesOf({ sla: odd }, { sla: { ...odd, [member]: null } })).toEqual(['other-changed']);
  },
);

test('two columns of one name are paired by their order', () => {
  expect(rulesOf(schema('a', 'a'), schema('a'))).toEqual(['column-removed']);
});

test('the configuration adds to the chains of types', () => {
  const [before, after] = [schema(['a', 'TINYINT']), schema(['a', 'hugeint'])];
  expect(rulesOf(before, after)).toEqual(['type-changed']);
  const widenings = [...knownWidenings, parseWidening(['Long', 'HugeInt'])];
  expect(rulesOf(before, after, widenings)).toEqual(['type-widened']);
  expect(rulesOf(after, before, widenings)).toEqual(['type-narrowed']);
});

function schemaOf(list: readonly JsonObject[]): JsonObject {
  return { schema: list.map((members, index) => ({ name: `c${index}`, ...members })) };
}

function breaks(before: JsonObject, after: JsonObject, mode: Mode): boolean {
  return compareContracts(before, after, knownWidenings).some(
    ({ rule }) => impactOf(rule, mode) === 'breaking',
  );
}

test('old readers are to a change what new readers are to its opposite', () => {
  const types = ['INT', 'BIGINT', 'FLOAT', 'DOUBLE', 'DECIMAL(9)', 'DECIMAL(9,2)', 'VARCHAR(9)'];
  const column = fc.record(
    {
      dataType: fc.constantFrom(...types, 'TEXT'),
      constraint: fc.constantFrom('NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'),
    },
    { requiredKeys: ['dataType'] },
  );
  const columns = fc.array(column, { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(columns, columns, (a, b) => {
      const [before, after] = [schemaOf(a), schemaOf(b)];
      expect(breaks(before, after, 'forward')).toBe(breaks(after, before, 'backward'));
    }),
  );
});

test('a circle of types ends', () => {
  const circle = [parseWidening(['A', 'B']), parseWidening(['B', 'A'])];
  expect(rulesOf(schema(['a', 'A']), schema(['a', 'C']), circle)).toEqual(['type-changed']);
});

const word = fc.constantFrom('a', 'b', 'name', 'dataType', 'INT', 'TEXT', 'NOT_NULL', 'unit');
const { value: json } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      fc.constantFrom('name', 'dataType', 'constraint', 'children', 'enabled', 'unit', 'value'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

const contract = fc.record(
  { description: json, schema: json, semantics: json, sla: json, owners: json, extension: json },
  { requiredKeys: [] },
) as fc.Arbitrary<JsonObject>;

test('equal contracts have no findings', () => {
  fc.assert(
    fc.property(contract, (document) => {
      expect(compareContracts(document, structuredClone(document), knownWidenings)).toEqual([]);
    }),
  );
});

test('a change of an open field is found in any contract', () => {
  fc.assert(
    fc.property(contract, contract, (before, after) => {
      const changed = ['description', 'extension'].filter(
        (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
      );
      const fields = compareContracts(before, after, knownWidenings).map(
        ({ pointer }) => pointer[0],
      );
      expect(fields).toEqual(expect.arrayContaining(changed));
    }),
  );
});
