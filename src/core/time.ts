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
  /^\d{4}-\d\d-\d\d(?<time>T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)?)?$/u;

/**
 * `2026-11-19`, `2026-11-19T08:30`, the same with a zone, or `3d` before now. Without a zone it is
 * the machine's.
 */
export function parseMoment(text: string, now: number): number | undefined {
  const before = parseSpan(text);
  if (before !== undefined) return now - before;
  const { groups } = dateTime.exec(text) ?? {};
  if (!groups || !isDay(text.slice(0, 10))) return undefined;
  const moment = Date.parse(groups['time'] === undefined ? `${text}T00:00` : text);
  return Number.isNaN(moment) ? undefined : moment;
}

/** `Date` turns 02-30 into 03-02. */
export function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && formatDay(time) === text;
}

const longestAge = 60 * day;

/** `3 days ago`, `on 2026-07-01`. Clocks differ: the coming minute counts as now. */
export function formatAge(time: number, now: number): string {
  const age = now - time;
  if (age > longestAge || age < -minute) return `on ${formatDay(time)}`;
  if (age < minute) return 'just now';
  if (age < hour) return `${count(Math.floor(age / minute), 'minute', 'minutes')} ago`;
  if (age < 2 * day) return `${count(Math.floor(age / hour), 'hour', 'hours')} ago`;
  return `${Math.floor(age / day)} days ago`;
}

export function formatDay(time: number): string {
  return formatMinute(time).slice(0, 10);
}

// A server may send any number.
const earliest = Date.parse('0000-01-01T00:00Z');
const latest = Date.parse('9999-12-31T23:59Z');

/** `2026-11-19 08:30 UTC`. */
export function formatMinute(time: number): string {
  const known = Number.isNaN(time) ? latest : time;
  const moment = new Date(Math.min(Math.max(known, earliest), latest));
  return `${moment.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
