/** A saved plan: evidence of what was reviewed. None of it is ever sent. */

import { productOf } from '../catalog/products/products.ts';
import type { Conventions } from '../contract/conventions.ts';
import { SyncError } from '../core/diagnostic.ts';
import {
  deepEqual,
  deepestNesting,
  defined,
  isObject,
  isTooDeep,
  type JsonObject,
  type JsonValue,
  numberKeeper,
  parseJson,
} from '../core/json.ts';
import { quote } from '../core/text.ts';
import { validate } from '../generated/plan.js';
import { diffByPlace, labelPointer, type Sides } from '../patch/describe.ts';
import { evaluate, PatchError } from '../patch/evaluate.ts';
import { type DiffOptions, type KeyPath, valueByKey } from '../patch/identity.ts';
import { parsePointer, valueAt } from '../patch/pointer.ts';
import {
  checksumOf,
  fingerprintOf,
  fingerprintOfCreation,
  inWordsOfFiles,
  lastElement,
  patchOf,
  type SavedPlan,
  sidesOf,
  withPatches,
  makePlan,
} from '../plan/seal.ts';
import { findTransition } from '../plan/judge.ts';
import type { Change, ContractPlan, CreatePlan, Plan, UpdatePlan } from '../plan/plan.ts';

/**
 * Reads the text of `renderPlanJson`, which must be unchanged: refuses a plan whose hashes don't
 * match what it shows. Errors call it `file`.
 */
export function openPlan(text: string, file = 'The text'): Plan {
  const document = parseJson(text);
  if (!isObject(document)) throw notAPlan(file, 'it is not a JSON object');
  const { formatVersion } = document;
  if (typeof formatVersion !== 'string') throw notAPlan(file, 'it has no formatVersion');
  // A newer minor version only adds members.
  if (!/^1\.\d+$/u.test(formatVersion)) {
    const message = `The plan in ${file} has format ${formatVersion}; this release reads 1.x.`;
    const hint = 'Plan again with this release, or apply with the one that made the plan.';
    throw new SyncError('not-a-plan', message, { hint });
  }
  if (Object.hasOwn(document, 'outcomes'))
    throw notAPlan(file, 'it has the outcomes of a run, which `rollback --run` takes back');
  if (isTooDeep(document, deepest)) throw notAPlan(file, 'it is nested too deep');
  const { checksum = null, ...content } = document;
  if (checksum !== checksumOf(content)) throw edited(file);
  if (!validate(document)) throw notAPlan(file, complaint());
  const { checksum: _, ...plan }: SavedPlan = JSON.parse(text, numberKeeper(text));
  if (!isTrue(plan) || !deepEqual(withPatches(plan), plan)) throw edited(file);
  return plan;
}

// Levels of a plan around the values of a contract, with some to spare.
const deepest = deepestNesting + 20;

function complaint(): string {
  const { keyword, instancePath, params, message = '' } = validate.errors?.[0] ?? {};
  const [, index] = /^\/contracts\/(\d+)$/u.exec(instancePath ?? '') ?? [];
  if (keyword === 'discriminator')
    return `contract ${index} has the unknown action ${quote(String(params?.['tagValue']))}`;
  return `${instancePath || 'it'} ${message}`;
}

