/** The fields that hold a date. */
export const dateFields = ['effectiveFrom', 'effectiveUntil'] as const;

export function isDateField(field: string): boolean {
  return dateFields.some((name) => name === field);
}

/** A day, or a time with its zone: one without would mean another instant on each machine. */
const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/u;

/** Epoch milliseconds of a date as a file writes it, a day being its first instant in UTC. */
export function parseDate(text: string): number | undefined {
  const time = isoDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) || !isCalendarDay(text.slice(0, 10)) ? undefined : time;
}

/** Whether the calendar has the day: `Date` takes 02-30 for 03-02. */
function isCalendarDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** The one form that a patch may have: UTC, with milliseconds. */
export function wireDate(time: number): string {
  return new Date(time).toISOString();
}

/** As people write it: the day alone where it begins with it. */
export function formatDate(time: number): string {
  return wireDate(time)
    .replace(/T00:00:00\.000Z$/u, '')
    .replace(/\.000Z$/u, 'Z');
}
