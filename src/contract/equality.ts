import { composed } from '../core/text.ts';
import {
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { diff, fieldOf } from '../patch/diff.ts';
import type { DiffOptions } from '../patch/identity.ts';
import { childAt, formatPointer, type Pattern, type Pointer } from '../patch/pointer.ts';
import { type DefaultValue, preserve, restate } from '../patch/preserve.ts';
import type { Agreement, DesiredContract, LiveContract, StatedFields } from './contract.ts';
import type { Conventions } from './conventions.ts';
import { idKey } from './identity.ts';

export type Equivalence = {
  /** Not compared: the configuration's `ignore`. */
  readonly ignore: readonly Pattern[];
  /** The server's own additions, which stay where a file lacks them. */
  readonly fill: readonly Pattern[];
  readonly defaults?: readonly DefaultValue[];
  /** Absent, `null` and `[]` mean the same to the server, at any depth. */
  readonly emptyIsAbsent: boolean;
  /** The file's fields in the server's words, or in live's where these mean the same. */
  readonly asStored?: (managed: JsonObject, live: JsonObject) => JsonObject;
};

const referenceFields: ReadonlySet<string> = new Set([
  'owners',
  'reviewers',
  'qualityExpectations',
]);

/** Equals the live document exactly when there is nothing to do. */
export function targetDocument(
  live: LiveContract,
  managed: JsonObject,
  equivalence: Equivalence,
  arrays: DiffOptions,
): JsonObject {
  const target = withManaged(live, managed, equivalence);
  const { ignore, fill, defaults = [], emptyIsAbsent } = equivalence;
  // Then nothing of live's is kept.
  if (ignore.length + fill.length + defaults.length === 0 && !emptyIsAbsent) return target;
  const completed = preserve(live.document, target, equivalence, arrays);
  return isObject(completed) ? completed : target;
}

function withManaged(live: LiveContract, managed: JsonObject, equivalence: Equivalence) {
  const target: Record<string, JsonValue> = { ...live.document };
  const stored = equivalence.asStored?.(managed, live.document) ?? managed;
  for (const [field, wanted] of Object.entries(stored)) {
    const current = target[field];
    if (isNothing(current) && wanted === null) continue;
    if (equivalence.emptyIsAbsent && isEmpty(current) && isEmpty(wanted)) continue;
    if (wanted === null) delete target[field];
    else if (referenceFields.has(field)) target[field] = completeReferences(current, wanted);
    else target[field] = namedAsLive(wanted, current);
  }
  return target;
}

function namedAsLive(wanted: JsonValue, live: JsonValue | undefined): JsonValue {
  if (!isArray(wanted) || !isArray(live)) return wanted;
  const spelt = new Map(live.map((item) => [nameIn(item), item]));
  return wanted.map((item) => {
    const same = spelt.get(nameIn(item));
    if (!isObject(item) || !isObject(same)) return item;
    const { name = null, children } = item;
    const { name: known = name } = same;
    const named = typeof name !== 'string' || name === known ? item : { ...item, name: known };
    if (children === undefined) return named;
    return { ...named, children: namedAsLive(children, same['children']) };
  });
}

function nameIn(item: JsonValue): string | undefined {
  const name = isObject(item) ? item['name'] : undefined;
  return typeof name === 'string' ? composed(name) : undefined;
}

/**
 * Items of the file match live ones that agree in every member the file gives. Members that only
 * live has (`id`, `href`, `displayName`, …) are no drift and stay.
 */
export function completeReferences(live: JsonValue | undefined, desired: JsonValue): JsonValue {
  if (!isArray(live) || !isArray(desired)) return desired;
  const unclaimed = new Set(live);
  const completed = [...desired];
  // An item with more members goes first, so that `{name}` does not take what `{name, id}` means.
  const order = desired
    .map((item, index) => ({ item, index, members: isObject(item) ? Object.keys(item).length : 0 }))
    .toSorted((a, b) => b.members - a.members || a.index - b.index);
  for (const { item, index } of order) {
    const match = unclaimed.values().find((candidate) => agrees(item, candidate));
    if (match !== undefined) completed[index] = match;
    if (match !== undefined) unclaimed.delete(match);
  }
  return completed;
}

function agrees(desired: JsonValue, live: JsonValue): boolean {
  if (!isObject(desired) || !isObject(live)) return deepEqual(desired, live);
  return Object.entries(desired).every(
    ([member, value]) =>
      Object.hasOwn(live, member) &&
      (deepEqual(value, live[member]) || (member === 'id' && isSameId(value, live[member]))),
  );
}

function isSameId(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && idKey(a) === idKey(b);
}

export type RestateRules = {
  readonly equivalence: Equivalence;
  readonly arrays: DiffOptions;
  readonly conventions: Pick<Conventions, 'asWritten'>;
};

/** In the file's own words where these mean the same. `null`: live has none. */
export function restateFields(live: LiveContract, managed: JsonObject, rules: RestateRules) {
  const differing = differingFields(live, managed, rules);
  const restated = Object.entries(managed).map(([field, wanted]) => {
    if (!differing.has(field)) return [field, wanted] as const;
    return [field, restateField(field, live.document[field], wanted, rules)] as const;
  });
  return Object.fromEntries(restated);
}

export function differingFields(
  live: LiveContract,
  managed: JsonObject,
  { equivalence, arrays }: RestateRules,
): ReadonlySet<string> {
  const target = targetDocument(live, managed, equivalence, arrays);
  return new Set(diff(live.document, target, arrays).map(fieldOf));
}

function restateField(
  field: string,
  live: JsonValue | undefined,
  wanted: JsonValue,
  { equivalence, arrays, conventions }: RestateRules,
): JsonValue {
  if (isNothing(live)) return null;
  if (referenceFields.has(field) && isArray(live)) {
    const items = isArray(wanted) ? wanted : [];
    const completed = completeReferences(live, items);
    const written = new Map(
      items.map((item, index) => [isArray(completed) ? completed[index] : undefined, item]),
    );
    return live.map((item) => written.get(item) ?? referenceTo(item));
  }
  // A mapping stays one, where the file could have the short form too.
  const value = isObject(wanted) && isObject(live) ? live : conventions.asWritten(field, live);
  return restate({ [field]: value }, { [field]: wanted }, equivalence, arrays)[field] ?? null;
}

function referenceTo(item: JsonValue): JsonValue {
  if (!isObject(item)) return item;
  const { id, type, name } = item;
  const reference = Object.entries(isNothing(name) ? { type, id } : { type, name }).flatMap(
    ([member, value]) => (value === undefined || value === null ? [] : [[member, value] as const]),
  );
  return reference.length === 0 ? item : Object.fromEntries(reference);
}

/** What the file's format can't state, or states in coarser words, stays as the catalog has it. */
export function keepUnstated(live: LiveContract, desired: DesiredContract): DesiredContract {
  const { coarse, ...exact } = desired;
  if (!coarse) return desired;
  const managed = withUnstated(desired, live.document);
  return {
    ...exact,
    managed,
    locate: (pointer, isRemoved) => {
      if (!Object.hasOwn(desired.managed, pointer[0] ?? '')) return desired.locate(pointer);
      const from = isRemoved ? live.document : managed;
      return desired.locate(pointerIntoFields(desired.managed, from, pointer));
    },
  };
}

/**
 * Values that agree coarsely and members that the file does not state are live's, null below the top
 * level removes, and columns keep live's order. Idempotent: with the result nothing changes.
 */
export function withUnstated({ managed, coarse }: StatedFields, live: JsonObject): JsonObject {
  if (!coarse) return managed;
  const agreements = new Map(
    coarse.map(({ pointer, agrees }) => [formatPointer(pointer), agrees] as const),
  );
  return Object.fromEntries(
    Object.entries(managed).map(([field, wanted]) => {
      const former = childAt(live, field);
      const kept = keep(wanted, former, [field], agreements) ?? null;
      const isEmptied = kept !== null && typeof kept === 'object' && Object.keys(kept).length === 0;
      // An empty section equals an absent one.
      return [field, isEmptied && isNothing(former) ? null : kept];
    }),
  );
}

type Agreements = ReadonlyMap<string, Agreement>;

function keep(
  wanted: JsonValue,
  live: JsonValue | undefined,
  at: Pointer,
  agreements: Agreements,
): JsonValue | undefined {
  if (agreesWith(live, agreements.get(formatPointer(at)))) return live;
  if (isPartlyStated(at)) {
    if (isObject(wanted)) return keepMembers(wanted, isObject(live) ? live : {}, at, agreements);
    if (isArray(wanted)) return keepOrder(wanted, isArray(live) ? live : [], at, agreements);
  }
  return wanted ?? undefined;
}

// Columns, the SLA and the extension have members that the file doesn't state.
function isPartlyStated([field, ...below]: Pointer): boolean {
  return field === 'schema' || ((field === 'sla' || field === 'extension') && below.length === 0);
}

function agreesWith(live: JsonValue | undefined, agrees: Agreement | undefined): boolean {
  if (agrees === undefined) return false;
  if (isNothing(live)) return agrees !== 'any' && agrees.includes(null);
  if (agrees === 'any') return typeof live === 'string';
  return agrees.some((each) => deepEqual(each, live));
}

function keepMembers(wanted: JsonObject, live: JsonObject, at: Pointer, agreements: Agreements) {
  const members = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(wanted)) {
    const member = keep(value, childAt(live, name), [...at, name], agreements);
    if (member !== undefined) members.set(name, member);
  }
  const type = members.get('dataType');
  const isStale = type !== undefined && type !== live['dataType'];
  for (const [name, value] of Object.entries(live)) {
    const isDropped = isStale && typeDetails.includes(name);
    if (!Object.hasOwn(wanted, name) && !isDropped) members.set(name, value);
  }
  return Object.fromEntries(members);
}

