import type { Dialect } from '../catalog/dialects/dialect.ts';
import type { LiveContract } from '../contract/contract.ts';
import { deepEqual } from '../core/json.ts';
import type { Operation, Patch } from '../patch/operation.ts';
import { parsePointer, valueAt } from '../patch/pointer.ts';
import type { UpdatePlan } from '../plan/plan.ts';

/** By what a catalog tells that a contract was written. */
export type WriteState = Pick<LiveContract, 'version' | 'versionNumber' | 'updatedAt'>;

/**
 * `test` operations that make a patch land on the contract that was reviewed, or not at all, as a
 * patch is atomic (RFC 6902 §5): on the state that was read last, and on the values that the patch
 * builds on. Undefined where nothing tells whether the contract was written. `If-Match` alone is no
 * choice: the interface has no ETags.
 */
export function guard(
  change: UpdatePlan,
  dialect: Dialect,
  state: WriteState = plannedState(change),
): Patch | undefined {
  const tests = stateTests(state, dialect);
  return tests.length === 0 ? undefined : [...tests, ...valueTests(change, dialect)];
}

/** Whether the contract has been written since the plan was made, at the places that a guard tests. */
export function hasMoved(change: UpdatePlan, live: LiveContract, dialect: Dialect): boolean {
  if (!hasSameState(plannedState(change), live, dialect)) return true;
  return valueTests(change, dialect).some((test) => !holds(test, live));
}

/** Whether nothing tells that a contract was written between two reads of it. */
export function hasSameState(before: WriteState, after: WriteState, dialect: Dialect): boolean {
  return deepEqual([...stateTests(before, dialect)], [...stateTests(after, dialect)]);
}

/** As the plan was made against it. */
export function plannedState(change: UpdatePlan): WriteState {
  const { liveVersion, liveVersionNumber, liveUpdatedAt } = change;
  return {
    ...(liveVersion !== undefined && { version: liveVersion }),
    ...(liveVersionNumber !== undefined && { versionNumber: liveVersionNumber }),
    ...(liveUpdatedAt !== undefined && { updatedAt: liveUpdatedAt }),
  };
}

/** Nothing but that: no document is kept for it. */
export function writeState({ version, versionNumber, updatedAt }: WriteState): WriteState {
  return {
    ...(version !== undefined && { version }),
    ...(versionNumber !== undefined && { versionNumber }),
    ...(updatedAt !== undefined && { updatedAt }),
  };
}

/** The interface's version is a number (§2.1): the plan's `1.0` is the catalog's 1. */
export function stateTests(state: WriteState, dialect: Dialect): Patch {
  const { updatedAt, version, versionNumber = Number(version) } = state;
  const tests: Operation[] = [];
  if (updatedAt !== undefined) tests.push({ op: 'test', path: '/updatedAt', value: updatedAt });
  // Where there is no time, there is nothing else to go by.
  const isCompared = dialect.comparesNumbers || updatedAt === undefined;
  if (isCompared && versionNumber !== null && Number.isFinite(versionNumber))
    tests.push({ op: 'test', path: '/version', value: versionNumber });
  return tests;
}

/** Whether a catalog has 4 or 4.0 is lost in reading: where they differ to it, neither is tested. */
function valueTests({ guard: tests }: UpdatePlan, { comparesNumbers }: Dialect): Patch {
  return comparesNumbers
    ? tests
    : tests.filter((test) => !('value' in test && Number.isInteger(test.value)));
}

function holds(test: Operation, { document }: LiveContract): boolean {
  const place = parsePointer(test.path);
  return place !== undefined && 'value' in test && deepEqual(valueAt(document, place), test.value);
}

/** Whether sending the patch twice does no more than sending it once: it names no array element. */
export function isRepeatable(patch: Patch): boolean {
  return patch.every(
    ({ op, path }) => (op === 'add' || op === 'replace') && !/\/(?:-|\d+)(?:\/|$)/u.test(path),
  );
}
