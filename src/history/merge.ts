/**
 * Three-way merge of JSON values: what one side changed, without what the other did. Others have the
 * say here, and a guess would bring back what they replaced: a list whose elements have no key is a
 * conflict, which `patch/merge.ts`, where a file has the say, never leaves.
 */

import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import type { DiffOptions } from '../patch/diff.ts';
import { candidateKeys, uniqueKeys } from '../patch/identity.ts';
import { elementToken, type KeyPath } from '../patch/key-path.ts';
import { childAt } from '../patch/pointer.ts';
import { mergeOrder, type Sides } from './merge-order.ts';
import { equalPlaces } from './place.ts';

/** Values at one place; undefined where there is none. */
type Values = Sides<JsonValue | undefined>;

/** Both sides changed the place, each to something else. */
export type MergeConflict = Values & {
  readonly path: KeyPath;
  /** `order`: that of an array's elements alone; what is in them is merged all the same. */
  readonly of: 'value' | 'order';
};

export type Merged = {
  /** Theirs where the two conflict; undefined: nothing. */
  readonly value: JsonValue | undefined;
  readonly conflicts: readonly MergeConflict[];
};

/** Place by place: what only one side changed is as that side has it. */
export function mergeValues(sides: Values, path: KeyPath, arrays: DiffOptions): Merged {
  const { base, ours, theirs } = sides;
  const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
    equalPlaces(a, b, path, arrays);
  if (isSame(base, ours) || isSame(ours, theirs)) return { value: theirs, conflicts: [] };
  if (isSame(base, theirs)) return { value: ours, conflicts: [] };
  if (isObject(base) && isObject(ours) && isObject(theirs))
    return mergeMembers({ base, ours, theirs }, path, arrays);
  if (isArray(base) && isArray(ours) && isArray(theirs))
    return mergeElements({ base, ours, theirs }, path, arrays);
  return { value: theirs, conflicts: [{ ...sides, path, of: 'value' }] };
}

function mergeMembers(sides: Sides<JsonObject>, path: KeyPath, arrays: DiffOptions): Merged {
  const { base, ours, theirs } = sides;
  const names = new Set([base, theirs, ours].flatMap(Object.keys));
  const merged = [...names].map((name) => {
    const children = mapSides(sides, (object) => childAt(object, name));
    return { name, ...mergeValues(children, [...path, name], arrays) };
  });
  const members = merged.flatMap(({ name, value }) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return {
    value: Object.fromEntries(members),
    conflicts: merged.flatMap(({ conflicts }) => conflicts),
  };
}

/** Elements that can be told apart are merged one by one; of the others nothing can be said. */
function mergeElements(sides: Sides<JsonArray>, path: KeyPath, arrays: DiffOptions): Merged {
  const name = path.at(-1) ?? '';
  const identities = identitiesOf(sides, name, arrays);
  if (!identities) return { value: sides.theirs, conflicts: [{ ...sides, path, of: 'value' }] };
  const { order, isConflict } = mergeOrder(identities, arrays.unordered?.includes(name) ?? false);
  const merged = order.map((identity) => {
    const elements = mapSides(sides, (array, side) => array[identities[side].indexOf(identity)]);
    const token = tokenOf(identity, sides, identities, { name, arrays });
    return mergeValues(elements, [...path, token], arrays);
  });
  return {
    value: merged.flatMap(({ value }) => (value === undefined ? [] : [value])),
    conflicts: [
      ...(isConflict ? [{ ...sides, path, of: 'order' as const }] : []),
      ...merged.flatMap(({ conflicts }) => conflicts),
    ],
  };
}

function mapSides<From, To>(
  { base, ours, theirs }: Sides<From>,
  map: (value: From, side: keyof Values) => To,
): Sides<To> {
  return { base: map(base, 'base'), ours: map(ours, 'ours'), theirs: map(theirs, 'theirs') };
}

/** By the first key that all elements have, and none shares; a scalar is its own. */
function identitiesOf(
  sides: Sides<JsonArray>,
  name: string,
  { keys }: DiffOptions,
): Sides<readonly string[]> | undefined {
  for (const key of [...candidateKeys(name, keys), undefined]) {
    const identities = mapSides(sides, (array) =>
      key ? uniqueKeys(array, key) : uniqueScalars(array),
    );
    const { base, ours, theirs } = identities;
    if (base && ours && theirs) return { base, ours, theirs };
  }
  return undefined;
}

function uniqueScalars(array: JsonArray): readonly string[] | undefined {
  if (array.some((element) => isArray(element) || isObject(element))) return undefined;
  const texts = array.map((element) => JSON.stringify(element));
  return new Set(texts).size === texts.length ? texts : undefined;
}

type Naming = { readonly name: string; readonly arrays: DiffOptions };

/** As the side calls it that has it; theirs first, which is what a person sees. */
function tokenOf(
  identity: string,
  sides: Sides<JsonArray>,
  identities: Sides<readonly string[]>,
  { name, arrays }: Naming,
): string {
  const side = identities.theirs.includes(identity) ? 'theirs' : 'ours';
  return elementToken(sides[side], identities[side].indexOf(identity), name, arrays);
}
