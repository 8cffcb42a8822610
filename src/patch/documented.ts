import {
  canonicalJson,
  compareCodeUnits,
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonValue,
} from '../json.ts';
import { editsBytes, fitsInto } from './cost.ts';
import {
  addEdit,
  childPlace,
  type DiffOptions,
  type Edit,
  type Place,
  removeEdit,
  replaceEdit,
  root,
} from './edit.ts';
import { pairUp } from './pairs.ts';

/**
 * Edits that use nothing but what the interface shows (§4.2): whole top-level fields, removing an
 * element of such a field by index, and appending one.
 */
export function diffDocumented(
  live: JsonValue,
  desired: JsonValue,
  options: DiffOptions,
): readonly Edit[] {
  if (!isObject(live) || !isObject(desired))
    return deepEqual(live, desired) ? [] : [replaceEdit(root, desired)];
  const fields = new Set([...Object.keys(live), ...Object.keys(desired)]);
  return [...fields].toSorted(compareCodeUnits).flatMap((field) => {
    const place = childPlace(root, field);
    const before = Object.hasOwn(live, field) ? live[field] : undefined;
    const after = Object.hasOwn(desired, field) ? desired[field] : undefined;
    if (after === undefined) return [removeEdit(place)];
    if (before === undefined) return [addEdit(place, after)];
    return diffField(before, after, place, options);
  });
}

function diffField(
  live: JsonValue,
  desired: JsonValue,
  place: Place,
  options: DiffOptions,
): readonly Edit[] {
  if (deepEqual(live, desired)) return [];
  const whole = replaceEdit(place, desired);
  if (!isArray(live) || !isArray(desired)) return [whole];
  const unordered = options.unordered?.includes(place.live[0] ?? '') ?? false;
  const edits = elementEdits(live, desired, place, unordered);
  if (edits && (edits.length < 2 || !fitsInto(editsBytes(edits), whole.operation))) return edits;
  return [whole];
}

/** Removes and appends, or undefined where they would send again what live has. */
function elementEdits(
  live: JsonArray,
  desired: JsonArray,
  place: Place,
  unordered: boolean,
): Edit[] | undefined {
  const kept = unordered ? keptInAnyOrder(live, desired) : keptInOrder(live, desired);
  const keptLive = new Set(kept.keys());
  const keptDesired = new Set(kept.values());
  const removed = [...live.keys()].filter((index) => !keptLive.has(index));
  const added = [...desired.keys()].filter((index) => !keptDesired.has(index));
  const gone = new Set(removed.map((index) => canonicalJson(live[index] ?? null)));
  if (added.some((index) => gone.has(canonicalJson(desired[index] ?? null)))) return undefined;
  return [
    ...removed.toReversed().map((index) => removeEdit(childPlace(place, index))),
    ...added.map((index) => addEdit(childPlace(place, '-', index), desired[index] ?? null)),
  ];
}

/** The longest start of desired whose elements live has in the same order. */
function keptInOrder(live: JsonArray, desired: JsonArray): Map<number, number> {
  const kept = new Map<number, number>();
  for (const [index, element] of live.entries()) {
    if (kept.size < desired.length && deepEqual(element, desired[kept.size]))
      kept.set(index, kept.size);
  }
  return kept;
}

function keptInAnyOrder(live: JsonArray, desired: JsonArray): Map<number, number> {
  const values = { live: live.map(canonicalJson), desired: desired.map(canonicalJson) };
  return new Map(pairUp(values).shared.map((pair) => [pair.live, pair.desired]));
}
