import type { JsonObject, JsonValue } from '../../core/json.ts';
import { ErrorAnswer } from '../http.ts';
import { isList, isRecord, isSame, parseJavaJson, toText } from '../json.ts';
import { unhandled } from './error-answer.ts';

// JSON Patch as the server's Java library evaluates it: by RFC 6902, but for the case of `op`,
// indices like `01`, numbers, and messages of its own.
export function parseOperations(text: string): readonly JsonValue[] {
  const value = parseFirst(text);
  if (isList(value)) return value;
  throw new ErrorAnswer(500, 'Failed to parse JsonPatch');
}

// The library stops reading at the end of the list, whatever follows.
function parseFirst(text: string): JsonValue | undefined {
  const ends = [...text.matchAll(/\]/gu)].map(({ index }) => index + 1);
  for (const end of [text.length, ...ends]) {
    try {
      return parseJavaJson(text.slice(0, end));
    } catch {
      // The list ends at a later bracket, or nowhere.
    }
  }
  return undefined;
}

export function pathOf(operation: JsonValue): string {
  const path = isRecord(operation) ? operation['path'] : undefined;
  return typeof path === 'string' ? path : '';
}

/** The server ignores operations on links. */
export function withoutLinks(operations: readonly JsonValue[]): readonly JsonValue[] {
  return operations.filter((operation) => !pathOf(operation).endsWith('href'));
}

type Members = { [member: string]: JsonValue };

type Place =
  | { readonly in: Members; readonly name: string }
  /** `-` is the place behind the last element, as -1. */
  | { readonly in: JsonValue[]; readonly index: number };

export function evaluateOperations(document: JsonValue, operations: readonly JsonValue[]) {
  // A copy, which is changed in place; the document is a member, so replacing it is no special
  // case.
  const root: Members = { '': copyOf(document) };
  for (const operation of operations) {
    if (!isRecord(operation)) throw unhandled('A JSON Patch must be an array of JSON Objects');
    evaluateOperation(root, operation);
  }
  return root[''] ?? null;
}

function copyOf(value: JsonValue): JsonValue {
  return parseJavaJson(JSON.stringify(value));
}

function evaluateOperation(root: Members, operation: JsonObject): void {
  const path = pointerOf(operation, 'path');
  const { op } = operation;
  if (typeof op !== 'string') throw unhandled("The JSON Patch must contain 'op' member");
  const isRoot = path.length === 1;
  switch (op.toLowerCase()) {
    case 'add':
      return add(findPlace(root, path), valueOf(operation), isRoot);
    case 'replace': {
      const [place, value] = [findPlace(root, path), valueOf(operation)];
      requireValue(place);
      if ('name' in place) return add(place, value, isRoot);
      place.in[place.index] = value;
      return undefined;
    }
    case 'remove':
      if (isRoot) throw unhandled('The JSON value at the root cannot be removed');
      return remove(findPlace(root, path));
    case 'copy': {
      const value = requireValue(findPlace(root, pointerOf(operation, 'from')));
      return add(findPlace(root, path), copyOf(value), isRoot);
    }
    case 'move':
      return move(root, operation, path);
    case 'test':
      return test(findPlace(root, path), operation);
    default:
      throw unhandled(`Illegal value for the operationName of the JSON patch operation: ${op}`);
  }
}

function add(place: Place, value: JsonValue, isRoot = false): void {
  if (isRoot && !isRecord(value) && !isList(value))
    throw unhandled('The root value only allows adding a JSON object or array');
  if ('name' in place) {
    // An assignment would take `__proto__` for the prototype.
    const property = { value, configurable: true, enumerable: true, writable: true };
    Object.defineProperty(place.in, place.name, property);
    return;
  }
  const { in: list, index } = place;
  if (index > list.length) throw outOfRange(list, index);
  list.splice(index === -1 ? list.length : index, 0, value);
}

function remove(place: Place): void {
  requireValue(place);
  if ('name' in place) delete place.in[place.name];
  else place.in.splice(place.index, 1);
}

