import type { JsonValue } from '../../../core/json.ts';

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

type Duration = { readonly amount: number; readonly unit: Unit };

/** A duration of ODCS: `24` or `"24"` with a unit, or alone as `24h`, `PT24H`, `P1Y`. */
export function parseDuration(value: JsonValue | undefined, unit: JsonValue | undefined) {
  if (unit === undefined) return typeof value === 'string' ? parseAlone(value) : undefined;
  const isScalar = typeof value === 'number' || typeof value === 'string';
  if (!isScalar || typeof unit !== 'string') return undefined;
  return makeDuration(/^\s*(\d+)\s*$/u.exec(String(value))?.[1], parseUnit(unit));
}

function parseAlone(value: string): Duration | undefined {
  const [, amount, word = '', iso] =
    /^(?:(\d+)\s*([A-Za-z]+)|(P(?:\d+[YMWD]|T\d+[HMS])))$/u.exec(value.trim()) ?? [];
  if (iso === undefined) return makeDuration(amount, parseUnit(word));
  // ISO 8601: an M is a month before the T, and a minute after it.
  const parts = iso.startsWith('PT')
    ? timeUnits
    : units.filter((unit) => !timeUnits.includes(unit));
  const unit = parts.find((each) => each.startsWith(iso.slice(-1).toLowerCase()));
  return makeDuration(iso.replaceAll(/\D/gu, ''), unit);
}

function makeDuration(digits: string | undefined, unit: Unit | undefined): Duration | undefined {
  const amount = Number(digits);
  if (digits === undefined || unit === undefined || !Number.isSafeInteger(amount)) return undefined;
  return { amount, unit };
}

const timeUnits: readonly Unit[] = ['second', 'minute', 'hour'];
const units: readonly Unit[] = [...timeUnits, 'day', 'week', 'month', 'year'];

function parseUnit(word: string): Unit | undefined {
  const text = word.trim().toLowerCase();
  return units.find((unit) => [unit, `${unit}s`, ...facts[unit][2].split(' ')].includes(text));
}

/** Only if exact: `120 minute` is `2 hour`, `90 minute` is not in hours. */
export function inUnits(duration: Duration, allowed: readonly Unit[]): Duration | undefined {
  if (allowed.includes(duration.unit)) return duration;
  const others = conversions[duration.unit]?.filter((unit) => allowed.includes(unit)) ?? [];
  return equalDurations(duration).find(({ unit }) => others.includes(unit));
}

const conversions: { readonly [unit in Unit]?: readonly Unit[] } = {
  second: ['minute', 'hour', 'day'],
  minute: ['hour', 'day'],
  hour: ['day'],
  week: ['day'],
};

export function equalDurations({ amount, unit }: Duration): readonly Duration[] {
  const [base, times] = facts[unit];
  return units.flatMap((other) => {
    const [otherBase, otherTimes] = facts[other];
    const count = (amount * times) / otherTimes;
    const isComparable = otherBase === base || amount === 0;
    return isComparable && Number.isInteger(count) ? [{ amount: count, unit: other }] : [];
  });
}

// Months and years have no fixed number of seconds.
const facts: Readonly<Record<Unit, readonly [base: Unit, times: number, short: string]>> = {
  second: ['second', 1, 's sec secs'],
  minute: ['second', 60, 'm min mins'],
  hour: ['second', 3600, 'h hr hrs'],
  day: ['second', 86_400, 'd'],
  week: ['second', 604_800, 'w wk wks'],
  month: ['month', 1, 'mo mos'],
  year: ['month', 12, 'y yr yrs'],
};

/** In the words of the file's former duration; undefined where its unit can't hold the new one. */
export function restateDuration(
  amount: number,
  unitName: string,
  former: { readonly value: JsonValue | undefined; readonly unit: JsonValue | undefined },
): { readonly value: JsonValue; readonly unit?: string } | undefined {
  const unit = parseUnit(unitName);
  if (unit === undefined) return undefined;
  const isText = typeof former.value === 'string';
  if (typeof former.unit === 'string')
    return { value: isText ? String(amount) : amount, unit: wordLike(former.unit, unit) };
  if (!isText) return { value: amount, unit };
  if (/^\s*P/u.test(former.value)) {
    const [letter] = unit.toUpperCase();
    return { value: `P${timeUnits.includes(unit) ? 'T' : ''}${amount}${letter}` };
  }
  const [, gap = '', word = ''] = /^\s*\d+(\s*)([A-Za-z]+)/u.exec(former.value) ?? [];
  return { value: `${amount}${gap}${wordLike(word, unit)}` };
}

function wordLike(word: string, unit: Unit): string {
  if (parseUnit(word) === unit) return word;
  if (word.length < 3) return unit === 'month' ? 'mo' : unit.slice(0, 1);
  return word.endsWith('s') ? `${unit}s` : unit;
}
