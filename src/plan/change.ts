import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { DesiredContract } from '../contract/contract.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import { elementKey, type DiffOptions } from '../patch/diff.ts';
import type { Edit } from '../patch/operation.ts';
import { valueAt, type Pointer } from '../patch/pointer.ts';
import type { Change } from './plan.ts';
import type { Rules } from './rules.ts';

export type Documents = { readonly live: JsonObject; readonly target: JsonObject };

/** An edit as a reviewer reads it: the values on both sides and the line that asks for it. */
export function describeEdit(
  edit: Edit,
  { live, target }: Documents,
  desired: DesiredContract,
  { arrays, conventions }: Pick<Rules, 'arrays' | 'conventions'>,
): Change {
  const { operation } = edit;
  const written = (pointer: Pointer | undefined, side: JsonObject): JsonValue | undefined => {
    const value = pointer && valueAt(side, pointer);
    const isField = pointer?.length === 1 && value !== undefined;
    return isField ? conventions.asWritten(pointer[0] ?? '', value) : value;
  };
  const before = written(edit.live, live);
  const after = written(edit.desired, target);
  const [pointer, document] = edit.desired ? [edit.desired, target] : [edit.live ?? [], live];
  return {
    kind: operation.op,
    path: operation.path,
    label: labelPointer(pointer, document, arrays),
    ...('from' in operation && { from: operation.from }),
    ...(before !== undefined && operation.op !== 'move' && { before }),
    ...(after !== undefined && operation.op !== 'move' && { after }),
    source: edit.desired ? desired.locate(edit.desired) : locateRemoved(edit.live ?? [], desired),
  };
}

/** What is removed mostly stands nowhere in the file: the line to look at is its parent's. */
function locateRemoved(pointer: Pointer, desired: DesiredContract): SourcePosition {
  return desired.locateRemoved?.(pointer) ?? desired.locate(pointer.slice(0, -1));
}

/** `schema[3 amount].dataType`: the key of an array element beside its index. */
export function labelPointer(pointer: Pointer, document: JsonValue, arrays: DiffOptions): string {
  let label = '';
  let parent: JsonValue | undefined = document;
  let arrayName = '';
  for (const token of pointer) {
    const child: JsonValue | undefined = valueAt(parent ?? null, [token]);
    if (isArray(parent)) {
      const key = child === undefined ? undefined : elementKey(child, arrayName, arrays);
      label += key === undefined ? `[${token}]` : `[${token} ${key}]`;
    } else {
      label += label === '' ? token : `.${token}`;
      arrayName = token;
    }
    parent = isArray(child) || isObject(child) ? child : undefined;
  }
  return label;
}
