import {
  coarseValues,
  listAt,
  type MappingScope,
  memberAt,
  objectsIn,
  originIn,
  type PlacedObject,
  type Section,
  type Stated,
  stateGroup,
  stateValue,
  textAt,
} from './scope.ts';
import {
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { promises } from '../../../contract/contract.ts';
import { parseIndex, valueAt } from '../../../patch/pointer.ts';
import { quote } from '../../../core/text.ts';
import { largestInteger } from './data-type.ts';

type SlaMember = {
  readonly member: 'refreshFrequency' | 'maxLatency' | 'retention' | 'availabilityTime';
  /** The property of a new entry. */
  readonly written: string;
  // ODCS names in lower case, the preferred first; names in one row are synonyms.
  readonly properties: readonly (readonly string[])[];
  readonly duration?: (typeof promises)[keyof typeof promises];
};

const slaMembers: readonly SlaMember[] = [
  {
    member: 'refreshFrequency',
    written: 'frequency',
    properties: [['refreshfrequency'], ['frequency', 'fy'], ['freshness']],
    duration: promises.refreshFrequency,
  },
  {
    member: 'maxLatency',
    written: 'latency',
    properties: [['maxlatency'], ['latency', 'ly']],
    duration: promises.maxLatency,
  },
  {
    member: 'retention',
    written: 'retention',
    properties: [['retention', 're']],
    duration: promises.retention,
  },
  {
    member: 'availabilityTime',
    written: 'timeOfAvailability',
    properties: [['availabilitytime'], ['timeofavailability']],
  },
];

const anyUnits: readonly Unit[] = ['minute', 'hour', 'day', 'week', 'month', 'year'];

/**
 * The file owns the four SLA members: those without an entry are removed. An entry that the catalog
 * can't hold leaves the live value, and if none can be held, the SLA is not managed.
 */
export function mapSla(scope: MappingScope): Stated | undefined {
  const list = listAt(scope.document, 'slaProperties');
  if (!list) return undefined;
  const removed = stateValue(list.pointer, null);
  const members = slaMembers.map((member) => {
    const about = entriesAbout(member, scope);
    return [member.member, about.length === 0 ? removed : mapMember(member, about, scope)] as const;
  });
  const isManaged =
    list.value.length === 0 || members.some(([, value]) => value && value !== removed);
  return isManaged ? stateGroup(list.pointer, Object.fromEntries(members)) : undefined;
}

function entriesAbout(member: SlaMember, scope: MappingScope): readonly PlacedObject[] {
  return objectsIn(listAt(scope.document, 'slaProperties')).filter(
    (entry) => rankOf(entry, member) !== -1 && concerns(entry, scope),
  );
}

function concerns(entry: PlacedObject, { document, object }: MappingScope): boolean {
  const elements = textAt(entry, 'element')?.value.split(',') ?? [];
  if (!object || elements.length === 0) return true;
  const others = objectsIn(listAt(document, 'schema')).filter(
    ({ pointer }) => pointer.at(-1) !== object.pointer.at(-1),
  );
  return elements.some(
    (element) =>
      isWithin(element.trim(), object) || !others.some((other) => isWithin(element.trim(), other)),
  );
}

// `orders` and `orders.ordered_at` are within `orders`.
function isWithin(element: string, object: PlacedObject): boolean {
  return ['name', 'physicalName'].some((key) => {
    const name = textAt(object, key)?.value;
    return name !== undefined && (element === name || element.startsWith(`${name}.`));
  });
}

export function isMappedSla(entry: PlacedObject): boolean {
  return slaMembers.some((member) => rankOf(entry, member) !== -1) && !hasOffset(entry);
}

function rankOf(entry: PlacedObject, { properties }: SlaMember): number {
  const property = textAt(entry, 'property')?.value.trim().toLowerCase() ?? '';
  return properties.findIndex((names) => names.includes(property));
}

// If several of the preferred entries differ, the only one without a driver.
function mapMember(member: SlaMember, entries: readonly PlacedObject[], scope: MappingScope) {
  const fitting = entries.filter((entry) => !hasOffset(entry));
  const best = Math.min(...fitting.map((entry) => rankOf(entry, member)));
  const preferred = fitting.filter((entry) => rankOf(entry, member) === best);
  const all = distinct(preferred, member, scope);
  const general = preferred.filter((entry) => memberAt(entry, 'driver') === undefined);
  const choices = all.length < 2 ? all : distinct(general, member, scope);
  const [first] = all;
  if (first && all.length > 1 && choices.length !== 1) {
    const property = quote(textAt(first.entry, 'property')?.value ?? '');
    const message = `${all.length} entries give ${property} different values: the live value stays.`;
    const hint = 'Keep one of them without a `driver`, or bind each to its object with `element`.';
    const { pointer } = first.entry;
    scope.report({ code: 'sla-ambiguous', severity: 'warning', message, hint, pointer });
    return undefined;
  }
  const [choice] = choices;
  return choice && (choice.stated ?? reportUnfit(choice, member, scope));
}

// The catalog stores a time of day, and its zone separately under a name, so `09:00-08:00` does not
// fit.
function hasOffset(entry: PlacedObject): boolean {
  const isStandard = textAt(entry, 'property')?.value.trim().toLowerCase() === 'timeofavailability';
  const value = textAt(entry, 'value')?.value ?? '';
  return isStandard && /(?:[+-]\d{1,2}(?::?\d{2})?|Z)\s*$/iu.test(value);
}

type Choice = { readonly entry: PlacedObject; readonly stated: Stated | undefined };

function distinct(entries: readonly PlacedObject[], member: SlaMember, scope: MappingScope) {
  const choices: Choice[] = [];
  for (const entry of entries) {
    const stated = mapEntry(entry, member, scope);
    const isKnown = choices.some((choice) => {
      if (!choice.stated || !stated) return false;
      const equals = coarseValues(choice.stated).flatMap(({ agrees }) => agrees);
      return [choice.stated.json, ...equals].some((each) => deepEqual(each, stated.json));
    });
    if (!isKnown) choices.push({ entry, stated });
  }
  return choices;
}

function mapEntry(entry: PlacedObject, { duration }: SlaMember, scope: MappingScope) {
  const text = scope.text(entry, 'value');
  const value = text ?? memberAt(entry, 'value');
  if (!value) return undefined;
  if (!duration) return text && stateValue(text.pointer, text.value);
  const unit = scope.text(entry, 'unit') ?? memberAt(entry, 'unit');
  const parsed = parseDuration(value.value, unit?.value);
  const fitting = parsed && inUnits(parsed, unitsFor(duration.units, scope));
  if (!fitting || fitting.amount > largestInteger) return undefined;
  return stateGroup(
    value.pointer,
    {
      [duration.amount]: stateValue(value.pointer, fitting.amount),
      unit: stateValue(unit?.pointer ?? value.pointer, fitting.unit),
    },
    equalDurations(fitting).map((equal) => ({ [duration.amount]: equal.amount, unit: equal.unit })),
  );
}

function unitsFor(units: readonly Unit[], { run }: MappingScope): readonly Unit[] {
  return run.takesAnyUnit ? anyUnits : units;
}

function reportUnfit(
  { entry }: Choice,
  { member, duration }: SlaMember,
  scope: MappingScope,
): undefined {
  const property = textAt(entry, 'property')?.value ?? member;
  const units = duration && unitsFor(duration.units, scope).join(', ');
  scope.report({
    code: 'sla-not-representable',
    severity: 'warning',
    message: `Can't express this ${quote(property)} as \`${member}\`: the live value stays.`,
    hint: units
      ? `Write a whole number and a \`unit\` that convert evenly to ${units}.`
      : 'Write the time of day as text.',
    pointer: memberAt(entry, 'value')?.pointer ?? entry.pointer,
  });
}

export function restateSla({ scope, trace, live, differs }: Section): JsonObject {
  const document = scope.document.value;
  const { slaProperties: list } = document;
  if (!isArray(list)) return document;
  const isOneOfMany = objectsIn(listAt(scope.document, 'schema')).length > 1;
  const name = isOneOfMany ? scope.object?.value['name'] : undefined;
  const entries: (JsonValue | undefined)[] = [...list];
  for (const member of slaMembers.filter((each) => differs('sla', each.member))) {
    const value = valueAt(live, ['sla', member.member]) ?? null;
    const about = entriesAbout(member, scope).map(({ pointer }) => Number(pointer.at(-1)));
    const [section, index = ''] = originIn(trace, ['sla', member.member]).pointer;
    const own = section === 'slaProperties' ? parseIndex(index) : undefined;
    const said = own ?? about[0] ?? entries.length;
    if (isNothing(value)) {
      for (const each of about) entries[each] = undefined;
      continue;
    }
    const entry = restateEntry(list[said], member, value) ?? composeEntry(member, value, name);
    if (isReadBack(entry, member, scope)) entries[said] = entry;
  }
  return { ...document, slaProperties: entries.filter((entry) => entry !== undefined) };
}

// Each plan would warn of an entry that can't be read back, and compare nothing.
function isReadBack(
  entry: JsonObject | undefined,
  member: SlaMember,
  scope: MappingScope,
): entry is JsonObject {
  return (
    entry !== undefined && mapEntry({ value: entry, pointer: [] }, member, scope) !== undefined
  );
}

export function composeSla(live: JsonObject, scope: MappingScope): JsonObject {
  const slaProperties = slaMembers.flatMap((member) => {
    const value = live[member.member] ?? null;
    const entry = isNothing(value) ? undefined : composeEntry(member, value);
    return isReadBack(entry, member, scope) ? [entry] : [];
  });
  return slaProperties.length === 0 ? {} : { slaProperties };
}

function composeEntry({ written, duration }: SlaMember, value: JsonValue, element?: JsonValue) {
  const said = duration ? durationIn(value, duration.amount) : { value };
  const about = typeof element === 'string' ? { element } : {};
  return said && { property: written, ...said, ...about };
}

function restateEntry(entry: JsonValue | undefined, { duration }: SlaMember, value: JsonValue) {
  if (!isObject(entry)) return undefined;
  if (!duration) return { ...entry, value };
  const live = durationIn(value, duration.amount);
  return live ? { ...entry, ...live } : entry;
}

function durationIn(value: JsonValue, name: string) {
  if (!isObject(value)) return undefined;
  const { [name]: amount, unit } = value;
  return typeof amount === 'number' && typeof unit === 'string'
    ? { value: amount, unit }
    : undefined;
}

export type Unit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';

type Duration = { readonly amount: number; readonly unit: Unit };

/** A duration of ODCS: `24` or `"24"` with a unit, or alone as `24h`, `PT24H`, `P1Y`. */
export function parseDuration(value: JsonValue | undefined, unit: JsonValue | undefined) {
  if (unit === undefined) return typeof value === 'string' ? parseAlone(value) : undefined;
  const isScalar = typeof value === 'number' || typeof value === 'string';
  if (!isScalar || typeof unit !== 'string') return undefined;
  return makeDuration(/^\s*(\d+)\s*$/u.exec(String(value))?.[1], parseUnit(unit));
}

function parseAlone(value: string): Duration | undefined {
  const [, amount, word = '', iso] =
    /^(?:(\d+)\s*([A-Za-z]+)|(P(?:\d+[YMWD]|T\d+[HMS])))$/u.exec(value.trim()) ?? [];
  if (iso === undefined) return makeDuration(amount, parseUnit(word));
  // ISO 8601: an M is a month before the T, and a minute after it.
  const parts = iso.startsWith('PT')
    ? timeUnits
    : units.filter((unit) => !timeUnits.includes(unit));
  const unit = parts.find((each) => each.startsWith(iso.slice(-1).toLowerCase()));
  return makeDuration(iso.replaceAll(/\D/gu, ''), unit);
}

function makeDuration(digits: string | undefined, unit: Unit | undefined): Duration | undefined {
  const amount = Number(digits);
  if (digits === undefined || unit === undefined || !Number.isSafeInteger(amount)) return undefined;
  return { amount, unit };
}

const timeUnits: readonly Unit[] = ['second', 'minute', 'hour'];
const units: readonly Unit[] = [...timeUnits, 'day', 'week', 'month', 'year'];

function parseUnit(word: string): Unit | undefined {
  const text = word.trim().toLowerCase();
  return units.find((unit) => [unit, `${unit}s`, ...facts[unit][2].split(' ')].includes(text));
}

/** Only if exact: `120 minute` is `2 hour`, `90 minute` is not in hours. */
export function inUnits(duration: Duration, allowed: readonly Unit[]): Duration | undefined {
  if (allowed.includes(duration.unit)) return duration;
  const others = conversions[duration.unit]?.filter((unit) => allowed.includes(unit)) ?? [];
  return equalDurations(duration).find(({ unit }) => others.includes(unit));
}

const conversions: { readonly [unit in Unit]?: readonly Unit[] } = {
  second: ['minute', 'hour', 'day'],
  minute: ['hour', 'day'],
  hour: ['day'],
  week: ['day'],
};

function equalDurations({ amount, unit }: Duration): readonly Duration[] {
  const [base, times] = facts[unit];
  return units.flatMap((other) => {
    const [otherBase, otherTimes] = facts[other];
    const count = (amount * times) / otherTimes;
    const isComparable = otherBase === base || amount === 0;
    return isComparable && Number.isInteger(count) ? [{ amount: count, unit: other }] : [];
  });
}

// Months and years have no fixed number of seconds.
const facts: { readonly [unit in Unit]: readonly [base: Unit, times: number, short: string] } = {
  second: ['second', 1, 's sec secs'],
  minute: ['second', 60, 'm min mins'],
  hour: ['second', 3600, 'h hr hrs'],
  day: ['second', 86_400, 'd'],
  week: ['second', 604_800, 'w wk wks'],
  month: ['month', 1, 'mo mos'],
  year: ['month', 12, 'y yr yrs'],
};
