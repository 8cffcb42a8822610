import type { DesiredContract } from '../../../../src/contract/contract.ts';
import { keepUnstated, withUnstated } from '../../../../src/contract/equality.ts';
import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import { type MapOptions, mapSections, yamlValue } from './mapping.ts';

/** The fields of the only contract, refined by a live contract in YAML. */
function refined(text: string, live: string, options?: MapOptions): JsonObject {
  const [contract] = mapSections(text, options).contracts;
  if (!contract) throw new Error('no contract');
  const { entity: _, ...fields } = contract.fields;
  return withUnstated(
    { managed: fields, coarse: contract.coarse },
    (yamlValue(live) ?? {}) as JsonObject,
  );
}

/** The columns that properties become, of live columns. */
const columns = (properties: string, live: string): JsonValue | undefined =>
  refined(`schema: [{ name: t, properties: [${properties}] }]`, `schema: [${live}]`)['schema'];

const names = (properties: string, live: string): unknown[] =>
  (columns(properties, live) as { name: string }[]).map(({ name }) => name);

test.each([
  ['draft', 'In Review', 'In Review'],
  ['draft', 'Unprocessed', 'Unprocessed'],
  ['draft', 'Approved', 'Draft'],
  ['active', 'In Review', 'Active'],
])('the status %s of a live %s becomes %s', (status, live, expected) => {
  const text = `status: ${status}\nschema: [{ name: t }]`;
  expect(refined(text, `entityStatus: ${live}`)).toEqual({ entityStatus: expected });
});

test.each([
  [
    'logicalType: string',
    'dataType: VARCHAR, dataLength: 18',
    { dataType: 'VARCHAR', dataLength: 18 },
  ],
  [
    'logicalType: number',
    'dataType: DECIMAL, precision: 9, scale: 2',
    { dataType: 'DECIMAL', precision: 9, scale: 2 },
  ],
  ['logicalType: date', 'dataType: TIMESTAMP', { dataType: 'TIMESTAMP' }],
  ['logicalType: object', 'dataType: JSON', { dataType: 'JSON' }],
  ['logicalType: string', 'dataType: INT', { dataType: 'STRING' }],
  ['logicalType: datetime', 'dataType: INT', { dataType: 'INT' }],
  ['logicalType: string', '', { dataType: 'STRING' }],
  [
    'logicalType: array, items: { logicalType: string }',
    'dataType: ARRAY, arrayDataType: VARCHAR',
    { dataType: 'ARRAY', arrayDataType: 'VARCHAR' },
  ],
  ['logicalType: array, items: { logicalType: string }', 'dataType: JSON', { dataType: 'JSON' }],
  [
    'logicalType: array, items: { physicalType: int }',
    'dataType: ARRAY',
    { dataType: 'ARRAY', arrayDataType: 'INT' },
  ],
])(
  '%s, a type of the standard, agrees with a live type of its family: %s',
  (file, live, expected) => {
    expect(columns(`{ name: c, ${file} }`, `{ name: c, ${live} }`)).toEqual([
      { name: 'c', ...expected },
    ]);
  },
);

describe('an unstated value stays as it is live', () => {
  test('in a column', () => {
    const live =
      '{ name: c, dataType: INT, description: Live., tags: [a], displayName: C, constraint: UNIQUE }';
    expect(columns('{ name: c, physicalType: int }', live)).toEqual([
      {
        name: 'c',
        dataType: 'INT',
        description: 'Live.',
        tags: ['a'],
        displayName: 'C',
        constraint: 'UNIQUE',
      },
    ]);
  });

  test('in a nested column', () => {
    const live =
      '{ name: c, dataType: STRUCT, children: [{ name: d, dataType: INT, tags: [a] }, { name: e }] }';
    const file =
      '{ name: c, physicalType: struct, properties: [{ name: d, physicalType: bigint }] }';
    expect(columns(file, live)).toEqual([
      { name: 'c', dataType: 'STRUCT', children: [{ name: 'd', dataType: 'BIGINT', tags: ['a'] }] },
    ]);
    expect(columns('{ name: c, physicalType: struct }', live)).toEqual([yamlValue(live)]);
  });

  test('but the sizes of a type go with the type', () => {
    expect(
      columns(
        '{ name: c, physicalType: int }',
        '{ name: c, dataType: DECIMAL, precision: 9, scale: 2, ordinalPosition: 1 }',
      ),
    ).toEqual([{ name: 'c', dataType: 'INT', ordinalPosition: 1 }]);
  });

  test("in the SLA and the extension, beside the file's own", () => {
    const text = `
      slaProperties: [{ property: retention, value: 1, unit: d }]
      customProperties: [{ property: tier, value: gold }]
      schema: [{ name: t }]`;
    const live = `
      sla: { timezone: GMT, retention: { period: 2, unit: year, extra: 1 }, maxLatency: { value: 1, unit: hour } }
      extension: { tier: lead, other: 1 }`;
    const settings: MapOptions['settings'] = { fields: ['sla', 'extension'], extension: ['tier'] };
    expect(refined(text, live, { settings })).toEqual({
      sla: { timezone: 'GMT', retention: { period: 1, unit: 'day' } },
      extension: { tier: 'gold', other: 1 },
    });
  });
});

