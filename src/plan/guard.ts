/** What must stand where in a live contract for a patch to be the one that was reviewed. */

import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { type DiffOptions, type Edit, keyMembers } from '../patch/diff.ts';
import type { Patch } from '../patch/operation.ts';
import { formatPointer, parsePointer, type Pointer, valueAt } from '../patch/pointer.ts';

/** So many scalars of one value are tested, the first ones: of a long list, its beginning. */
const mostLeaves = 32;

/** Characters: a longer text is left to `updatedAt`, as it would be sent twice. */
const longestText = 10_000;

/**
 * `test` operations on the document as planned against: the key of each element that an edit
 * reaches by index, and each scalar that is replaced or removed. A catalog may restore the time
 * and version of a contract that has changed; it cannot restore these.
 */
export function guardOf(edits: readonly Edit[], live: JsonObject, arrays: DiffOptions): Patch {
  const tests = new Map<string, JsonValue>();
  for (const edit of edits) {
    for (const [place, value] of premisesOf(edit, live, arrays)) {
      if (!isLongText(value)) tests.set(formatPointer(place), value);
    }
  }
  return [...tests].map(([path, value]) => ({ op: 'test', path, value }));
}

type Premise = readonly [place: Pointer, value: JsonValue];

function premisesOf(edit: Edit, live: JsonObject, arrays: DiffOptions): Premise[] {
  const { op } = edit.operation;
  // What is added has no place yet: its parent stands where live has it, as edits within come first.
  const place = edit.live ?? parsePointer(edit.operation.path)?.slice(0, -1) ?? [];
  const elements = elementsOnTheWay(place, live, arrays);
  return op === 'replace' || op === 'remove'
    ? [...elements, ...leavesOf(valueAt(live, place), place)]
    : elements;
}

/** What tells that the elements are the ones through which a pointer leads. */
function elementsOnTheWay(pointer: Pointer, live: JsonObject, arrays: DiffOptions): Premise[] {
  return pointer.flatMap((_, depth): Premise[] => {
    const parent = pointer.slice(0, depth);
    if (!isArray(valueAt(live, parent))) return [];
    const place = pointer.slice(0, depth + 1);
    const element = valueAt(live, place);
    const key =
      element === undefined ? undefined : keyMembers(element, parent.at(-1) ?? '', arrays);
    return key
      ? key.map(([member, value]) => [[...place, member], value])
      : leavesOf(element, place);
  });
}

function leavesOf(value: JsonValue | undefined, place: Pointer): Premise[] {
  return value === undefined ? [] : scalarsIn(value, place).take(mostLeaves).toArray();
}

/** In the document's order. */
function* scalarsIn(value: JsonValue, place: Pointer): Generator<Premise> {
  if (!isArray(value) && !isObject(value)) return yield [place, value];
  for (const [token, child] of Object.entries(value)) yield* scalarsIn(child, [...place, token]);
}

function isLongText(value: JsonValue): boolean {
  return typeof value === 'string' && value.length > longestText;
}
