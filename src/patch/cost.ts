/** What a patch costs: first its operations, then the UTF-8 bytes of its compact JSON. */

import { isArray, isObject, type JsonValue } from '../json.ts';
import type { Edit } from './edit.ts';

/** The cheaper list of edits; of two that cost the same, the first. */
export function cheaper(a: readonly Edit[], b: readonly Edit[]): readonly Edit[] {
  if (a.length !== b.length) return a.length < b.length ? a : b;
  return editsBytes(a) <= editsBytes(b) ? a : b;
}

/** Bytes that the operations take within a patch, the commas between them included. */
export function editsBytes(edits: readonly Edit[]): number {
  const bytes = edits.reduce((sum, { operation }) => sum + jsonBytes(operation), 0);
  return bytes + Math.max(0, edits.length - 1);
}

/** Bytes of the value's compact JSON. */
export function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Whether the value takes at most so many bytes; stops counting as soon as it takes more. */
export function fitsInto(bytes: number, value: JsonValue): boolean {
  return bytesLeft(bytes, value) >= 0;
}

function bytesLeft(bytes: number, value: JsonValue): number {
  if (isArray(value)) return childrenBytesLeft(bytes, value, () => 0);
  if (!isObject(value)) return bytes - jsonBytes(value);
  const members = Object.keys(value);
  return childrenBytesLeft(
    bytes,
    Object.values(value),
    (index) => jsonBytes(members[index] ?? '') + 1,
  );
}

/** For brackets, commas, and each child after its label. */
function childrenBytesLeft(
  bytes: number,
  children: readonly JsonValue[],
  labelBytes: (index: number) => number,
): number {
  let left = bytes - 2 - Math.max(0, children.length - 1);
  for (const [index, child] of children.entries()) {
    if (left < 0) return left;
    left = bytesLeft(left - labelBytes(index), child);
  }
  return left;
}
