import type { Product } from '../catalog/products/product.ts';
import type { LiveContract } from '../contract/contract.ts';
import { deepEqual, defined, type JsonValue } from '../core/json.ts';
import { evaluate, PatchError } from '../patch/evaluate.ts';
import type { Operation, Patch } from '../patch/operation.ts';
import { formatPointer, parsePointer, valueAt } from '../patch/pointer.ts';
import type { UpdatePlan } from '../plan/plan.ts';

/**
 * `test` operations that make a patch land on the reviewed contract, or not at all, as a patch is
 * atomic (RFC 6902 §5). Undefined where nothing shows whether the contract was written. `If-Match`
 * can't replace them: the interface has no ETags.
 */
export function guard(change: UpdatePlan, valueTests: Patch, dialect: Product): Patch | undefined {
  const tests = stateTests(plannedState(change), dialect);
  return tests.length === 0 ? undefined : [...tests, ...valueTests];
}

export function hasMoved(
  change: UpdatePlan,
  valueTests: Patch,
  live: LiveContract,
  dialect: Product,
): boolean {
  const [before, after] = [plannedState(change), live].map((state) => stateTests(state, dialect));
  if (!deepEqual(before, after)) return true;
  return valueTests.some((test) => {
    const place = parsePointer(test.path);
    return !place || !('value' in test) || !deepEqual(valueAt(live.document, place), test.value);
  });
}

export function plannedState(change: UpdatePlan) {
  const { liveVersion: version, liveVersionNumber: versionNumber, liveUpdatedAt } = change;
  return defined({ version, versionNumber, updatedAt: liveUpdatedAt });
}

// The interface's version is a number (§2.1): the plan's `1.0` is the catalog's 1.
function stateTests(state: ReturnType<typeof plannedState>, dialect: Product): Patch {
  const { updatedAt, version, versionNumber = Number(version) } = state;
  const tests: Operation[] = [];
  if (updatedAt !== undefined) tests.push({ op: 'test', path: '/updatedAt', value: updatedAt });
  // Without a time there is only the version to test.
  const isCompared = dialect.comparesNumbers || updatedAt === undefined;
  if (isCompared && versionNumber !== null && Number.isFinite(versionNumber))
    tests.push({ op: 'test', path: '/version', value: versionNumber });
  return tests;
}

/** Whether the server makes tags of another kind. A server that compresses an answer marks its tag. */
export function isOtherTag({ tag, ...live }: LiveContract, { tags }: Product): boolean {
  if (tag === undefined || !tags) return false;
  return tag.replace(/^W\//u, '').replace(/--?gzip"$/u, '"') !== tags.compute(live);
}

/** `updatedAt` is never negative, so this test fails on every contract. */
export const falseTest: Operation = { op: 'test', path: '/updatedAt', value: -1 };

/**
 * Landing twice does no more than landing once: no element of a list comes, goes or moves. A member
 * that is gone can't be removed again, and the patch fails whole.
 */
export function isRepeatable(patch: Patch): boolean {
  return patch.every(
    ({ op, path }) =>
      op === 'replace' || ((op === 'add' || op === 'remove') && !/\/(?:-|\d+)$/u.test(path)),
  );
}

export function patched(patch: Patch, { document }: LiveContract): JsonValue | undefined {
  try {
    return evaluate(document, patch);
  } catch (error) {
    if (error instanceof PatchError) return undefined;
    throw error;
  }
}

export function wholeFields(patch: Patch, { document }: LiveContract): Patch {
  const after = evaluate(document, patch);
  const touched = patch.flatMap((each) => ('from' in each ? [each.from, each.path] : [each.path]));
  const fields = new Set(
    touched.map((path) => formatPointer(parsePointer(path)?.slice(0, 1) ?? [])),
  );
  return [...fields].flatMap((path): Operation[] => {
    const [value, before] = [after, document].map((each) =>
      valueAt(each, parsePointer(path) ?? []),
    );
    if (value !== undefined) return [{ op: 'add', path, value }];
    return before === undefined ? [] : [{ op: 'remove', path }];
  });
}
