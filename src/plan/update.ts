import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { inexactAmong } from '../contract/conventions.ts';
import { targetDocument } from '../contract/equality.ts';
import { identityConflicts, qualifiedNames } from '../contract/identity.ts';
import { hasErrors, type Problem } from '../core/diagnostic.ts';
import { SyncError } from '../core/errors.ts';
import { deepestNesting, defined, isObject, type JsonObject } from '../core/json.ts';
import { diff } from '../patch/diff.ts';
import type { DiffOptions, Edit, Patch } from '../patch/operation.ts';
import { diffByPlace, guardOf, type Sides } from '../patch/describe.ts';
import { evaluate, prove } from '../patch/evaluate.ts';
import { describeEdit, fingerprintOf } from './change.ts';
import {
  type Base,
  causeOf,
  compareThreeWays,
  judgeCauses,
  judgeSides,
  leftAlone,
  noLongerManaged,
} from './drift.ts';
import { findTransition, judgeScope } from './judge.ts';
import type { UnchangedPlan, UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';

/** One file and its live contract: the changes that make the second equal the first. */
export function planUpdate(
  live: LiveContract,
  desired: DesiredContract,
  rules: Rules,
  base?: Base,
): UpdatePlan | UnchangedPlan {
  const deep = findTooDeep(live, desired);
  if (deep) return planTooDeep(live, desired, deep);
  const file = targetDocument(live, desired.managed, rules.equivalence, rules.arrays);
  const threeWay = base && compareThreeWays(live, file, base, rules);
  const wanted = threeWay && rules.drift !== 'overwrite' ? threeWay.asked : file;
  const wantedEdits = diff(live.document, wanted, rules.arrays);
  const causes = judgeCauses(threeWay, desired, rules);
  const claims = [
    ...identityConflicts(live, desired),
    // Judged by the catalog's names, not by the file's.
    ...judgeScope(qualifiedNames(live), desired.source, rules),
    ...causes,
    ...noLongerManaged(live, desired, base),
  ];
  const shared = { ...pairOf(live, desired), ...leftAlone(threeWay, live, rules) };
  if (wantedEdits.length === 0 && !hasErrors(causes))
    return { action: 'unchanged', ...shared, problems: claims };
  const wish = { live: live.document, target: wanted, edits: wantedEdits };
  const carried = addCarrier(wish, desired, rules);
  const { target, carrier } = carried;
  const documents = { live: live.document, target };
  const edits = transitionFirst(
    carrier === undefined ? wantedEdits : diff(live.document, target, rules.arrays),
  );
  const patch = edits.map(({ operation }) => operation);
  const fields = edits.map(({ live, desired }) => (desired ?? live ?? [])[0] ?? '');
  provePatch(patch, documents, live, rules.arrays);
  const transition = findTransition(documents.live, target);
  const judged = judgeSides({ live, desired, target, transition }, threeWay, rules);
  const described = edits.map((edit) => describeEdit(edit, documents, desired, rules));
  const guard = guardOf(described, documents.live, rules.arrays, rules.conventions.isTestable);
  const inexact = inexactAmong({ edits, guard, ...documents }, desired, rules.arrays);
  const problems = [...claims, ...carried.problems, ...judged, ...inexact];
  const differences = diffByPlace(documents.live, target, rules.arrays);
  return {
    action: hasErrors(problems) ? 'blocked' : 'update',
    fingerprint: fingerprintOf(live.id, differences),
    ...shared,
    ...defined({ entityId: live.entity?.id }),
    predictedVersions:
      live.version === undefined ? [] : rules.conventions.predictVersions(live.version, fields),
    ...defined({ transition }),
    changes: described.map((change, index) => ({
      ...change,
      ...(fields[index] === carrier && { carrier: true }),
      ...(threeWay && causeOf(change, differences, threeWay)),
    })),
    target: targetOf(fields, patch, documents.live),
    problems,
  };
}

function addCarrier(
  { live, target, edits }: Sides & { readonly edits: readonly Edit[] },
  { managed, locate, source }: DesiredContract,
  { conventions, sections }: Rules,
): {
  readonly target: JsonObject;
  readonly carrier?: string;
  readonly problems: readonly Problem[];
} {
  if (edits.length === 0) return { target, problems: [] };
  const section = sections[conventions.name];
  const found = conventions.findCarrier({ live, target, managed, section });
  switch (found.kind) {
    case 'none':
      return { target, problems: [] };
    case 'field': {
      const { field, value, reason: message } = found;
      const { [field]: _, ...rest } = target;
      return {
        target: value === null ? rest : { ...rest, [field]: value },
        carrier: field,
        problems: [{ code: 'change-carried', severity: 'information', message, source }],
      };
    }
    case 'impossible': {
      const { message, hint } = found;
      const [{ desired, live: removed } = {}] = edits;
      const place = desired ? locate(desired) : locate(removed ?? [], true);
      return {
        target,
        problems: [{ code: 'change-not-stored', severity: 'error', message, hint, source: place }],
      };
    }
  }
}

export function findTooDeep(
  { tooDeep = [] }: LiveContract,
  { managed, locate }: DesiredContract,
): Problem | undefined {
  const field = Object.keys(managed).find((each) => tooDeep.includes(each));
  if (field === undefined) return undefined;
  const code = 'nested-too-deep';
  const message = `The catalog's \`${field}\` is nested deeper than ${deepestNesting} levels, so it can't be compared.`;
  const hint = 'Fix the contract in the catalog, or leave the field out of the file.';
  return { code, severity: 'error', scope: 'contract', message, hint, source: locate([field]) };
}

function planTooDeep(live: LiveContract, desired: DesiredContract, problem: Problem): UpdatePlan {
  return {
    action: 'blocked',
    fingerprint: fingerprintOf(live.id, []),
    ...pairOf(live, desired),
    predictedVersions: [],
    changes: [],
    target: {},
    problems: [problem],
  };
}

function pairOf(live: LiveContract, { source }: DesiredContract) {
  const { id, name, fullyQualifiedName } = live;
  const { version: liveVersion, versionNumber: liveVersionNumber, updatedAt: liveUpdatedAt } = live;
  const state = defined({ liveVersion, liveVersionNumber, liveUpdatedAt });
  return { id, ...defined({ name, fullyQualifiedName }), source, ...state };
}

// The status matters most; the order of top-level fields has no effect.
function transitionFirst(edits: readonly Edit[]): Edit[] {
  const { status = [], other = [] } = Object.groupBy(edits, ({ operation }) =>
    operation.path === '/entityStatus' ? 'status' : 'other',
  );
  return [...status, ...other];
}

// Taken from the patched document: where order means nothing, the file may have another.
function targetOf(touched: readonly string[], patch: Patch, live: JsonObject): JsonObject {
  const fields = [...new Set(touched)];
  const held = fields.filter((field) => Object.hasOwn(live, field));
  const before = Object.fromEntries(held.map((field) => [field, live[field] ?? null]));
  const patched = evaluate(before, patch);
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
    throw new SyncError('patch-not-proved', message, { hint, cause });
  }
}
