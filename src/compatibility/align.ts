/** Which elements of two lists are the same, by their names. */

import { isArray, isObject, type JsonArray, type JsonValue } from '../core/json.ts';

export type Named = { readonly name: string; readonly index: number; readonly value: JsonValue };

export type NamedPair = { readonly before: Named; readonly after: Named };

export type Alignment = {
  readonly removed: readonly Named[];
  readonly added: readonly Named[];
  readonly kept: readonly NamedPair[];
  readonly renamed: readonly NamedPair[];
  readonly isReordered: boolean;
};

export function itemsOf(value: JsonValue | undefined): JsonArray {
  return isArray(value) ? value : [];
}

export function alignByName(
  before: JsonArray,
  after: JsonArray,
  mayBeSame: (before: JsonValue, after: JsonValue) => boolean,
): Alignment {
  const [old, next] = [elementsOf(before), elementsOf(after)];
  const oldByKey = new Map(old.map((element) => [element.key, element]));
  const kept = next.flatMap((element) => {
    const same = oldByKey.get(element.key);
    return same ? [{ before: same, after: element }] : [];
  });
  const keys = new Set(kept.map(({ after }) => after.key));
  const removed = new Set(leftOver(old, keys));
  const added: Named[] = [];
  const renamed: NamedPair[] = [];
  for (const { element, place } of leftOver(next, keys)) {
    const same = removed
      .values()
      .find((left) => left.place === place && mayBeSame(left.element.value, element.value));
    if (same) renamed.push({ before: same.element, after: element });
    else added.push(element);
    if (same) removed.delete(same);
  }
  const places = [...kept, ...renamed]
    .toSorted((a, b) => a.after.index - b.after.index)
    .map((pair) => pair.before.index);
  return {
    kept,
    removed: [...removed].map(({ element }) => element),
    added,
    renamed,
    isReordered: places.some((place, index) => place < (places[index - 1] ?? 0)),
  };
}

type Element = Named & {
  // Its name and the number of equal names before it: servers do not forbid them.
  readonly key: string;
};

function elementsOf(list: JsonArray): Element[] {
  const seen = new Map<string, number>();
  return list.map((value, index) => {
    const given = isObject(value) ? value['name'] : undefined;
    const name = typeof given === 'string' ? given : `${index + 1}`;
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return { name, index, value, key: JSON.stringify([name, earlier]) };
  });
}

function leftOver(elements: readonly Element[], keys: ReadonlySet<string>) {
  let place = '';
  return elements.flatMap((element) => {
    if (!keys.has(element.key)) return [{ element, place }];
    place = element.key;
    return [];
  });
}
