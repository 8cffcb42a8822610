/** Durations as people write them, and as catalogs hold them. */

import type { JsonValue } from '../core/json.ts';

type Duration = { readonly amount: number; readonly unit: string };

// Months and years have no fixed number of seconds. In ISO 8601 an M is a minute only after a T.
const knownUnits = [
  { unit: 'second', iso: 'TS', words: ['s', 'sec', 'secs'], base: 'second', times: 1 },
  { unit: 'minute', iso: 'TM', words: ['m', 'min', 'mins'], base: 'second', times: 60 },
  { unit: 'hour', iso: 'TH', words: ['h', 'hr', 'hrs'], base: 'second', times: 3600 },
  { unit: 'day', iso: 'D', words: ['d'], base: 'second', times: 86_400 },
  { unit: 'week', iso: 'W', words: ['w', 'wk', 'wks'], base: 'second', times: 604_800 },
  { unit: 'month', iso: 'M', words: ['mo', 'mos'], base: 'month', times: 1 },
  { unit: 'year', iso: 'Y', words: ['y', 'yr', 'yrs'], base: 'month', times: 12 },
];

export const units: readonly string[] = knownUnits.map(({ unit }) => unit);

/** `24` or `"24"` with a unit, or alone as `24h`, `PT24H`, `P1Y`. */
export function parseDuration(value: JsonValue, unit: JsonValue | undefined): Duration | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (unit !== undefined && typeof unit !== 'string') return undefined;
  const text = `${String(value).trim()} ${unit ?? ''}`.trim();
  const [, count, word = ''] = /^(\d+) *([a-z]+)$/iu.exec(text) ?? [];
  const [, time, isoCount, letter] = /^P(T?)(\d+)([YMWDHS])$/u.exec(text) ?? [];
  const amount = Number(count ?? isoCount);
  const known = knownUnits.find(({ unit: each, words, iso }) =>
    count === undefined
      ? iso === `${time}${letter}`
      : [each, `${each}s`, ...words].includes(word.toLowerCase()),
  );
  return known && Number.isSafeInteger(amount) ? { amount, unit: known.unit } : undefined;
}

/** Only if exact: `120 minute` is `2 hour`, `90 minute` is not in hours. */
export function inUnits(duration: Duration, allowed: readonly string[]): Duration | undefined {
  if (allowed.includes(duration.unit)) return duration;
  return equalDurations(duration).findLast(({ unit }) => allowed.includes(unit));
}

export function equalDurations({ amount, unit }: Duration): readonly Duration[] {
  const own = knownUnits.find((each) => each.unit === unit);
  return knownUnits.flatMap((each) => {
    const count = (amount * (own?.times ?? 0)) / each.times;
    const isComparable = each.base === own?.base || amount === 0;
    return isComparable && Number.isInteger(count) ? [{ amount: count, unit: each.unit }] : [];
  });
}

// Units that no catalog has.
const otherUnits: ReadonlyMap<string, Duration> = new Map([
  ['fortnight', { amount: 14, unit: 'day' }],
  ['quarter', { amount: 3, unit: 'month' }],
  ['decade', { amount: 10, unit: 'year' }],
]);

const adverbs: ReadonlySet<string> = new Set(['hourly', 'daily', 'weekly', 'monthly', 'yearly']);

/** What one of such a unit is, whatever word is written for it. */
export function meantBy(word: string): Duration | undefined {
  const lower = word.trim().toLowerCase();
  const adverb = adverbs.has(lower) ? lower.replace(/i?ly$/u, '').replace(/^da$/u, 'day') : '';
  const singular = lower.replace(/(?<=..)s$/u, '');
  return otherUnits.get(singular) ?? parseDuration(1, adverb || lower);
}

/** With `allowed`, for a catalog that has only these. */
export function unitHint(word: string, allowed: readonly string[] = units): string | undefined {
  const meant = meantBy(word);
  if (!meant || !allowed.includes(meant.unit)) return undefined;
  const { amount, unit } = meant;
  return amount === 1 ? `Did you mean "${unit}"?` : `Count in ${unit}s: it is ${amount} of them.`;
}
