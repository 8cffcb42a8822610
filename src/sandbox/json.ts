import type { JsonArray, JsonObject, JsonValue } from '../core/json.ts';

export { isDeepStrictEqual as isSame } from 'node:util';

declare global {
  /** In ECMA-262 (JSON.parse source text access), but not yet in the compiler's library. */
  interface JSON {
    rawJSON(text: string): JsonObject;
    isRawJSON(value: unknown): boolean;
  }
}

/** False for a number with a decimal point, which is an object in JavaScript alone. */
export function isRecord(value: JsonValue | undefined): value is JsonObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)
  );
}

export function isList(value: JsonValue | undefined): value is JsonArray {
  return Array.isArray(value);
}

export function toList(value: JsonValue | undefined): JsonArray {
  return isList(value) ? value : [];
}

export function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

export function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : undefined;
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

// Parses JSON as a Java server does: a decimal point or an exponent makes another kind of number,
// so that 4.0 is not 4, while 0.10 is 0.1.
export function parseJavaJson(text: string): JsonValue {
  // The third argument is not yet in the compiler's library either.
  return JSON.parse(text, (...[, value, context]: readonly unknown[]) => {
    if (typeof value !== 'number' || typeof context !== 'object' || !context) return value;
    return 'source' in context && /[.e]/iu.test(String(context.source)) ? decimal(value) : value;
  });
}

export function decimal(value: number): JsonValue {
  return Number.isInteger(value) ? JSON.rawJSON(value.toFixed(1)) : value;
}
