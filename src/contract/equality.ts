import { composed } from '../core/text.ts';
import {
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { diff, fieldOf } from '../patch/diff.ts';
import type { DiffOptions } from '../patch/identity.ts';
import type { Pattern } from '../patch/pointer.ts';
import { type DefaultValue, preserve, restate } from '../patch/preserve.ts';
import type { LiveContract } from './contract.ts';
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
    const { children } = item;
    return {
      ...item,
      ...(typeof item['name'] === 'string' && same['name'] !== undefined && { name: same['name'] }),
      ...(children !== undefined && { children: namedAsLive(children, same['children']) }),
    };
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
