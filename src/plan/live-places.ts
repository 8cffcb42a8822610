/** What the operations of a patch are about to overwrite, remove or contradict, by key. */

import { isArray, type JsonValue } from '../core/json.ts';
import type { Difference } from '../patch/difference.ts';
import { evaluate } from '../patch/evaluate.ts';
import { keyPathOf } from '../patch/key-path.ts';
import type { LivePlace } from '../patch/merge.ts';
import type { DiffOptions, Operation, Patch } from '../patch/operation.ts';
import { parsePointer, type Pointer, valueAt } from '../patch/pointer.ts';

/** Of each operation, in their order: an index means what it does once those before have applied. */
export function livePlaces(
  live: JsonValue,
  patch: Patch,
  arrays: DiffOptions,
): readonly LivePlace[] {
  let before = live;
  return patch.map((operation) => {
    const after = evaluate(before, [operation]);
    const place = livePlace(operation, before, { after, arrays });
    before = after;
    return place;
  });
}

/** Of a difference: one that has neither side is only moved, and is about its array's order. */
export function differingPlace({ place, before, after }: Difference): LivePlace {
  const path = parsePointer(place) ?? [];
  const isMoved = before === undefined && after === undefined;
  return isMoved ? { path: path.slice(0, -1), of: 'order' } : { path, of: 'value' };
}

function livePlace(
  { op, path }: Operation,
  before: JsonValue,
  { after, arrays }: { readonly after: JsonValue; readonly arrays: DiffOptions },
): LivePlace {
  const pointer = parsePointer(path) ?? [];
  if (op === 'move') return { path: keyPathOf(pointer.slice(0, -1), before, arrays), of: 'order' };
  if (op !== 'add' && op !== 'copy')
    return { path: keyPathOf(pointer, before, arrays), of: 'value' };
  // What is added goes by the key that it has where it comes to stand.
  return { path: keyPathOf(withIndex(pointer, after), after, arrays), of: 'value' };
}

/** `-` stands behind the last element (RFC 6901 §4): once something is there, it is the last. */
function withIndex(pointer: Pointer, after: JsonValue): Pointer {
  if (pointer.at(-1) !== '-') return pointer;
  const array = valueAt(after, pointer.slice(0, -1));
  return isArray(array) ? [...pointer.slice(0, -1), String(array.length - 1)] : pointer;
}
