import {
  type DesiredContract,
  type LiveContract,
  type ApartReason,
  editorOf,
} from '../contract/contract.ts';
import { inexactAmong } from '../contract/conventions.ts';
import { targetDocument } from '../contract/equality.ts';
import { identityConflicts } from '../contract/identity.ts';
import { hasErrors, type Problem, SyncError } from '../core/diagnostic.ts';
import {
  deepestNesting,
  defined,
  isObject,
  isScalar,
  type JsonObject,
  canonicalJson,
  isEmpty,
} from '../core/json.ts';
import { diff, type Edit, fieldOf } from '../patch/diff.ts';
import { type DiffOptions, keyPathOf, labelKeyPath } from '../patch/identity.ts';
import { evaluate, type Patch, prove } from '../patch/evaluate.ts';
import {
  describeOperation,
  diffByPlace,
  guardOf,
  type Sides,
  type DescribedOperation,
  type Difference,
  livePlaceOf,
} from '../patch/describe.ts';
import { fingerprintOf, inWordsOfFiles } from './seal.ts';
import { parseIndex, valueAt, formatPointer, parsePointer } from '../patch/pointer.ts';
import { findTransition, judgeChange, judgeScope, type JudgedChange } from './judge.ts';
import type { Base } from './pair.ts';
import type { Change, UnchangedPlan, UpdatePlan, LeftDrift } from './plan.ts';
import type { Rules } from './rules.ts';
import { count, printable } from '../core/text.ts';
import { type ApartPlace, merge } from '../patch/merge.ts';

/** One file and its live contract: the changes that make the second equal the first. */
export function planUpdate(
  live: LiveContract,
  desired: DesiredContract,
  rules: Rules,
  base?: Base,
): UpdatePlan | UnchangedPlan {
  const deep = findTooDeep(live, desired);
  if (deep) return planNothing(live, desired, [deep]);
  const { arrays, conventions } = rules;
  const file = targetDocument(live, desired.managed, rules.equivalence, arrays);
  const threeWay = base && compareThreeWays(live, file, base, rules);
  const asked = threeWay && rules.drift !== 'overwrite' ? threeWay.asked : file;
  const causes = threeWay ? judgeCauses(threeWay, live, desired, rules) : [];
  const claims = [
    ...identityConflicts(live, desired),
    ...judgeScope(live, desired.source, rules),
    ...causes,
  ];
  const shared = { ...pairOf(live, desired), ...(threeWay && leftAlone(threeWay, live, rules)) };
  const wish = wishFor({ live: live.document, target: asked }, rules);
  if (wish.edits.length === 0 && !hasErrors(causes))
    return { action: 'unchanged', ...shared, problems: claims };
  const { edits, carrier, ...carried } = addCarrier(wish, desired, rules);
  const sides = { live: live.document, target: carried.target };
  const patch = edits.map(({ operation }) => operation);
  const fields = edits.map(fieldOf);
  provePatch(patch, sides, live, arrays);
  const transition = findTransition(sides.live, sides.target);
  const change = { live, desired, target: sides.target, transition };
  const differences = diffByPlace(sides.live, sides.target, arrays);
  const lost = lostToSlips(desired, sides.target, differences, arrays);
  if (lost.length > 0) return planNothing(live, desired, [...claims, ...lost]);
  const changes = edits.map((edit, index): Change => {
    const described = describeEdit(edit, sides, desired, rules);
    return {
      ...described,
      ...(fields[index] === carrier && { carrier: true }),
      ...(threeWay && causeOf(described, differences, threeWay)),
    };
  });
  const guard = guardOf(changes, sides.live, arrays, conventions.isTestable);
  const problems = [
    ...claims,
    ...carried.problems,
    ...(threeWay ? judgeSides(change, threeWay, rules) : judgeChange(change, rules)),
    ...inexactAmong({ edits, guard, ...sides }, desired, arrays),
  ];
  return {
    action: hasErrors(problems) ? 'blocked' : 'update',
    fingerprint: fingerprintOf(live.id, differences),
    ...shared,
    ...defined({ entityId: live.entity?.id }),
    predictedVersions: conventions.predictVersions(live.version, fields),
    ...defined({ transition }),
    changes,
    target: targetOf(fields, patch, sides.live),
    problems,
  };
}

function describeEdit(
  edit: Edit,
  sides: Sides,
  desired: DesiredContract,
  { arrays, conventions }: Rules,
): Change {
  const described = describeOperation(edit, sides, arrays);
  const pointer = edit.desired ?? edit.live ?? [];
  // A removed member is in the file only where it is null there.
  const isRemoved =
    !edit.desired &&
    (pointer.some((token) => parseIndex(token) !== undefined) ||
      valueAt(desired.managed, pointer) !== null);
  return {
    ...described,
    ...inWordsOfFiles(pointer, described, conventions),
    source: desired.locate(pointer, isRemoved),
  };
}

type Wish = Sides & { readonly edits: readonly Edit[] };

function wishFor(sides: Sides, { arrays, conventions }: Rules): Wish {
  const { refusesPrefixMoves: avoidsPrefixMoves } = conventions;
  const edits = diff(sides.live, sides.target, { ...arrays, avoidsPrefixMoves });
  // The status matters most; the order of top-level fields has no effect.
  const ofStatus = edits.filter(({ operation }) => operation.path === '/entityStatus');
  return { ...sides, edits: [...new Set([...ofStatus, ...edits])] };
}

