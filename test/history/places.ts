import { managedFields } from '../../src/contract/contract.ts';
import {
  canonicalJson,
  isArray,
  isEmpty,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../src/core/json.ts';
import { type KeyPath, keyPathOf, valueByKey } from '../../src/patch/identity.ts';
import { formatPointer, type Pointer } from '../../src/patch/pointer.ts';

/** The places of the managed fields of all states, by key: containers and what is in them. */
export function placesOf(states: readonly JsonObject[]): readonly KeyPath[] {
  const paths = states.flatMap((state) =>
    managedFields
      .flatMap((field) => pointersBelow(state[field], [field]))
      .map((pointer) => keyPathOf(pointer, state)),
  );
  return [...new Map(paths.map((path) => [formatPointer(path), path])).values()];
}

function pointersBelow(value: JsonValue | undefined, pointer: Pointer): Pointer[] {
  if (isEmpty(value)) return [];
  const children = isObject(value) || isArray(value) ? Object.entries(value) : [];
  return [
    pointer,
    ...children.flatMap(([name, child]) => pointersBelow(child, [...pointer, name])),
  ];
}

/** A text for what a state has at a place, the same for all that means the same. */
export function meaningAt(state: JsonObject | undefined, path: KeyPath): string {
  const value = state && valueByKey(state, path);
  return isEmpty(value) ? '' : canonicalJson(meaning(value ?? null, path.at(-1) ?? ''));
}

/** Owners in one order, and without what is empty. */
function meaning(value: JsonValue, name: string): JsonValue {
  if (isArray(value)) {
    const elements = value.map((element) => meaning(element, ''));
    return name === 'owners' ? elements.map(canonicalJson).toSorted() : elements;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([member, each]) => [member, meaning(each, member)]));
}