/** They describe the column's type, so they are dropped when it changes. */
export const typeDetails = ['dataLength', 'precision', 'scale', 'arrayDataType'];

function keepOrder(wanted: JsonArray, live: JsonArray, at: Pointer, agreements: Agreements) {
  const liveIndex = new Map(live.map((column, index) => [nameOf(column), index] as const));
  const positions = wanted.map((column) => liveIndex.get(nameOf(column)) ?? -1);
  const kept = wanted.map((column, index) => {
    const former = live[positions[index] ?? -1];
    return keep(column, former, [...at, String(index)], agreements) ?? null;
  });
  return inLiveOrder(positions).map((index) => kept[index] ?? null);
}

function nameOf(column: JsonValue): JsonValue | undefined {
  return childAt(column, 'tagFQN') ?? childAt(column, 'name');
}

// Column indices in live's order, each new column after the one that precedes it in the file.
// `positions` are live's; -1 is a new column.
function inLiveOrder(positions: readonly number[]): number[] {
  const groups: { readonly position: number; readonly indices: number[] }[] = [
    { position: -1, indices: [] },
  ];
  for (const [index, position] of positions.entries()) {
    if (position === -1) groups.at(-1)?.indices.push(index);
    else groups.push({ position, indices: [index] });
  }
  return groups.toSorted((a, b) => a.position - b.position).flatMap(({ indices }) => indices);
}

/**
 * Translates a pointer from another form of the contract, whose columns may be in another order. For
 * a missing value, the nearest parent.
 */
function pointerIntoFields(fields: JsonObject, other: JsonObject, pointer: Pointer) {
  const found: string[] = [];
  let here: JsonValue | undefined = fields;
  let there: JsonValue | undefined = other;
  for (const token of pointer) {
    let twin = token;
    const name = isArray(here) && nameOf((there && childAt(there, token)) ?? null);
    if (isArray(here) && name !== undefined) {
      twin = String(here.findIndex((column) => nameOf(column) === name));
    }
    here = here === undefined ? undefined : childAt(here, twin);
    if (here === undefined) break;
    there = there === undefined ? undefined : childAt(there, token);
    found.push(twin);
  }
  return found;
}
