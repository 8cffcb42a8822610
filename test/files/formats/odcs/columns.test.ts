import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/core/json.ts';
import { importedFields, type MapOptions, mapSections, problemsOf } from './mapping.ts';

const columns = (properties: string, settings?: MapOptions['settings']): JsonValue | undefined =>
  importedFields(`schema: [{ name: t, properties: ${properties} }]`, { settings })['schema'];

const column = (members: string): JsonValue | undefined => {
  const list = columns(`[{ name: c, ${members} }]`) as JsonValue[];
  const { name: _, ...rest } = list[0] as { name: string };
  return rest;
};

const problems = (properties: string): string[] =>
  problemsOf(mapSections(`schema: [{ name: t, properties: ${properties} }]`));

const coarse = (members: string): unknown =>
  mapSections(`schema: [{ name: t, properties: [{ name: c, ${members} }] }]`).contracts[0]?.coarse;

describe('columns', () => {
  test('are managed only where an object states its properties', () => {
    expect(columns('[]')).toEqual([]);
    expect(columns('~')).toBeUndefined();
    expect(importedFields('')).toEqual({});
  });

  test.each([
    ['physical', 'C_1'],
    ['logical', 'c'],
  ] as const)('have the %s name that the configuration wants: %s', (columnName, name) => {
    const list = columns('[{ name: c, physicalName: C_1, physicalType: int }]', { columnName });
    expect(list).toEqual([{ name, dataType: 'INT' }]);
  });

  test('without a physical name have their own', () => {
    expect(columns('[{ name: c, physicalType: int }]')).toEqual([{ name: 'c', dataType: 'INT' }]);
  });

  test.each(['uniqueidentifier', 'jsonb', 'datetime2', 'timestamp_ltz', 'int unsigned'])(
    'say that their physical type is unknown where the logical one counts: %s',
    (physicalType) => {
      const members = `physicalType: ${physicalType}, logicalType: string`;
      expect(column(members)).toEqual({ dataType: 'STRING' });
      expect(problems(`[{ name: c, ${members} }]`)).toEqual([
        'information type-unknown /schema/0/properties/0/physicalType',
      ]);
    },
  );

  test('may have the logical type decimal, as catalogs export it', () => {
    expect(column('logicalType: decimal')).toEqual({ dataType: 'DECIMAL' });
    expect(problems('[{ name: c, logicalType: decimal }]')).toEqual([]);
  });

  test('of one name are an error, in upper and lower case', () => {
    expect(
      problems(
        '[{ name: id, physicalType: int }, { name: x, physicalName: ID, physicalType: int }]',
      ),
    ).toEqual(['error duplicate-name /schema/0/properties/1/physicalName']);
  });

  test('without a name are an error', () => {
    expect(problems('[{ physicalType: int }]')).toEqual([
      'error name-missing /schema/0/properties/0',
    ]);
  });

  test.each([
    '{ name: m, semanticType: measure, physicalType: int }',
    '{ name: m, semanticType: dimension, transformLogic: x }',
  ])('leave out measures and calculated dimensions: %s', (property) => {
    expect(columns(`[${property}]`)).toEqual([]);
    expect(problems(`[${property}]`)).toEqual([
      'information not-a-column /schema/0/properties/0/semanticType',
    ]);
  });

  test.each([
    '{ name: c, semanticType: column, physicalType: int }',
    '{ name: c, semanticType: dimension, physicalType: int, transformLogic: x }',
    '{ name: c, semanticType: dimension, logicalType: integer }',
  ])('are dimensions that the source has: %s', (property) => {
    expect(columns(`[${property}]`)).toMatchObject([{ name: 'c', dataType: 'INT' }]);
  });
});

