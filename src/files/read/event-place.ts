import { type Event, EVENT_ID, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import type { Pointer } from '../../patch/pointer.ts';

export type EventText = { readonly text: string; readonly events: readonly Event[] };

type EventMember = { readonly key: number; readonly value: number };

/** `root` is the index of an event; an absent value has the offset of its nearest ancestor. */
export function locateEventValue(parsed: EventText, root: number, pointer: Pointer): number {
  const { key, value } = descend(parsed, root, pointer);
  const { text, events } = parsed;
  const named = events[key];
  if (!isLeftEmpty(events[value]) || named?.type !== EVENT_ID.SCALAR)
    return offsetAt(parsed, value);
  let offset = text.indexOf(':', named.valueEnd) + 1;
  while (text[offset] === ' ') offset += 1;
  return offset;
}

export function locateEventKey(parsed: EventText, root: number, pointer: Pointer): number {
  return offsetAt(parsed, descend(parsed, root, pointer).key);
}

function descend(parsed: EventText, root: number, pointer: Pointer): EventMember {
  let place: EventMember = { key: root, value: root };
  for (const token of pointer) {
    const child = childOf(parsed, place.value, token);
    if (!child) break;
    place = child;
  }
  return place;
}

function childOf(parsed: EventText, parent: number, token: string): EventMember | undefined {
  const type = parsed.events[parent]?.type;
  if (type === EVENT_ID.MAPPING) return memberOf(parsed, parent, token);
  const isIndex = type === EVENT_ID.SEQUENCE && /^\d+$/u.test(token);
  return isIndex ? itemOf(parsed, parent, Number(token)) : undefined;
}

function memberOf(parsed: EventText, map: number, name: string): EventMember | undefined {
  const { text, events } = parsed;
  let key = map + 1;
  for (let event = events[key]; event?.type === EVENT_ID.SCALAR; event = events[key]) {
    if (getScalarValue(text, event) === name) return { key, value: key + 1 };
    key = endOfValue(parsed, key + 1);
  }
  return undefined;
}

function itemOf(parsed: EventText, list: number, index: number): EventMember | undefined {
  let item = list + 1;
  const { events } = parsed;
  for (let passed = 0; item < events.length; passed += 1) {
    if (events[item]?.type === EVENT_ID.POP) break;
    if (passed === index) return { key: item, value: item };
    item = endOfValue(parsed, item);
  }
  return undefined;
}

function endOfValue({ events }: EventText, start: number): number {
  let open = 0;
  let at = start;
  do {
    const type = events[at]?.type;
    if (type === EVENT_ID.POP) open -= 1;
    else if (type !== EVENT_ID.SCALAR) open += 1;
    at += 1;
  } while (open > 0 && at < events.length);
  return at;
}

export function isLeftEmpty(event: Event | undefined): event is ScalarEvent {
  return event?.type === EVENT_ID.SCALAR && event.valueStart === -1;
}

function offsetAt({ text, events }: EventText, at: number): number {
  const event = events[at];
  if (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE) return event.start;
  return event?.type === EVENT_ID.SCALAR ? scalarOffset(text, event) : 0;
}

// Includes the quote or the block indicator, which events leave out.
function scalarOffset(text: string, event: ScalarEvent): number {
  switch (event.style) {
    case SCALAR_STYLE.PLAIN:
      return event.valueStart;
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return event.valueStart - 1;
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return blockOffset(text, event) ?? event.valueStart;
  }
}

/** Undefined where a digit or a comment follows the indicator. */
export function blockOffset(text: string, { valueStart }: ScalarEvent): number | undefined {
  const lineStart = text.lastIndexOf('\n', valueStart - 2) + 1;
  const line = text.slice(lineStart, valueStart);
  const header = line.includes('#') ? undefined : /[|>][-+]?\s*$/u.exec(line);
  return header ? lineStart + header.index : undefined;
}
