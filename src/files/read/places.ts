import { EVENT_ID, getScalarValue } from 'js-yaml';
import type { Pointer } from '../../patch/pointer.ts';
import { endOfValue, type EventText, offsetOf } from './events.ts';
import { isMergeKey } from './value.ts';

export type Places = {
  /** The offset of the value, or of its nearest ancestor; an alias leads to its anchor. */
  readonly locateValue: (pointer: Pointer) => number;
  readonly locateKey: (pointer: Pointer) => number;
};

/** Searches the events for each place: few are asked for. */
export function placesIn(parsed: EventText, root: number): Places {
  const place = (pointer: Pointer, part: keyof Member): number =>
    offsetOf(parsed, descend(parsed, root, pointer)[part]);
  return {
    locateValue: (pointer) => place(pointer, 'value'),
    locateKey: (pointer) => place(pointer, 'key'),
  };
}

/** Indexes of events; those of an item are the same. */
type Member = { readonly key: number; readonly value: number };

function descend(parsed: EventText, root: number, pointer: Pointer): Member {
  let place: Member = { key: root, value: root };
  for (const token of pointer) {
    const isMap = parsed.events[place.value]?.type === EVENT_ID.MAPPING;
    const child = isMap ? memberOf(parsed, place.value, token) : itemOf(parsed, place.value, token);
    if (!child) break;
    place = child;
  }
  return place;
}

function* valuesBelow(parsed: EventText, collection: number): Generator<number> {
  const { events } = parsed;
  let at = collection + 1;
  while (at < events.length && events[at]?.type !== EVENT_ID.POP) {
    yield at;
    at = endOfValue(parsed, at);
  }
}

function* membersOf(parsed: EventText, map: number): Generator<Member> {
  let key: number | undefined;
  for (const at of valuesBelow(parsed, map)) {
    if (key !== undefined) yield { key, value: parsed.targets.get(at) ?? at };
    key = key === undefined ? at : undefined;
  }
}

function memberOf(
  parsed: EventText,
  map: number,
  name: string,
  seen = new Set<number>(),
): Member | undefined {
  const { text, events, targets } = parsed;
  const merged: number[] = [];
  for (const member of membersOf(parsed, map)) {
    const { key, value } = member;
    const event = events[targets.get(key) ?? key];
    if (isMergeKey(parsed, key)) merged.push(...mapsAt(parsed, value));
    else if (event?.type === EVENT_ID.SCALAR && getScalarValue(text, event) === name) return member;
  }
  seen.add(map); // A mapping that merges itself is refused, but must be located to be reported.
  for (const source of merged) {
    const found = seen.has(source) ? undefined : memberOf(parsed, source, name, seen);
    if (found) return found;
  }
  return undefined;
}

function mapsAt(parsed: EventText, index: number): readonly number[] {
  const { events, targets } = parsed;
  const isList = events[index]?.type === EVENT_ID.SEQUENCE;
  const all = isList ? [...valuesBelow(parsed, index)] : [index];
  return all
    .map((each) => targets.get(each) ?? each)
    .filter((each) => events[each]?.type === EVENT_ID.MAPPING);
}

function itemOf(parsed: EventText, list: number, token: string): Member | undefined {
  const isItem = parsed.events[list]?.type === EVENT_ID.SEQUENCE && /^\d+$/u.test(token);
  if (!isItem) return undefined;
  const item = valuesBelow(parsed, list).drop(Number(token)).next().value;
  if (item === undefined) return undefined;
  const value = parsed.targets.get(item) ?? item;
  return { key: value, value };
}
