import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/core/json.ts';
import { mapValue } from './mapping.ts';

/** What a property of such a type becomes, and the types that agree with it; undefined: unknown. */
function mapped(property: JsonObject) {
  const schema = [{ name: 't', properties: [{ name: 'a', ...property }] }];
  const head = { apiVersion: 'v3.1.0', kind: 'DataContract', id: 'x', version: '1.0.0' };
  const { contracts, diagnostics } = mapValue({ ...head, schema });
  if (diagnostics.some(({ code }) => code === 'type-unknown')) return undefined;
  const { fields, coarse } = contracts[0] ?? {};
  const { schema: columns } = fields as { schema?: readonly JsonObject[] };
  const { name: _, ...type } = columns?.[0] ?? {};
  return { type, agrees: coarse?.[0]?.agrees };
}

const physical = (physicalType: string) => mapped({ physicalType })?.type;
const logical = (logicalType: string) => mapped({ logicalType });

describe('a physical type', () => {
  test.each([
    ['varchar', { dataType: 'VARCHAR' }],
    ['varchar(18)', { dataType: 'VARCHAR', dataLength: 18 }],
    ['VARCHAR [ 50 ]', { dataType: 'VARCHAR', dataLength: 50 }],
    ['varchar[2147483647]', { dataType: 'VARCHAR', dataLength: 2147483647 }],
    ['varchar(4294967295)', { dataType: 'VARCHAR' }],
    ['varchar(max)', { dataType: 'VARCHAR' }],
    ['VARCHAR2(20 CHAR)', { dataType: 'VARCHAR', dataLength: 20 }],
    ['character varying(7)', { dataType: 'VARCHAR', dataLength: 7 }],
    ['nvarchar(200)', { dataType: 'VARCHAR', dataLength: 200 }],
    ['bpchar', { dataType: 'CHAR' }],
    ['binary(16)', { dataType: 'BINARY', dataLength: 16 }],
    ['decimal(10, 2)', { dataType: 'DECIMAL', precision: 10, scale: 2 }],
    ['NUMBER(38)', { dataType: 'NUMBER', precision: 38 }],
    ['number(5,-2)', { dataType: 'NUMBER', precision: 5, scale: -2 }],
    ['BIGNUMERIC', { dataType: 'NUMERIC' }],
    ['float(3,2)', { dataType: 'FLOAT' }],
    ['double  precision', { dataType: 'DOUBLE' }],
    ['float8', { dataType: 'DOUBLE' }],
    ['real', { dataType: 'FLOAT' }],
    ['int4', { dataType: 'INT' }],
    ['integer', { dataType: 'INT' }],
    ['serial', { dataType: 'INT' }],
    ['INT64', { dataType: 'BIGINT' }],
    ['int2', { dataType: 'SMALLINT' }],
    ['bool', { dataType: 'BOOLEAN' }],
    ['timestamptz', { dataType: 'TIMESTAMPZ' }],
    ['TIMESTAMP(6) WITH TIME ZONE', { dataType: 'TIMESTAMPZ' }],
    ['timestamp without time zone', { dataType: 'TIMESTAMP' }],
    ['timestamp_ntz(9)', { dataType: 'TIMESTAMP' }],
    ['INTERVAL YEAR(2) TO MONTH', { dataType: 'INTERVAL' }],
    ['list', { dataType: 'ARRAY' }],
    ['array<string>', { dataType: 'ARRAY', arrayDataType: 'STRING' }],
    ['ARRAY(varchar(3))', { dataType: 'ARRAY', arrayDataType: 'VARCHAR' }],
    ['array<struct<a:int,b:array<int>>>', { dataType: 'ARRAY', arrayDataType: 'STRUCT' }],
    ['array<array<int>>', { dataType: 'ARRAY', arrayDataType: 'ARRAY' }],
    ['array<thing>', { dataType: 'ARRAY' }],
    ['text[]', { dataType: 'ARRAY', arrayDataType: 'TEXT' }],
    ['decimal(10,2)[]', { dataType: 'ARRAY', arrayDataType: 'DECIMAL' }],
    ['struct<a:int>', { dataType: 'STRUCT' }],
    ['row(a int)', { dataType: 'STRUCT' }],
    ['object', { dataType: 'STRUCT' }],
    ['map<string,int>', { dataType: 'MAP' }],
    ["enum('a','b')", { dataType: 'ENUM' }],
    ['geometry(Point,4326)', { dataType: 'GEOMETRY' }],
    ['measure hidden', { dataType: 'MEASURE HIDDEN' }],
  ])('%s is %j', (text, type) => {
    expect(physical(text)).toEqual(type);
  });

  test.each([
    '',
    'Name',
    '9',
    'message',
    'repeated message',
    'int unsigned',
    'int[3]',
    'varchar)18(',
    'TIMESTAMP(6) WITH LOCAL TIME ZONE',
    'time with time zone',
    'constructor',
    '(((((',
  ])('%j is not known', (text) => {
    expect(physical(text)).toBeUndefined();
  });

  test('of a megabyte is read in no time', () => {
    expect(physical('array<'.repeat(200_000))).toBeUndefined();
    expect(physical(`${'array<'.repeat(200_000)}>`)?.['arrayDataType']).toBeUndefined();
  });
});

describe('a logical type', () => {
  test.each([
    ['string', 'STRING', 'VARCHAR'],
    ['string', 'STRING', 'UUID'],
    ['integer', 'INT', 'BIGINT'],
    ['number', 'NUMBER', 'INT'],
    ['number', 'NUMBER', 'DECIMAL'],
    [' Boolean ', 'BOOLEAN', 'BOOLEAN'],
    ['date', 'DATE', 'TIMESTAMP'],
    ['timestamp', 'TIMESTAMP', 'TIMESTAMPZ'],
    ['time', 'TIME', 'TIME'],
    ['array', 'ARRAY', 'JSON'],
    ['object', 'STRUCT', 'JSON'],
    ['map', 'MAP', 'JSON'],
  ])('%s is %s, and %s may be it as well', (word, dataType, other) => {
    expect(logical(word)?.type['dataType']).toBe(dataType);
    expect(logical(word)?.agrees).toContain(other);
  });

  test.each([
    ['integer', 'DECIMAL'],
    ['string', 'INT'],
    ['boolean', 'INT'],
    ['date', 'STRING'],
  ])('%s is not %s', (word, other) => {
    expect(logical(word)?.agrees).not.toContain(other);
  });

  test.each(['datetime', 'long', 'text', '', 'constructor'])(
    '%j is not in the standard',
    (word) => {
      expect(logical(word)).toBeUndefined();
    },
  );
});
