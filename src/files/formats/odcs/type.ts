import {
  deepEqual,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { dataTypes } from '../../../contract/contract.ts';
import { quote } from '../../../core/text.ts';
import {
  listAt,
  type MappingScope,
  memberAt,
  objectAt,
  type Placed,
  type PlacedObject,
  type Stated,
  stateValue,
  textAt,
} from './scope.ts';

type TypeMembers = { readonly [member: string]: Stated | undefined };

/** `physicalType` is exact, `logicalType` coarse; without either, any type agrees. */
export function mapType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const physical = physicalMembers(property, scope);
  const logical = logicalTypeAt(property, scope);
  const type = physical ?? (logical && { dataType: stateLogical(logical) });
  if (!type) return unknownType(property, scope);
  const unknown = physical ? undefined : textAt(property, 'physicalType');
  if (unknown && unknown.value.trim() !== '') {
    const { pointer } = unknown;
    const message = `Unknown \`physicalType\` ${quote(unknown.value)}: \`logicalType\` says the type, and a live one of its kind stays.`;
    scope.report({ code: 'type-unknown', severity: 'information', message, pointer });
  }
  const { json: dataType } = type['dataType'] ?? {};
  if (dataType === 'ARRAY') return { ...type, ...elementType(property, scope) };
  const isLengthOpen = typeof dataType === 'string' && isSized(dataType) && !type['dataLength'];
  return isLengthOpen ? { ...type, dataLength: maxLength(property) } : type;
}

function physicalMembers(property: PlacedObject, scope: MappingScope): TypeMembers | undefined {
  const physical = scope.text(property, 'physicalType');
  const type = physical && parsePhysicalType(physical.value);
  if (!type) return undefined;
  return Object.fromEntries(
    Object.entries(type).map(([name, value]) => [name, stateValue(physical.pointer, value)]),
  );
}

function logicalTypeAt(property: PlacedObject, scope: MappingScope) {
  const logical = scope.text(property, 'logicalType');
  const value = logical && parseLogicalType(logical.value);
  return value && { pointer: logical.pointer, value };
}

function stateLogical({ pointer, value }: Placed<LogicalType>, others: JsonArray = []): Stated {
  return stateValue(pointer, value.dataType, [...value.agrees, ...others]);
}

// Nested arrays are not mapped further; members of objects in an array are children of the column.
function elementType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const items = objectAt(property, 'items');
  if (!items) return {};
  const physical = physicalMembers(items, scope)?.['dataType'];
  if (physical) return { arrayDataType: physical };
  const logical = logicalTypeAt(items, scope);
  if (logical) return { arrayDataType: stateLogical(logical, [null]) };
  const properties = listAt(items, 'properties');
  return properties ? { arrayDataType: stateValue(properties.pointer, 'STRUCT', [null]) } : {};
}

function maxLength(property: PlacedObject): Stated | undefined {
  const options = objectAt(property, 'logicalTypeOptions');
  const { value, pointer = [] } = (options && memberAt(options, 'maxLength')) ?? {};
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return value > 0 && value <= largestInteger ? stateValue(pointer, value) : undefined;
}

// The type may come from a definition that the file only refers to, so any live type agrees.
function unknownType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const word = memberAt(property, 'logicalType') ?? memberAt(property, 'physicalType');
  const { pointer } = word ?? property;
  const text = word?.value;
  if (text === undefined || typeof text === 'string') {
    const message =
      text === undefined
        ? 'The column has no type: a new one becomes STRING, an existing one keeps its type.'
        : `Unknown type ${quote(text)}: a new column becomes STRING, an existing one keeps its type.`;
    const hint = 'Write its `physicalType` as the source has it, or a `logicalType` of ODCS.';
    scope.report({ code: 'type-unknown', severity: 'warning', message, hint, pointer });
  }
  return { dataType: stateValue(pointer, 'STRING', 'any') };
}

export function restateType(property: JsonObject, column: JsonObject, minor: number): JsonObject {
  const type = typeOf(column);
  if (!type) return property;
  const { items } = property;
  if (!isObject(items)) return restateOwn(property, type, minor);
  const { arrayDataType, ...own } = type;
  const element = arrayDataType && restateOwn(items, { dataType: arrayDataType }, minor);
  return restateOwn({ ...property, ...(element && { items: element }) }, own, minor);
}

