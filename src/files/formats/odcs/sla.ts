import {
  listAt,
  type MappingScope,
  memberAt,
  objectsAt,
  type PlacedObject,
  type Section,
  type Stated,
  stateGroup,
  stateValue,
  textAt,
} from './scope.ts';
import {
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { promises } from '../../../contract/contract.ts';
import { equalDurations, inUnits, parseDuration, units } from '../../../contract/duration.ts';
import { valueAt } from '../../../patch/pointer.ts';
import { quote } from '../../../core/text.ts';
import { largestInteger } from './type.ts';

type SlaMember = {
  readonly member: string;
  /** In lower case, the preferred first. */
  readonly properties: readonly string[];
  /** The property of a new entry. */
  readonly written: string;
  /** Absent for a text. */
  readonly duration?: (typeof promises)[keyof typeof promises];
};

const slaMembers: readonly SlaMember[] = [
  {
    member: 'refreshFrequency',
    properties: ['refreshfrequency', 'frequency', 'fy', 'freshness'],
    written: 'frequency',
    duration: promises.refreshFrequency,
  },
  {
    member: 'maxLatency',
    properties: ['maxlatency', 'latency', 'ly'],
    written: 'latency',
    duration: promises.maxLatency,
  },
  {
    member: 'retention',
    properties: ['retention', 're'],
    written: 'retention',
    duration: promises.retention,
  },
  {
    member: 'availabilityTime',
    properties: ['availabilitytime', 'timeofavailability'],
    written: 'timeOfAvailability',
  },
];

/**
 * The file owns the four SLA members: those without an entry are removed. An entry that the catalog
 * can't hold leaves the live value, and if none can be held, the SLA is not managed.
 */
export function mapSla(scope: MappingScope): Stated | undefined {
  const list = listAt(scope.document, 'slaProperties');
  if (!list) return undefined;
  const members: { [member: string]: Stated } = {};
  let isManaged = list.value.length === 0;
  for (const member of slaMembers) {
    const entries = entriesAbout(member, scope);
    const stated = mapMember(member, entries, scope);
    isManaged ||= stated !== undefined;
    if (stated) members[member.member] = stated;
    else if (entries.length === 0) members[member.member] = stateValue(list.pointer, null);
  }
  return isManaged ? stateGroup(list.pointer, members) : undefined;
}

function entriesAbout({ properties }: SlaMember, scope: MappingScope): readonly PlacedObject[] {
  return objectsAt(scope.document, 'slaProperties').filter(
    (entry) => properties.includes(propertyOf(entry)) && concerns(entry, scope),
  );
}

function propertyOf(entry: PlacedObject): string {
  return textAt(entry, 'property')?.value.trim().toLowerCase() ?? '';
}

// An entry that names another object of the file is about that one.
function concerns(entry: PlacedObject, { document, object }: MappingScope): boolean {
  const elements = textAt(entry, 'element')?.value.split(',') ?? [];
  if (!object || elements.length === 0) return true;
  const others = objectsAt(document, 'schema').filter(({ value }) => value !== object.value);
  return elements
    .map((element) => element.trim())
    .some((each) => isWithin(each, object) || !others.some((other) => isWithin(each, other)));
}

// `orders` and `orders.ordered_at` are within `orders`.
function isWithin(element: string, object: PlacedObject): boolean {
  return ['name', 'physicalName'].some((key) => {
    const name = textAt(object, key)?.value;
    return name !== undefined && (element === name || element.startsWith(`${name}.`));
  });
}

export function isMappedSla(entry: PlacedObject): boolean {
  const property = propertyOf(entry);
  return slaMembers.some(({ properties }) => properties.includes(property)) && !hasOffset(entry);
}

// The catalog stores a time of day, and its zone separately under a name, so `09:00-08:00` does not
// fit.
function hasOffset(entry: PlacedObject): boolean {
  const value = textAt(entry, 'value')?.value ?? '';
  const isOffset = /(?:[+-]\d{1,2}(?::?\d{2})?|Z)\s*$/iu.test(value);
  return isOffset && propertyOf(entry) === 'timeofavailability';
}

function mapMember(member: SlaMember, entries: readonly PlacedObject[], scope: MappingScope) {
  const preferred = preferredOf(member, entries);
  const [entry] = preferred;
  if (!entry) return undefined;
  const values = preferred.map((each) => mapEntry(each, member, scope));
  const different = new Set(values.map((value) => JSON.stringify(value?.same ?? null))).size;
  if (different > 1) {
    const property = quote(textAt(entry, 'property')?.value ?? '');
    const message = `${different} entries give ${property} different values: the live value stays.`;
    const hint = 'Keep one of them, or bind each to its object with `element`.';
    const { pointer } = entry;
    scope.report({ code: 'sla-ambiguous', severity: 'warning', message, hint, pointer });
    return undefined;
  }
  return values[0]?.stated ?? reportUnfit(entry, member, scope);
}

function preferredOf({ properties }: SlaMember, entries: readonly PlacedObject[]) {
  const fitting = entries.filter((entry) => !hasOffset(entry));
  const named = properties.map((property) =>
    fitting.filter((entry) => propertyOf(entry) === property),
  );
  return named.find(({ length }) => length > 0) ?? [];
}

// Values of which `same` is equal are the same, though in other units.
function mapEntry(entry: PlacedObject, { duration }: SlaMember, scope: MappingScope) {
  const text = scope.text(entry, 'value');
  const value = text ?? memberAt(entry, 'value');
  if (!duration) return text && { stated: stateValue(text.pointer, text.value), same: text.value };
  const unit = scope.text(entry, 'unit') ?? memberAt(entry, 'unit');
  const parsed = value && parseDuration(value.value, unit?.value);
  const fitting = parsed && inUnits(parsed, unitsFor(duration.units, scope));
  if (!fitting || fitting.amount > largestInteger) return undefined;
  const same = equalDurations(fitting).map(({ amount, unit: each }) => ({
    [duration.amount]: amount,
    unit: each,
  }));
  const members = {
    [duration.amount]: stateValue(value.pointer, fitting.amount),
    unit: stateValue(unit?.pointer ?? value.pointer, fitting.unit),
  };
  return { stated: stateGroup(value.pointer, members, same), same };
}

function unitsFor(own: readonly string[], { run }: MappingScope): readonly string[] {
  return run.takesAnyUnit ? units.slice(1) : own;
}

function reportUnfit(entry: PlacedObject, member: SlaMember, scope: MappingScope): undefined {
  const property = textAt(entry, 'property')?.value ?? '';
  const units = member.duration && unitsFor(member.duration.units, scope).join(', ');
  scope.report({
    code: 'sla-not-representable',
    severity: 'warning',
    message: `Can't express this ${quote(property)} as \`${member.member}\`: the live value stays.`,
    hint: units
      ? `Write a whole number and a \`unit\` that convert evenly to ${units}.`
      : 'Write the time of day as text.',
    pointer: memberAt(entry, 'value')?.pointer ?? entry.pointer,
  });
}

export function restateSla({ scope, live, differs }: Section): JsonObject {
  const document = scope.document.value;
  const { slaProperties: list } = document;
  if (!isArray(list)) return document;
  const isOneOfMany = objectsAt(scope.document, 'schema').length > 1;
  const name = isOneOfMany ? scope.object?.value['name'] : undefined;
  const entries: (JsonValue | undefined)[] = [...list];
  for (const member of slaMembers.filter((each) => differs('sla', each.member))) {
    const value = valueAt(live, ['sla', member.member]) ?? null;
    const about = entriesAbout(member, scope);
    if (isNothing(value)) {
      for (const { pointer } of about) entries[Number(pointer.at(-1))] = undefined;
      continue;
    }
    const former = preferredOf(member, about)[0] ?? about[0];
    const entry = entryFor(member, value, former?.value ?? newEntry(member, name));
    const at = former ? Number(former.pointer.at(-1)) : entries.length;
    if (isReadBack(entry, member, scope)) entries[at] = entry;
  }
  return { ...document, slaProperties: entries.filter((entry) => entry !== undefined) };
}

export function composeSla(live: JsonObject, scope: MappingScope): JsonObject {
  const slaProperties = slaMembers.flatMap((member) => {
    const value = live[member.member] ?? null;
    const entry = isNothing(value) ? {} : entryFor(member, value, newEntry(member));
    return isReadBack(entry, member, scope) ? [entry] : [];
  });
  return slaProperties.length === 0 ? {} : { slaProperties };
}

function newEntry({ written }: SlaMember, element?: JsonValue): JsonObject {
  return { property: written, ...(typeof element === 'string' && { element }) };
}

function entryFor({ duration }: SlaMember, value: JsonValue, entry: JsonObject): JsonObject {
  if (!duration) return { ...entry, value };
  const { [duration.amount]: amount, unit } = isObject(value) ? value : {};
  const isDuration = typeof amount === 'number' && typeof unit === 'string';
  return isDuration ? { ...entry, value: amount, unit } : entry;
}

// Each plan would warn of an entry that can't be read back, and compare nothing.
function isReadBack(value: JsonObject, member: SlaMember, scope: MappingScope): boolean {
  return mapEntry({ value, pointer: [] }, member, scope) !== undefined;
}
