import type { JsonValue } from '../../core/json.ts';
import { toNumber } from './java-json.ts';

/**
 * The form in which dates are kept and patched. Whatever stands behind the point is a number of
 * milliseconds to this server: `.5` is five of them, and `.123456` two minutes and more.
 */
const keptForm = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{1,9})Z$/u;

/** Epoch milliseconds of a date as the server keeps it. */
export function parseKeptDate(text: string): number | undefined {
  const [, seconds = '', fraction = ''] = keptForm.exec(text) ?? [];
  const time = Date.parse(`${seconds}Z`) + Number(fraction);
  return Number.isNaN(time) ? undefined : time;
}

const createForms = [
  /^\d{4}-\d\d-\d\d$/u,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)$/u,
  /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \w+$/u,
];

/** Epoch milliseconds of a date as a create request may write it: more forms than a patch. */
export function parseCreateDate(value: JsonValue): number | undefined {
  if (typeof value !== 'string') return toNumber(value);
  // A time without a zone is UTC to the server.
  const text = /T[\d:.]+$/u.test(value) ? `${value}Z` : value;
  const time = createForms.some((form) => form.test(text)) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

export function formatKeptDate(time: number): string {
  const [seconds] = new Date(time).toISOString().split('.');
  const milliseconds = ((time % 1000) + 1000) % 1000;
  return `${seconds}.${String(milliseconds).padStart(6, '0')}Z`;
}
