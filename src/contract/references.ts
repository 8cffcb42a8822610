import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';

/**
 * A list of references in the server's words: each item of the file stands for the live one that
 * agrees with it in every member that the file gives. What only the live one has (`id`, `href`,
 * `displayName`, …) is no drift and survives.
 */
export function completeReferences(live: JsonValue | undefined, desired: JsonValue): JsonValue {
  if (!isArray(live) || !isArray(desired)) return desired;
  const unclaimed = new Set(live);
  const claim = (item: JsonValue): JsonValue => {
    const match = unclaimed.values().find((candidate) => agrees(item, candidate));
    if (match === undefined) return item;
    unclaimed.delete(match);
    return match;
  };
  return mostSpecificFirst(desired, claim);
}

/** An item with more members claims first, so that `{name}` does not take what `{name, id}` means. */
function mostSpecificFirst(
  items: readonly JsonValue[],
  claim: (item: JsonValue) => JsonValue,
): JsonValue[] {
  const claimed = [...items];
  const order = items
    .map((item, index) => ({ index, members: isObject(item) ? Object.keys(item).length : 0 }))
    .toSorted((a, b) => b.members - a.members || a.index - b.index);
  for (const { index } of order) claimed[index] = claim(items[index] ?? null);
  return claimed;
}

function agrees(desired: JsonValue, live: JsonValue): boolean {
  return isObject(desired) && isObject(live)
    ? membersAgree(desired, live)
    : deepEqual(desired, live);
}

function membersAgree(desired: JsonObject, live: JsonObject): boolean {
  return Object.entries(desired).every(
    ([member, value]) => Object.hasOwn(live, member) && deepEqual(value, live[member]),
  );
}
