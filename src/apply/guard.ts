import type { Product } from '../catalog/products/product.ts';
import type { LiveContract } from '../contract/contract.ts';
import type { JsonValue } from '../core/json.ts';
import { guardOf } from '../patch/describe.ts';
import { evaluate, type Operation, type Patch, PatchError } from '../patch/evaluate.ts';
import type { DiffOptions } from '../patch/identity.ts';
import { formatPointer, parsePointer, valueAt } from '../patch/pointer.ts';
import { sidesOf } from '../plan/change.ts';
import type { UpdatePlan } from '../plan/plan.ts';

/**
 * `test` operations that make a patch land on the contract as it was planned against, or not at
 * all: a patch is atomic (RFC 6902 §5). Empty where nothing shows whether the contract was written.
 * `If-Match` can't replace them: the interface has no ETags.
 */
export function guardFor(change: UpdatePlan, product: Product, arrays: DiffOptions): Patch {
  const state = stateTests(change, product);
  if (state.length === 0) return [];
  const tests = guardOf(change.changes, sidesOf(change).live, arrays, product.isTestable);
  // Reading makes 4.0 the number 4: where the catalog tells them apart, integers aren't tested.
  const isSafe = (test: Operation): boolean =>
    product.comparesNumbers || !('value' in test && Number.isInteger(test.value));
  return [...state, ...tests.filter(isSafe)];
}

// The interface's version is a number (§2.1): the plan's `1.0` is the catalog's 1.
function stateTests(change: UpdatePlan, { comparesNumbers }: Product): Patch {
  const { liveUpdatedAt: updatedAt, liveVersion, liveVersionNumber } = change;
  const version = liveVersionNumber === undefined ? Number(liveVersion) : liveVersionNumber;
  const tests: Operation[] = [];
  if (updatedAt !== undefined) tests.push({ op: 'test', path: '/updatedAt', value: updatedAt });
  // Without a time there is only the version to test.
  const isCompared = comparesNumbers || updatedAt === undefined;
  if (isCompared && version !== null && Number.isFinite(version))
    tests.push({ op: 'test', path: '/version', value: version });
  return tests;
}

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

/** Each field that the patch touches, whole, as the patch leaves it. */
export function wholeFields(patch: Patch, { document }: LiveContract): Patch {
  const after = evaluate(document, patch);
  const touched = patch.flatMap((each) => ('from' in each ? [each.from, each.path] : [each.path]));
  const fields = new Set(touched.map((path) => parsePointer(path)?.[0] ?? ''));
  return [...fields].flatMap((field): Operation[] => {
    const path = formatPointer([field]);
    const value = valueAt(after, [field]);
    if (value !== undefined) return [{ op: 'add', path, value }];
    return Object.hasOwn(document, field) ? [{ op: 'remove', path }] : [];
  });
}
