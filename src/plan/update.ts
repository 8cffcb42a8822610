import { keepUnstated } from '../contract/unstated.ts';
import type { DesiredContract, LiveContract } from '../contract/contract.ts';
import { inexactAmong } from '../contract/conventions.ts';
import { completeReferences, targetDocument } from '../contract/equality.ts';
import {
  describeReference,
  identityConflicts,
  lookedUpBy,
  namesInFiles,
  parseReference,
  peopleFields,
  peopleIn,
  type PersonReference,
} from '../contract/identity.ts';
import { hasErrors, type Problem, type SourcePosition, SyncError } from '../core/diagnostic.ts';
import {
  compareCodeUnits,
  deepEqual,
  deepestNesting,
  defined,
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { diff, type Edit, fieldOf } from '../patch/diff.ts';
import type { DiffOptions } from '../patch/identity.ts';
import { diffByPlace, guardOf, type Sides } from '../patch/describe.ts';
import { evaluate, type Patch, prove } from '../patch/evaluate.ts';
import { describeEdit, fingerprintOf } from './change.ts';
import {
  type Base,
  causeOf,
  compareThreeWays,
  judgeCauses,
  judgeSides,
  leftAlone,
} from './drift.ts';
import { findTransition, judgeChange, judgeScope } from './judge.ts';
import type { UnchangedPlan, UpdatePlan } from './plan.ts';
import type { Rules } from './rules.ts';
import { didYouMean, quote } from '../core/text.ts';
import { type Facts, notAnOwner, type People } from './facts.ts';

/** One file and its live contract: the changes that make the second equal the first. */
export function planUpdate(
  live: LiveContract,
  desired: DesiredContract,
  rules: Rules,
  base?: Base,
): UpdatePlan | UnchangedPlan {
  const deep = findTooDeep(live, desired);
  if (deep) return planTooDeep(live, desired, deep);
  const { arrays, conventions } = rules;
  const file = targetDocument(live, desired.managed, rules.equivalence, arrays);
  const threeWay = base && compareThreeWays(live, file, base, rules);
  const wanted = threeWay && rules.drift !== 'overwrite' ? threeWay.asked : file;
  const asked = { live: live.document, target: wanted };
  const wish = { ...asked, edits: editsBetween(asked, rules) };
  const causes = threeWay ? judgeCauses(threeWay, live, desired, rules) : [];
  const claims = [
    ...identityConflicts(live, desired),
    // Judged by the catalog's names, not by the file's.
    ...judgeScope(namesInFiles(live, rules.names), desired.source, rules),
    ...causes,
  ];
  const shared = { ...pairOf(live, desired), ...(threeWay && leftAlone(threeWay, live, rules)) };
  if (wish.edits.length === 0 && !hasErrors(causes))
    return { action: 'unchanged', ...shared, problems: claims };
  const { target, edits, carrier, ...carried } = addCarrier(wish, desired, rules);
  const documents = { live: live.document, target };
  const patch = edits.map(({ operation }) => operation);
  const fields = edits.map(fieldOf);
  provePatch(patch, documents, live, arrays);
  const transition = findTransition(documents.live, target);
  const change = { live, desired, target, transition };
  const judged = threeWay ? judgeSides(change, threeWay, rules) : judgeChange(change, rules);
  const described = edits.map((edit) => describeEdit(edit, documents, desired, rules));
  const guard = guardOf(described, documents.live, arrays, conventions.isTestable);
  const inexact = inexactAmong({ edits, guard, ...documents }, desired, arrays);
  const problems = [...claims, ...carried.problems, ...judged, ...inexact];
  const differences = diffByPlace(documents.live, target, arrays);
  return {
    action: hasErrors(problems) ? 'blocked' : 'update',
    fingerprint: fingerprintOf(live.id, differences),
    ...shared,
    ...defined({ entityId: live.entity?.id }),
    predictedVersions: conventions.predictVersions(live.version, fields),
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

function editsBetween({ live, target }: Sides, { arrays, conventions }: Rules): readonly Edit[] {
  const { refusesPrefixMoves: avoidsPrefixMoves } = conventions;
  const edits = diff(live, target, { ...arrays, avoidsPrefixMoves });
  // The status matters most; the order of top-level fields has no effect.
  const ofStatus = edits.filter(({ operation }) => operation.path === '/entityStatus');
  return [...new Set([...ofStatus, ...edits])];
}

type Wish = Sides & { readonly edits: readonly Edit[] };

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
      const carried = { live, target: value === null ? rest : { ...rest, [carrier]: value } };
      return {
        ...carried,
        edits: editsBetween(carried, rules),
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
    throw new SyncError('patch-failed', message, { hint, cause });
  }
}

type Content = { readonly desired: DesiredContract; readonly problems: readonly Problem[] };

export function contentFor(live: LiveContract, file: DesiredContract, facts: Facts): Content {
  const { desired, problems } = resolveReferences(keepUnstated(live, file), live, facts);
  return { desired, problems: [...problems, ...unknownProperties(desired, live, facts)] };
}

// Replaces each reference by its id, type and name: the catalog may not store any other form.
function resolveReferences(
  desired: DesiredContract,
  { document }: LiveContract,
  { people }: Facts,
): Content {
  const fields = peopleFields.filter((field) => isArray(desired.managed[field]));
  if (!people || fields.length === 0) return { desired, problems: [] };
  const resolve = (item: JsonValue): JsonValue => {
    const reference = parseReference(item);
    const lookup = reference && people.lookups(reference);
    return lookup?.kind === 'found'
      ? { id: lookup.id, type: reference?.type ?? '', name: lookup.name }
      : item;
  };
  const resolved = fields.map((field) => {
    const items = peopleIn(desired.managed, field).map(resolve);
    const isFirst = (item: JsonValue, index: number): boolean =>
      items.findIndex((other) => deepEqual(item, other)) === index;
    return [field, items.filter(isFirst)] as const;
  });
  const unknown = fields.flatMap((field) =>
    unknownReferences(desired, field, document[field] ?? null, people),
  );
  return {
    desired: { ...desired, managed: { ...desired.managed, ...Object.fromEntries(resolved) } },
    problems: [...unknown, ...notOwning(desired, people)],
  };
}

// The catalog refuses every later change of a contract with such an owner.
function notOwning({ managed, locate }: DesiredContract, { lookups, owningTeams }: People) {
  return peopleIn(managed, 'owners').flatMap((item, index) => {
    const reference = parseReference(item);
    const found = reference && lookups(reference);
    const teamType = found?.kind === 'found' ? found.teamType : undefined;
    return notAnOwner(teamType, owningTeams, locate(['owners', String(index)]));
  });
}

function unknownProperties(
  { managed, locate }: DesiredContract,
  { document }: LiveContract,
  { properties }: Facts,
): Problem[] {
  const { extension: wanted } = managed;
  const { extension: live } = document;
  if (!properties || !isObject(wanted)) return [];
  const known = isObject(live) ? live : {};
  return Object.entries(wanted).flatMap(([name, value]) => {
    if (properties.includes(name) || isNothing(value) || deepEqual(value, known[name])) return [];
    const message = `The catalog has no custom property ${quote(name)} for contracts.`;
    const hint = didYouMean(name, properties) ?? 'Define it in the catalog first.';
    const source = locate(['extension', name]);
    return [{ code: 'unknown-key', severity: 'error', message, hint, source }];
  });
}

function unknownReferences(
  { managed, locate }: DesiredContract,
  field: string,
  live: JsonValue,
  people: People,
): Problem[] {
  const items = peopleIn(managed, field);
  const completed = completeReferences(live, items);
  return items.flatMap((item, index) => {
    const reference = parseReference(item);
    if (!reference || (isArray(completed) && completed[index] !== item)) return [];
    return problemOf(reference, people, locate([field, String(index)]));
  });
}

function problemOf(
  reference: PersonReference,
  { lookups, names }: People,
  source: SourcePosition,
): Problem[] {
  const lookup = lookups(reference);
  if (lookup?.kind === 'unreadable') {
    const code = 'lookup-failed';
    const message = `Can't look up ${describeReference(reference)}: ${lookup.why}`;
    const hint = 'The other contracts can be applied; plan again for this one.';
    return [{ code, severity: 'error', scope: 'contract', message, hint, source }];
  }
  if (lookup?.kind !== 'unknown') return [];
  const { type, id, name } = reference;
  const isBoth = name !== undefined && id !== undefined;
  const named = isBoth ? `${quote(name)} with the id ${id}` : quote(lookedUpBy(reference));
  const known = [...(names.get(type) ?? [])].toSorted(compareCodeUnits);
  const message = `The catalog has no ${type} ${named}.`;
  const hint =
    source.format === 'version'
      ? 'Return to another version, or bring the rest back in the file.'
      : (didYouMean(lookedUpBy(reference), known) ??
        `Correct it, or create the ${type} in the catalog first.`);
  return [{ code: 'unknown-reference', severity: 'error', message, hint, source }];
}

export function blockedBy(plan: UpdatePlan | UnchangedPlan, problems: readonly Problem[]) {
  if (problems.length === 0 || plan.action === 'unchanged') return plan;
  return { ...plan, action: 'blocked' as const, problems: [...plan.problems, ...problems] };
}
