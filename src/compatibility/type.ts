import type { JsonObject, JsonValue } from '../core/json.ts';

/** From narrow to wide: each type holds all values of the one before it. */
export type Widening = readonly string[];

export const knownWidenings: readonly Widening[] = [
  ['TINYINT', 'SMALLINT', 'INT', 'BIGINT'],
  // Binary floating point holds whole numbers up to 2^24 (FLOAT) and 2^53 (DOUBLE).
  ['SMALLINT', 'FLOAT', 'DOUBLE'],
  ['INT', 'DOUBLE'],
  ['CHAR', 'VARCHAR', 'TEXT', 'MEDIUMTEXT', 'LONGTEXT'],
  ['TINYTEXT', 'TEXT'],
  ['BINARY', 'VARBINARY', 'BLOB', 'MEDIUMBLOB', 'LONGBLOB'],
];

const synonyms: Readonly<Record<string, string>> = {
  BYTEINT: 'TINYINT',
  INTEGER: 'INT',
  LONG: 'BIGINT',
  REAL: 'FLOAT',
  'DOUBLE PRECISION': 'DOUBLE',
  NUMERIC: 'DECIMAL',
  NUMBER: 'DECIMAL',
  CHARACTER: 'CHAR',
  'CHARACTER VARYING': 'VARCHAR',
  STRING: 'TEXT',
  BOOL: 'BOOLEAN',
};

export const typeMembers = ['dataType', 'arrayDataType', 'dataLength', 'precision', 'scale'];

// An absent size is unlimited.
type ColumnType = {
  readonly name: string;
  // An array's; empty for any other type.
  readonly element: string;
  // Characters, bytes, or digits in front of the decimal point.
  readonly length: number | undefined;
  // Digits behind the decimal point.
  readonly scale: number | undefined;
};

// Decimal digits: a size in the declaration of a whole number is its display width.
const digitsOf: ReadonlyMap<string, number> = new Map([
  ['TINYINT', 3],
  ['SMALLINT', 5],
  ['INT', 10],
  ['BIGINT', 19],
]);

export function columnType(column: JsonObject): ColumnType {
  const { name, sizes } = splitSizes(text(column['dataType']));
  const type = { name, element: splitSizes(text(column['arrayDataType'])).name };
  const digits = digitsOf.get(name);
  if (digits !== undefined) return { ...type, length: digits, scale: 0 };
  const precision = number(column['precision']) ?? (name === 'DECIMAL' ? sizes[0] : undefined);
  if (precision === undefined) {
    return { ...type, length: number(column['dataLength']) ?? sizes[0], scale: undefined };
  }
  // SQL: DECIMAL(10) is DECIMAL(10, 0).
  const scale = number(column['scale']) ?? sizes[1] ?? 0;
  return { ...type, length: precision - scale, scale };
}

function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function number(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function splitSizes(type: string): { readonly name: string; readonly sizes: readonly number[] } {
  const [, name = type, sizes = ''] = /^([^()<>]+)\(([\d\s,]+)\)\s*$/u.exec(type) ?? [];
  const upper = name.trim().toUpperCase();
  return {
    name: Object.hasOwn(synonyms, upper) ? (synonyms[upper] ?? upper) : upper,
    sizes: sizes === '' ? [] : sizes.split(',').map(Number),
  };
}

export type TypeChange = 'same' | 'shorter' | 'longer' | 'wider' | 'narrower' | 'other';

export function compareTypes(
  before: ColumnType,
  after: ColumnType,
  widenings: readonly Widening[],
): TypeChange {
  const [from, to] =
    before.name === after.name ? [before.element, after.element] : [before.name, after.name];
  // Infinity less itself is NaN: neither less nor more.
  const steps = (['length', 'scale'] as const).map(
    (size) => (after[size] ?? Infinity) - (before[size] ?? Infinity),
  );
  const shorter = steps.some((step) => step < 0);
  const longer = steps.some((step) => step > 0);
  if (from === to) {
    if (shorter && longer) return 'other';
    return shorter ? 'shorter' : longer ? 'longer' : 'same';
  }
  if (isWider(to, from, widenings) && !shorter) return 'wider';
  return isWider(from, to, widenings) && !longer ? 'narrower' : 'other';
}

function isWider(wide: string, narrow: string, widenings: readonly Widening[]): boolean {
  const reached = new Set([narrow]);
  // A set's iterator goes on to what is added behind it.
  for (const type of reached) {
    for (const chain of widenings) {
      const next = chain[chain.indexOf(type) + 1];
      if (chain.includes(type) && next !== undefined) reached.add(next);
    }
  }
  return reached.has(wide);
}

export function parseWidening(types: readonly string[]): Widening {
  return types.map((type) => splitSizes(type).name);
}
