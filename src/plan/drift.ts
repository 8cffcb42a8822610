/** What has caused a difference: the file, somebody's edit of the catalog, or both. */

import type { ApartReason, DesiredContract, LiveContract } from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import type { Problem } from '../core/diagnostic.ts';
import { canonicalJson, isEmpty, type JsonObject } from '../core/json.ts';
import { count } from '../core/text.ts';
import { diffByPlace, type Difference } from '../patch/difference.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { type ApartPlace, type LivePlace, merge } from '../patch/merge.ts';
import { formatPointer, parsePointer } from '../patch/pointer.ts';
import { findTransition, judgeChange, type JudgedChange } from './judge.ts';
import type { Change, DriftedPlace, LeftDrift } from './plan.ts';
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
function reasonFor(difference: Difference, { apart }: ThreeWay): ApartReason | undefined {
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

/** The edits that the plan leaves as they are, and who wrote the contract last. */
export function leftAlone(
  threeWay: ThreeWay | undefined,
  { document, updatedAt }: LiveContract,
  { drift: rule }: Pick<Rules, 'drift'>,
): { readonly drift?: LeftDrift } {
  if (!threeWay || rule === 'overwrite' || threeWay.drift.length === 0) return {};
  const updatedBy = document['updatedBy'];
  return {
    drift: {
      differences: threeWay.drift.map((difference) => withReason(difference, threeWay)),
      ...(typeof updatedBy === 'string' && { updatedBy }),
      ...(updatedAt !== undefined && { updatedAt }),
    },
  };
}

function withReason(difference: Difference, threeWay: ThreeWay): DriftedPlace {
  const reason = reasonFor(difference, threeWay);
  switch (reason?.kind) {
    case 'not-applied':
      return { ...difference, mergedIn: reason.commit };
    case 'unknown':
      return { ...difference, unknown: reason.why };
    case 'edited':
    case undefined:
      return difference;
  }
}

/** What the rules for drift and conflicts say; an error blocks this contract and no other. */
export function judgeCauses(
  threeWay: ThreeWay | undefined,
  desired: DesiredContract,
  { drift, conflicts }: Pick<Rules, 'drift' | 'conflicts'>,
): Problem[] {
  if (!threeWay) return [];
  return [
    ...(drift === 'block' ? driftBlocked(threeWay, desired) : []),
    ...threeWay.conflicts.map((place) => conflict(place, threeWay, desired, conflicts === 'block')),
  ];
}

/** Fields that the file managed at the base and no longer does: the catalog keeps them. */
export function noLongerManaged(
  { document }: LiveContract,
  { managed, source }: DesiredContract,
  base: Base | undefined,
): Problem[] {
  return Object.keys(base?.declared?.managed ?? {})
    .filter((field) => !Object.hasOwn(managed, field) && !isEmpty(document[field]))
    .map((field) => ({
      code: 'no-longer-managed',
      severity: 'information',
      message: `The file no longer manages \`${field}\`: the catalog keeps what it has.`,
      hint: `To remove it there, write \`${field}: null\`.`,
      source,
    }));
}

/** Whether a problem is one of `judgeCauses` that blocks. */
export function isOfCause({ code }: Problem): boolean {
  return code === 'drift-blocked' || code === 'conflict-blocked';
}

function driftBlocked(threeWay: ThreeWay, { source }: DesiredContract): Problem[] {
  const kinds = threeWay.drift.map((difference) => reasonFor(difference, threeWay)?.kind);
  const edited = kinds.filter((kind) => kind !== 'not-applied');
  if (edited.length === 0) return [];
  const places = count(edited.length, 'place', 'places');
  const verb = edited.every((kind) => kind === 'unknown') ? 'may have been' : 'was';
  return [
    {
      code: 'drift-blocked',
      severity: 'error',
      message: `This contract ${verb} edited in the catalog (${places}): \`drift: block\` stops its changes.`,
      hint: 'Bring the edit into the file, or apply with --drift overwrite to undo it.',
      source,
    },
  ];
}

function conflict(
  place: string,
  { apart }: ThreeWay,
  desired: DesiredContract,
  blocks: boolean,
): Problem {
  const pointer = parsePointer(place) ?? [];
  const label = pointer.length === 0 ? 'the contract' : `\`${labelKeyPath(pointer)}\``;
  const [unknown] = apart
    .filter(({ path }) => formatPointer(path) === place)
    .flatMap(({ reason }) => (reason.kind === 'unknown' ? [reason.why] : []));
  return {
    code: blocks ? 'conflict-blocked' : 'conflict',
    severity: blocks ? 'error' : 'warning',
    message:
      unknown === undefined
        ? `Both the file and the catalog changed ${label}.`
        : `The file changed ${label}, and the catalog may have too: ${unknown}.`,
    hint: blocks
      ? 'Bring the edit into the file, or apply with --conflicts overwrite.'
      : 'The file overwrites the edit. If that is wrong, bring the edit into the file.',
    source: desired.locate(pointer.slice(0, 1)),
  };
}

/** What the rules say against a change; what the author of the file has not asked for is drift. */
export function judgeSides(
  change: JudgedChange,
  threeWay: ThreeWay | undefined,
  rules: Rules,
): Problem[] {
  const all = judgeChange(change, rules);
  if (!threeWay || rules.drift !== 'overwrite' || threeWay.drift.length === 0) return all;
  const { live } = change;
  const target = threeWay.asked;
  const transition = findTransition(live.document, target);
  const asked = new Set(judgeChange({ ...change, target, transition }, rules).map(textOf));
  return all.map((problem) => (asked.has(textOf(problem)) ? problem : toDrift(problem)));
}

function textOf({ code, message }: Problem): string {
  return `${code} ${message}`;
}

function toDrift(problem: Problem): Problem {
  return {
    ...problem,
    // The author of the file removed nothing: the file never had it.
    message: problem.message.replace(/ is removed\.$/u, ' was added in the catalog.'),
    isDrift: true,
    hint: 'This undoes an edit in the catalog. To keep the edit, bring it into the file, or apply with --drift leave.',
  };
}