function addCarrier(
  wish: Wish,
  { managed, locate, source }: DesiredContract,
  rules: Rules,
): Wish & { readonly carrier?: string; readonly problems: readonly Problem[] } {
  const { live, target, edits } = wish;
  if (edits.length === 0) return { ...wish, problems: [] };
  const { conventions, sections } = rules;
  const section = sections[conventions.name];
  const found = conventions.findCarrier({ live, target, managed, section });
  switch (found.kind) {
    case 'none':
      return { ...wish, problems: [] };
    case 'field': {
      const { field: carrier, value, reason: message } = found;
      const { [carrier]: _, ...rest } = target;
      const carried = value === null ? rest : { ...rest, [carrier]: value };
      return {
        ...wishFor({ live, target: carried }, rules),
        carrier,
        problems: [{ code: 'change-carried', severity: 'information', message, source }],
      };
    }
    case 'impossible': {
      const { message, hint } = found;
      const [{ desired, live: removed } = {}] = edits;
      const place = desired ? locate(desired) : locate(removed ?? [], true);
      const code = 'change-not-stored';
      return { ...wish, problems: [{ code, severity: 'error', message, hint, source: place }] };
    }
  }
}

export function findTooDeep(
  { tooDeep = [] }: LiveContract,
  { managed, locate }: DesiredContract,
): Problem | undefined {
  const field = Object.keys(managed).find((each) => tooDeep.includes(each));
  if (field === undefined) return undefined;
  const code = 'nesting-too-deep';
  const message = `The catalog's \`${field}\` is nested deeper than ${deepestNesting} levels, so it can't be compared.`;
  const hint = 'Fix the contract in the catalog, or leave the field out of the file.';
  return { code, severity: 'error', scope: 'contract', message, hint, source: locate([field]) };
}

// A catalog may take a key that resembles a known one, but not in its place.
function lostToSlips(
  { slips = [] }: DesiredContract,
  target: JsonObject,
  differences: readonly Difference[],
  arrays: DiffOptions,
): Problem[] {
  return slips.flatMap(({ pointer, meant, ...slip }): Problem[] => {
    if (!meant) return [];
    const newPlace = formatPointer(keyPathOf(pointer, target, arrays));
    const lostPlace = formatPointer(keyPathOf(meant, target, arrays));
    const isNew = differences.some(
      ({ place, ...each }) => place === newPlace && !('before' in each),
    );
    const lost = differences.find(
      ({ place, ...each }) => place === lostPlace && !('after' in each),
    );
    if (!isNew || !lost) return [];
    const written = pointer.at(-1) ?? '';
    const known = meant.at(-1) ?? '';
    const { before = null } = lost;
    const value = isScalar(before) ? `: ${printable(String(before), 40)}` : '';
    const message = `\`${written}\` stands where the catalog has \`${known}${value}\`, which would be lost.`;
    const hint = `${slip.hint} To remove it, add \`${known}: null\`.`;
    return [{ ...slip, severity: 'error', scope: 'contract', message, hint }];
  });
}

function planNothing(
  live: LiveContract,
  desired: DesiredContract,
  problems: readonly Problem[],
): UpdatePlan {
  return {
    action: 'blocked',
    fingerprint: fingerprintOf(live.id, []),
    ...pairOf(live, desired),
    predictedVersions: [],
    changes: [],
    target: {},
    problems,
  };
}

function pairOf(live: LiveContract, { source }: DesiredContract) {
  const { id, name, fullyQualifiedName } = live;
  const { version: liveVersion, versionNumber: liveVersionNumber, updatedAt: liveUpdatedAt } = live;
  const state = defined({ liveVersion, liveVersionNumber, liveUpdatedAt });
  return { id, ...defined({ name, fullyQualifiedName }), source, ...state };
}

// Taken from the patched document: where order means nothing, the file may have another.
function targetOf(fields: readonly string[], patch: Patch, live: JsonObject): JsonObject {
  const patched = evaluate(live, patch);
  const after = isObject(patched) ? patched : {};
  return Object.fromEntries(fields.map((field) => [field, after[field] ?? null]));
}

// A patch that fails here is a bug of contract-sync, so it ends the run.
function provePatch(
  patch: Patch,
  { live, target }: Sides,
  { id, fullyQualifiedName }: LiveContract,
  arrays: DiffOptions,
): void {
  // The members that differ; the patch touches no other. Unmanaged fields may nest to any depth.
  const differing = (document: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(document).filter(
        ([member]) =>
          !Object.hasOwn(live, member) ||
          !Object.hasOwn(target, member) ||
          live[member] !== target[member],
      ),
    );
  try {
    prove(differing(live), differing(target), patch, arrays);
  } catch (cause) {
    const message = `The patch computed for ${fullyQualifiedName ?? id} doesn't produce its file's content: nothing was planned.`;
    const hint = 'This is a bug in contract-sync: please report it with the contract.';
    throw new SyncError('patch-failed', message, { hint, cause });
  }
}

export function blockedBy(plan: UpdatePlan | UnchangedPlan, problems: readonly Problem[]) {
  if (problems.length === 0 || plan.action === 'unchanged') return plan;
  return { ...plan, action: 'blocked' as const, problems: [...plan.problems, ...problems] };
}

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

function causeOf(
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

function leftAlone(
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

function judgeCauses(
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
function judgeSides(change: JudgedChange, threeWay: ThreeWay, rules: Rules) {
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