describe('the type of a column', () => {
  test.each([
    ['physicalType: varchar(18), logicalType: date', { dataType: 'VARCHAR', dataLength: 18 }],
    ['physicalType: Name, logicalType: string', { dataType: 'STRING' }],
    ['logicalType: integer', { dataType: 'INT' }],
    ['logicalType: vector', { dataType: 'ARRAY' }],
    [
      'logicalType: string, logicalTypeOptions: { maxLength: 9 }',
      { dataType: 'STRING', dataLength: 9 },
    ],
    [
      'physicalType: varchar(5), logicalTypeOptions: { maxLength: 9 }',
      { dataType: 'VARCHAR', dataLength: 5 },
    ],
    [
      'physicalType: varchar, logicalTypeOptions: { maxLength: 9 }',
      { dataType: 'VARCHAR', dataLength: 9 },
    ],
    [
      'physicalType: bytea, logicalTypeOptions: { maxLength: 9 }',
      { dataType: 'BYTEA', dataLength: 9 },
    ],
    ['physicalType: uuid, logicalTypeOptions: { maxLength: 9 }', { dataType: 'UUID' }],
    ['physicalType: varchar, logicalTypeOptions: { maxLength: 0 }', { dataType: 'VARCHAR' }],
    ['physicalType: varchar, logicalTypeOptions: { maxLength: 1.5 }', { dataType: 'VARCHAR' }],
  ])('%s', (members, type) => {
    expect(column(members)).toEqual(type);
  });

  test.each([
    ['', '/schema/0/properties/0'],
    ['logicalType: datetime', '/schema/0/properties/0/logicalType'],
    ['physicalType: Flag', '/schema/0/properties/0/physicalType'],
    ['physicalType: Flag, logicalType: long', '/schema/0/properties/0/logicalType'],
  ])('of no known word is any that live has, with a warning: %j', (members, pointer) => {
    expect(column(members)).toEqual({ dataType: 'STRING' });
    expect(problems(`[{ name: c, ${members} }]`)).toEqual([`warning type-unknown ${pointer}`]);
    expect(coarse(members)).toEqual([{ pointer: ['schema', '0', 'dataType'], agrees: 'any' }]);
  });

  test("is exact by the source's type, and rough by that of the standard", () => {
    expect(coarse('physicalType: varchar')).toEqual([]);
    expect(coarse('logicalType: boolean')).toEqual([
      { pointer: ['schema', '0', 'dataType'], agrees: ['BOOLEAN'] },
    ]);
  });
});

describe('the constraint of a column', () => {
  test.each([
    ['primaryKey: true, unique: true, required: true', 'PRIMARY_KEY'],
    ['unique: true, required: true', 'UNIQUE'],
    ['primaryKey: false, required: true', 'NOT_NULL'],
    ['primaryKey: false', null],
    ['required: false, unique: ~', null],
    ['required: ~', undefined],
    ['isNullable: false', undefined],
  ])('of %s is %s', (flags, constraint) => {
    expect(column(`physicalType: int, ${flags}`)).toEqual({
      dataType: 'INT',
      ...(constraint !== undefined && { constraint }),
    });
  });

  test('that is denied agrees with a live `NULL`', () => {
    expect(coarse('physicalType: int, required: false')).toEqual([
      { pointer: ['schema', '0', 'constraint'], agrees: ['NULL'] },
    ]);
  });
});

test.each([
  ['description: Text.', 'Text.'],
  ['description: ""', null],
  ['description: ~', undefined],
])('the description of a column is managed where it is stated: %s', (members, description) => {
  expect(column(`physicalType: int, ${members}`)).toEqual({
    dataType: 'INT',
    ...(description !== undefined && { description }),
  });
});

describe('nested columns', () => {
  test('are the properties of an object', () => {
    expect(column('logicalType: object, properties: [{ name: d, physicalType: int }]')).toEqual({
      dataType: 'STRUCT',
      children: [{ name: 'd', dataType: 'INT' }],
    });
  });

  test.each([
    ['items: { logicalType: string }', { arrayDataType: 'STRING' }],
    ['items: { physicalType: varchar(3) }', { arrayDataType: 'VARCHAR' }],
    ['items: { logicalType: array, items: { logicalType: string } }', { arrayDataType: 'ARRAY' }],
    ['items: {}', {}],
    ['items: { properties: [] }', { arrayDataType: 'STRUCT', children: [] }],
    [
      'items: { logicalType: object, properties: [{ name: d, physicalType: int }] }',
      { arrayDataType: 'STRUCT', children: [{ name: 'd', dataType: 'INT' }] },
    ],
  ])('of an array are those of its items: %s', (members, nested) => {
    expect(column(`logicalType: array, ${members}`)).toEqual({ dataType: 'ARRAY', ...nested });
  });

  test('of a column that the source calls JSON have no element type', () => {
    expect(column('physicalType: json, items: { logicalType: string }')).toEqual({
      dataType: 'JSON',
    });
  });

  test('of one name are an error', () => {
    const inner = '[{ name: d, physicalType: int }, { name: D, physicalType: int }]';
    expect(problems(`[{ name: c, physicalType: struct, properties: ${inner} }]`)).toEqual([
      'error duplicate-name /schema/0/properties/0/properties/1/name',
    ]);
  });
});
