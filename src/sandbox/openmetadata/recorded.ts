import type { JsonArray, JsonObject, JsonValue } from '../../core/json.ts';
import { byCodeUnits, isRecord, isSame, toList, toText } from '../json.ts';
import type { ChangeDescription, KeptContract, Reference, Version } from './contract.ts';

// Differences that make a version; others are stored with one, or lost.
type Recorded = Pick<ChangeDescription, 'fieldsAdded' | 'fieldsUpdated' | 'fieldsDeleted'>;

type Finder = (before: Version, after: KeptContract) => Partial<Recorded>;

// In the server's order.
const common: readonly Finder[] = [
  // A patch or PUT of a deleted contract restores it.
  ({ deleted }) => {
    const restored = { name: 'deleted', oldValue: true, newValue: false };
    return { fieldsUpdated: deleted ? [restored] : [] };
  },
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
    fieldsAdded: found.flatMap(({ fieldsAdded = [] }) => fieldsAdded),
    fieldsUpdated: found.flatMap(({ fieldsUpdated = [] }) => fieldsUpdated),
    fieldsDeleted: found.flatMap(({ fieldsDeleted = [] }) => fieldsDeleted),
  };
}

function value(field: string, name = field): Finder {
  return ({ [field]: oldValue = null }, { [field]: newValue = null }) => {
    if (isSame(oldValue, newValue)) return {};
    if (oldValue === null) return { fieldsAdded: [{ name, newValue }] };
    if (newValue === null) return { fieldsDeleted: [{ name, oldValue }] };
    return { fieldsUpdated: [{ name, oldValue, newValue }] };
  };
}

type Matches = (a: JsonValue, b: JsonValue) => boolean;

// Names only elements that were added or removed, as a text, and ignores their order.
function elements(field: string, matches: Matches): Finder {
  const without = (some: JsonArray, others: JsonArray): readonly string[] => {
    const left = some.filter((one) => !others.some((other) => matches(one, other)));
    return left.length > 0 ? [JSON.stringify(left)] : [];
  };
  return (before, after) => {
    const [olds, news] = [toList(before[field]), toList(after[field])];
    return {
      fieldsAdded: without(news, olds).map((newValue) => ({ name: field, newValue })),
      fieldsDeleted: without(olds, news).map((oldValue) => ({ name: field, oldValue })),
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
  const came = Object.keys(news).filter((name) => !Object.hasOwn(olds, name));
  const went = Object.keys(olds).filter((name) => !Object.hasOwn(news, name));
  const changed = Object.keys(olds).filter(
    (name) => Object.hasOwn(news, name) && !isSame(olds[name], news[name]),
  );
  return {
    fieldsAdded: listed(came, news).map((newValue) => ({ name: 'extension', newValue })),
    fieldsUpdated: changed.map((name) => {
      const [oldValue, newValue] = [JSON.stringify(olds[name]), JSON.stringify(news[name])];
      return { name: `extension.${name}`, oldValue, newValue };
    }),
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

export function keepSameSet(before: readonly Reference[], after: readonly Reference[]) {
  return isSame(idsOf(before), idsOf(after)) ? before : after;
}

function idsOf(references: readonly Reference[]): readonly string[] {
  return [...new Set(references.map(({ id }) => id))].toSorted(byCodeUnits);
}

export function isEmptyRecord(recorded: Recorded): boolean {
  const { fieldsAdded, fieldsUpdated, fieldsDeleted } = recorded;
  return fieldsAdded.length + fieldsUpdated.length + fieldsDeleted.length === 0;
}

// Fields whose last author the server remembers.
const summarized = ['owners', 'description'];

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

export function keptChange(change: ChangeDescription): ChangeDescription {
  if (!change.changeSummary) return change;
  const entries = summarized.flatMap((field) => {
    const summary = change.changeSummary?.[field];
    return isRecord(summary) ? [[field, { changeSource: 'Manual', ...summary }] as const] : [];
  });
  return { ...change, changeSummary: Object.fromEntries(entries) };
}