// Anybody can make a checksum, or copy the hashes of another plan.
function isTrue(plan: Plan): boolean {
  try {
    return isTrueTotal(plan) && plan.contracts.every((each) => isTrueContract(each, plan));
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

function isTrueTotal(plan: Plan): boolean {
  const { catalogUrl, environment, contracts, diagnostics, errored, summary } = plan;
  const named = environment === undefined ? {} : { environment };
  const made = makePlan(catalogUrl, contracts, diagnostics, named);
  const { planHash = contracts.length === 0 ? made.planHash : undefined } = plan;
  // Contracts without a change are counted, and listed with `--all` alone.
  const { unchanged, unmanaged } = summary;
  const keys = contracts
    .filter((contract) => contract.action !== 'missing')
    .map((contract) => (contract.action === 'create' ? contract.fullyQualifiedName : contract.id));
  return (
    planHash === made.planHash &&
    errored === made.errored &&
    deepEqual(summary, { ...made.summary, unchanged, unmanaged }) &&
    made.contracts.every((contract, index) => contract === contracts[index]) &&
    keys.length === new Set(keys).size
  );
}

type ChangeRules = { readonly arrays: DiffOptions; readonly conventions: Conventions };

// The changes must lead from one side to the other; all else follows from the two.
function isTrueContract(contract: ContractPlan, { dialect, arrays = {} }: Plan): boolean {
  const { action } = contract;
  if (action !== 'update' && action !== 'blocked' && action !== 'create') return true;
  const rules = { arrays, conventions: productOf(dialect?.name) };
  const sides = sidesOf(contract);
  const transition = findTransition(sides.live, sides.target);
  return (
    (contract.action === 'create'
      ? isTrueCreation(contract, sides, rules)
      : isTrueUpdate(contract, sides, rules)) &&
    deepEqual(contract.transition ?? null, transition ?? null) &&
    areTrueChanges(contract.changes, sides, rules)
  );
}

function isTrueUpdate(contract: UpdatePlan, { live, target }: Sides, rules: ChangeRules) {
  const { arrays, conventions } = rules;
  const { id, fingerprint, changes, liveVersion, predictedVersions } = contract;
  const changed = changes.flatMap(({ path }) => fieldOf(path) ?? []);
  const differences = diffByPlace(live, target, arrays);
  const fields = new Set(differences.map(({ place }) => fieldOf(place)));
  return (
    fingerprint === fingerprintOf(id, differences) &&
    changed.every((field) => fields.has(field)) &&
    (changed.length === 0 ||
      deepEqual(predictedVersions, conventions.predictVersions(liveVersion, changed)))
  );
}

function isTrueCreation(contract: CreatePlan, { target }: Sides, { conventions }: ChangeRules) {
  const { name, fullyQualifiedName, fingerprint, entity, document } = contract;
  const { id, type } = entity;
  const fields = conventions.creation?.toWire(target);
  return (
    fullyQualifiedName === conventions.creation?.nameOf(entity.fullyQualifiedName ?? '', name) &&
    deepEqual(document, { name, entity: { id, type }, ...fields }) &&
    fingerprint === fingerprintOfCreation(fullyQualifiedName, document)
  );
}

function fieldOf(pointer: string): string | undefined {
  return parsePointer(pointer)?.[0];
}

function areTrueChanges(changes: readonly Change[], sides: Sides, rules: ChangeRules): boolean {
  let document: JsonValue = sides.live;
  return changes.every((change) => {
    const before = document;
    document = evaluate(before, patchOf([change]));
    // Labels have indices of the whole documents, not of the document halfway through a patch.
    const { place, label, source: _s, carrier: _c, ...described } = change;
    const { cause: _a, mergedIn: _m, waitsFor: _w, unknown: _u, blame: _b, ...shown } = described;
    const made = describeChange(change, before, document, rules);
    return (
      !deepEqual(before, document) &&
      deepEqual({ ...shown, label: withoutIndices(label) }, made) &&
      isTruePlace(parsePointer(place) ?? [], change, sides.live)
    );
  });
}

function describeChange(
  { kind, path, from }: Change,
  before: JsonValue,
  after: JsonValue,
  { arrays, conventions }: ChangeRules,
): JsonObject {
  const document = kind === 'remove' ? before : after;
  const pointer = parsePointer(lastElement(path, document)) ?? [];
  const was = kind === 'replace' || kind === 'remove' ? valueAt(before, pointer) : undefined;
  const is = kind === 'replace' || kind === 'add' ? valueAt(after, pointer) : undefined;
  const sides = defined({ before: was, after: is });
  return {
    kind,
    path,
    label: withoutIndices(labelPointer(pointer, document, arrays)),
    ...defined({ from }),
    ...sides,
    ...inWordsOfFiles(pointer, sides, conventions),
  };
}

function withoutIndices(label: string): string {
  return label.replaceAll(/\[\d+/gu, '[');
}

// The place by key must be where the path by index is, and hold what is replaced, removed or moved.
function isTruePlace(place: KeyPath, change: Change, live: JsonObject): boolean {
  const { kind, path, before, after = null } = change;
  const token = place.at(-1) ?? '';
  if (place[0] !== fieldOf(path)) return false;
  if (kind !== 'add') {
    const value = valueByKey(live, place);
    return value !== undefined && (kind === 'move' || deepEqual(value, before));
  }
  const isMember = token === '-' || token === parsePointer(path)?.at(-1);
  const isOwn = isMember || valueByKey([after], [token]) !== undefined;
  return isOwn && valueByKey(live, place.slice(0, -1)) !== undefined;
}

function notAPlan(file: string, complaint: string): SyncError {
  return new SyncError('not-a-plan', `${file} is not a plan: ${complaint}.`, {
    hint: 'Make one with `contract-sync plan --out FILE`; in the Action, it is the output `plan-file`.',
  });
}

function edited(file: string): SyncError {
  return new SyncError('plan-edited', `The plan in ${file} was changed after it was made.`, {
    hint: 'Plan again, and have the new plan reviewed.',
  });
}
