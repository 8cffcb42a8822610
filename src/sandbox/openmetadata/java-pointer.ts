import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { type ErrorAnswer, unhandled } from './error-answer.ts';

/** Where a JSON Pointer leads: the object or list that holds the place, or the document itself. */
export type PatchPlace =
  | { readonly kind: 'root'; readonly value: JsonValue }
  | {
      readonly kind: 'member';
      readonly holder: JsonObject;
      readonly name: string;
      readonly rebuild: Rebuild<JsonObject>;
    }
  | {
      readonly kind: 'element';
      readonly holder: JsonArray;
      /** `-` is the place behind the last element, and known as -1. */
      readonly index: number;
      readonly rebuild: Rebuild<JsonArray>;
    };

/** The document with another holder in the place of the one that was found. */
type Rebuild<Holder> = (holder: Holder) => JsonValue;

export function splitPointer(text: string): readonly string[] {
  const [first, ...tokens] = text.split('/');
  if (first !== '') throw unhandled("A non-empty JSON Pointer must begin with a '/'");
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Every holder on the way must exist; what is at the place itself need not. */
export function findPlace(document: JsonValue, tokens: readonly string[]): PatchPlace {
  return tokens.length === 0 ? { kind: 'root', value: document } : descend(document, tokens, same);
}

function same(holder: JsonValue): JsonValue {
  return holder;
}

function descend(
  target: JsonValue,
  [token = '', ...rest]: readonly string[],
  rebuild: Rebuild<JsonValue>,
): PatchPlace {
  if (isArray(target)) {
    const index = parseIndex(token);
    if (rest.length === 0) return { kind: 'element', holder: target, index, rebuild };
    const child = requireElement(target, index);
    return descend(child, rest, (value) => rebuild(target.with(index, value)));
  }
  if (!isStructure(target) || !isObject(target)) throw notAStructure(target);
  if (rest.length === 0) return { kind: 'member', holder: target, name: token, rebuild };
  const child = Object.hasOwn(target, token) ? target[token] : undefined;
  if (child === undefined) throw noMapping(target, token);
  return descend(child, rest, (value) => rebuild({ ...target, [token]: value }));
}

function parseIndex(token: string): number {
  if (token === '-') return -1;
  if (token === '' || /^[+-]/u.test(token)) {
    throw unhandled(`Array index format error, was '${token}'`);
  }
  const index = /^\d+$/u.test(token) ? Number(token) : Infinity;
  if (index > 2 ** 31 - 1) throw unhandled(`Illegal integer format, was '${token}'`);
  return index;
}

export function isPresent(place: PatchPlace): boolean {
  switch (place.kind) {
    case 'root':
      return true;
    case 'member':
      return Object.hasOwn(place.holder, place.name);
    case 'element':
      return place.index >= 0 && place.index < place.holder.length;
  }
}

/** The value at a place where there must be one. */
export function requireValue(place: PatchPlace): JsonValue {
  switch (place.kind) {
    case 'root':
      return place.value;
    case 'member':
      if (!isPresent(place)) throw missingMember(place.name);
      return place.holder[place.name] ?? null;
    case 'element':
      return requireElement(place.holder, place.index);
  }
}

function requireElement(list: JsonArray, index: number): JsonValue {
  const element = list[index];
  if (element === undefined) throw outOfRange(list, index);
  return element;
}

/** An object or a list: a number with a decimal point is an object to JavaScript alone. */
export function isStructure(value: JsonValue): value is JsonObject | JsonArray {
  return typeof value === 'object' && value !== null && !JSON.isRawJSON(value);
}

export function outOfRange({ length }: JsonArray, index: number): ErrorAnswer {
  return unhandled(`An array item index is out of range. Index: ${index}, Size: ${length}`);
}

function missingMember(name: string): ErrorAnswer {
  return unhandled(`Non-existing name/value pair in the object for key ${name}`);
}

function noMapping(object: JsonObject, name: string): ErrorAnswer {
  const text = JSON.stringify(object);
  return unhandled(`The JSON Object '${text}' contains no mapping for the name '${name}'`);
}

function notAStructure(value: JsonValue): ErrorAnswer {
  return unhandled(
    `The reference value in a JSON Pointer must be a JSON Object or a JSON Array, was '${kindOf(value)}'`,
  );
}

function kindOf(value: JsonValue): string {
  if (typeof value === 'string') return 'STRING';
  if (typeof value === 'boolean' || value === null) return String(value).toUpperCase();
  return 'NUMBER';
}
