import { InexactNumber, isArray, isObject, type JsonValue } from '../core/json.ts';
import { formatPointer, type Pointer } from './pointer.ts';

/** One operation of a JSON Patch (RFC 6902 §4); `path` and `from` are JSON Pointers (RFC 6901). */
export type Operation =
  | { readonly op: 'add'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'replace'; readonly path: string; readonly value: JsonValue }
  | { readonly op: 'move'; readonly from: string; readonly path: string }
  | { readonly op: 'copy'; readonly from: string; readonly path: string }
  | { readonly op: 'test'; readonly path: string; readonly value: JsonValue };

/** Operations in the order in which they are applied (RFC 6902 §3). */
export type Patch = readonly Operation[];

export type DiffOptions = {
  /**
   * Name of an array (of the member that holds it) → the members that together identify its
   * elements. By default `name`, else `id`, else `type` and `name`, else the whole element.
   */
  readonly keys?: Readonly<Record<string, readonly string[]>>;
  /** Names of arrays whose order means nothing; by default none. */
  readonly unordered?: readonly string[];
  /**
   * Moves an element over index 0 where its new path begins with the text of the old one, as
   * `/schema/10` does with `/schema/1`: some servers take that for a move into itself.
   */
  readonly avoidsPrefixMoves?: boolean;
};

/**
 * One operation, with the place of its value in both documents, so that a reader can be shown
 * before and after and the source line.
 */
export type Edit = {
  readonly operation: Exclude<Operation, { readonly op: 'copy' | 'test' }>;
  /** Into the original live document; absent where something is added. */
  readonly live?: Pointer;
  /** Into the desired document; absent where something is removed. */
  readonly desired?: Pointer;
};

export type Place = { readonly live: Pointer; readonly desired: Pointer };

export const root: Place = { live: [], desired: [] };

export function childPlace(parent: Place, live: string | number, desired = live): Place {
  return { live: [...parent.live, String(live)], desired: [...parent.desired, String(desired)] };
}

export function replaceEdit(place: Place, value: JsonValue): Edit {
  return { operation: { op: 'replace', path: formatPointer(place.live), value }, ...place };
}

export function removeEdit({ live }: Place): Edit {
  return { operation: { op: 'remove', path: formatPointer(live) }, live };
}

/** The member of the document in which an edit is. */
export function fieldOf({ live, desired }: Edit): string {
  return (desired ?? live)?.[0] ?? '';
}

export function addEdit({ live, desired }: Place, value: JsonValue): Edit {
  return { operation: { op: 'add', path: formatPointer(live), value }, desired };
}

// A patch costs first its operations, then the UTF-8 bytes of its compact JSON.

export function cheaper(a: readonly Edit[], b: readonly Edit[]): readonly Edit[] {
  if (a.length !== b.length) return a.length < b.length ? a : b;
  return editsBytes(a) <= editsBytes(b) ? a : b;
}

export function editsBytes(edits: readonly Edit[]): number {
  return jsonBytes(edits.map(({ operation }) => operation)) - '[]'.length;
}

export function jsonBytes(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(value));
}

export function fitsInto(bytes: number, value: JsonValue): boolean {
  return bytesLeft(bytes, value) >= 0 && jsonBytes(value) <= bytes;
}

function bytesLeft(bytes: number, value: JsonValue): number {
  if (typeof value === 'string') return bytes - value.length - 2;
  // Such a number can't be sent, so it saves nothing.
  if (value instanceof InexactNumber) return -Infinity;
  let left = bytes - 1;
  if (isArray(value)) {
    for (const element of value) if (left >= 0) left = bytesLeft(left - 1, element);
  } else if (isObject(value)) {
    for (const [member, each] of Object.entries(value))
      if (left >= 0) left = bytesLeft(left - member.length - 4, each);
  }
  return left;
}
