/** Which elements of two arrays are one and the same, beyond their keys. */

import { deepEqual, type JsonValue } from '../core/json.ts';
import { type Pair, pairUp, zip } from './align.ts';
import { heaviestChain, type Point } from './chain.ts';
import { type Identities, identify, isKey, type NamedArrays } from './identity.ts';
import type { DiffOptions } from './operation.ts';

/** Desired index → index of the live element that it is. */
export type Partners = ReadonlyMap<number, number>;

/** Whether a desired element, once completed from the live one, is just that one. */
type Agrees = (live: JsonValue, desired: JsonValue) => boolean;

/** Above so many pairs, elements without a key are paired by their whole values. */
const closeLooks = 2 ** 16;

/** Elements with a key pair up by it; those without, by what they would be once completed. */
export function findPartners(arrays: NamedArrays, options: DiffOptions, agrees: Agrees): Partners {
  const identities = identify(arrays, options);
  // Nearly all arrays of nearly all contracts.
  if (hasSameIdentities(identities))
    return new Map(identities.live.map((_, index) => [index, index]));
  const live = indicesWithoutKey(identities.live);
  const desired = indicesWithoutKey(identities.desired);
  const { shared } = pairUp(identities);
  if (live.length + desired.length === 0 || live.length * desired.length > closeLooks)
    return invert(shared);
  const byKey = shared.filter((pair) => isKey(identities.live[pair.live] ?? ''));
  const points = agreeingPoints(live, desired, arrays, agrees);
  return invert([...byKey, ...pairWithoutKey(live, desired, points)]);
}

function hasSameIdentities({ live, desired }: Identities): boolean {
  return (
    live.length === desired.length && live.every((identity, index) => identity === desired[index])
  );
}

function indicesWithoutKey(identities: readonly string[]): readonly number[] {
  return [...identities.keys()].filter((index) => !isKey(identities[index] ?? ''));
}

/** In the order that `heaviestChain` wants; one that needs no completion weighs a little more. */
function agreeingPoints(
  live: readonly number[],
  desired: readonly number[],
  arrays: NamedArrays,
  agrees: Agrees,
): Point[] {
  const backwards = desired.toReversed();
  return live.flatMap((from) =>
    backwards.flatMap((to): Point[] => {
      const before = arrays.live[from] ?? null;
      const after = arrays.desired[to] ?? null;
      const weight = closeLooks + Number(deepEqual(before, after));
      return agrees(before, after) ? [{ live: from, desired: to, weight }] : [];
    }),
  );
}

/**
 * As many as agree in order; then those that agree elsewhere; then, if as many are left on either
 * side, the k-th and the k-th: an element that is edited in its place.
 */
function pairWithoutKey(
  live: readonly number[],
  desired: readonly number[],
  points: readonly Point[],
): Pair[] {
  const freeLive = new Set(live);
  const freeDesired = new Set(desired);
  const agreeing = [...heaviestChain(points), ...points].filter((pair) => {
    if (!freeLive.has(pair.live) || !freeDesired.has(pair.desired)) return false;
    return freeLive.delete(pair.live) && freeDesired.delete(pair.desired);
  });
  if (freeLive.size !== freeDesired.size) return agreeing;
  return [...agreeing, ...zip([...freeLive], [...freeDesired])];
}

function invert(pairs: readonly Pair[]): Partners {
  return new Map(pairs.map(({ live, desired }) => [desired, live]));
}
