import type { JsonArray, JsonValue } from '../json.ts';
import { alignInPlace, alignUnordered, alignWithMoves, type Link } from './align.ts';
import { cheaper, editsBytes } from './cost.ts';
import { childPlace, type DiffOptions, type Edit, type Place, replaceEdit } from './edit.ts';
import { emit } from './emit.ts';
import { chooseKey, identityOf } from './identity.ts';
import { savingsAgainstMoves, savingsInPlace } from './savings.ts';

/** Compares what stands at one place. */
export type Compare = (live: JsonValue, desired: JsonValue, place: Place) => readonly Edit[];

/** The edits between two arrays; `compare` is how their elements are compared. */
export function diffArrays(
  live: JsonArray,
  desired: JsonArray,
  place: Place,
  { options, compare }: { readonly options: DiffOptions; readonly compare: Compare },
): readonly Edit[] {
  const name = place.live.at(-1) ?? '';
  const key = chooseKey(live, desired, name, options);
  const identities = {
    live: live.map((element) => identityOf(element, key)),
    desired: desired.map((element) => identityOf(element, key)),
  };
  const unordered = options.unordered?.includes(name) ?? false;
  const edits = (link: Link): readonly Edit[] => {
    const from = live[link.live] ?? null;
    const to = desired[link.desired] ?? null;
    const at = childPlace(place, link.live, link.desired);
    return link.kind === 'replaced' ? substitute(from, to, at, compare) : compare(from, to, at);
  };
  const candidates = unordered
    ? [alignUnordered(identities)]
    : options.moves === false
      ? [alignInPlace(identities, savingsInPlace())]
      : key === undefined
        ? [
            alignWithMoves(identities, savingsAgainstMoves()),
            alignInPlace(identities, savingsInPlace()),
          ]
        : [alignWithMoves(identities, savingsAgainstMoves())];
  return candidates
    .map((links) => emit({ live, desired, links, place, unordered }, edits))
    .reduce(cheaper);
}

function substitute(
  live: JsonValue,
  desired: JsonValue,
  place: Place,
  compare: Compare,
): readonly Edit[] {
  const whole = [replaceEdit(place, desired)];
  const within = compare(live, desired, place);
  return within.length === 1 && editsBytes(within) <= editsBytes(whole) ? within : whole;
}
