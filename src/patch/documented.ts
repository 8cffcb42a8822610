import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonValue,
} from '../core/json.ts';
import { pairUp } from './align.ts';
import { editsBytes, fitsInto } from './cost.ts';
import { equalInAnyOrder, type Identities, textInAnyOrder } from './identity.ts';
import {
  addEdit,
  childPlace,
  type DiffOptions,
  type Edit,
  type Place,
  removeEdit,
  replaceEdit,
  root,
} from './operation.ts';

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
  { unordered = [] }: DiffOptions,
): readonly Edit[] {
  const name = place.live[0] ?? '';
  if (equalInAnyOrder(live, desired, unordered, name)) return [];
  const whole = replaceEdit(place, desired);
  if (!isArray(live) || !isArray(desired)) return [whole];
  const identities = {
    live: live.map((element) => textInAnyOrder(element, unordered)),
    desired: desired.map((element) => textInAnyOrder(element, unordered)),
  };
  const kept = unordered.includes(name) ? keptInAnyOrder(identities) : keptInOrder(identities);
  const edits = elementEdits(desired, place, identities, kept);
  if (edits && (edits.length < 2 || !fitsInto(editsBytes(edits), whole.operation))) return edits;
  return [whole];
}

/** Removes and appends, or undefined where they would send again what live has. */
function elementEdits(
  elements: JsonArray,
  place: Place,
  { live, desired }: Identities,
  kept: Kept,
): Edit[] | undefined {
  const stays = new Set(kept.keys());
  const isThere = new Set(kept.values());
  const removed = [...live.keys()].filter((index) => !stays.has(index));
  const added = [...desired.keys()].filter((index) => !isThere.has(index));
  const gone = new Set(removed.map((index) => live[index]));
  if (added.some((index) => gone.has(desired[index]))) return undefined;
  return [
    ...removed.toReversed().map((index) => removeEdit(childPlace(place, index))),
    ...added.map((index) => addEdit(childPlace(place, '-', index), elements[index] ?? null)),
  ];
}

/** Live index → desired index of the elements that stay. */
type Kept = ReadonlyMap<number, number>;

/** The longest start of desired whose elements live has in the same order. */
function keptInOrder({ live, desired }: Identities): Kept {
  const kept = new Map<number, number>();
  for (const [index, identity] of live.entries()) {
    if (identity === desired[kept.size]) kept.set(index, kept.size);
  }
  return kept;
}

function keptInAnyOrder(identities: Identities): Kept {
  return new Map(pairUp(identities).shared.map((pair) => [pair.live, pair.desired]));
}
