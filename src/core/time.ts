/** Times and spans as people write them: milliseconds, times since the epoch. */

import { count } from './text.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const units: Readonly<Record<string, number>> = { m: minute, h: hour, d: day, w: 7 * day };

/** `30m`, `12h`, `90d` or `2w`; undefined where a text is none of these. */
export function parseSpan(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,5})([mhdw])$/u.exec(text) ?? [];
  const milliseconds = units[unit];
  return milliseconds === undefined ? undefined : Number(amount) * milliseconds;
}

const dateTime =
  /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?<zone>Z|[+-]\d\d:\d\d)?)?$/u;

/**
 * `2026-11-19`, `2026-11-19T08:30`, the same with a zone, or `3d` before now. Without a zone it is
 * the machine's, or UTC with `utc`.
 */
export function parseMoment(text: string, now: number, { utc = false } = {}): number | undefined {
  const before = parseSpan(text);
  if (before !== undefined) return now - before;
  const { groups } = dateTime.exec(text) ?? {};
  if (!groups || !isDay(text.slice(0, 10))) return undefined;
  const { time = 'T00:00', zone = utc ? 'Z' : '' } = groups;
  const moment = Date.parse(`${text.slice(0, 10)}${time.replace(groups['zone'] ?? '', '')}${zone}`);
  return Number.isNaN(moment) ? undefined : moment;
}

/** `Date` turns 02-30 into 03-02. */
export function isDay(text: string): boolean {
  return formatDay(Date.parse(`${text}T00:00:00Z`)) === text;
}

export function formatSpan(milliseconds: number): string {
  if (milliseconds < minute) return 'under a minute';
  if (milliseconds < hour) return count(Math.floor(milliseconds / minute), 'minute', 'minutes');
  if (milliseconds < 2 * day) return count(Math.floor(milliseconds / hour), 'hour', 'hours');
  return count(Math.floor(milliseconds / day), 'day', 'days');
}

const longestAge = 60 * day;

/** `3 days ago`, `on 2026-07-01`. Clocks differ: the coming minute counts as now. */
export function formatAge(time: number, now: number): string {
  const age = now - time;
  if (age > longestAge || age < -minute) return `on ${formatDay(time)}`;
  return age < minute ? 'just now' : `${formatSpan(age)} ago`;
}

export function formatDay(time: number): string {
  const { year, month, date } = civilDay(Math.floor(time / day));
  return `${String(year).padStart(4, '0')}-${twoDigits(month)}-${twoDigits(date)}`;
}

export function formatUtc(time: number): string {
  const minutes = Math.floor((time - Math.floor(time / day) * day) / minute);
  return `${formatDay(time)} ${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

// By the Gregorian calendar: 400 years have 146,097 days, and a year is taken to begin with March.
function civilDay(daysSinceEpoch: number) {
  const sinceMarch = daysSinceEpoch + 719_468;
  const era = Math.floor(sinceMarch / 146_097);
  const ofEra = sinceMarch - era * 146_097;
  const leaps = Math.floor(ofEra / 1460) - Math.floor(ofEra / 36_524) + Math.floor(ofEra / 146_096);
  const yearOfEra = Math.floor((ofEra - leaps) / 365);
  const ofYear = ofEra - 365 * yearOfEra - Math.floor(yearOfEra / 4) + Math.floor(yearOfEra / 100);
  const fromMarch = Math.floor((5 * ofYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    date: ofYear - Math.floor((153 * fromMarch + 2) / 5) + 1,
  };
}
