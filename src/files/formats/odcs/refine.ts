import {
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../../core/json.ts';
import {
  childAt,
  formatPointer,
  type Matching,
  parseIndex,
  type Pattern,
  type Pointer,
  startMatching,
} from '../../../patch/pointer.ts';

// The live values that agree with the file's wording; null stands for an absent value.
type Agreement = 'any' | JsonArray;

export type CoarseEquality = { readonly pointer: Pointer; readonly agrees: Agreement };

// Members of these that the file does not state stay as the catalog has them.
const kept: readonly Pattern[] = [
  ['schema', '*', '**'],
  ['sla', '*'],
  ['extension', '*'],
];

type Place = {
  readonly pointer: Pointer;
  readonly kept: Matching;
  readonly agreements: ReadonlyMap<string, Agreement>;
};

/**
 * Merges the file's fields with the live contract: values that agree coarsely and values that the
 * file does not state are live's, null below the top level removes, and columns keep live's order.
 * Idempotent: refining by the result changes nothing.
 */
export function refineByLive(
  fields: JsonObject,
  live: JsonObject,
  leeway: readonly CoarseEquality[],
): JsonObject {
  const agreements = new Map(
    leeway.map(({ pointer, agrees }) => [formatPointer(pointer), agrees] as const),
  );
  const root = { pointer: [], kept: startMatching(kept), agreements };
  return Object.fromEntries(
    Object.entries(fields).map(([field, wanted]) => {
      const former = childAt(live, field);
      const refined = refine(wanted, former, below(root, field)) ?? null;
      const isEmptied =
        refined !== null && typeof refined === 'object' && Object.keys(refined).length === 0;
      // An empty section equals an absent one.
      return [field, isEmptied && isNothing(former) ? null : refined];
    }),
  );
}

function refine(wanted: JsonValue, live: JsonValue | undefined, at: Place): JsonValue | undefined {
  if (agreesWith(live, at.agreements.get(formatPointer(at.pointer)))) return live;
  if (!at.kept.goesOn) return wanted ?? undefined;
  if (isObject(wanted)) return refineObject(wanted, isObject(live) ? live : {}, at);
  if (isArray(wanted)) return refineColumns(wanted, isArray(live) ? live : [], at);
  return wanted ?? undefined;
}

function agreesWith(live: JsonValue | undefined, agrees: Agreement | undefined): boolean {
  if (agrees === undefined) return false;
  if (live === undefined || isNothing(live)) return agrees !== 'any' && agrees.includes(null);
  if (agrees === 'any') return typeof live === 'string';
  return agrees.some((each) => deepEqual(each, live));
}

function refineObject(wanted: JsonObject, live: JsonObject, at: Place): JsonObject {
  const stated = Object.entries(wanted).map(
    ([name, value]) => [name, refine(value, childAt(live, name), below(at, name))] as const,
  );
  const type = new Map(stated).get('dataType');
  const isStale = type !== undefined && type !== live['dataType'];
  const kept = Object.entries(live).filter(
    ([name]) =>
      !Object.hasOwn(wanted, name) &&
      at.kept.below(name).isMatch &&
      !(isStale && typeDetails.includes(name)),
  );
  return Object.fromEntries(
    [...stated, ...kept].flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

// They describe the column's type, so they are dropped when it changes.
export const typeDetails = ['dataLength', 'precision', 'scale', 'arrayDataType'];

function refineColumns(wanted: JsonArray, live: JsonArray, at: Place): JsonValue[] {
  const liveIndex = new Map(live.map((column, index) => [nameOf(column), index] as const));
  const positions = wanted.map((column) => liveIndex.get(nameOf(column)) ?? -1);
  const refined = wanted.map(
    (column, index) =>
      refine(column, live[positions[index] ?? -1], below(at, String(index))) ?? null,
  );
  return inLiveOrder(positions).map((index) => refined[index] ?? null);
}

function nameOf(column: JsonValue): JsonValue | undefined {
  return childAt(column, 'name');
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
 * Translates a pointer from another form of the contract, refined or live, whose columns may be in
 * another order. For a missing value, the nearest parent.
 */
export function pointerIntoFields(fields: JsonObject, other: JsonObject, pointer: Pointer) {
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

function below(at: Place, token: string): Place {
  return { ...at, pointer: [...at.pointer, token], kept: at.kept.below(token) };
}

/**
 * A part of a contract, and the place in the ODCS document that it comes from. One tree holds the
 * contract's fields, their trace and their coarse equalities.
 */
export type Stated<Json extends JsonValue = JsonValue> = {
  readonly from: Pointer;
  /** Below the top level, null removes the live value, which would stay otherwise. */
  readonly json: Json;
  readonly parts: { readonly [token: string]: Stated };
  readonly agrees?: Agreement | undefined;
};

export function stateValue(from: Pointer, json: JsonPrimitive, agrees?: Agreement): Stated {
  return { from, json, parts: {}, agrees };
}

export function stateList(from: Pointer, items: readonly Stated[]): Stated {
  return { from, json: items.map(({ json }) => json), parts: Object.fromEntries(items.entries()) };
}

export function stateGroup(
  from: Pointer,
  members: { readonly [name: string]: Stated | undefined },
  agrees?: Agreement,
): Stated<JsonObject> {
  const stated = Object.entries(members).flatMap(([name, member]) =>
    member ? [[name, member] as const] : [],
  );
  const json = Object.fromEntries(stated.map(([name, member]) => [name, member.json]));
  return { from, json, parts: Object.fromEntries(stated), agrees };
}

export function coarseEqualities(
  { agrees, parts }: Stated,
  pointer: Pointer = [],
): CoarseEquality[] {
  const inside = Object.entries(parts).flatMap(([token, part]) =>
    coarseEqualities(part, [...pointer, token]),
  );
  return agrees ? [{ pointer, agrees }, ...inside] : inside;
}

export function sourceOf(trace: Stated, pointer: Pointer) {
  let stated = trace;
  for (const token of pointer) {
    const part = Object.hasOwn(stated.parts, token) ? stated.parts[token] : undefined;
    if (!part) break;
    stated = part;
  }
  const key = lastName(stated.from);
  const isRenamed = stated !== trace && key !== undefined && key !== lastName(pointer);
  return { pointer: stated.from, ...(isRenamed && { key }) };
}

function lastName(pointer: Pointer): string | undefined {
  return pointer.findLast((token) => parseIndex(token) === undefined);
}
