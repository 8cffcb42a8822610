import { deepEqual, isObject, type JsonValue } from '../../../core/json.ts';
import { dataTypes } from '../../../contract/contract.ts';

export type DataType = { readonly dataType: string; readonly arrayDataType?: string } & {
  readonly [size in 'dataLength' | 'precision' | 'scale']?: number;
};

export function parsePhysicalType(text: string): DataType | undefined {
  const { name, argument, isBracketed } = splitType(text);
  const dataType = typeNamed(name);
  if (dataType === undefined) return undefined;
  // AdventureWorks' exporters write `varchar[50]`; to PostgreSQL `int[3]` is an array.
  if (isBracketed && !isSized(dataType)) return undefined;
  if (dataType !== 'ARRAY') return { dataType, ...sizesOf(dataType, argument) };
  const arrayDataType = typeNamed(splitType(argument).name);
  return arrayDataType === undefined ? { dataType } : { dataType, arrayDataType };
}

// `TIMESTAMP(6) WITH TIME ZONE` is `TIMESTAMP WITH TIME ZONE` and `6`, `text[]` is `ARRAY` and
// `TEXT`.
function splitType(type: string) {
  const text = type.trim().toUpperCase();
  if (text.endsWith('[]')) return { name: 'ARRAY', argument: text.slice(0, -2) };
  const { start, end } = bracketsIn(text);
  const name = `${text.slice(0, start)} ${text.slice(end)}`.replaceAll(/\s+/gu, ' ').trim();
  if (start === end) return { name, argument: '' };
  return {
    name,
    argument: text.slice(start + 1, end - 1).trim(),
    isBracketed: text[start] === '[',
  };
}

