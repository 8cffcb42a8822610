import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { inexactAmong } from '../contract/conventions.ts';
import { targetDocument } from '../contract/equality.ts';
import { identityConflicts } from '../contract/identity.ts';
import { hasErrors, type Problem, SyncError } from '../core/diagnostic.ts';
import { deepestNesting, defined, isObject, isScalar, type JsonObject } from '../core/json.ts';
import { diff, type Edit, fieldOf } from '../patch/diff.ts';
import { type DiffOptions, keyPathOf } from '../patch/identity.ts';
import { evaluate, type Patch, prove } from '../patch/evaluate.ts';
import {
  describeOperation,
  diffByPlace,
  guardOf,
  type Sides,
  type Difference,
} from '../patch/describe.ts';
import { fingerprintOf, inWordsOfFiles } from './seal.ts';
import { parseIndex, valueAt, formatPointer } from '../patch/pointer.ts';
import { findTransition, judgeChange, judgeScope } from './judge.ts';
import type { Base } from './pair.ts';
import type { Change, UnchangedPlan, UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';
import { printable } from '../core/text.ts';
import { compareThreeWays, causeOf, leftAlone, judgeCauses, judgeSides } from './cause.ts';

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
  // Not the file's: where order means nothing, that may have another.
  const after = evaluate(sides.live, patch);
  const patched = isObject(after) ? after : {};
  return {
    action: hasErrors(problems) ? 'blocked' : 'update',
    fingerprint: fingerprintOf(live.id, differences),
    ...shared,
    ...defined({ entityId: live.entity?.id }),
    predictedVersions: conventions.predictVersions(live.version, fields),
    ...defined({ transition }),
    changes,
    target: Object.fromEntries(fields.map((field) => [field, patched[field] ?? null])),
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
