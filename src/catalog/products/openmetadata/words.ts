/** How the server words what a file says, and the reverse. */

import type { Product } from '../product.ts';
import { deprecated, type Lifecycle, ownStatus } from '../../../contract/conventions.ts';
import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';

function to(from: string, ...statuses: readonly string[]) {
  return statuses.map((status) => ({ from, to: status }));
}

// The statuses of releases from 1.10 on, and `Archived` of those from 1.13 on. The server allows any
// move; these make sense.
export const lifecycle: Lifecycle = {
  statuses: ['Unprocessed', 'Draft', 'In Review', 'Rejected', 'Approved', deprecated, 'Archived'],
  later: ['Archived'],
  transitions: [
    ...to('Unprocessed', 'Draft', 'In Review', 'Approved', deprecated),
    ...to('Draft', 'In Review', 'Approved', deprecated),
    ...to('In Review', 'Approved', 'Rejected', 'Draft', deprecated),
    ...to('Rejected', 'Draft', 'In Review', deprecated, 'Archived'),
    ...to('Approved', deprecated),
    ...to(deprecated, 'Archived'),
    { from: 'Approved', to: 'In Review', rule: 'warn' },
    { from: deprecated, to: 'Approved', rule: 'warn' },
    { from: 'Archived', to: deprecated, rule: 'warn' },
  ],
  // Releases up to 1.9, and the documents of all of them, say Active.
  synonyms: { Active: 'Approved' },
};

export const reviewedStatuses = ['Approved', 'Rejected'];

const tag = ['schema', '**', 'tags', '*'];

export const equivalence: Product['equivalence'] = {
  // The columns of other releases, and those chosen in the web interface, have these beside the rest.
  fill: [
    ['schema', '**', 'fullyQualifiedName'],
    ['schema', '**', 'dataTypeDisplay'],
    // Members that later releases have, and files don't.
    ['semantics', '*', 'id'],
    ['semantics', '*', 'arguments'],
    ['**', 'odcsElementExtensions'],
    // The server adds the first three to a tag that has its FQN alone, the web interface the others.
    ...`source labelType state appliedAt appliedBy name displayName description style href reason
    metadata`
      .split(/\s+/u)
      .map((member) => [...tag, member]),
  ],
  // Release 1.12.6 answers these for members that were never set.
  defaults: [
    { pattern: ['semantics', '*', 'enabled'], value: true },
    { pattern: ['semantics', '*', 'provider'], value: 'user' },
    { pattern: ['semantics', '*', 'inherited'], value: false },
    // Columns from a crawler have the length 1 where their type has none.
    { pattern: ['schema', '**', 'dataLength'], value: 1 },
    // A file that has no such tag yet says what differs from these.
    { pattern: [...tag, 'source'], value: 'Classification' },
    { pattern: [...tag, 'labelType'], value: 'Manual' },
    { pattern: [...tag, 'state'], value: 'Confirmed' },
    { pattern: ['sla', 'timezone'], value: 'GMT+00:00 (Europe/London)' },
    { pattern: ['sla', 'inherited'], value: false },
    { pattern: ['termsOfUse', 'inherited'], value: false },
    { pattern: ['odcsQualityRules', '*', 'type'], value: 'library' },
    { pattern: ['security', 'inherited'], value: false },
  ],
  emptyIsAbsent: true,
  asStored,
};

function asStored(managed: JsonObject, live: JsonObject): JsonObject {
  const { name, displayName } = live;
  // The web interface sets the display name to the contract's name: with or without is the same.
  const isNamed = [managed['displayName'], displayName].every(
    (each) => isNothing(each) || each === name,
  );
  return Object.fromEntries(
    Object.entries(managed)
      .filter(([field]) => field !== 'displayName' || !isNamed)
      .map(([field, desired]) => [field, storedField(field, desired, live[field])]),
  );
}

function storedField(field: string, desired: JsonValue, live: JsonValue | undefined): JsonValue {
  if (isDateField(field)) return storedDate(desired, live);
  switch (field) {
    case 'entityStatus':
      // The server answers `Unprocessed` for a contract without a status.
      if (desired === null) return 'Unprocessed';
      return typeof desired === 'string' ? ownStatus(desired, lifecycle.synonyms) : desired;
    case 'termsOfUse':
      return typeof desired === 'string' ? { content: desired } : desired;
    case 'extension':
      return storedProperties(desired, live ?? null);
    case 'schema':
      return withTagTimes(desired);
    case 'qualityExpectations':
      // A test case with its name alone gets its type, as the server has it.
      return isArray(desired)
        ? desired.map((item) =>
            isObject(item) && !Object.hasOwn(item, 'type') ? { type: 'testCase', ...item } : item,
          )
        : desired;
    default:
      return desired;
  }
}

