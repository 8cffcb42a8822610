import {
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { childAt, formatPointer, type Pointer } from '../patch/pointer.ts';
import type { Agreement, DesiredContract, LiveContract, StatedFields } from './contract.ts';

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
