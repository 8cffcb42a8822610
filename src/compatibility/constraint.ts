import { deepEqual, isObject, type JsonValue } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { Alignment, Named } from './align.ts';
import type { ConsumerEffect, Part } from './rule.ts';

/** What a constraint says of the values of its own column: that none is missing. */
export function compareRequirements(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { label, pointer }: Part,
): ConsumerEffect[] {
  const [old, next] = [constraintOf(before), constraintOf(after)];
  const isOther = old.unique === next.unique && !deepEqual(before, after);
  if (old.required === next.required && !isOther) return [];
  const rule = old.required
    ? next.required
      ? 'other-changed'
      : 'required-dropped'
    : next.required
      ? 'required-added'
      : 'other-changed';
  const message = `${label} changes its constraint from ${spell(before)} to ${spell(after)}.`;
  return [{ rule, message, pointer: [...pointer, 'constraint'] }];
}

type Constraint = { readonly required: boolean; readonly unique: boolean };

function constraintOf(value: JsonValue | undefined): Constraint {
  const name = nameOf(value);
  return {
    required: name === 'NOT_NULL' || name === 'PRIMARY_KEY',
    unique: name === 'UNIQUE' || name === 'PRIMARY_KEY',
  };
}

function nameOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim().toUpperCase().replaceAll(' ', '_') : '';
}

function spell(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Data on record has no values for a new column. */
export function addedRequirement(column: Named, { label, pointer }: Part): ConsumerEffect[] {
  const constraint = isObject(column.value) ? column.value['constraint'] : undefined;
  if (!constraintOf(constraint).required) return [];
  const message = `${label} is added as ${spell(constraint)}: existing data has no values for it.`;
  return [{ rule: 'required-added', message, pointer: [...pointer, 'constraint'] }];
}

/** Columns whose values, taken together, never repeat. */
type Key = ReadonlySet<Named>;

/** Each UNIQUE column is a key, and all PRIMARY_KEY columns together are one. */
type Keys = { readonly unique: Key; readonly primary: Key };

/** The columns of one list, and how they are called. */
type Columns = {
  readonly alignment: Alignment;
  readonly pointer: Pointer;
  readonly label: (column: Named) => string;
};

/** What becomes of the keys of one list of columns. A key implies each one that holds its columns. */
export function compareKeys({ alignment, pointer, label }: Columns): ConsumerEffect[] {
  const { removed, added, kept, renamed } = alignment;
  const pairs = [...kept, ...renamed];
  const after = new Map(pairs.map((pair) => [pair.before, pair.after]));
  const next = keysOf([...pairs.map((pair) => pair.after), ...added]);
  const old = keysOf([...pairs.map((pair) => pair.before), ...removed], after);
  const isKept = new Set(after.values());
  const effects = (rule: 'unique-dropped' | 'unique-added', [from, to]: readonly [Keys, Keys]) =>
    [from.primary, ...[...from.unique].map((column) => new Set([column]))].flatMap(
      (key): ConsumerEffect[] => {
        const first = [...key].find((column) => isKept.has(column));
        if (!first || isImplied(key, to)) return [];
        const message = describe(rule, key, label, next.primary);
        return [{ rule, message, pointer: [...pointer, String(first.index), 'constraint'] }];
      },
    );
  return [...effects('unique-dropped', [old, next]), ...effects('unique-added', [next, old])];
}

function keysOf(columns: readonly Named[], after = new Map<Named, Named>()): Keys {
  const constrained = (name: string) =>
    columns.filter(({ value }) => isObject(value) && nameOf(value['constraint']) === name);
  const sorted = (name: string) =>
    new Set(
      constrained(name)
        .toSorted((a, b) => a.index - b.index)
        .map((column) => after.get(column) ?? column),
    );
  return { unique: sorted('UNIQUE'), primary: sorted('PRIMARY_KEY') };
}

function isImplied(key: Key, { unique, primary }: Keys): boolean {
  return isPart(primary, key) || [...key].some((column) => unique.has(column));
}

function isPart(some: Key, all: Key): boolean {
  return some.size > 0 && [...some].every((column) => all.has(column));
}

function describe(
  rule: 'unique-dropped' | 'unique-added',
  key: Key,
  label: (column: Named) => string,
  primary: Key,
): string {
  const labels = [...key].map(label).join(', ');
  if (rule === 'unique-added') {
    return key.size > 1 ? `${labels} become unique together.` : `${labels} becomes unique.`;
  }
  if (key.size > 1) return `${labels} are no longer unique together.`;
  if (!isPart(key, primary)) return `${labels} is no longer unique.`;
  const names = [...primary].map(({ name }) => name).join(', ');
  return `${labels} is no longer unique by itself: the primary key becomes ${names}.`;
}
