import type { JsonValue } from '../json.ts';
import { pairUp } from './align.ts';
import type { DiffOptions } from './edit.ts';
import { identify, isKey, type NamedArrays } from './identity.ts';

/** Desired index → index of the live element that it is. */
export type Partners = ReadonlyMap<number, number>;

/** Whether a desired element, once completed from the live one, is just that one. */
type Agrees = (live: JsonValue, desired: JsonValue) => boolean;

/**
 * Elements with a key pair up by it. One without belongs to the first live one that it agrees
 * with; of those left, if as many are on either side, the k-th belongs to the k-th: it has been
 * edited in its place.
 */
export function findPartners(arrays: NamedArrays, options: DiffOptions, agrees: Agrees): Partners {
  const identities = identify(arrays, options);
  const { partners, removed, added } = pairUp(identities);
  const live = removed.filter((index) => !isKey(identities.live[index] ?? ''));
  const desired = added.filter((index) => !isKey(identities.desired[index] ?? ''));
  const agreeing = pairAgreeing(live, desired, (before, after) =>
    agrees(arrays.live[before] ?? null, arrays.desired[after] ?? null),
  );
  const taken = new Set(agreeing.values());
  const edited = pairInPlace(
    live.filter((index) => !taken.has(index)),
    desired.filter((index) => !agreeing.has(index)),
  );
  return new Map([...[...partners].map(invert), ...agreeing, ...edited]);
}

function pairAgreeing(
  live: readonly number[],
  desired: readonly number[],
  agrees: (live: number, desired: number) => boolean,
): Partners {
  const free = new Set(live);
  const pairs = new Map<number, number>();
  for (const after of desired) {
    const before = free.values().find((candidate) => agrees(candidate, after));
    if (before === undefined) continue;
    pairs.set(after, before);
    free.delete(before);
  }
  return pairs;
}

function pairInPlace(live: readonly number[], desired: readonly number[]): Partners {
  if (live.length !== desired.length) return new Map();
  return new Map(live.map((before, rank) => [desired[rank] ?? -1, before]));
}

function invert([live, desired]: readonly [number, number]): readonly [number, number] {
  return [desired, live];
}
