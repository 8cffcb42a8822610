import { isArray, type JsonObject, type JsonValue } from '../../core/json.ts';

declare global {
  /** ECMA-262 has these (JSON.parse source text access); the compiler's library does not yet. */
  interface JSON {
    rawJSON(text: string): JsonObject;
    isRawJSON(value: unknown): boolean;
  }
}

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

/** The number that a value is, whether it has a decimal point or not. */
export function toNumber(value: JsonValue | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return JSON.isRawJSON(value) ? Number(JSON.stringify(value)) : undefined;
}

/** A text as it is; of any other value its JSON. */
export function toText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

/** A list as it is; nothing and everything else as an empty one. */
export function toList(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : [];
}
