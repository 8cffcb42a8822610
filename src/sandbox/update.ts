import { identityFields, serverFields } from '../contract/contract.ts';
import {
  compareCodeUnits,
  deepEqual,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { evaluate } from '../patch/evaluate.ts';
import type { Patch } from '../patch/operation.ts';
import { childAt } from '../patch/pointer.ts';
import { FailedRequest } from './middleware.ts';
import { type Contract, isContract, shapeProblem } from './shape.ts';
import type { Store } from './store.ts';

/**
 * Patches one contract (interface §4.2): whole or not at all. The answer is the full contract,
 * the members included that a list would have to be asked for.
 */
export function updateContract(store: Store, id: string, patch: Patch, author: Author): JsonObject {
  return store.atomically(() => {
    const current = findLive(store, id);
    const next = revise(current, requireObject(evaluate(current, patch)), author);
    // Nothing is stored, and the answer does not repeat what an earlier update changed.
    if (!next) return { ...current, changeDescription: { fieldsUpdated: [] } };
    store.advance(current, requireContract(next));
    return next;
  });
}

function findLive(store: Store, id: string): Contract {
  const contract = store.find(id);
  if (contract && contract['deleted'] !== true) return contract;
  throw new FailedRequest(404, `There is no data contract with the id ${id}.`);
}

function requireObject(patched: JsonValue): JsonObject {
  if (isObject(patched)) return patched;
  throw new FailedRequest(400, 'The patch leaves something that is not an object.');
}

function requireContract(document: JsonObject): Contract {
  if (isContract(document)) return document;
  throw new FailedRequest(400, `The patch leaves no contract: ${shapeProblem(document)}`);
}

/** Who changes a contract, and when (epoch milliseconds). */
type Author = { readonly subject: string; readonly now: number };

/**
 * Members that a patch cannot change: real servers put them back without a word.
 * `entity` is not among them: the interface has a version rule for changing it (§3).
 */
const keptFields: ReadonlySet<string> = new Set([
  ...identityFields.filter((name) => name !== 'entity'),
  ...serverFields,
  'deleted',
]);

const majorFields = new Set(['entityStatus', 'schema', 'entity']);

/** The next version of a contract, or undefined where the patch left it as it was. */
function revise(
  before: Contract,
  patched: JsonObject,
  { subject, now }: Author,
): JsonObject | undefined {
  const after = restoreKept(before, patched);
  const changed = changedFields(before, after);
  if (changed.length === 0) return undefined;
  return {
    ...after,
    version: nextVersion(before.version, changed),
    // Two changes within one millisecond must differ: a guard tests `updatedAt`.
    updatedAt: Math.max(now, before.updatedAt + 1),
    updatedBy: subject,
    changeDescription: { fieldsUpdated: changed.map((name) => fieldChange(name, before, after)) },
  };
}

function restoreKept(before: JsonObject, patched: JsonObject): JsonObject {
  return Object.fromEntries([
    ...Object.entries(patched).filter(([name]) => !keptFields.has(name)),
    ...Object.entries(before).filter(([name]) => keptFields.has(name)),
  ]);
}

function changedFields(before: JsonObject, after: JsonObject): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !deepEqual(childAt(before, name), childAt(after, name)))
    .toSorted(compareCodeUnits);
}

/** The interface knows updated fields alone (§2.3): one that came or went has null on that side. */
function fieldChange(name: string, before: JsonObject, after: JsonObject): JsonObject {
  return { name, oldValue: childAt(before, name) ?? null, newValue: childAt(after, name) ?? null };
}

/** Interface §3; a version is a decimal number, so the minor change after 0.9 makes 1.0. */
export function nextVersion(version: number, changed: readonly string[]): number {
  // Description and entityStatus together are shown taking 0.1 to 0.2: a change of both kinds
  // counts as a minor one, and only a purely structural change starts a new major version.
  const major = changed.every((name) => majorFields.has(name));
  return major ? Math.floor(version) + 1 : Math.round(version * 10 + 1) / 10;
}
