/** What caused each difference since the base: the file, an edit of the catalog, or both. */

import {
  type LiveContract,
  type DesiredContract,
  editorOf,
  type ApartReason,
} from '../contract/contract.ts';
import { targetDocument } from '../contract/equality.ts';
import type { Problem } from '../core/diagnostic.ts';
import { canonicalJson, defined, isEmpty, type JsonObject } from '../core/json.ts';
import { count } from '../core/text.ts';
import {
  type DescribedOperation,
  type Difference,
  diffByPlace,
  livePlaceOf,
} from '../patch/describe.ts';
import { labelKeyPath } from '../patch/identity.ts';
import { type ApartPlace, merge } from '../patch/merge.ts';
import { parsePointer, formatPointer } from '../patch/pointer.ts';
import { type JudgedChange, judgeChange, findTransition } from './judge.ts';
import type { Base } from './pair.ts';
import type { Change, LeftDrift } from './plan.ts';
import type { Rules } from './rules.ts';
import { inWordsOfFiles } from './seal.ts';

type ThreeWay = {
  readonly declared: DesiredContract | undefined;
  /** The document with only the changes that the file made since the base. */
  readonly asked: JsonObject;
  /** The remaining differences, from live to the file. */
  readonly drift: readonly Difference[];
  readonly differsFromBase: readonly ReasonedPlace[];
  /** Keys of places at which the file overwrites an edit of the catalog. */
  readonly conflicts: readonly string[];
};

export type ReasonedPlace = ApartPlace & { readonly reason: ApartReason };

export function compareThreeWays(
  live: LiveContract,
  file: JsonObject,
  { declared, reasonOf = () => ({ kind: 'edited' }), holdsWhere = [] }: Base,
  { equivalence, arrays }: Rules,
): ThreeWay {
  const before = declared
    ? targetDocument(live, declared.managed, equivalence, arrays)
    : live.document;
  // Where unapplied commits count, one that was edited over is a conflict.
  const isOver = (reason: ApartReason): boolean =>
    holdsWhere.includes('not-applied') && reason.kind === 'edited' && reason.over !== undefined;
  const merged = merge(before, file, live.document, {
    ...arrays,
    isBehind: (place) => holdsWhere.includes(reasonOf(place).kind) || isOver(reasonOf(place)),
  });
  const differsFromBase = merged.apart.map((place) => ({ ...place, reason: reasonOf(place) }));
  const conflicts = differsFromBase
    .filter(({ isAsked, reason }) => (isAsked && reason.kind !== 'not-applied') || isOver(reason))
    .map(({ path }) => formatPointer(path));
  return {
    declared,
    asked: merged.merged,
    differsFromBase,
    conflicts: [...new Set(conflicts)],
    drift: diffByPlace(merged.merged, file, arrays),
  };
}

export function causeOf(
  { place }: DescribedOperation,
  differences: readonly Difference[],
  threeWay: ThreeWay,
): Partial<Change> {
  const { conflicts, drift } = threeWay;
  if (conflicts.some((conflict) => isWithin(conflict, place) || isWithin(place, conflict)))
    return { cause: 'conflict' };
  const inside = differences.filter((difference) => isWithin(difference.place, place));
  const known = new Set(drift.map(canonicalJson));
  const isLeft = inside.length > 0 && inside.every((each) => known.has(canonicalJson(each)));
  const behind = inside.map((difference) => reasonFor(difference, threeWay));
  const [first] = behind;
  const reason = behind.every((each) => each?.kind === first?.kind) ? first : undefined;
  if (reason?.kind === 'not-applied') return { cause: reason.kind, ...asShown(reason) };
  return isLeft ? { cause: 'drift', ...asShown(reason) } : { cause: 'file' };
}

function reasonFor(difference: Difference, { differsFromBase }: ThreeWay): ApartReason | undefined {
  const { place } = difference;
  const { of } = livePlaceOf(difference);
  const found = differsFromBase.find((each) => {
    // Elements without a key are at the place of their array.
    const own = formatPointer(each.path);
    return !each.isAsked && each.of === of && (isWithin(place, own) || isWithin(own, place));
  });
  return found?.reason;
}

function asShown(reason: ApartReason | undefined) {
  if (reason?.kind === 'not-applied')
    return { mergedIn: reason.commit, ...defined({ waitsFor: reason.waitsFor }) };
  return reason?.kind === 'unknown' ? { unknown: reason.why } : {};
}

function isWithin(place: string, container: string): boolean {
  return place === container || place.startsWith(`${container}/`);
}