// The library compares texts, so `/schema/1` is a prefix of `/schema/10` to it.
function move(root: Members, operation: JsonObject, path: readonly string[]): void {
  const from = pointerOf(operation, 'from');
  const [source, destination] = [toText(operation['from']), pathOf(operation)];
  if (destination.startsWith(source) && destination !== source) {
    throw unhandled(
      `The '${source}' path of the patch operation 'move' is a proper prefix of the '${destination}' path`,
    );
  }
  const place = findPlace(root, from);
  const value = valueAt(place);
  if (value === undefined) {
    throw unhandled(
      `The '${source}' path of the patch operation 'move' does not exist in target object`,
    );
  }
  if (source === destination) return;
  remove(place);
  add(findPlace(root, path), value, path.length === 1);
}

function test(place: Place, operation: JsonObject): void {
  const expected = valueOf(operation);
  if (isSame(expected, requireValue(place))) return;
  throw unhandled(
    `The JSON Patch operation 'test' failed for path '${pathOf(operation)}' and value '${JSON.stringify(expected)}'`,
  );
}

// The first token is the document itself.
function pointerOf(operation: JsonObject, member: 'from' | 'path'): readonly string[] {
  const text = operation[member];
  if (typeof text !== 'string') throw memberMissing(operation, member);
  const [first = '', ...tokens] = text.split('/');
  if (first !== '') throw unhandled("A non-empty JSON Pointer must begin with a '/'");
  return [first, ...tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))];
}

function valueOf(operation: JsonObject): JsonValue {
  const { value } = operation;
  if (value === undefined) throw memberMissing(operation, 'value');
  return value;
}

function memberMissing(operation: JsonObject, member: string): ErrorAnswer {
  const op = toText(operation['op']);
  return unhandled(`The JSON Patch operation '${op}' must contain a '${member}' member`);
}

function findPlace(root: Members, pointer: readonly string[]): Place {
  let place: Place = { in: root, name: '' };
  for (const token of pointer.slice(1)) {
    const holder: JsonValue | undefined = 'name' in place ? valueAt(place) : requireValue(place);
    if (holder === undefined) {
      const text = JSON.stringify(place.in);
      const name = 'name' in place ? place.name : '';
      throw unhandled(`The JSON Object '${text}' contains no mapping for the name '${name}'`);
    }
    if (Array.isArray(holder)) place = { in: holder, index: parseIndex(token) };
    else if (isRecord(holder)) place = { in: holder, name: token };
    else {
      throw unhandled(
        `The reference value in a JSON Pointer must be a JSON Object or a JSON Array, was '${kindOf(holder)}'`,
      );
    }
  }
  return place;
}

function parseIndex(token: string): number {
  if (token === '-') return -1;
  if (token === '' || /^[+-]/u.test(token))
    throw unhandled(`Array index format error, was '${token}'`);
  const index = /^\d+$/u.test(token) ? Number(token) : Infinity;
  if (index > 2 ** 31 - 1) throw unhandled(`Illegal integer format, was '${token}'`);
  return index;
}

function valueAt(place: Place): JsonValue | undefined {
  if ('index' in place) return place.in[place.index];
  return Object.hasOwn(place.in, place.name) ? place.in[place.name] : undefined;
}

function requireValue(place: Place): JsonValue {
  const value = valueAt(place);
  if (value !== undefined) return value;
  if ('index' in place) throw outOfRange(place.in, place.index);
  throw unhandled(`Non-existing name/value pair in the object for key ${place.name}`);
}

function outOfRange({ length }: readonly JsonValue[], index: number): ErrorAnswer {
  return unhandled(`An array item index is out of range. Index: ${index}, Size: ${length}`);
}

function kindOf(value: JsonValue): string {
  if (typeof value === 'string') return 'STRING';
  if (typeof value === 'boolean' || value === null) return String(value).toUpperCase();
  return 'NUMBER';
}
