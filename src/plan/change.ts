import { deepEqual, isArray, isObject, type JsonValue } from '../core/json.ts';
import type { DesiredContract } from '../contract/contract.ts';
import type { SourcePosition } from '../core/diagnostic.ts';
import { elementKey, type DiffOptions } from '../patch/diff.ts';
import { type KeyPath, keyPathOf } from '../patch/key-path.ts';
import type { Edit } from '../patch/operation.ts';
import {
  formatPointer,
  parseIndex,
  parsePointer,
  type Pointer,
  valueAt,
} from '../patch/pointer.ts';
import type { Change } from './plan.ts';
import type { Rules } from './rules.ts';
import type { Sides } from './views.ts';

/** An edit as a reviewer reads it: the values on both sides and the line that asks for it. */
export function describeEdit(
  edit: Edit,
  { live, target }: Sides,
  desired: DesiredContract,
  { arrays, conventions }: Pick<Rules, 'arrays' | 'conventions'>,
): Change {
  const { operation } = edit;
  const before = edit.live && valueAt(live, edit.live);
  const after = edit.desired && valueAt(target, edit.desired);
  const [pointer, document] = edit.desired ? [edit.desired, target] : [edit.live ?? [], live];
  return {
    kind: operation.op,
    path: operation.path,
    place: formatPointer(placeOf(edit, { live, target }, arrays)),
    label: labelPointer(pointer, document, arrays),
    ...('from' in operation && { from: operation.from }),
    ...(before !== undefined && operation.op !== 'move' && { before }),
    ...(after !== undefined && operation.op !== 'move' && { after }),
    ...inWordsOfFiles(pointer, { before, after }, conventions),
    source: edit.desired ? desired.locate(edit.desired) : locateRemoved(edit.live ?? [], desired),
  };
}

/** What is added goes by the key that it will have, and `-` without one; its parent is live already. */
function placeOf(
  { live: removed, desired = [], operation }: Edit,
  { live, target }: Sides,
  arrays: DiffOptions,
): KeyPath {
  if (removed) return keyPathOf(removed, live, arrays);
  const token = keyPathOf(desired, target, arrays).at(-1) ?? '';
  const isKeyless = isArray(valueAt(target, desired.slice(0, -1))) && isIndex(token);
  const parent = (parsePointer(operation.path) ?? []).slice(0, -1);
  return [...keyPathOf(parent, live, arrays), isKeyless ? '-' : token];
}

/** Whole fields as a file writes them, where the catalog writes them otherwise. */
export function inWordsOfFiles(
  [field = '', ...deeper]: Pointer,
  { before, after }: Readonly<Record<'before' | 'after', JsonValue | undefined>>,
  { asWritten }: Rules['conventions'],
): Pick<Change, 'inWords'> {
  if (deeper.length > 0) return {};
  const words = {
    ...(before !== undefined && { before: asWritten(field, before) }),
    ...(after !== undefined && { after: asWritten(field, after) }),
  };
  const isOther = !deepEqual(words.before, before) || !deepEqual(words.after, after);
  return isOther ? { inWords: words } : {};
}

/** What is removed mostly stands nowhere in the file, unless it is null: the line to look at is its parent's. */
function locateRemoved(pointer: Pointer, desired: DesiredContract): SourcePosition {
  // Elements of arrays have other places in a file than in the catalog.
  const isNull = !pointer.some(isIndex) && valueAt(desired.managed, pointer) === null;
  if (isNull) return desired.locate(pointer);
  return desired.locateRemoved?.(pointer) ?? desired.locate(pointer.slice(0, -1));
}

function isIndex(token: string): boolean {
  return parseIndex(token) !== undefined;
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
