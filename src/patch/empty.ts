import { isArray, type JsonValue } from '../json.ts';

/** Nothing, or a list of nothing. */
export function isEmpty(value: JsonValue | undefined): boolean {
  return isNothing(value) || (isArray(value) && value.length === 0);
}

/** Absent or null. */
export function isNothing(value: JsonValue | undefined): boolean {
  return value === undefined || value === null;
}
