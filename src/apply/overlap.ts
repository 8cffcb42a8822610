/** Whether a patch landed on another state than was read right before it. */

import { type LiveContract, managedFields } from '../contract/contract.ts';
import { peopleFields, peopleIn } from '../contract/identity.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { keyPathOf, labelKeyPath } from '../patch/identity.ts';
import { formatPointer } from '../patch/pointer.ts';
import { patchOf } from '../plan/change.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { patched } from './guard.ts';
import { type Comparing, editsTo } from './stored.ts';

/**
 * The places that had a value before, and have it neither in the answer to the patch nor in what is
 * stored since. What came in between loses nothing, and what changed after the answer was not lost
 * by the patch: neither counts.
 */
export function overwrittenPlaces(
  { changes }: UpdatePlan,
  before: LiveContract,
  since: readonly LiveContract[],
  comparing: Comparing,
): readonly string[] {
  const after = patched(patchOf(changes), before);
  if (!isObject(after)) return [];
  const expected = comparableFields(after);
  const own = changes.map(({ place }) => `${place}/`);
  const isOwn = (place: string): boolean =>
    own.some((each) => each.startsWith(`${place}/`) || `${place}/`.startsWith(each));
  const [answered = new Map(), ...later] = since.map((live) =>
    lackingIn(live, expected, comparing),
  );
  return [...answered].flatMap(([place, label]) =>
    !isOwn(place) && later.every((places) => places.has(place)) ? [label] : [],
  );
}

// Of a person or team, names are the server's.
function comparableFields(document: JsonObject): JsonObject {
  const fields = managedFields.flatMap((field) => {
    const value = document[field];
    return value === undefined || value === null ? [] : [[field, value] as const];
  });
  const people = peopleFields.flatMap((field) => {
    if (!Object.hasOwn(document, field)) return [];
    const persons = peopleIn(document, field).map((person): JsonValue => {
      const { id, type } = isObject(person) ? person : {};
      return id === undefined || type === undefined ? person : { id, type };
    });
    return [[field, persons] as const];
  });
  return Object.fromEntries([...fields, ...people]);
}

// The labels of the places by key, compared as in planning: what the server adds is no difference.
function lackingIn(live: LiveContract, expected: JsonObject, comparing: Comparing) {
  const { edits, wanted } = editsTo(expected, live, comparing);
  const lacking = edits.flatMap(({ operation, desired }) => {
    if (!desired || operation.op === 'move') return [];
    const path = keyPathOf(desired, wanted, comparing.rules.arrays);
    return [[formatPointer(path), labelKeyPath(path)] as const];
  });
  return new Map(lacking);
}
