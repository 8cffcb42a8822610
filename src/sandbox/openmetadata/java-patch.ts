import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { ErrorAnswer, unhandled } from './error-answer.ts';
import {
  findPlace,
  isPresent,
  isStructure,
  outOfRange,
  splitPointer,
  type PatchPlace,
  requireValue,
} from './java-pointer.ts';
import { parseJavaJson, toText } from './java-json.ts';

/**
 * JSON Patch as the Java library of the server evaluates it: by RFC 6902, but for the
 * case of `op`, indices like `01`, numbers, and messages of its own.
 */
export function parseOperations(text: string): readonly JsonValue[] {
  const value = parseFirst(text);
  if (isArray(value)) return value;
  throw new ErrorAnswer(500, 'Failed to parse JsonPatch');
}

/** The library stops reading at the end of the list: what follows may be anything. */
function parseFirst(text: string): JsonValue | undefined {
  const ends = [...text.matchAll(/\]/gu)].map(({ index }) => index + 1);
  for (const end of [text.length, ...ends]) {
    try {
      return parseJavaJson(text.slice(0, end));
    } catch {
      // It ends at a later bracket, or nowhere.
    }
  }
  return undefined;
}

export function pathOf(operation: JsonValue): string {
  const path = isObject(operation) ? operation['path'] : undefined;
  return typeof path === 'string' ? path : '';
}

/** Links are the server's own: operations on them are left out. */
export function withoutLinks(operations: readonly JsonValue[]): readonly JsonValue[] {
  return operations.filter((operation) => !pathOf(operation).endsWith('href'));
}

/** The operations run in order; the first that fails fails all. */
export function evaluateOperations(
  document: JsonValue,
  operations: readonly JsonValue[],
): JsonValue {
  let result = document;
  for (const operation of operations) {
    if (!isObject(operation)) throw unhandled('A JSON Patch must be an array of JSON Objects');
    result = evaluateOperation(result, operation);
  }
  return result;
}

function evaluateOperation(target: JsonValue, operation: JsonObject): JsonValue {
  const path = pointerOf(operation, 'path');
  const op = operation['op'];
  if (typeof op !== 'string') throw unhandled("The JSON Patch must contain 'op' member");
  switch (op.toLowerCase()) {
    case 'add':
      return add(findPlace(target, path), valueOf(operation));
    case 'replace':
      return replace(findPlace(target, path), valueOf(operation));
    case 'remove':
      return remove(findPlace(target, path));
    case 'copy':
      return copy(target, operation);
    case 'move':
      return move(target, operation);
    case 'test':
      return test(target, operation);
    default:
      throw unhandled(`Illegal value for the operationName of the JSON patch operation: ${op}`);
  }
}

function add(place: PatchPlace, value: JsonValue): JsonValue {
  switch (place.kind) {
    case 'root':
      return requireStructure(value);
    case 'member':
      return place.rebuild({ ...place.holder, [place.name]: value });
    case 'element': {
      const { holder, index, rebuild } = place;
      if (index > holder.length) throw outOfRange(holder, index);
      return rebuild(holder.toSpliced(index === -1 ? holder.length : index, 0, value));
    }
  }
}

function replace(place: PatchPlace, value: JsonValue): JsonValue {
  requireValue(place);
  if (place.kind !== 'element') return add(place, value);
  return place.rebuild(place.holder.with(place.index, value));
}

function remove(place: PatchPlace): JsonValue {
  requireValue(place);
  switch (place.kind) {
    case 'root':
      throw unhandled('The JSON value at the root cannot be removed');
    case 'member': {
      const { [place.name]: _removed, ...rest } = place.holder;
      return place.rebuild(rest);
    }
    case 'element':
      return place.rebuild(place.holder.toSpliced(place.index, 1));
  }
}

function copy(target: JsonValue, operation: JsonObject): JsonValue {
  const source = findPlace(target, pointerOf(operation, 'from'));
  return add(findPlace(target, pointerOf(operation, 'path')), requireValue(source));
}

/** The library compares texts, so `/schema/1` is a prefix of `/schema/10` to it. */
function move(target: JsonValue, operation: JsonObject): JsonValue {
  const [from, path] = [pointerOf(operation, 'from'), pointerOf(operation, 'path')];
  const [source, destination] = [toText(operation['from']), toText(operation['path'])];
  if (destination.startsWith(source) && destination !== source) {
    throw unhandled(
      `The '${source}' path of the patch operation 'move' is a proper prefix of the '${destination}' path`,
    );
  }
  const place = findPlace(target, from);
  if (!isPresent(place)) {
    throw unhandled(
      `The '${source}' path of the patch operation 'move' does not exist in target object`,
    );
  }
  if (source === destination) return target;
  return add(findPlace(remove(place), path), requireValue(place));
}

function test(target: JsonValue, operation: JsonObject): JsonValue {
  const expected = valueOf(operation);
  const found = requireValue(findPlace(target, pointerOf(operation, 'path')));
  if (deepEqual(expected, found)) return target;
  throw unhandled(
    `The JSON Patch operation 'test' failed for path '${pathOf(operation)}' and value '${JSON.stringify(expected)}'`,
  );
}

function pointerOf(operation: JsonObject, member: 'from' | 'path'): readonly string[] {
  const text = operation[member];
  if (typeof text !== 'string') throw memberMissing(operation, member);
  return splitPointer(text);
}

function valueOf(operation: JsonObject): JsonValue {
  const value = operation['value'];
  if (value === undefined) throw memberMissing(operation, 'value');
  return value;
}

function memberMissing(operation: JsonObject, member: string): ErrorAnswer {
  const op = toText(operation['op']);
  return unhandled(`The JSON Patch operation '${op}' must contain a '${member}' member`);
}

function requireStructure(value: JsonValue): JsonValue {
  if (isStructure(value)) return value;
  throw unhandled('The root value only allows adding a JSON object or array');
}
