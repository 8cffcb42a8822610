import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';
import {
  changedMembers,
  type ConsumerEffect,
  memberChanged,
  type Part,
  placeOfColumn,
  type RuleId,
} from './rule.ts';
import { columnType, compareTypes, type TypeChange, typeMembers, type Widening } from './type.ts';

export function compareSchemas(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const old = itemsOf(before);
  const next = itemsOf(after);
  if (old.length > 0 && next.length === 0)
    return [{ rule: 'contract-emptied', message: 'The schema is removed.', pointer: ['schema'] }];
  return compareLists(old, next, { names: [], path: [], pointer: ['schema'] }, widenings);
}

// A column is identified by the path of names, never split on dots; `path` has those before.
type Around = {
  readonly names: readonly string[];
  readonly path: readonly string[];
  readonly pointer: Pointer;
};

function compareLists(
  before: JsonArray,
  after: JsonArray,
  { names, path, pointer }: Around,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const alignment = alignByName(
    before,
    after,
    (old, next) => compareTypes(columnType(old), columnType(next), []) === 'same',
  );
  const { removed, added, kept, renamed, isReordered } = alignment;
  const labelOf = ({ name }: Named): string => `Column ${[...names, name].join(' › ')}`;
  const placeOf = ({ index }: Named): Pointer => [...pointer, String(index)];
  const effects: ConsumerEffect[] = [];
  for (const column of removed) {
    const message = `${labelOf(column)} is removed.`;
    effects.push({ rule: 'column-removed', message, pointer, column: [...path, column.name] });
  }
  for (const { before: old, after: next } of renamed) {
    const message = `${labelOf(old)} is renamed to ${next.name}.`;
    const place = [...placeOf(next), 'name'];
    const column = [...path, old.name];
    effects.push({ rule: 'column-renamed', message, pointer: place, column });
  }
  for (const column of added) {
    const place = placeOf(column);
    const label = labelOf(column);
    effects.push({ rule: 'column-added', message: `${label} is added.`, pointer: place });
    const { constraint } = column.members;
    // Existing data has no values for a new column.
    if (!constraintOf(constraint).isRequired) continue;
    const message = `${label} is added as ${spellConstraint(constraint)}: existing data has no values for it.`;
    effects.push({
      rule: 'required-added',
      message,
      pointer: [...place, 'constraint'],
      place: placeOfColumn([...path, column.name]),
    });
  }
  for (const { before: old, after: next } of [...kept, ...renamed]) {
    const column = [...path, old.name];
    const part = { label: labelOf(next), pointer: placeOf(next), column };
    effects.push(...compareColumns(old.members, next.members, part, widenings));
    const childrenBefore = itemsOf(old.members['children']);
    const childrenAfter = itemsOf(next.members['children']);
    const place = [...part.pointer, 'children'];
    const inside = { names: [...names, next.name], path: column, pointer: place };
    effects.push(...compareLists(childrenBefore, childrenAfter, inside, widenings));
  }
  effects.push(...compareKeys(alignment, { names, path, pointer }, labelOf));
  if (isReordered) {
    const whose = names.length > 0 ? ` of ${names.join(' › ')}` : '';
    const message = `The columns${whose} are reordered.`;
    effects.push({ rule: 'order-changed', message, pointer });
  }
  return effects;
}

function compareColumns(
  before: JsonObject,
  after: JsonObject,
  part: Part,
  widenings: readonly Widening[],
): ConsumerEffect[] {
  const { label, pointer, column } = part;
  const changed = changedMembers(before, after);
  const rule = ruleOfType[compareTypes(columnType(before), columnType(after), widenings)];
  const isSize = rule === 'length-extended' || rule === 'length-shortened';
  const size = changed.includes('dataLength') ? 'length' : 'precision';
  // `VARCHAR(20)` in place of `VARCHAR(10)` changes the type itself.
  const what = isSize && !changed.includes('dataType') ? size : 'type';
  const message = `${label} changes its ${what} from ${spellType(before)} to ${spellType(after)}.`;
  return [
    ...(changed.some((member) => typeMembers.includes(member))
      ? [{ rule, message, pointer: [...pointer, 'dataType'], column }]
      : []),
    ...compareRequirements(before['constraint'], after['constraint'], part),
    ...changed
      .filter((member) => !judgedElsewhere.has(member))
      .map((member) => memberChanged(member, part)),
  ];
}

