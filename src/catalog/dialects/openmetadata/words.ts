import { isArray, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { ownStatus } from '../../../contract/lifecycle.ts';
import { dateFields, formatDate, isDateField, parseDate, wireDate } from './dates.ts';
import { knownStatuses, noStatus } from './statuses.ts';

/** A field of a file as the server words it, beside what it holds there now. */
type Wording = (wanted: JsonValue, live: JsonValue | undefined) => JsonValue;

const wordings: Readonly<Record<string, Wording>> = {
  entityStatus: storedStatus,
  termsOfUse: (wanted) => (typeof wanted === 'string' ? { content: wanted } : wanted),
  extension: storedExtension,
  qualityExpectations: (wanted) => (isArray(wanted) ? wanted.map(storedTestCase) : wanted),
  ...Object.fromEntries(dateFields.map((field) => [field, storedDate])),
};

/** The managed fields of a file in the words of a patch. */
export function asStored(managed: JsonObject, live: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(managed).map(([field, wanted]) => {
      const wording = Object.hasOwn(wordings, field) ? wordings[field] : undefined;
      return [field, wording ? wording(wanted, live[field]) : wanted];
    }),
  );
}

/** A property without a value is none, and an extension without properties too. */
function storedExtension(wanted: JsonValue): JsonValue {
  if (!isObject(wanted)) return wanted;
  const properties = Object.entries(wanted).filter(([, value]) => value !== null);
  return properties.length === 0 ? null : Object.fromEntries(properties);
}

/** Without a status a contract is unprocessed, and answered so. */
function storedStatus(wanted: JsonValue): JsonValue {
  if (wanted === null) return noStatus;
  return typeof wanted === 'string' ? ownStatus(wanted, knownStatuses.synonyms) : wanted;
}

/** Answers have milliseconds, patches may not: where both mean one instant there is no difference. */
function storedDate(wanted: JsonValue, live: JsonValue | undefined): JsonValue {
  const time = instantOf(wanted);
  if (time === undefined) return wanted;
  return live !== undefined && instantOf(live) === time ? live : wireDate(time);
}

function instantOf(value: JsonValue | undefined): number | undefined {
  // `Date` ends with the year 275760, and the nanoseconds of another program lie behind it.
  if (typeof value === 'number') return Number.isNaN(new Date(value).valueOf()) ? undefined : value;
  return typeof value === 'string' ? parseDate(value) : undefined;
}

/** A test case by its name alone has its type added, so that it reads like the server's. */
function storedTestCase(item: JsonValue): JsonValue {
  return isObject(item) && !Object.hasOwn(item, 'type') ? { type: 'testCase', ...item } : item;
}

/** A value of a field as a file writes it. */
export function asWritten(field: string, value: JsonValue): JsonValue {
  if (isDateField(field)) {
    const time = instantOf(value);
    return time === undefined ? value : formatDate(time);
  }
  if (field === 'termsOfUse' && isObject(value)) return value['content'] ?? value;
  return value;
}
