/** Whether a patch landed on another state than was read right before it. */

import { productOf } from '../catalog/products/products.ts';
import { type LiveContract, managedFields } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import { peopleFields, peopleIn } from '../contract/identity.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { diff } from '../patch/diff.ts';
import { evaluate } from '../patch/evaluate.ts';
import { keyPathOf, labelKeyPath } from '../patch/identity.ts';
import type { Patch } from '../patch/operation.ts';
import { formatPointer } from '../patch/pointer.ts';
import type { UpdatePlan } from '../plan/plan.ts';
import { applies } from './guard.ts';
import type { Comparing } from './stored.ts';

type Sent = {
  readonly change: UpdatePlan;
  readonly patch: Patch;
  readonly before: LiveContract;
};

/**
 * The places that had a value before, and have it neither in the answer to the patch nor in what is
 * stored since. What came in between loses nothing, and what changed after the answer was not lost
 * by the patch: neither counts.
 */
export function overwrittenPlaces(
  { change, patch, before }: Sent,
  since: readonly LiveContract[],
  comparing: Comparing,
): readonly string[] {
  if (!applies(patch, before)) return [];
  const patched = evaluate(before.document, patch);
  const expected = isObject(patched) ? comparableFields(patched) : {};
  const own = change.changes.map(({ place }) => `${place}/`);
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
  const people = peopleFields.flatMap((field) =>
    Object.hasOwn(document, field)
      ? [[field, peopleIn(document, field).map(withoutNames)] as const]
      : [],
  );
  return Object.fromEntries([...fields, ...people]);
}

function withoutNames(person: JsonValue): JsonValue {
  const { id, type } = isObject(person) ? person : {};
  return id === undefined || type === undefined ? person : { id, type };
}

// The labels of the places by key, compared as in planning: what the server adds is no difference.
function lackingIn(
  live: LiveContract,
  expected: JsonObject,
  { rules: { equivalence, arrays }, dialect }: Comparing,
): ReadonlyMap<string, string> {
  const equal = { ...equivalence, ...productOf(dialect).equivalence };
  const wanted = targetDocument(live, expected, equal, arrays);
  const lacking = diff(live.document, wanted, arrays).flatMap(({ operation, desired }) => {
    if (!desired || operation.op === 'move') return [];
    const path = keyPathOf(desired, wanted, arrays);
    return [[formatPointer(path), labelKeyPath(path)] as const];
  });
  return new Map(lacking);
}
