import type { JsonObject, JsonValue } from '../../core/json.ts';
import { isAbsent, isRecord, isSame, toList, toText } from '../json.ts';
import type { ChangeDescription, KeptContract, Reference, Version } from './contract.ts';

// Differences that make a version; others are stored with one, or lost.
type Recorded = Pick<ChangeDescription, 'fieldsAdded' | 'fieldsUpdated' | 'fieldsDeleted'>;

const nothing: Recorded = { fieldsAdded: [], fieldsUpdated: [], fieldsDeleted: [] };

type Finder = (before: Version, after: KeptContract) => Recorded;

// In the server's order.
const common: readonly Finder[] = [
  findRestored,
  value('description'),
  value('displayName'),
  value('entityStatus'),
  elements('owners', isSameBy('id', 'type')),
  findProperties,
  elements('reviewers', isSameBy('id', 'type')),
];

// For contracts alone: a guarded patch does not compare them.
const own: readonly Finder[] = [
  value('latestResult'),
  value('entityStatus', 'status'),
  value('termsOfUse'),
  value('security'),
  value('sla'),
  elements('schema', isSameColumn),
  elements('qualityExpectations', isSameBy('id', 'type')),
  elements(
    'semantics',
    isSameBy('name', 'rule', 'description', 'enabled', 'entityType', 'provider'),
  ),
];

/** Only a plain patch joins a session; a guarded one is that of release 1.12. */
export type Means = 'patch' | 'guarded patch' | 'tagged patch' | 'put';

export function findRecorded(before: Version, after: KeptContract, means: Means): Recorded {
  const finders = means === 'guarded patch' ? common : [...common, ...own];
  const found = finders.map((find) => find(before, after));
  return {
    fieldsAdded: found.flatMap(({ fieldsAdded }) => fieldsAdded),
    fieldsUpdated: found.flatMap(({ fieldsUpdated }) => fieldsUpdated),
    fieldsDeleted: found.flatMap(({ fieldsDeleted }) => fieldsDeleted),
  };
}

// A patch or PUT of a deleted contract restores it.
function findRestored(before: Version): Recorded {
  if (!before.deleted) return nothing;
  return { ...nothing, fieldsUpdated: [{ name: 'deleted', oldValue: true, newValue: false }] };
}

function value(field: string, name = field): Finder {
  return (before, after) => compare(name, before[field], after[field]);
}

function compare(
  name: string,
  oldValue: JsonValue | undefined,
  newValue: JsonValue | undefined,
): Recorded {
  if (isSame(oldValue ?? null, newValue ?? null)) return nothing;
  if (isAbsent(oldValue))
    return { ...nothing, fieldsAdded: [{ name, newValue: newValue ?? null }] };
  if (isAbsent(newValue))
    return { ...nothing, fieldsDeleted: [{ name, oldValue: oldValue ?? null }] };
  return {
    ...nothing,
    fieldsUpdated: [{ name, oldValue: oldValue ?? null, newValue: newValue ?? null }],
  };
}

type Matches = (a: JsonValue, b: JsonValue) => boolean;

// Names only elements that were added or removed, as a text, and ignores their order.
function elements(field: string, matches: Matches): Finder {
  return (before, after) => {
    const [olds, news] = [toList(before[field]), toList(after[field])];
    const added = news.filter((element) => !olds.some((old) => matches(old, element)));
    const deleted = olds.filter((old) => !news.some((element) => matches(old, element)));
    return {
      ...nothing,
      fieldsAdded: added.length > 0 ? [{ name: field, newValue: JSON.stringify(added) }] : [],
      fieldsDeleted: deleted.length > 0 ? [{ name: field, oldValue: JSON.stringify(deleted) }] : [],
    };
  };
}

function isSameBy(...names: readonly string[]): Matches {
  return (a, b) =>
    isRecord(a) && isRecord(b) && names.every((name) => isSame(a[name] ?? null, b[name] ?? null));
}

function isSameColumn(a: JsonValue, b: JsonValue): boolean {
  const [one, other] = [a, b].map((column) => toText(isRecord(column) ? column['name'] : null));
  return one?.toLowerCase() === other?.toLowerCase() && isSameBy('dataType', 'arrayDataType')(a, b);
}

function findProperties(before: Version, after: KeptContract): Recorded {
  const [olds, news] = [propertiesOf(before), propertiesOf(after)];
  const names = [...new Set([...Object.keys(olds), ...Object.keys(news)])];
  const came = names.filter((name) => !Object.hasOwn(olds, name));
  const went = names.filter((name) => !Object.hasOwn(news, name));
  const stayed = names.filter((name) => Object.hasOwn(olds, name) && Object.hasOwn(news, name));
  return {
    fieldsAdded: listed(came, news).map((newValue) => ({ name: 'extension', newValue })),
    fieldsUpdated: stayed
      .filter((name) => !isSame(olds[name], news[name]))
      .map((name) => ({
        name: `extension.${name}`,
        oldValue: JSON.stringify(olds[name]),
        newValue: JSON.stringify(news[name]),
      })),
    fieldsDeleted: listed(went, olds).map((oldValue) => ({ name: 'extension', oldValue })),
  };
}

function listed(names: readonly string[], properties: JsonObject): readonly string[] {
  if (names.length === 0) return [];
  return [JSON.stringify(names.map((name) => ({ [name]: properties[name] ?? null })))];
}

export function propertiesOf({ extension }: JsonObject): JsonObject {
  return isRecord(extension) ? extension : {};
}

/** Owners that are the same set stay as they were, order and all. */
export function keepSameSet(
  before: readonly Reference[],
  after: readonly Reference[],
): readonly Reference[] {
  return isWithin(before, after) && isWithin(after, before) ? before : after;
}

function isWithin(some: readonly Reference[], all: readonly Reference[]): boolean {
  return some.every(({ id }) => all.some((other) => other.id === id));
}

export function isEmptyRecord(recorded: Recorded): boolean {
  const { fieldsAdded, fieldsUpdated, fieldsDeleted } = recorded;
  return fieldsAdded.length + fieldsUpdated.length + fieldsDeleted.length === 0;
}

// Fields whose last author the server remembers.
const summarized = ['owners', 'description'];

/** Author and time only of added and updated fields. */
export function describeChange(
  before: Version,
  recorded: Recorded,
  author: { readonly name: string; readonly now: number },
): ChangeDescription {
  const description = { ...recorded, previousVersion: before.version };
  if (isEmptyRecord(recorded)) return description;
  const changed = [...recorded.fieldsAdded, ...recorded.fieldsUpdated];
  const fresh = summarized
    .filter((field) => changed.some(({ name }) => name === field))
    .map((field) => [field, { changedBy: author.name, changedAt: author.now }]);
  const earlier = before.changeDescription?.changeSummary;
  return { ...description, changeSummary: { ...earlier, ...Object.fromEntries(fresh) } };
}

/** As read from the database. */
export function keptChange(change: ChangeDescription): ChangeDescription {
  if (!change.changeSummary) return change;
  const entries = summarized.flatMap((field) => {
    const summary = change.changeSummary?.[field];
    return isRecord(summary) ? [[field, { changeSource: 'Manual', ...summary }] as const] : [];
  });
  return { ...change, changeSummary: Object.fromEntries(entries) };
}
