/** JSON as both kinds of catalog handle it: the sandbox shares no code with the product. */

import { isDeepStrictEqual } from 'node:util';
import type { JsonArray, JsonObject, JsonValue } from '../core/json.ts';

declare global {
  /** ECMA-262 has these (JSON.parse source text access); the compiler's library does not yet. */
  interface JSON {
    rawJSON(text: string): JsonObject;
    isRawJSON(value: unknown): boolean;
  }
}

/** An object of the JSON text: a number with a decimal point is an object to JavaScript alone. */
export function isRecord(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
  );
}

export function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

/** A list as it is; nothing and everything else as an empty one. */
export function toList(value: JsonValue | undefined): JsonArray {
  return isList(value) ? value : [];
}

/** A text as it is; of any other value its JSON. */
export function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** The number that a value is, whether it has a decimal point or not. */
export function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : undefined;
}

/** Whatever the order of members. */
export function isSame(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return isDeepStrictEqual(a, b);
}

export function isAbsent(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null;
}

export function byCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Any version and variant (RFC 9562). */
export const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/iu;

/**
 * Parses JSON as a Java server does: a number that is written with a decimal point or an exponent
 * is another number than one without, so that 4.0 is not 4, while 0.10 is 0.1.
 */
export function parseJavaJson(text: string): JsonValue {
  return JSON.parse(text, markDecimal);
}

/** The third argument, too, is not yet in the compiler's library. */
function markDecimal(...[, value, context]: readonly unknown[]): unknown {
  if (typeof value !== 'number' || typeof context !== 'object' || !context) return value;
  return 'source' in context && /[.e]/iu.test(String(context.source)) ? decimal(value) : value;
}

/** A number with a decimal point: only a whole one needs more than JavaScript's own. */
export function decimal(value: number): JsonValue {
  return Number.isInteger(value) ? JSON.rawJSON(value.toFixed(1)) : value;
}
