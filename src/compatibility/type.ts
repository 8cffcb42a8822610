import type { JsonObject, JsonValue } from '../core/json.ts';

/** From narrow to wide: each type holds all that the one before it holds. */
export type Widening = readonly string[];

/** A catalog's own types are added by the configuration. */
export const knownWidenings: readonly Widening[] = [
  ['TINYINT', 'SMALLINT', 'INT', 'BIGINT', 'FLOAT', 'DOUBLE'],
  ['CHAR', 'VARCHAR', 'TEXT', 'MEDIUMTEXT', 'LONGTEXT'],
  ['TINYTEXT', 'TEXT'],
  ['BINARY', 'VARBINARY', 'BLOB', 'MEDIUMBLOB', 'LONGBLOB'],
];

/** Other names of the same types. */
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

/** The members of a column that together say its type. */
export const typeMembers = ['dataType', 'arrayDataType', 'dataLength', 'precision', 'scale'];

/** A column's type; an absent size is unlimited. */
type ColumnType = {
  readonly name: string;
  /** Of an array; empty for any other type. */
  readonly element: string;
  /** Characters, bytes, or digits in front of the decimal point. */
  readonly length: number | undefined;
  /** Digits behind the decimal point. */
  readonly scale: number | undefined;
};

/** The type that a column's members say, sizes in parentheses included: `DECIMAL(10, 2)`. */
export function columnType(column: JsonObject): ColumnType {
  const { name, sizes } = splitSizes(text(column['dataType']));
  const scale = number(column['scale']) ?? sizes[1];
  const precision = number(column['precision']) ?? (name === 'DECIMAL' ? sizes[0] : undefined);
  return {
    name,
    element: splitSizes(text(column['arrayDataType'])).name,
    length:
      precision === undefined
        ? (number(column['dataLength']) ?? sizes[0])
        : precision - (scale ?? 0),
    scale,
  };
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

/** How one type relates to another, as far as is known. */
export type TypeChange = 'same' | 'shorter' | 'longer' | 'wider' | 'narrower' | 'other';

/** What becomes of a type. */
export function compareTypes(
  before: ColumnType,
  after: ColumnType,
  widenings: readonly Widening[],
): TypeChange {
  const [from, to] =
    before.name === after.name ? [before.element, after.element] : [before.name, after.name];
  if (from === to) return compareSizes(before, after);
  if (isWider(to, from, widenings)) return isCut(before, after) ? 'narrower' : 'wider';
  return isWider(from, to, widenings) ? 'narrower' : 'other';
}

function compareSizes(before: ColumnType, after: ColumnType): TypeChange {
  const steps = (['length', 'scale'] as const).map(
    (size) => (after[size] ?? Infinity) - (before[size] ?? Infinity),
  );
  // Infinity less itself is no number, and neither less nor more.
  if (steps.some((step) => step < 0)) return 'shorter';
  return steps.some((step) => step > 0) ? 'longer' : 'same';
}

/** A wider type may still be declared shorter; sizes that only one of them has do not compare. */
function isCut(before: ColumnType, after: ColumnType): boolean {
  return before.length !== undefined && after.length !== undefined && after.length < before.length;
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

/** A chain of the configuration, in the names that types are compared by. */
export function parseWidening(types: readonly string[]): Widening {
  return types.map((type) => splitSizes(type).name);
}
