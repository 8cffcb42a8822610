import {
  compareCodeUnits,
  deepEqual,
  InexactNumber,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import {
  alignInPlace,
  alignUnordered,
  alignWithMoves,
  indicesBut,
  type Link,
  type Savings,
  type Weigh,
} from './align.ts';
import type { Operation } from './evaluate.ts';
import { type DiffOptions, identify, isKey } from './identity.ts';
import { childAt, formatPointer, type Pointer } from './pointer.ts';

/**
 * One operation, with the place of its value in both documents, so that a reader can be shown
 * before and after and the source line.
 */
export type Edit = {
  readonly operation: Exclude<Operation, { readonly op: 'copy' | 'test' }>;
  /** Into the original live document; absent where something is added. */
  readonly live?: Pointer;
  /** Into the desired document; absent where something is removed. */
  readonly desired?: Pointer;
};

export function fieldOf({ live, desired }: Edit): string {
  return (desired ?? live)?.[0] ?? '';
}

/**
 * A patch from live to desired with few operations, and few bytes in these; the same input gives
 * the same patch. Among patches that resend nothing of live it is the smallest for lists with keys
 * and for lists without duplicates; not always for others, nor where a value changes its member.
 */
export function diff(
  live: JsonValue,
  desired: JsonValue,
  options: DiffOptions = {},
): readonly Edit[] {
  return diffValues(live, desired, { place: root, options });
}

type At = { readonly place: Place; readonly options: DiffOptions };

function diffValues(live: JsonValue, desired: JsonValue, at: At): readonly Edit[] {
  if (live === desired) return [];
  if (isObject(live) && isObject(desired)) return diffObjects(live, desired, at);
  if (isArray(live) && isArray(desired)) return diffArrays(live, desired, at);
  return deepEqual(live, desired) ? [] : [replaceEdit(at.place, desired)];
}

// Below the root a node is replaced whole where that is shorter; the root holds what the server
// owns.
function diffChild(live: JsonValue, desired: JsonValue, at: At): readonly Edit[] {
  const edits = diffValues(live, desired, at);
  if (edits.length < 2) return edits;
  const whole = [replaceEdit(at.place, desired)];
  return isSendable(desired) && editsBytes(whole) <= editsBytes(edits) ? whole : edits;
}

function diffObjects(live: JsonObject, desired: JsonObject, at: At): readonly Edit[] {
  const members = new Set([...Object.keys(live), ...Object.keys(desired)]);
  const changed = [...members].filter((member) => live[member] !== desired[member]);
  return changed.toSorted(compareCodeUnits).flatMap((member) => {
    const before = childAt(live, member);
    const after = childAt(desired, member);
    const place = childPlace(at.place, member);
    if (after === undefined) return [removeEdit(place)];
    return before === undefined
      ? [addEdit(place, after)]
      : diffChild(before, after, { ...at, place });
  });
}

type Section = {
  readonly live: JsonArray;
  readonly desired: JsonArray;
  readonly place: Place;
  readonly name: string;
  readonly start: number;
  readonly isLast: boolean;
  readonly avoidsPrefixMoves?: boolean | undefined;
};

type EditsWithin = (link: Link) => readonly Edit[];

function diffArrays(live: JsonArray, desired: JsonArray, at: At): readonly Edit[] {
  const { place, options } = at;
  const { avoidsPrefixMoves } = options;
  const section = { ...differingSection(live, desired, place), avoidsPrefixMoves };
  const known = new Map<number, readonly Edit[]>();
  // Without this memory, elements within elements would be compared twice as often at every depth.
  const editsWithin = (link: Link): readonly Edit[] => {
    const before = section.live[link.live] ?? null;
    const after = section.desired[link.desired] ?? null;
    if (link.kind !== 'replaced' && deepEqual(before, after)) return [];
    const pair = link.live * section.desired.length + link.desired;
    const element = elementPlace(section, link.live, link.desired);
    let edits = known.get(pair) ?? diffChild(before, after, { ...at, place: element });
    if (link.kind === 'replaced') edits = cheaper(edits, [replaceEdit(element, after)]);
    known.set(pair, edits);
    return edits;
  };
  const isUnordered = options.unordered?.includes(section.name) ?? false;
  return alignments(section, options, isUnordered, editsWithin)
    .map((links) => emit(section, links, isUnordered, editsWithin))
    .reduce(cheaper);
}

function differingSection(live: JsonArray, desired: JsonArray, place: Place): Section {
  const shorter = Math.min(live.length, desired.length);
  let start = 0;
  while (start < shorter && deepEqual(live[start], desired[start])) start += 1;
  let end = 0;
  while (end < shorter - start && deepEqual(live.at(-1 - end), desired.at(-1 - end))) end += 1;
  return {
    live: live.slice(start, live.length - end),
    desired: desired.slice(start, desired.length - end),
    place,
    name: place.live.at(-1) ?? '',
    start,
    isLast: end === 0,
  };
}

function elementPlace({ place, start }: Section, live: number, desired: number): Place {
  return childPlace(place, start + live, start + desired);
}

function alignments(
  section: Section,
  options: DiffOptions,
  isUnordered: boolean,
  editsWithin: EditsWithin,
): readonly (readonly Link[])[] {
  const identities = identify(section, options);
  if (isUnordered) return [alignUnordered(identities)];
  const within = bytesSavedWithin(section, editsWithin);
  const moving = alignWithMoves(identities, savingsIn(section, within, true));
  // An element without a key has no identity but its value: another value may be an edit of it.
  return identities.live.some(isKey)
    ? [moving]
    : [moving, alignInPlace(identities, savingsIn(section, within, false))];
}

// With more pairs of elements, none are compared for near equality.
const closeLooks = 2 ** 16;

function bytesSavedWithin(section: Section, editsWithin: EditsWithin): Weigh {
  if (section.live.length * section.desired.length > closeLooks) return () => 0;
  return (live, desired) => {
    const after = section.desired[desired] ?? null;
    if (!isNearly(section.live[live] ?? null, after)) return 0;
    const whole = replaceEdit(elementPlace(section, live, desired), after);
    return editsBytes([whole]) - editsBytes(editsWithin({ live, desired, kind: 'replaced' }));
  };
}

function isNearly(live: JsonValue, desired: JsonValue): boolean {
  if (isArray(live) && isArray(desired)) {
    const section = differingSection(live, desired, root);
    return Math.max(section.live.length, section.desired.length) <= 1;
  }
  if (!isObject(live) || !isObject(desired)) return false;
  let differing = 0;
  for (const member of Object.keys(live)) {
    if (!Object.hasOwn(desired, member) || !deepEqual(live[member], desired[member]))
      differing += 1;
    // Most elements differ in the first few members, and each is compared with each.
    if (differing > 1) return false;
  }
  for (const member of Object.keys(desired)) differing += Object.hasOwn(live, member) ? 0 : 1;
  return differing <= 1;
}

// One operation outweighs all the bytes of a patch.
const operation = 2 ** 32;

// Without the array's path, indices and values.
const moveBytes = '{"op":"move","from":"/","path":"/"},'.length;
const removeBytes = '{"op":"remove","path":"/"},'.length;
const addBytes = '{"op":"add","path":"/","value":},'.length;
const replaceBytes = '{"op":"replace","path":"/","value":},'.length;

// With moves, keeping an element saves a move; in place, a remove and an add. Replacing one in its
// slot saves the slot's remove, and `within`: what an edit inside of the element saves.
function savingsIn(section: Section, within: Weigh, hasMoves: boolean): Savings {
  const { start, desired, place } = section;
  const path = jsonBytes(formatPointer(place.live)) - '""'.length;
  const values = hasMoves ? [] : desired.map(jsonBytes);
  const kept = hasMoves ? operation + moveBytes : 2 * operation + removeBytes + addBytes;
  const slot = operation + removeBytes + addBytes - replaceBytes + path;
  return {
    keep: (from, to) =>
      kept + 2 * path + digits(start + from) + digits(start + to) + (values[to] ?? 0),
    replace: (from, to) => slot + digits(start + to) + within(from, to),
  };
}

function digits(index: number): number {
  let count = 1;
  for (let rest = index; rest >= 10; rest /= 10) count += 1;
  return count;
}

// In the one order that makes every index known beforehand: edits within elements, at their live
// index; removes from the last to the first; moves; adds from the first to the last, at their final
// index or, in an unordered array, at the end.
function emit(
  section: Section,
  links: readonly Link[],
  isUnordered: boolean,
  editsWithin: EditsWithin,
): readonly Edit[] {
  const taken = links.map(({ live }) => live);
  const filled = links.map(({ desired }) => desired);
  const removed = indicesBut(taken, section.live.length);
  const added = indicesBut(filled, section.desired.length);
  const within: readonly Edit[] = links.flatMap(editsWithin);
  return within.concat(
    removed.toReversed().map((index) => removeEdit(elementPlace(section, index, index))),
    moveEdits(links, section),
    added.map((index, rank) => {
      const isAtEnd = isUnordered || (section.isLast && index === links.length + rank);
      const final = section.start + index;
      const place = childPlace(section.place, isAtEnd ? '-' : final, final);
      return addEdit(place, section.desired[index] ?? null);
    }),
  );
}

// Each element moves once, behind those in front of it that have their place already.
function moveEdits(links: readonly Link[], section: Section): readonly Edit[] {
  const { start, place, avoidsPrefixMoves } = section;
  const moved = links
    .filter(({ kind }) => kind === 'moved')
    .toSorted((a, b) => shift(b) - shift(a) || a.desired - b.desired);
  const waiting = new Set(moved.map(({ desired }) => desired));
  const order = links.map(({ desired }) => desired);
  const edits: Edit[] = [];
  for (const { live, desired } of moved) {
    waiting.delete(desired);
    const from = order.indexOf(desired);
    order.splice(from, 1);
    const to = order.findLastIndex((each) => each < desired && !waiting.has(each)) + 1;
    order.splice(to, 0, desired);
    const element = elementPlace(section, live, desired);
    let source = start + from;
    const target = start + to;
    const isPrefix = source < target && String(target).startsWith(String(source));
    if (avoidsPrefixMoves && isPrefix) {
      // No other index begins with 0.
      edits.push(moveEdit(place, source, 0, element));
      source = 0;
    }
    edits.push(moveEdit(place, source, target, element));
  }
  return edits;
}

type Place = { readonly live: Pointer; readonly desired: Pointer };

const root: Place = { live: [], desired: [] };

function childPlace(parent: Place, live: string | number, desired = live): Place {
  return { live: [...parent.live, String(live)], desired: [...parent.desired, String(desired)] };
}

function replaceEdit(place: Place, value: JsonValue): Edit {
  return { operation: { op: 'replace', path: formatPointer(place.live), value }, ...place };
}

function removeEdit({ live }: Place): Edit {
  return { operation: { op: 'remove', path: formatPointer(live) }, live };
}

function shift({ live, desired }: Link): number {
  return desired - live;
}

function moveEdit(array: Place, from: number, to: number, element: Place): Edit {
  const path = formatPointer(array.live);
  return { operation: { op: 'move', from: `${path}/${from}`, path: `${path}/${to}` }, ...element };
}

function addEdit({ live, desired }: Place, value: JsonValue): Edit {
  return { operation: { op: 'add', path: formatPointer(live), value }, desired };
}

// A patch costs first its operations, then the UTF-8 bytes of its compact JSON.

function cheaper(a: readonly Edit[], b: readonly Edit[]): readonly Edit[] {
  if (a.length !== b.length) return a.length < b.length ? a : b;
  return editsBytes(a) <= editsBytes(b) ? a : b;
}

function editsBytes(edits: readonly Edit[]): number {
  return jsonBytes(edits.map(({ operation }) => operation)) - '[]'.length;
}

function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function isSendable(value: JsonValue): boolean {
  if (isArray(value) || isObject(value)) return Object.values(value).every(isSendable);
  return !(value instanceof InexactNumber);
}
