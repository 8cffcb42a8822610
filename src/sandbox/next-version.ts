/** The version that a change of a contract makes. */

import { identityFields, serverFields } from '../contract/contract.ts';
import { compareCodeUnits, deepEqual, type JsonObject } from '../core/json.ts';
import { childAt } from '../patch/pointer.ts';
import type { Contract } from './shape.ts';

/** Who changes a contract, and when (epoch milliseconds). */
export type ContractAuthor = { readonly subject: string; readonly now: number };

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
export function makeNextVersion(
  before: Contract,
  patched: JsonObject,
  { subject, now }: ContractAuthor,
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
