/** What a patch costs: first its operations, then the UTF-8 bytes of its compact JSON. */

import {
  isArray,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { InexactNumber } from '../core/number.ts';
import type { Edit } from './operation.ts';

/** The cheaper list of edits; of two that cost the same, the first. */
export function cheaper(a: readonly Edit[], b: readonly Edit[]): readonly Edit[] {
  if (a.length !== b.length) return a.length < b.length ? a : b;
  return editsBytes(a) <= editsBytes(b) ? a : b;
}

/** Bytes that the operations take within a patch, the commas between them included. */
export function editsBytes(edits: readonly Edit[]): number {
  return jsonBytes(edits.map(({ operation }) => operation)) - '[]'.length;
}

/** Bytes of the value's compact JSON. */
export function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether the value's compact JSON takes at most so many bytes; tells soon if it takes far more. */
export function fitsInto(bytes: number, value: JsonValue): boolean {
  return bytesLeft(bytes, value) >= 0 && jsonBytes(value) <= bytes;
}

/** What the value leaves of the bytes at best: no text is shorter than its UTF-16 code units. */
function bytesLeft(bytes: number, value: JsonValue): number {
  if (typeof value === 'string') return bytes - value.length - 2;
  if (isArray(value)) return bytesLeftByArray(bytes, value);
  if (isObject(value)) return bytesLeftByObject(bytes, value);
  // To carry such a number is no way to save bytes: it can't be sent.
  return value instanceof InexactNumber ? -Infinity : bytes - 1;
}

function bytesLeftByArray(bytes: number, array: JsonArray): number {
  let left = bytes - 1;
  for (const element of array) {
    left = bytesLeft(left - 1, element);
    if (left < 0) return left;
  }
  return left;
}

function bytesLeftByObject(bytes: number, object: JsonObject): number {
  let left = bytes - 1;
  for (const [member, value] of Object.entries(object)) {
    left = bytesLeft(left - member.length - 4, value);
    if (left < 0) return left;
  }
  return left;
}
