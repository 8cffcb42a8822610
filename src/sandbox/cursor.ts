import { isObject, type JsonValue } from '../core/json.ts';
import type { ListKey } from './store.ts';

/** A cursor is opaque to clients (interface §4.5): the key of a row on the edge of a page. */
export function formatCursor({ name, id }: ListKey): string {
  return Buffer.from(JSON.stringify({ name, id })).toString('base64url');
}

/** The key in a cursor, or undefined where the text was never a cursor of this server. */
export function parseCursor(text: string): ListKey | undefined {
  const key = readKey(parseJson(Buffer.from(text, 'base64url').toString()));
  // Decoding forgives stray characters: only the very text that was given out is accepted.
  return key && formatCursor(key) === text ? key : undefined;
}

function readKey(value: JsonValue | undefined): ListKey | undefined {
  if (!isObject(value)) return undefined;
  const { name, id } = value;
  return typeof name === 'string' && typeof id === 'string' ? { name, id } : undefined;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