describe('a denied value is removed', () => {
  test.each([
    ['required: false', 'constraint: NOT_NULL', {}],
    ['required: false', 'constraint: "NULL"', { constraint: 'NULL' }],
    ['required: false', '', {}],
    ['description: ""', 'description: Old.', {}],
    ['required: true', 'constraint: UNIQUE', { constraint: 'NOT_NULL' }],
  ])('%s of a live column with %s', (file, live, expected) => {
    expect(
      columns(`{ name: c, physicalType: int, ${file} }`, `{ name: c, dataType: INT, ${live} }`),
    ).toEqual([{ name: 'c', dataType: 'INT', ...expected }]);
  });

  test("and so does an SLA whose list is empty, but not the server's own values", () => {
    const text = 'slaProperties: []\nschema: [{ name: t }]';
    expect(refined(text, 'sla: { timezone: GMT, retention: { period: 1, unit: day } }')).toEqual({
      sla: { timezone: 'GMT' },
    });
    expect(refined(text, 'sla: { retention: { period: 1, unit: day } }')).toEqual({ sla: {} });
    expect(refined(text, '{}')).toEqual({ sla: null });
  });

  test('and a description of the contract, by null', () => {
    const text = 'description: ""\nschema: [{ name: t }]';
    expect(refined(text, 'description: Old.')).toEqual({ description: null });
  });
});

/** A column for each letter, as a file has it. */
const fileColumns = (text: string): string =>
  text
    .split('')
    .map((name) => `{ name: ${name}, physicalType: int }`)
    .join(', ');

/** A column for each letter, as a catalog has it. */
const liveColumns = (text: string): string =>
  text
    .split('')
    .map((name) => `{ name: ${name} }`)
    .join(', ');

test.each([
  ['abc', 'cba', 'cba'],
  ['abc', 'ca', 'cab'],
  ['xabyc', 'cba', 'xcbya'],
  ['abc', '', 'abc'],
  ['ac', 'abc', 'ac'],
  ['xy', 'ab', 'xy'],
  ['axyb', 'ba', 'baxy'],
])('columns %s of live %s come in the order %s', (file, current, expected) => {
  expect(names(fileColumns(file), liveColumns(current)).join('')).toBe(expected);
});

test('the place of a former name stays its own, though columns are looked up in the order of live', () => {
  const asked: string[] = [];
  const desired: DesiredContract = {
    identity: {},
    managed: { schema: [{ name: 'a' }, { name: 'b', children: [{ name: 'c' }, { name: 'd' }] }] },
    coarse: [],
    source: { file: 'a.yaml', line: 1, column: 1 },
    locate: (pointer) => {
      asked.push(pointer.join('/'));
      return { file: 'a.yaml', line: 1, column: 1 };
    },
  };
  const live = {
    id: 'x',
    document: { schema: [{ name: 'b', children: [{ name: 'd' }, { name: 'c' }] }, { name: 'a' }] },
  };
  const { locate } = keepUnstated(live, desired);
  for (const pointer of [
    'movedFrom',
    'schema/0',
    'schema/0/children/0/name',
    'schema/0/tags',
    'sla',
  ])
    locate(pointer.split('/'));
  locate(['schema', '1'], true);
  expect(asked).toEqual([
    'movedFrom',
    'schema/1',
    'schema/1/children/1/name',
    'schema/1',
    'sla',
    'schema/0',
  ]);
});
