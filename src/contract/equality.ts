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
import { diff } from '../patch/diff.ts';
import type { DiffOptions } from '../patch/operation.ts';
import type { Pattern } from '../patch/pattern.ts';
import { type DefaultValue, preserve, restate } from '../patch/preserve.ts';
import type { LiveContract } from './contract.ts';
import type { Conventions } from './conventions.ts';
import { idKey } from './identity.ts';

export type Equivalence = {
  /** Not compared: the configuration's `ignore`. */
  readonly ignore: readonly Pattern[];
  /** The server's own additions, which stay where a file lacks them. */
  readonly serverAdded: readonly Pattern[];
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
  const target: Record<string, JsonValue> = { ...live.document };
  const stored = equivalence.asStored?.(managed, live.document) ?? managed;
  for (const [field, wanted] of Object.entries(stored)) {
    const current = target[field];
    if (sameEmptiness(current, wanted, equivalence.emptyIsAbsent)) continue;
    if (wanted === null) delete target[field];
    else if (referenceFields.has(field))
      target[field] = completeReferences(current, spelledAsLive(current, wanted));
    else target[field] = namedAsLive(wanted, current);
  }
  return preserved(live.document, target, equivalence, arrays);
}

function sameEmptiness(
  current: JsonValue | undefined,
  wanted: JsonValue,
  emptyIsAbsent: boolean,
): boolean {
  if (isNothing(current) && wanted === null) return true;
  return emptyIsAbsent && isEmpty(current) && isEmpty(wanted);
}

function namedAsLive(wanted: JsonValue, live: JsonValue | undefined): JsonValue {
  if (!isArray(wanted) || !isArray(live)) return wanted;
  if (wanted.every((item, index) => isNamedAlike(item, live[index]))) return wanted;
  const spelt = new Map(live.map((item) => [nameIn(item), item]));
  return wanted.map((item) => {
    const same = spelt.get(nameIn(item));
    return isObject(item) && isObject(same) ? itemNamedAsLive(item, same) : item;
  });
}

// Fast path: elements at one place nearly always have one name, and nothing within.
function isNamedAlike(item: JsonValue, live: JsonValue | undefined): boolean {
  return (
    isObject(item) &&
    isObject(live) &&
    item['name'] === live['name'] &&
    item['children'] === undefined
  );
}

function itemNamedAsLive(item: JsonObject, live: JsonObject): JsonObject {
  const { children } = item;
  if (children === undefined && item['name'] === live['name']) return item;
  return {
    ...item,
    ...(typeof item['name'] === 'string' && live['name'] !== undefined && { name: live['name'] }),
    ...(children !== undefined && { children: namedAsLive(children, live['children']) }),
  };
}

function nameIn(item: JsonValue): string | undefined {
  const name = isObject(item) ? item['name'] : undefined;
  return typeof name === 'string' ? composed(name) : undefined;
}

const noDefaults: readonly DefaultValue[] = [];

function staysIn({ ignore, serverAdded, defaults = noDefaults, emptyIsAbsent }: Equivalence) {
  return { ignore, fill: serverAdded, defaults, emptyIsAbsent };
}

function preserved(
  live: JsonObject,
  target: JsonObject,
  equivalence: Equivalence,
  arrays: DiffOptions,
): JsonObject {
  const stays = staysIn(equivalence);
  const patterns = stays.ignore.length + stays.fill.length + stays.defaults.length;
  if (patterns === 0 && !stays.emptyIsAbsent) return target;
  const completed = preserve(live, target, stays, arrays);
  return isObject(completed) ? completed : target;
}

/**
 * Items of the file match live ones that agree in every member the file gives. Members that only
 * live has (`id`, `href`, `displayName`, …) are no drift and stay.
 */
export function completeReferences(live: JsonValue | undefined, desired: JsonValue): JsonValue {
  if (!isArray(live) || !isArray(desired)) return desired;
  const unclaimed = new Set(live);
  const claim = (item: JsonValue): JsonValue => {
    const match = unclaimed.values().find((candidate) => agrees(item, candidate));
    if (match === undefined) return item;
    unclaimed.delete(match);
    return match;
  };
  return mostSpecificFirst(desired, claim);
}

