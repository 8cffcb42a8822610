/**
 * A version with its decimal, `1.0`: JSON turns 1.0 into 1, and a versions URL needs `1.0`
 * (interface §2.1, §4.4).
 */
export function formatVersion(version: number | string): string {
  const text = String(version);
  return /^\d+$/u.test(text) ? `${text}.0` : text;
}