function bracketsIn(text: string): { readonly start: number; readonly end: number } {
  const start = text.search(/[(<[]/u);
  const end = Math.max(text.lastIndexOf(')'), text.lastIndexOf('>'), text.lastIndexOf(']')) + 1;
  return start === -1 || end < start ? { start: text.length, end: text.length } : { start, end };
}

function typeNamed(name: string): string | undefined {
  if (/^INTERVAL\b/u.test(name)) return 'INTERVAL';
  const synonymous = Object.entries(synonyms).find(([, names]) => names.includes(name));
  const known = synonymous?.[0] ?? name;
  return dataTypes.includes(known) ? known : undefined;
}

// Sizes of other types, as in `timestamp(6)`, have no field in the catalog.
function sizesOf(dataType: string, argument: string): Partial<DataType> {
  if (isSized(dataType)) {
    const length = Number(/^(\d{1,10})(?: (?:CHAR|BYTE))?$/u.exec(argument)?.[1] ?? NaN);
    return length <= largestInteger ? { dataLength: length } : {};
  }
  if (!decimals.has(dataType)) return {};
  const [, precision, scale] = /^(\d{1,4})(?:\s*,\s*(-?\d{1,4}))?$/u.exec(argument) ?? [];
  return {
    ...(precision !== undefined && { precision: Number(precision) }),
    ...(scale !== undefined && { scale: Number(scale) }),
  };
}

export function typeOf(column: JsonValue): DataType | undefined {
  if (!isObject(column) || typeof column['dataType'] !== 'string') return undefined;
  const { dataType, dataLength, precision, scale, arrayDataType } = column;
  const isDecimal = decimals.has(dataType) && typeof precision === 'number';
  return {
    dataType,
    ...(isSized(dataType) && typeof dataLength === 'number' && { dataLength }),
    ...(isDecimal && { precision }),
    ...(isDecimal && typeof scale === 'number' && { scale }),
    ...(dataType === 'ARRAY' && typeof arrayDataType === 'string' && { arrayDataType }),
  };
}

/** Integers of a catalog may have 32 bits. */
export const largestInteger = 2 ** 31 - 1;

export function isSized(dataType: string): boolean {
  return families.text.includes(dataType) || families.binary.includes(dataType);
}

// The types that a catalog's contract runs treat as equal.
const families = {
  text: ['STRING', 'VARCHAR', 'CHAR', 'TEXT', 'MEDIUMTEXT', 'NTEXT', 'CLOB'],
  integer: ['INT', 'BIGINT', 'SMALLINT', 'TINYINT', 'BYTEINT', 'LONG'],
  decimal: ['DECIMAL', 'NUMERIC', 'NUMBER', 'DOUBLE', 'FLOAT', 'MONEY'],
  time: ['DATE', 'DATETIME', 'TIMESTAMP', 'TIMESTAMPZ', 'TIME'],
  binary: ['BINARY', 'VARBINARY', 'BLOB', 'BYTEA', 'BYTES', 'LONGBLOB', 'MEDIUMBLOB'],
  complex: ['ARRAY', 'MAP', 'STRUCT', 'JSON'],
};

const decimals: ReadonlySet<string> = new Set(['DECIMAL', 'NUMERIC', 'NUMBER']);

export type LogicalType = {
  readonly dataType: string;
  readonly agrees: readonly string[];
  readonly element?: LogicalType;
  /** The minor version of ODCS 3 that added the word. */
  readonly since?: number;
};

export function logicalTypeFor(dataType: string, minor: number): string | undefined {
  const words = [...logicalTypes].filter(
    ([, { agrees, since = 0 }]) => agrees.includes(dataType) && since <= minor,
  );
  const best =
    words.find(([, type]) => type.dataType === dataType) ??
    words.find(([word]) => word === 'timestamp' || word === 'object') ??
    words[0];
  return best?.[0];
}

/** Whether `logicalTypeOptions` of one logical type may have it for another (ODCS, JSON schema). */
export function keepsOption(option: string, from: string, to = ''): boolean {
  const areAmong = (...alike: readonly string[]) => alike.includes(from) && alike.includes(to);
  if (areAmong('integer', 'number', 'decimal')) return option !== 'format';
  return areAmong('date', 'timestamp', 'time') && (to !== 'date' || !/timezone/iu.test(option));
}

export function physicalTypeFor(
  type: DataType,
  former = '',
  isLarge = former !== '' && former === former.toUpperCase(),
): string {
  const sizes = sizesIn(type);
  const { start, end } = bracketsIn(former);
  const own = isLarge ? type.dataType : type.dataType.toLowerCase();
  const candidates = [
    former,
    `${former.slice(0, start)}${sizes}${former.slice(end)}`,
    `${own}${isLarge ? sizes.toUpperCase() : sizes}`,
  ];
  const isRight = (text: string): boolean => deepEqual({ ...parsePhysicalType(text) }, { ...type });
  return candidates.find(isRight) ?? own;
}

function sizesIn({ dataLength, precision, scale, arrayDataType }: DataType): string {
  if (dataLength !== undefined) return `(${dataLength})`;
  if (precision !== undefined)
    return scale === undefined ? `(${precision})` : `(${precision},${scale})`;
  return arrayDataType === undefined ? '' : `<${arrayDataType.toLowerCase()}>`;
}

export function parseLogicalType(word: string): LogicalType | undefined {
  return logicalTypes.get(word.trim().toLowerCase());
}

const numbers = [...families.integer, ...families.decimal];
const float: LogicalType = { dataType: 'FLOAT', agrees: numbers };

const logicalTypes: ReadonlyMap<string, LogicalType> = new Map<string, LogicalType>([
  ['string', { dataType: 'STRING', agrees: [...families.text, 'UUID', 'ENUM', 'JSON', 'XML'] }],
  ['integer', { dataType: 'INT', agrees: families.integer }],
  ['number', { dataType: 'NUMBER', agrees: numbers }],
  // Catalogs export it, but ODCS has no such word.
  ['decimal', { dataType: 'DECIMAL', agrees: families.decimal, since: Infinity }],
  ['boolean', { dataType: 'BOOLEAN', agrees: ['BOOLEAN'] }],
  ['date', { dataType: 'DATE', agrees: families.time }],
  ['timestamp', { dataType: 'TIMESTAMP', agrees: families.time, since: 1 }],
  ['time', { dataType: 'TIME', agrees: families.time, since: 1 }],
  ['array', { dataType: 'ARRAY', agrees: families.complex }],
  ['object', { dataType: 'STRUCT', agrees: families.complex }],
  ['map', { dataType: 'MAP', agrees: families.complex, since: 2 }],
  ['vector', { dataType: 'ARRAY', agrees: families.complex, since: 2, element: float }],
]);

const synonyms: { readonly [type: string]: readonly string[] } = {
  INT: ['INT4', 'INTEGER', 'SERIAL'],
  BIGINT: ['INT8', 'INT64', 'BIGSERIAL'],
  SMALLINT: ['INT2'],
  FLOAT: ['FLOAT4', 'REAL', 'FLOAT32'],
  DOUBLE: ['FLOAT8', 'FLOAT64', 'DOUBLE PRECISION'],
  NUMERIC: ['BIGNUMERIC'],
  BOOLEAN: ['BOOL'],
  STRING: ['STR'],
  CHAR: ['BPCHAR', 'CHARACTER', 'NCHAR'],
  VARCHAR: ['CHARACTER VARYING', 'NVARCHAR', 'NVARCHAR2', 'VARCHAR2'],
  TIMESTAMP: ['TIMESTAMP_NTZ', 'TIMESTAMP WITHOUT TIME ZONE'],
  TIMESTAMPZ: ['TIMESTAMPTZ', 'TIMESTAMP_TZ', 'TIMESTAMP WITH TIME ZONE'],
  TIME: ['TIME WITHOUT TIME ZONE'],
  STRUCT: ['ROW', 'OBJECT'],
  ARRAY: ['LIST'],
};