// An item with more members claims first, so that `{name}` does not take what `{name, id}` means.
function mostSpecificFirst(
  items: readonly JsonValue[],
  claim: (item: JsonValue) => JsonValue,
): JsonValue[] {
  const claimed = [...items];
  const order = items
    .map((item, index) => ({ index, members: isObject(item) ? Object.keys(item).length : 0 }))
    .toSorted((a, b) => b.members - a.members || a.index - b.index);
  for (const { index } of order) claimed[index] = claim(items[index] ?? null);
  return claimed;
}

function agrees(desired: JsonValue, live: JsonValue): boolean {
  return isObject(desired) && isObject(live)
    ? membersAgree(desired, live)
    : deepEqual(desired, live);
}

function membersAgree(desired: JsonObject, live: JsonObject): boolean {
  return Object.entries(desired).every(
    ([member, value]) =>
      Object.hasOwn(live, member) &&
      (deepEqual(value, live[member]) || (member === 'id' && isSameId(value, live[member]))),
  );
}

function isSameId(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return typeof a === 'string' && typeof b === 'string' && idKey(a) === idKey(b);
}

function spelledAsLive(live: JsonValue | undefined, desired: JsonValue): JsonValue {
  if (!isArray(live) || !isArray(desired)) return desired;
  return desired.map((item) => {
    if (!isObject(item)) return item;
    const same = live.find((each) => isObject(each) && isSameId(each['id'], item['id']));
    return isObject(same) ? { ...item, id: same['id'] ?? null } : item;
  });
}

export type RestateRules = {
  readonly equivalence: Equivalence;
  readonly arrays: DiffOptions;
  readonly conventions: Pick<Conventions, 'asWritten'>;
};

/** In the file's own words where these mean the same. `null`: live has none. */
export function restateFields(
  live: LiveContract,
  managed: JsonObject,
  rules: RestateRules,
): JsonObject {
  const differing = differingFields(live, managed, rules);
  const restated = Object.entries(managed).map(([field, wanted]) => {
    const value = differing.has(field)
      ? restateField(field, live.document[field], wanted, rules)
      : wanted;
    return [field, value] as const;
  });
  return Object.fromEntries(restated);
}

export function differingFields(
  live: LiveContract,
  managed: JsonObject,
  { equivalence, arrays }: RestateRules,
): ReadonlySet<string> {
  const target = targetDocument(live, managed, equivalence, arrays);
  const edits = diff(live.document, target, arrays);
  return new Set(edits.map((edit) => (edit.desired ?? edit.live ?? [])[0] ?? ''));
}

function restateField(
  field: string,
  live: JsonValue | undefined,
  wanted: JsonValue,
  { equivalence, arrays, conventions }: RestateRules,
): JsonValue {
  if (live === undefined || isNothing(live)) return null;
  if (referenceFields.has(field) && isArray(live)) {
    return restateReferences(live, isArray(wanted) ? wanted : []);
  }
  // A mapping stays one, where the file could have the short form too.
  const value = isObject(wanted) && isObject(live) ? live : conventions.asWritten(field, live);
  const stays = staysIn(equivalence);
  return restate({ [field]: value }, { [field]: wanted }, stays, arrays)[field] ?? null;
}

function restateReferences(live: readonly JsonValue[], wanted: readonly JsonValue[]): JsonValue {
  const completed = completeReferences(live, wanted);
  const written = new Map(
    wanted.map((item, index) => [isArray(completed) ? completed[index] : undefined, item]),
  );
  return live.map((item) => written.get(item) ?? referenceTo(item));
}

function referenceTo(item: JsonValue): JsonValue {
  if (!isObject(item)) return item;
  const { id, type, name } = item;
  const known = isNothing(name) ? { type, id } : { type, name };
  const reference: Record<string, JsonValue> = {};
  for (const [member, value] of Object.entries(known)) {
    if (value !== undefined && value !== null) reference[member] = value;
  }
  return Object.keys(reference).length === 0 ? item : reference;
}