// The length stays in `maxLength`, and no `physicalType` comes where the logical one suffices.
function restateOwn(property: JsonObject, type: DataType, minor: number): JsonObject {
  const restated = restateLogical(property, type, minor);
  const { physicalType: former, logicalType, logicalTypeOptions: options } = restated;
  const physical = typeof former === 'string' ? parsePhysicalType(former) : undefined;
  const isLengthApart =
    isObject(options) && options['maxLength'] !== undefined && physical?.dataLength === undefined;
  const { dataLength, ...unsized } = type;
  const own = isLengthApart ? unsized : type;
  const logical = typeof logicalType === 'string' ? parseLogicalType(logicalType) : undefined;
  const isSaid = typeof former !== 'string' && logical?.agrees.includes(type.dataType);
  const written = physicalTypeFor(own, typeof former === 'string' ? former : '');
  const whole = isSaid ? restated : { ...restated, physicalType: written };
  return isLengthApart ? withLength(whole, dataLength) : whole;
}

// Options and members of the former logical type would make the file invalid.
function restateLogical(property: JsonObject, { dataType }: DataType, minor: number) {
  const { logicalType, logicalTypeOptions: _, ...others } = property;
  if (typeof logicalType !== 'string') return property;
  if (parseLogicalType(logicalType)?.agrees.includes(dataType)) return property;
  const word = logicalTypeFor(dataType, minor);
  const members = Object.entries(others).filter(([name]) => (memberTypes[name] ?? word) === word);
  return { ...Object.fromEntries(members), ...(word !== undefined && { logicalType: word }) };
}

const memberTypes: { readonly [member: string]: string } = {
  items: 'array',
  map: 'map',
  properties: 'object',
};

function withLength(property: JsonObject, length: number | undefined): JsonObject {
  const { logicalTypeOptions, ...rest } = property;
  const { maxLength: _, ...others } = isObject(logicalTypeOptions) ? logicalTypeOptions : {};
  const options: JsonObject = length === undefined ? others : { ...others, maxLength: length };
  return Object.keys(options).length === 0 ? rest : { ...rest, logicalTypeOptions: options };
}

export function composeType(column: JsonObject, minor: number): JsonObject {
  const type = typeOf(column);
  if (!type) return {};
  const { arrayDataType: _, ...whole } = type;
  const { dataLength, ...plain } = whole;
  // Crawlers store length 1 for types without a length.
  const own = dataLength === 1 && !type.dataType.endsWith('CHAR') ? plain : whole;
  const logicalType = logicalTypeFor(type.dataType, minor);
  return {
    ...(logicalType !== undefined && { logicalType }),
    physicalType: physicalTypeFor(own),
  };
}

type DataType = { readonly dataType: string; readonly arrayDataType?: string } & {
  readonly [size in 'dataLength' | 'precision' | 'scale']?: number;
};

function parsePhysicalType(text: string): DataType | undefined {
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

function typeOf(column: JsonValue): DataType | undefined {
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

function isSized(dataType: string): boolean {
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

type LogicalType = {
  readonly dataType: string;
  readonly agrees: readonly string[];
  /** The minor version of ODCS 3 that added the word. */
  readonly since?: number;
};

function logicalTypeFor(dataType: string, minor: number): string | undefined {
  const words = [...logicalTypes].filter(
    ([, { agrees, since = 0 }]) => agrees.includes(dataType) && since <= minor,
  );
  const [best] = words.find(([, type]) => type.dataType === dataType) ?? words[0] ?? [];
  return best;
}

// In the words and the case of the former one, as far as they fit.
function physicalTypeFor(type: DataType, former = ''): string {
  const sizes = sizesIn(type);
  const isLarge = former !== '' && former === former.toUpperCase();
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

function parseLogicalType(word: string): LogicalType | undefined {
  return logicalTypes.get(word.trim().toLowerCase());
}

const numbers = [...families.integer, ...families.decimal];

// The first that fits a type is written.
const logicalTypes: ReadonlyMap<string, LogicalType> = new Map<string, LogicalType>([
  ['string', { dataType: 'STRING', agrees: [...families.text, 'UUID', 'ENUM', 'JSON', 'XML'] }],
  ['integer', { dataType: 'INT', agrees: families.integer }],
  ['number', { dataType: 'NUMBER', agrees: numbers }],
  // Catalogs export it, but ODCS has no such word.
  ['decimal', { dataType: 'DECIMAL', agrees: families.decimal, since: Infinity }],
  ['boolean', { dataType: 'BOOLEAN', agrees: ['BOOLEAN'] }],
  ['timestamp', { dataType: 'TIMESTAMP', agrees: families.time, since: 1 }],
  ['date', { dataType: 'DATE', agrees: families.time }],
  ['time', { dataType: 'TIME', agrees: families.time, since: 1 }],
  ['object', { dataType: 'STRUCT', agrees: families.complex }],
  ['array', { dataType: 'ARRAY', agrees: families.complex }],
  ['map', { dataType: 'MAP', agrees: families.complex, since: 2 }],
  ['vector', { dataType: 'ARRAY', agrees: families.complex, since: 2 }],
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
