/** The SLA of the catalog as entries of an ODCS document. Pure. */

import {
  isNothing,
  isObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from '../../core/json.ts';
import { restateDuration } from '../../files/formats/odcs/duration.ts';
import type { PlacedObject } from '../../files/formats/odcs/place.ts';
import type { MappingScope } from '../../files/formats/odcs/scope.ts';
import { entriesAbout, type SlaMember, slaMembers } from '../../files/formats/odcs/sla.ts';

/** Which object's SLA is restated, and what of it. */
export type SlaContext = {
  readonly scope: MappingScope;
  readonly object: PlacedObject | undefined;
  /** The `element` of a new entry; none where it is about all that the document has. */
  readonly element?: string | undefined;
  /** Whether the file differs from the catalog in a member. */
  readonly differs: (member: string) => boolean;
  /** The place in the list of the entry that says a member. */
  readonly entryOf: (member: string) => number | undefined;
};

/** The entries with the values that the catalog has; what it has not is not said any more. */
export function restateSla(list: JsonArray, live: JsonObject, context: SlaContext): JsonArray {
  const entries: (JsonValue | undefined)[] = [...list];
  for (const member of slaMembers.filter((each) => context.differs(each.member))) {
    const value = live[member.member] ?? null;
    const about = entriesAbout(member, context.object, context.scope).map(placeOf);
    const said = context.entryOf(member.member) ?? about[0];
    if (isNothing(value)) for (const index of about) entries[index] = undefined;
    else if (said === undefined) entries.push(composeEntry(member, value, context.element));
    else entries[said] = restateEntry(list[said] ?? null, member, value);
  }
  return entries.filter((entry) => entry !== undefined);
}

function placeOf({ pointer }: PlacedObject): number {
  return Number(pointer.at(-1));
}

/** An entry for a member of the SLA; undefined where ODCS can't say its value. */
export function composeEntry(
  { member, duration }: SlaMember,
  value: JsonValue,
  element?: string,
): JsonObject | undefined {
  const said = duration ? durationIn(value, duration.name) : { value };
  return (
    said && { property: propertyNames[member], ...said, ...(element !== undefined && { element }) }
  );
}

const propertyNames = {
  refreshFrequency: 'frequency',
  maxLatency: 'latency',
  retention: 'retention',
  availabilityTime: 'timeOfAvailability',
} as const;

function restateEntry(entry: JsonValue, { duration }: SlaMember, value: JsonValue): JsonValue {
  if (!isObject(entry)) return entry;
  if (!duration) return { ...entry, value };
  const live = durationIn(value, duration.name);
  const restated =
    live && restateDuration(live.value, live.unit, { value: entry['value'], unit: entry['unit'] });
  return restated ? { ...entry, ...restated } : entry;
}

function durationIn(value: JsonValue, name: string) {
  if (!isObject(value)) return undefined;
  const { [name]: amount, unit } = value;
  return typeof amount === 'number' && typeof unit === 'string'
    ? { value: amount, unit }
    : undefined;
}