const judgedElsewhere = new Set(['name', 'children', 'constraint', ...typeMembers]);

const ruleOfType: Readonly<Record<TypeChange, RuleId>> = {
  same: 'other-changed',
  shorter: 'length-shortened',
  longer: 'length-extended',
  wider: 'type-widened',
  narrower: 'type-narrowed',
  other: 'type-changed',
};

function spellType(column: JsonObject): string {
  const { dataType, arrayDataType, dataLength, precision, scale } = column;
  const sizes = [precision ?? dataLength, scale].filter((size) => typeof size === 'number');
  const type = typeof dataType === 'string' ? dataType : 'no type';
  const element = typeof arrayDataType === 'string' ? `<${arrayDataType}>` : '';
  return `${type}${element}${sizes.length > 0 ? `(${sizes.join(', ')})` : ''}`;
}

function compareRequirements(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
  { label, pointer, column }: Part,
): ConsumerEffect[] {
  const rule = ruleOfConstraint(before, after);
  if (rule === undefined) return [];
  const change = `from ${spellConstraint(before)} to ${spellConstraint(after)}`;
  const message = `${label} changes its constraint ${change}.`;
  return [{ rule, message, pointer: [...pointer, 'constraint'], column }];
}

// Keys are compared together, for all columns.
function ruleOfConstraint(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): RuleId | undefined {
  const old = constraintOf(before);
  const next = constraintOf(after);
  if (old.isRequired !== next.isRequired)
    return next.isRequired ? 'required-added' : 'required-dropped';
  if (old.isUnique !== next.isUnique || deepEqual(before, after)) return undefined;
  return 'other-changed';
}

function constraintOf(value: JsonValue | undefined) {
  const name = constraintName(value);
  return {
    isRequired: name === 'NOT_NULL' || name === 'PRIMARY_KEY',
    isUnique: name === 'UNIQUE' || name === 'PRIMARY_KEY',
  };
}

function constraintName(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim().toUpperCase().replaceAll(' ', '_') : '';
}

