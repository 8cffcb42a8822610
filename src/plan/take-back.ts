import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { evaluate, PatchError } from '../patch/evaluate.ts';
import type { Operation } from '../patch/operation.ts';
import { formatPointer, parsePointer, valueAt } from '../patch/pointer.ts';
import type { Change, UpdatePlan } from './plan.ts';

/**
 * The fields that a patch touches, before it and after it: out of what the plan says of its target,
 * taken back operation by operation. Throws a PatchError where the patch does not lead there.
 */
export function touchedSides({ target, patch, changes }: UpdatePlan): {
  readonly live: JsonObject;
  readonly target: JsonObject;
} {
  const after = Object.fromEntries(Object.entries(target).filter(([, value]) => value !== null));
  const live = patch.reduceRight<JsonValue>(
    (document, operation, index) =>
      evaluate(document, takenBack(operation, changes[index], document)),
    after,
  );
  if (!isObject(live) || !deepEqual(evaluate(live, patch), after))
    throw new PatchError(-1, 'The patch leads to another target.');
  return { live, target: after };
}

function takenBack(
  operation: Operation,
  change: Pick<Change, 'before'> = {},
  document: JsonValue,
): readonly Operation[] {
  const { op, path } = operation;
  const value = change.before;
  switch (op) {
    case 'add':
    case 'copy':
      return [{ op: 'remove', path: lastElement(path, document) }];
    case 'remove':
      return value === undefined ? [] : [{ op: 'add', path, value }];
    case 'replace':
      return value === undefined ? [] : [{ op, path, value }];
    case 'move':
      return [{ op, from: path, path: operation.from }];
    case 'test':
      return [];
  }
}

/** What was added at the end, `-`, is the last element now (RFC 6901 §4). */
export function lastElement(path: string, document: JsonValue): string {
  const pointer = parsePointer(path) ?? [];
  const parent = pointer.slice(0, -1);
  const array = valueAt(document, parent);
  if (pointer.at(-1) !== '-' || !isArray(array)) return path;
  return formatPointer([...parent, String(array.length - 1)]);
}
