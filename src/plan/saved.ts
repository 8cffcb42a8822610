import { createHash } from 'node:crypto';
import { SyncError } from '../core/errors.ts';
import {
  canonicalJson,
  deepEqual,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  keepNumber,
  parseJson,
} from '../core/json.ts';
import { quote } from '../core/text.ts';
import { parsePatch, PatchError } from '../patch/evaluate.ts';
import type { Patch } from '../patch/operation.ts';
import { diffByPlace } from '../patch/difference.ts';
import { fingerprintOf, fingerprintOfCreation, planHash } from './fingerprint.ts';
import {
  type Action,
  type CreatePlan,
  creations,
  type Plan,
  type UpdatePlan,
  updates,
} from './plan.ts';
import { touchedSides } from './take-back.ts';

/** A plan as it is written: with a checksum over all of it, where the plan hash covers what is sent. */
export type SavedPlan = Plan & { readonly checksum: string };

export function sealPlan(plan: Plan): SavedPlan {
  return { ...plan, checksum: checksumOf(plan) };
}

/** SHA-256 of the canonical JSON (RFC 8785): white space and the order of members do not count. */
function checksumOf(plan: JsonValue): string {
  return `sha256:${createHash('sha256').update(canonicalJson(plan)).digest('hex')}`;
}

/** A plan out of a file's text, exactly as it was sealed; anything else is refused. */
export function openPlan(text: string, file: string): Plan {
  const document = parseJson(text);
  if (!isObject(document)) throw notAPlan(file, 'it is not a JSON object');
  refuseOtherFormat(document, file);
  const { checksum = null, ...content } = document;
  if (checksum !== checksumOf(content)) throw edited(file);
  const complaint = complaintAbout(content);
  if (complaint !== undefined) throw notAPlan(file, complaint);
  const { checksum: _, ...plan }: SavedPlan = JSON.parse(text, keepNumber);
  const isTrue =
    plan.planHash === undefined || plan.planHash === planHash(plan.contracts, plan.environment);
  const isTrueAll =
    updates(plan).every((change) => isTrueToFingerprint(change, plan)) &&
    creations(plan).every(isTrueCreation);
  if (!isTrue || !isTrueAll) throw edited(file);
  return plan;
}

/** Whether the patch does what was approved, as anybody can make a checksum. */
function isTrueToFingerprint(change: UpdatePlan, { arrays = {} }: Plan): boolean {
  try {
    const { live, target } = touchedSides(change);
    const differences = diffByPlace(live, target, arrays);
    return (
      deepEqual(differences, change.differences) &&
      fingerprintOf(change.id, differences) === change.fingerprint
    );
  } catch (error) {
    if (error instanceof PatchError) return false;
    throw error;
  }
}

function isTrueCreation({ fingerprint, fullyQualifiedName, body }: CreatePlan): boolean {
  return fingerprint === fingerprintOfCreation(fullyQualifiedName, body);
}

/** A newer minor version only adds members that this release need not know. */
function refuseOtherFormat({ formatVersion }: JsonObject, file: string): void {
  if (typeof formatVersion !== 'string') throw notAPlan(file, 'it has no formatVersion');
  if (/^2\.\d+$/u.test(formatVersion)) return;
  throw new SyncError(
    'plan-format',
    `The plan in ${file} has format ${formatVersion}; this release reads 2.x.`,
    { hint: 'Plan again with this release, or apply with the one that made the plan.' },
  );
}

/** What an apply relies on. A checksum can be made by anybody, so a true one proves no shape. */
function complaintAbout(plan: JsonObject): string | undefined {
  const { catalogUrl, planHash, errored, contracts } = plan;
  if (typeof catalogUrl !== 'string') return 'it has no catalogUrl';
  if (typeof errored !== 'boolean') return 'it has no `errored`';
  if (typeof planHash !== 'string' && !errored) return 'it has no planHash';
  if (!isArray(contracts)) return 'it has no list of contracts';
  for (const [index, contract] of contracts.entries()) {
    const complaint = complaintAboutContract(contract);
    if (complaint !== undefined) return `contract ${index} ${complaint}`;
  }
  return undefined;
}

function complaintAboutContract(contract: JsonValue): string | undefined {
  const { action = null } = isObject(contract) ? contract : {};
  if (!isObject(contract) || typeof action !== 'string') return 'has no action';
  if (!isAction(action)) return `has the unknown action ${quote(action)}`;
  if (action === 'update' && !isUpdate(contract)) return 'is not a complete update';
  if (action === 'create' && !isCreation(contract)) return 'is not a complete creation';
  return undefined;
}

const actions: Readonly<Record<Action, true>> = {
  create: true,
  update: true,
  blocked: true,
  unchanged: true,
  missing: true,
  unmanaged: true,
};

function isAction(text: string): boolean {
  return Object.hasOwn(actions, text);
}

function isUpdate(contract: JsonObject): boolean {
  const { id, fingerprint, patch = null, guard = null, target, predictedVersions } = contract;
  const { changes, differences } = contract;
  return (
    typeof id === 'string' &&
    typeof fingerprint === 'string' &&
    isPatch(patch) &&
    isGuard(guard) &&
    isObject(target) &&
    isArray(predictedVersions) &&
    isArray(changes) &&
    changes.every(isObject) &&
    isArray(differences)
  );
}

function isCreation({ fullyQualifiedName, entity = null, body, target, changes }: JsonObject) {
  return (
    typeof fullyQualifiedName === 'string' &&
    isObject(entity) &&
    typeof entity['id'] === 'string' &&
    typeof entity['type'] === 'string' &&
    isObject(body) &&
    isObject(target) &&
    isArray(changes)
  );
}

function isPatch(value: JsonValue): boolean {
  return (operationsOf(value)?.length ?? 0) > 0;
}

/** What only tests can change nothing. */
function isGuard(value: JsonValue): boolean {
  return operationsOf(value)?.every(({ op }) => op === 'test') ?? false;
}

function operationsOf(value: JsonValue): Patch | undefined {
  try {
    return parsePatch(value);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

function notAPlan(file: string, complaint: string): SyncError {
  return new SyncError('not-a-plan', `${file} is not a plan: ${complaint}.`, {
    hint: 'Make one with `contract-sync plan --out FILE`.',
  });
}

function edited(file: string): SyncError {
  return new SyncError('plan-edited', `The plan in ${file} was changed after it was made.`, {
    hint: 'Plan again: a plan is only applied as it was made.',
  });
}
