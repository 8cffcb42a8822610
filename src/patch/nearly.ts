import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { differingSection } from './section.ts';
import { root } from './edit.ts';

/** Whether two containers differ in no more than one child: cheap to tell, and rarely so. */
export function isNearly(live: JsonValue, desired: JsonValue): boolean {
  if (isArray(live) && isArray(desired)) {
    const section = differingSection(live, desired, root);
    return !section || Math.max(section.live.length, section.desired.length) <= 1;
  }
  return isObject(live) && isObject(desired) && areNearlyEqual(live, desired);
}

function areNearlyEqual(live: JsonObject, desired: JsonObject): boolean {
  let differing = 0;
  for (const member of Object.keys(live)) {
    if (!Object.hasOwn(desired, member) || !deepEqual(live[member], desired[member]))
      differing += 1;
    // Most elements differ in the first few members: each is asked with each about that.
    if (differing > 1) return false;
  }
  for (const member of Object.keys(desired)) differing += Object.hasOwn(live, member) ? 0 : 1;
  return differing <= 1;
}
