/** Operations of a patch in words, by the keys of elements, and what they take for granted. */

import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { elementKey, keyMembers, type KeyPath, keyPathOf, pointerOf } from './identity.ts';
import type { DiffOptions, Edit, Patch } from './operation.ts';
import { formatPointer, parseIndex, parsePointer, type Pointer, valueAt } from './pointer.ts';

/** The top-level fields of a contract before and after its change; what is gone is absent. */
export type Sides = { readonly live: JsonObject; readonly target: JsonObject };

export type DescribedOperation = {
  readonly kind: Edit['operation']['op'];
  /** The operation's own path: indices as they are when it is applied. */
  readonly path: string;
  /** By key in the live contract: `/schema/{name=amount}/dataType`; `-` is added and has no key. */
  readonly place: string;
  /** The path with the keys of array elements beside their index: `schema[3 amount].dataType`. */
  readonly label: string;
  /** Where a moved value comes from. */
  readonly from?: string;
  /** Absent where there is none, and of a move. */
  readonly before?: JsonValue;
  readonly after?: JsonValue;
};

export function describeOperation(
  edit: Edit,
  { live, target }: Sides,
  arrays: DiffOptions,
): DescribedOperation {
  const { operation } = edit;
  const [pointer, document] = edit.desired ? [edit.desired, target] : [edit.live ?? [], live];
  const isMove = operation.op === 'move';
  const before = edit.live && !isMove ? valueAt(live, edit.live) : undefined;
  const after = edit.desired && !isMove ? valueAt(target, edit.desired) : undefined;
  return {
    kind: operation.op,
    path: operation.path,
    place: formatPointer(placeOf(edit, { live, target }, arrays)),
    label: labelPointer(pointer, document, arrays),
    ...('from' in operation && { from: operation.from }),
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
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
  const isKeyless =
    isArray(valueAt(target, desired.slice(0, -1))) && parseIndex(token) !== undefined;
  const parent = (parsePointer(operation.path) ?? []).slice(0, -1);
  return [...keyPathOf(parent, live, arrays), isKeyless ? '-' : token];
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

/** So many scalars of one value are tested, the first ones: of a long list, its beginning. */
const mostLeaves = 32;

/** Characters: a longer text is left to `updatedAt`, as it would be sent twice. */
const longestText = 10_000;

/**
 * `test` operations on the document as planned against: the key of each element that a change
 * reaches by index, and each scalar that is replaced or removed. A catalog may restore the time
 * and version of a contract that has changed; it cannot restore these.
 */
export function guardOf(
  changes: readonly Pick<DescribedOperation, 'kind' | 'place'>[],
  live: JsonObject,
  arrays: DiffOptions,
  isTestable: (field: string) => boolean,
): Patch {
  const tests = new Map<string, JsonValue>();
  for (const change of changes) {
    const [field = '', ...rest] = parsePointer(change.place) ?? [];
    if (change.kind !== 'add' && !isTestable(field)) continue;
    for (const [at, value] of premisesOf(change.kind, [field, ...rest], live, arrays)) {
      const isLong = typeof value === 'string' && value.length > longestText;
      if (!isLong) tests.set(formatPointer(at), value);
    }
  }
  return [...tests].map(([path, value]) => ({ op: 'test', path, value }));
}

type Premise = readonly [place: Pointer, value: JsonValue];

function premisesOf(
  kind: DescribedOperation['kind'],
  place: KeyPath,
  live: JsonObject,
  arrays: DiffOptions,
): Premise[] {
  // What is added has no place yet, but its parent has.
  const pointer = pointerOf(kind === 'add' ? place.slice(0, -1) : place, live) ?? [];
  const elements = elementsOnTheWay(pointer, live, arrays);
  return kind === 'replace' || kind === 'remove'
    ? [...elements, ...leavesOf(valueAt(live, pointer), pointer)]
    : elements;
}

/** What identifies the elements through which a pointer leads. */
function elementsOnTheWay(pointer: Pointer, live: JsonObject, arrays: DiffOptions): Premise[] {
  return pointer.flatMap((_, depth): Premise[] => {
    const parent = pointer.slice(0, depth);
    if (!isArray(valueAt(live, parent))) return [];
    const place = pointer.slice(0, depth + 1);
    const element = valueAt(live, place);
    const key =
      element === undefined ? undefined : keyMembers(element, parent.at(-1) ?? '', arrays);
    return key
      ? key.map(([member, value]) => [[...place, member], value])
      : leavesOf(element, place);
  });
}

function leavesOf(value: JsonValue | undefined, place: Pointer): Premise[] {
  return value === undefined ? [] : scalarsIn(value, place).take(mostLeaves).toArray();
}

function* scalarsIn(value: JsonValue, place: Pointer): Generator<Premise> {
  if (!isArray(value) && !isObject(value)) return yield [place, value];
  for (const [token, child] of Object.entries(value)) yield* scalarsIn(child, [...place, token]);
}