export function leftAlone(
  threeWay: ThreeWay,
  { document, updatedAt }: LiveContract,
  { drift: rule, conventions }: Rules,
): { readonly drift?: LeftDrift } {
  if (rule === 'overwrite' || threeWay.drift.length === 0) return {};
  const differences = threeWay.drift.map((difference) => ({
    ...difference,
    ...inWordsOfFiles(parsePointer(difference.place) ?? [], difference, conventions),
    ...asShown(reasonFor(difference, threeWay)),
  }));
  return { drift: { differences, ...defined({ updatedBy: editorOf(document), updatedAt }) } };
}

export function judgeCauses(
  threeWay: ThreeWay,
  { document }: LiveContract,
  desired: DesiredContract,
  { drift, conflicts }: Rules,
): Problem[] {
  const { managed, source } = desired;
  const noLongerManaged = Object.keys(threeWay.declared?.managed ?? {})
    .filter((field) => !Object.hasOwn(managed, field) && !isEmpty(document[field]))
    .map((field): Problem => {
      const message = `The file no longer manages \`${field}\`: the catalog keeps what it has.`;
      const hint = `To remove it there, write \`${field}: null\`.`;
      return { code: 'no-longer-managed', severity: 'information', message, hint, source };
    });
  return [
    ...(drift === 'block' ? driftBlocked(threeWay, desired) : []),
    ...threeWay.conflicts.map((place) => conflict(place, threeWay, desired, conflicts === 'block')),
    ...noLongerManaged,
  ];
}

function driftBlocked(threeWay: ThreeWay, { source }: DesiredContract): Problem[] {
  const kinds = threeWay.drift.map((difference) => reasonFor(difference, threeWay)?.kind);
  const edited = kinds.filter((kind) => kind !== 'not-applied');
  if (edited.length === 0) return [];
  const places = count(edited.length, 'place', 'places');
  const verb = edited.every((kind) => kind === 'unknown') ? 'may have been' : 'was';
  const code = 'drift-blocked';
  const message = `This contract ${verb} edited in the catalog (${places}): \`drift: block\` stops its changes.`;
  const hint = 'Bring the edit into the file, or apply with `drift: overwrite` to undo it.';
  return [{ code, severity: 'error', scope: 'contract', message, hint, source }];
}

function conflict(
  place: string,
  { differsFromBase }: ThreeWay,
  desired: DesiredContract,
  blocks: boolean,
) {
  const pointer = parsePointer(place) ?? [];
  const label = pointer.length === 0 ? 'the contract' : `\`${labelKeyPath(pointer)}\``;
  let unknown: string | undefined;
  let merged = '';
  for (const { path, reason } of differsFromBase) {
    if (formatPointer(path) !== place) continue;
    if (reason.kind === 'unknown') unknown ??= reason.why;
    else if (reason.kind === 'edited' && reason.over !== undefined)
      merged ||= ` (merged in ${reason.over.slice(0, 7)}, never applied)`;
  }
  const message =
    unknown === undefined
      ? `Somebody edited ${label} in the catalog, which the file changes too${merged}.`
      : `The file changed ${label}, and the catalog may have too: ${unknown}.`;
  const hint = blocks
    ? 'Bring the edit into the file, or apply with `conflicts: overwrite`.'
    : 'The file overwrites that edit. If that is wrong, bring it into the file.';
  const code = blocks ? 'conflict-blocked' : 'conflict';
  const severity = blocks ? 'error' : 'warning';
  const source = desired.locate(pointer.slice(0, 1));
  return { code, severity, scope: 'contract', message, hint, source } as const;
}

/** Changes that the file did not ask for are judged as drift. */
export function judgeSides(change: JudgedChange, threeWay: ThreeWay, rules: Rules) {
  const all = judgeChange(change, rules);
  if (rules.drift !== 'overwrite' || threeWay.drift.length === 0) return all;
  const { live } = change;
  const target = threeWay.asked;
  const transition = findTransition(live.document, target);
  const asked = new Set(judgeChange({ ...change, target, transition }, rules).map(textOf));
  return all.map((problem) => {
    if (asked.has(textOf(problem))) return problem;
    const message = problem.message.replace(/ is removed\.$/u, ' was added in the catalog.');
    const hint =
      'This undoes an edit in the catalog. To keep the edit, bring it into the file, or apply with `drift: leave`.';
    return { ...problem, message, isDrift: true, hint };
  });
}

function textOf({ code, message }: Problem): string {
  return `${code} ${message}`;
}
