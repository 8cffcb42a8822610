import {
  deepEqual,
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { diff } from '../../patch/diff.ts';
import type { Operation, Patch } from '../../patch/operation.ts';
import { formatPointer } from '../../patch/pointer.ts';

/**
 * The operations that change one collection into another item by item, so that all items that stay
 * keep their text; undefined where the two have too little in common.
 */
export function partsOf(former: JsonValue, value: JsonValue, path: string): Patch | undefined {
  if (isObject(former) && isObject(value)) return memberParts(former, value, path);
  if (isArray(former) && isArray(value)) return elementParts(former, value, path);
  return undefined;
}

/** What is new comes before what goes: a mapping that is empty in between would lose its style. */
function memberParts(former: JsonObject, value: JsonObject, path: string): Patch | undefined {
  if (isNone(former) || isNone(value)) return undefined;
  const at = (key: string): string => path + formatPointer([key]);
  const written = Object.entries(value).flatMap(([key, member]): Operation[] => {
    if (!Object.hasOwn(former, key)) return [{ op: 'add', path: at(key), value: member }];
    const isSame = deepEqual(former[key], member);
    return isSame ? [] : [{ op: 'replace', path: at(key), value: member }];
  });
  const removed = Object.keys(former).filter((key) => !Object.hasOwn(value, key));
  return [...written, ...removed.map((key): Operation => ({ op: 'remove', path: at(key) }))];
}

function elementParts(former: JsonArray, value: JsonArray, path: string): Patch | undefined {
  if (isNone(former) || isNone(value)) return undefined;
  const operations = diff(former, value).map(({ operation }) => below(path, operation));
  const removals = operations.filter(({ op }) => op === 'remove').length;
  return removals < former.length ? operations : inOrder(former, value, path);
}

function below(path: string, operation: Operation): Operation {
  const moved = { ...operation, path: path + operation.path };
  return moved.op === 'move' || moved.op === 'copy' ? { ...moved, from: path + moved.from } : moved;
}

/** Element by element, where no element stays: a sequence is not empty in between either. */
function inOrder(former: JsonArray, value: JsonArray, path: string): Patch {
  const written = value.map((item, index): Operation => {
    const isThere = index < former.length;
    return { op: isThere ? 'replace' : 'add', path: `${path}/${index}`, value: item };
  });
  const surplus = former.slice(value.length).map((): Operation => {
    return { op: 'remove', path: `${path}/${value.length}` };
  });
  return [...written, ...surplus];
}

function isNone(value: JsonArray | JsonObject): boolean {
  return Object.keys(value).length === 0;
}
