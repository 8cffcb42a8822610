/** What became of a contract from one of its states to the next. */

import type { JsonObject, JsonValue } from '../core/json.ts';
import { diff, type DiffOptions, type Edit } from '../patch/diff.ts';
import { keyPathOf, labelKeyPath } from '../patch/key-path.ts';
import { formatPointer, type Pointer, valueAt } from '../patch/pointer.ts';
import type { HistoryRules } from './state.ts';

/** One change of a place, as a person reads it. */
export type VersionChange = {
  readonly kind: 'add' | 'remove' | 'replace' | 'move';
  /** By key: `/schema/{name=amount}/dataType`. */
  readonly path: string;
  /** `schema[amount].dataType`. */
  readonly label: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

export function changesBetween(
  earlier: JsonObject,
  later: JsonObject,
  { arrays }: HistoryRules,
): readonly VersionChange[] {
  const states = { earlier, later, arrays };
  return diff(earlier, later, arrays).flatMap((edit) => describeChange(edit, states));
}

type States = {
  readonly earlier: JsonObject;
  readonly later: JsonObject;
  readonly arrays: DiffOptions;
};

function describeChange(edit: Edit, { earlier, later, arrays }: States): VersionChange[] {
  const from = edit.live && placeIn(earlier, edit.live, arrays);
  const to = edit.desired && placeIn(later, edit.desired, arrays);
  if (from && to && edit.operation.op === 'move') return [{ kind: 'move', ...nameOf(to) }];
  if (!from) return to ? [{ kind: 'add', ...nameOf(to), after: to.value }] : [];
  const removed = { kind: 'remove', ...nameOf(from), before: from.value } as const;
  if (!to) return [removed];
  // One element that takes another's slot is no change of either of them.
  if (from.path !== to.path && isKeyed(from.path))
    return [removed, { kind: 'add', ...nameOf(to), after: to.value }];
  return [{ kind: 'replace', ...nameOf(from), before: from.value, after: to.value }];
}

/** Whether a path ends with an element, and not with a member in one. */
function isKeyed(path: string): boolean {
  return path.endsWith('}');
}

type Located = { readonly path: string; readonly label: string; readonly value: JsonValue };

function placeIn(document: JsonObject, pointer: Pointer, arrays: DiffOptions): Located {
  const path = keyPathOf(pointer, document, arrays);
  return {
    path: formatPointer(path),
    label: labelKeyPath(path),
    value: valueAt(document, pointer) ?? null,
  };
}

function nameOf({ path, label }: Located) {
  return { path, label };
}