// A property without a value is none, and an extension without properties too.
function storedProperties(desired: JsonValue, live: JsonValue): JsonValue {
  if (!isObject(desired)) return desired;
  const stored = isObject(live) ? live : {};
  const properties = Object.entries(desired).filter(([, value]) => value !== null);
  if (properties.length === 0) return null;
  return Object.fromEntries(
    properties.map(([name, value]) => {
      const now = stored[name] ?? null;
      // A word in the place of a list is the only one.
      const chosen = choicesIn(isArray(now) && typeof value === 'string' ? [value] : value);
      return [name, chosen && deepEqual(choicesIn(now), chosen) ? now : (chosen ?? value)];
    }),
  );
}

// A list of texts is an enum of several values, which the server sorts.
function choicesIn(value: JsonValue): readonly string[] | undefined {
  if (!isArray(value) || !value.every((each) => typeof each === 'string')) return undefined;
  return [...new Set(value)].toSorted(compareCodeUnits);
}

// Milliseconds, as in answers: a patch takes no time without a fraction of the second.
function withTagTimes(columns: JsonValue): JsonValue {
  if (!isArray(columns)) return columns;
  return columns.map((column) => {
    const { tags, children } = isObject(column) ? column : {};
    if (!isObject(column) || (isEmpty(tags) && isEmpty(children))) return column;
    return {
      ...column,
      ...(isArray(tags) && { tags: tags.map(withTime) }),
      ...(isArray(children) && { children: withTagTimes(children) }),
    };
  });
}

function withTime(tag: JsonValue): JsonValue {
  if (!isObject(tag) || typeof tag['appliedAt'] !== 'string') return tag;
  return { ...tag, appliedAt: instantOf(tag['appliedAt']) ?? tag['appliedAt'] };
}

export function bodyOf(managed: JsonObject): JsonObject {
  const given = Object.entries(asStored(managed, {})).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([field, value]) => {
      const terms = field === 'termsOfUse' && isObject(value) ? value['content'] : undefined;
      return [field, terms ?? value];
    }),
  );
}

export function asWritten(field: string, value: JsonValue): JsonValue {
  if (isDateField(field)) {
    const time = instantOf(value);
    if (time === undefined) return value;
    const text = new Date(time).toISOString();
    return text.replace(/T00:00:00\.000Z$/u, '').replace(/\.000Z$/u, 'Z');
  }
  if (field === 'termsOfUse' && isObject(value)) return value['content'] ?? value;
  return value;
}

export const dateFields = ['effectiveFrom', 'effectiveUntil'] as const;

export function isDateField(field: string): boolean {
  return dateFields.some((name) => name === field);
}

// Answers have milliseconds, patches may not: equal instants are no difference.
function storedDate(desired: JsonValue, live: JsonValue | undefined): JsonValue {
  const time = instantOf(desired);
  if (time === undefined) return desired;
  return live !== undefined && instantOf(live) === time ? live : new Date(time).toISOString();
}

function instantOf(value: JsonValue | undefined): number | undefined {
  // `Date` ends with the year 275760; the nanoseconds of another program lie beyond it.
  if (typeof value === 'number') return Number.isNaN(new Date(value).valueOf()) ? undefined : value;
  return typeof value === 'string' ? parseDate(value) : undefined;
}

// A time needs its zone: without one it would mean another instant on each machine.
const isoDate = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/u;

/** Epoch milliseconds; a day is its first instant in UTC. */
export function parseDate(text: string): number | undefined {
  const time = isoDate.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) return undefined;
  // `Date` takes 02-30 for 03-02.
  const day = text.slice(0, 10);
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? time : undefined;
}

const listsWithTimes: ReadonlySet<string> = new Set(['schema', 'children', 'tags']);

/** The history writes a time as a text, where live has milliseconds. */
export function fromVersion(snapshot: JsonObject, live: JsonObject): JsonObject {
  const members = Object.entries(snapshot).flatMap(([name, value]): [string, JsonValue][] => {
    const now = live[name];
    if (listsWithTimes.has(name) && isArray(value))
      return [[name, value.map((item, index) => itemFromVersion(item, index, now))]];
    const isTime = isDateField(name) || name === 'appliedAt';
    if (!isTime || typeof value !== 'string') return [[name, value]];
    const time = timeOfVersion(value) ?? now;
    return time === undefined ? [] : [[name, time]];
  });
  return Object.fromEntries(members);
}

function itemFromVersion(item: JsonValue, index: number, now: JsonValue | undefined): JsonValue {
  if (!isObject(item)) return item;
  const isSame = (live: JsonValue | undefined): boolean =>
    isObject(live) && live['name'] === item['name'] && live['tagFQN'] === item['tagFQN'];
  const all = isArray(now) ? now : [];
  const live = isSame(all[index]) ? all[index] : all.find(isSame);
  return fromVersion(item, isObject(live) ? live : {});
}

// Six digits that are the milliseconds (30.123 s reads `30.000123Z`), or the microseconds that a
// server without this fault would write.
const versionTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(?:000(\d{3})|(\d{3})(?:000)?))?Z$/u;

function timeOfVersion(text: string): number | undefined {
  const [, seconds, fraction, ofOthers] = versionTime.exec(text) ?? [];
  return seconds === undefined
    ? undefined
    : Date.parse(`${seconds}Z`) + Number(fraction ?? ofOthers ?? 0);
}
