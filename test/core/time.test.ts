import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { formatAge, formatDay, formatMinute, parseMoment } from '../../src/core/time.ts';

const now = Date.UTC(2026, 10, 22, 8, 30);
const day = 86_400_000;

test.prop([fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })])(
  'a moment is written as the calendar has it',
  (date) => {
    expect(formatDay(date.getTime())).toBe(date.toISOString().slice(0, 10));
    const utc = date.toISOString().slice(0, 16).replace('T', ' ');
    expect(formatMinute(date.getTime())).toBe(`${utc} UTC`);
  },
);

test.each([
  [1e300, '9999-12-31 23:59'],
  [-1e300, '0000-01-01 00:00'],
  [Number.NaN, '9999-12-31 23:59'],
])('%d, beyond all dates, is written as the nearest one', (time, expected) => {
  expect(formatMinute(time)).toBe(`${expected} UTC`);
});

describe('a moment', () => {
  test.each([
    ['30m', now - 30 * 60_000],
    ['12h', now - day / 2],
    ['3d', now - 3 * day],
    ['2w', now - 14 * day],
    ['90', undefined],
    ['-3d', undefined],
    ['3d ', undefined],
    ['1.5d', undefined],
    ['2026-11-19T08:30Z', Date.UTC(2026, 10, 19, 8, 30)],
    ['2026-11-19T08:30:15+02:00', Date.UTC(2026, 10, 19, 6, 30, 15)],
    ['2026-13-19', undefined],
    ['2026-02-30', undefined],
    ['2026-04-31T08:30Z', undefined],
    ['2028-02-29T00:00Z', Date.UTC(2028, 1, 29)],
    ['yesterday', undefined],
    ['', undefined],
  ])('%s', (text, expected) => {
    expect(parseMoment(text, now)).toBe(expected);
  });

  test.each(['2026-11-19', '2026-07-19T08:30'])('without a zone is of the machine: %s', (text) => {
    const local = new Date(text.length > 10 ? text : `${text}T00:00`).getTime();
    expect(parseMoment(text, now)).toBe(local);
  });
});

test.each([
  [now, 'just now'],
  [now + 30_000, 'just now'],
  [now - 61_000, '1 minute ago'],
  [now - 5.9 * 3_600_000, '5 hours ago'],
  [now - 47 * 3_600_000, '47 hours ago'],
  [now - 3 * day, '3 days ago'],
  [now - 61 * day, 'on 2026-09-22'],
  [now + day, 'on 2026-11-23'],
  [1e20, 'on 9999-12-31'],
])('the age of %d reads: %s', (time, expected) => {
  expect(formatAge(time, now)).toBe(expected);
});
