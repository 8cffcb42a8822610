import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { diffArrays } from './array.ts';
import {
  addEdit,
  childPlace,
  type DiffOptions,
  type Edit,
  editsBytes,
  fitsInto,
  type Place,
  removeEdit,
  replaceEdit,
  root,
} from './operation.ts';

export type { DiffOptions, Edit } from './operation.ts';
export { elementKey } from './identity.ts';

/**
 * A patch from live to desired with few operations, and few bytes in these; the same input gives the
 * same patch. Of those that send nothing which live already has it is the smallest for lists with keys
 * and for lists without duplicates; not always for others, nor where a value goes to another member.
 */
export function diff(
  live: JsonValue,
  desired: JsonValue,
  options: DiffOptions = {},
): readonly Edit[] {
  return diffValues(live, desired, root, options);
}

function diffValues(
  live: JsonValue,
  desired: JsonValue,
  place: Place,
  options: DiffOptions,
): readonly Edit[] {
  if (live === desired) return [];
  if (isObject(live) && isObject(desired)) return diffObjects(live, desired, place, options);
  if (isArray(live) && isArray(desired))
    return diffArrays(live, desired, place, { options, compare: diffChild });
  return deepEqual(live, desired) ? [] : [replaceEdit(place, desired)];
}

// Below the root a node is replaced whole where that is shorter; the root holds what the server
// owns.
function diffChild(
  live: JsonValue,
  desired: JsonValue,
  place: Place,
  options: DiffOptions,
): readonly Edit[] {
  const edits = diffValues(live, desired, place, options);
  if (edits.length < 2) return edits;
  const whole = replaceEdit(place, desired);
  return fitsInto(editsBytes(edits), whole.operation) ? [whole] : edits;
}

function diffObjects(
  live: JsonObject,
  desired: JsonObject,
  place: Place,
  options: DiffOptions,
): readonly Edit[] {
  const members = new Set([...Object.keys(live), ...Object.keys(desired)]);
  const changed = [...members].filter((member) => live[member] !== desired[member]);
  return changed.toSorted(compareCodeUnits).flatMap((member) => {
    const before = Object.hasOwn(live, member) ? live[member] : undefined;
    const after = Object.hasOwn(desired, member) ? desired[member] : undefined;
    const child = childPlace(place, member);
    if (after === undefined) return [removeEdit(child)];
    return before === undefined
      ? [addEdit(child, after)]
      : diffChild(before, after, child, options);
  });
}
