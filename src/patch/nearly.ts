import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../json.ts';
import { differingSection } from './section.ts';
import { root } from './edit.ts';

/** Whether two containers differ in no more than one child: cheap to tell, and rarely so. */
export function isNearly(live: JsonValue, desired: JsonValue): boolean {
  if (isArray(live) && isArray(desired)) {
    const { live: before, desired: after } = differingSection(live, desired, root);
    return Math.max(before.length, after.length) <= 1;
  }
  return isObject(live) && isObject(desired) && areNearlyEqual(live, desired);
}

function areNearlyEqual(live: JsonObject, desired: JsonObject): boolean {
  let differing = 0;
  for (const member of new Set([...Object.keys(live), ...Object.keys(desired)])) {
    if (!deepEqual(live[member], desired[member])) differing += 1;
    if (differing > 1) return false;
  }
  return true;
}