function spellConstraint(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

// Columns whose values, taken together, never repeat.
type Key = ReadonlySet<Named>;

// Each UNIQUE column is a key, and all PRIMARY_KEY columns together are one.
type Keys = { readonly unique: Key; readonly primary: Key };

function compareKeys(
  { removed, added, kept, renamed }: Alignment,
  { path, pointer }: Around,
  labelOf: (column: Named) => string,
): ConsumerEffect[] {
  const pairs = [...kept, ...renamed];
  const after = new Map(pairs.map((pair) => [pair.before, pair.after]));
  const next = keysOf([...pairs.map((pair) => pair.after), ...added]);
  const old = keysOf([...pairs.map((pair) => pair.before), ...removed], after);
  const isKept = new Set(after.values());
  const effects = (rule: KeyRule, keys: readonly Key[]): ConsumerEffect[] =>
    keys.flatMap((key) => {
      const first = [...key].find((column) => isKept.has(column));
      if (!first) return [];
      const message = describeKey(rule, key, labelOf, next.primary);
      const columns = [...key].map(({ name }) => name).join(', ');
      const place = placeOfColumn([...path, key.size > 1 ? `{${columns}}` : columns]);
      return [{ rule, message, pointer: [...pointer, String(first.index), 'constraint'], place }];
    });
  return [
    ...effects('unique-dropped', keysLacking(old, next)),
    ...effects('unique-added', keysLacking(next, old)),
  ];
}

// A key implies each one that holds its columns.
function keysLacking(from: Keys, to: Keys): Key[] {
  const keys: Key[] = [from.primary, ...[...from.unique].map((column) => new Set([column]))];
  return keys.filter(
    (key) => !isPart(to.primary, key) && ![...key].some((each) => to.unique.has(each)),
  );
}

/** `after` has what the columns become, by which both sides are compared. */
function keysOf(columns: readonly Named[], after = new Map<Named, Named>()): Keys {
  const constrained = (name: string): Key => {
    const found = columns.filter(({ members }) => constraintName(members['constraint']) === name);
    const inOrder = found.toSorted((a, b) => a.index - b.index);
    return new Set(inOrder.map((column) => after.get(column) ?? column));
  };
  return { unique: constrained('UNIQUE'), primary: constrained('PRIMARY_KEY') };
}

function isPart(some: Key, all: Key): boolean {
  return some.size > 0 && [...some].every((column) => all.has(column));
}

type KeyRule = 'unique-dropped' | 'unique-added';

function describeKey(rule: KeyRule, key: Key, labelOf: (column: Named) => string, primary: Key) {
  const labels = [...key].map(labelOf).join(', ');
  if (rule === 'unique-added')
    return key.size > 1 ? `${labels} become unique together.` : `${labels} becomes unique.`;
  if (key.size > 1) return `${labels} are no longer unique together.`;
  if (!isPart(key, primary)) return `${labels} is no longer unique.`;
  const names = [...primary].map(({ name }) => name).join(', ');
  return `${labels} is no longer unique by itself: the primary key becomes ${names}.`;
}

export type Named = {
  readonly name: string;
  readonly index: number;
  readonly members: JsonObject;
  // Its name and the number of equal names before it: servers do not forbid them.
  readonly key: string;
};

type Pair = { readonly before: Named; readonly after: Named };

type Alignment = {
  readonly kept: readonly Pair[];
  readonly renamed: readonly Pair[];
  readonly removed: readonly Named[];
  readonly added: readonly Named[];
  readonly isReordered: boolean;
};

export function itemsOf(value: JsonValue | undefined): JsonArray {
  return isArray(value) ? value : [];
}

export function alignByName(
  before: JsonArray,
  after: JsonArray,
  mayBeSame: (before: JsonObject, after: JsonObject) => boolean,
): Alignment {
  const old = elementsOf(before);
  const next = elementsOf(after);
  const oldByKey = new Map(old.map((element) => [element.key, element]));
  const kept = next.flatMap((element) => {
    const same = oldByKey.get(element.key);
    return same ? [{ before: same, after: element }] : [];
  });
  const keys = new Set(kept.map(({ after }) => after.key));
  const removed = new Set(leftOver(old, keys));
  const added: Named[] = [];
  const renamed: Pair[] = [];
  for (const { element, place } of leftOver(next, keys)) {
    const same = removed
      .values()
      .find((left) => left.place === place && mayBeSame(left.element.members, element.members));
    if (same) renamed.push({ before: same.element, after: element });
    else added.push(element);
    if (same) removed.delete(same);
  }
  const places = [...kept, ...renamed]
    .toSorted((a, b) => a.after.index - b.after.index)
    .map((pair) => pair.before.index);
  return {
    kept,
    removed: [...removed].map(({ element }) => element),
    added,
    renamed,
    isReordered: places.some((place, index) => place < (places[index - 1] ?? 0)),
  };
}

function elementsOf(list: JsonArray): Named[] {
  const seen = new Map<string, number>();
  return list.map((value, index) => {
    const members = isObject(value) ? value : { value };
    const given = members['name'];
    const name = typeof given === 'string' ? given : `${index + 1}`;
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return { name, index, members, key: JSON.stringify([name, earlier]) };
  });
}

function leftOver(elements: readonly Named[], keys: ReadonlySet<string>) {
  let place = '';
  return elements.flatMap((element) => {
    if (!keys.has(element.key)) return [{ element, place }];
    place = element.key;
    return [];
  });
}
