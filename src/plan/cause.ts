/** What has caused a difference: the file, somebody's edit of the catalog, or both. */

import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import type { ApartReason } from '../contract/reason.ts';
import { canonicalJson, type JsonObject } from '../core/json.ts';
import { type Difference, diffByPlace } from '../patch/difference.ts';
import { type ApartPlace, type LivePlace, merge } from '../patch/merge.ts';
import { formatPointer, parsePointer } from '../patch/pointer.ts';
import type { Change } from './plan.ts';
import type { Rules } from './rules.ts';

/** What the files said before the change under review. */
export type Base = {
  /** As a file declared it then; absent where none did: then the file asks for everything. */
  readonly declared: DesiredContract | undefined;
  /** Why live is not what they said at a place; unless it is asked, somebody has edited live. */
  readonly reasonOf?: ((place: LivePlace) => ApartReason) | undefined;
  /** The reasons for which what the file says holds, though it says the same as the base. */
  readonly holdsWhere?: readonly ApartReason['kind'][];
};

/** A live contract and its file, seen against the base. */
export type ThreeWay = {
  /** What the author of the file asks for, and nothing else. */
  readonly asked: JsonObject;
  /** What the catalog differs in beyond that: from what is live to what the file says. */
  readonly drift: readonly Difference[];
  /** Where live is neither what the base says nor what the file says. */
  readonly apart: readonly ReasonedPlace[];
  /** Places, by key, at which the file overwrites an edit of the catalog. */
  readonly conflicts: readonly string[];
};

export type ReasonedPlace = ApartPlace & { readonly reason: ApartReason };

/** `file` is the live document with each managed field as the file has it. */
export function compareThreeWays(
  live: LiveContract,
  file: JsonObject,
  { declared, reasonOf = () => ({ kind: 'edited' }), holdsWhere = [] }: Base,
  { equivalence, arrays }: Rules,
): ThreeWay {
  const before = declared
    ? targetDocument(live, declared.managed, equivalence, arrays)
    : live.document;
  const merged = merge(before, file, live.document, {
    ...arrays,
    isBehind: (place) => holdsWhere.includes(reasonOf(place).kind),
  });
  const apart = merged.apart.map((place) => ({ ...place, reason: reasonOf(place) }));
  const conflicts = apart
    .filter(({ isAsked, reason }) => isAsked && reason.kind !== 'not-applied')
    .map(({ path }) => formatPointer(path));
  return {
    asked: merged.merged,
    apart,
    conflicts: [...new Set(conflicts)],
    drift: diffByPlace(merged.merged, file, arrays),
  };
}

/** What has caused a change, of all differences of its contract: the gravest within its place. */
export function causeOf(
  { place }: Pick<Change, 'place'>,
  differences: readonly Difference[],
  threeWay: ThreeWay,
): Pick<Change, 'cause' | 'mergedIn' | 'unknown'> {
  const { conflicts, drift } = threeWay;
  if (conflicts.some((conflict) => isWithin(conflict, place) || isWithin(place, conflict)))
    return { cause: 'conflict' };
  const inside = differences.filter((difference) => isWithin(difference.place, place));
  const known = new Set(drift.map(canonicalJson));
  const isLeft = inside.length > 0 && inside.every((each) => known.has(canonicalJson(each)));
  const behind = inside.map((difference) => reasonFor(difference, threeWay));
  const [first] = behind;
  const isOneKind = behind.every((each) => each?.kind === first?.kind);
  if (isOneKind && first?.kind === 'not-applied')
    return { cause: first.kind, mergedIn: first.commit };
  if (!isLeft) return { cause: 'file' };
  const isUnknown = isOneKind && first?.kind === 'unknown';
  return { cause: 'drift', ...(isUnknown && { unknown: first.why }) };
}

/** What has neither side is only moved, and is about its array's order. */
export function livePlaceOf({ place, before, after }: Difference): LivePlace {
  const path = parsePointer(place) ?? [];
  const isMoved = before === undefined && after === undefined;
  return isMoved ? { path: path.slice(0, -1), of: 'order' } : { path, of: 'value' };
}

/** Why live differs from the base there; undefined where the file itself asks for the difference. */
export function reasonFor(difference: Difference, { apart }: ThreeWay): ApartReason | undefined {
  return apart.find((each) => !each.isAsked && isOf(difference, each))?.reason;
}

/** Elements without a key are at the place of their array. */
function isOf({ place, before, after }: Difference, { path, of }: LivePlace): boolean {
  const isMoved = before === undefined && after === undefined;
  const own = formatPointer(path);
  return isMoved === (of === 'order') && (isWithin(place, own) || isWithin(own, place));
}

function isWithin(place: string, container: string): boolean {
  return place === container || place.startsWith(`${container}/`);
}
