import {
  deepestNesting,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../core/json.ts';
import {
  COLLECTION_STYLE,
  type Event,
  EVENT_ID,
  getScalarValue,
  type MappingEvent,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml';
import { forbiddenKeys, mostTokens } from './finding.ts';
import type { Pointer } from '../../patch/pointer.ts';

export type Places = {
  /** The offset of the value, or of its nearest ancestor; an alias leads to its anchor. */
  readonly locateValue: (pointer: Pointer) => number;
  readonly locateKey: (pointer: Pointer) => number;
};

export type SimpleDocument = Places & { readonly value: JsonValue };

/**
 * The documents of a text without mistakes that all parsers read alike; undefined for any other,
 * which the `yaml` package reads.
 *
 * Not simple are: what `notSimple` finds; a space at the very start or end; long and deep texts;
 * whatever js-yaml refuses; documents that are empty or one scalar; tags, anchors, aliases and merge
 * keys; keys that are no text, forbidden, long or duplicate; values left out other than behind the
 * key of a block mapping; pairs in a list without their braces; brackets over several lines with a
 * `#`; quotes and brackets with something close behind them; numbers in odd forms; block texts with
 * a digit or a `#` on their first line; escaped halves of surrogate pairs.
 */
export function parseSimple(text: string): readonly SimpleDocument[] | undefined {
  if (last?.text !== text) last = { text, documents: parseAfresh(text) };
  return last.documents;
}

// An edit of a file has its text parsed several times in a row.
let last: { readonly text: string; readonly documents: ReturnType<typeof parseAfresh> } | undefined;

function parseAfresh(text: string): readonly SimpleDocument[] | undefined {
  if (text.length > longestSimple || text.startsWith(' ') || text.endsWith(' ')) return undefined;
  if (notSimple.test(text)) return undefined;
  const events = eventsOf(text);
  return events && documentsOf({ text, events, next: 0, end: 0 });
}

// UTF-16 code units: each lexeme has at least one, and at most one mark beside it.
const longestSimple = mostTokens / 2;

// Tabs, byte order marks, odd line breaks and escapes; directives; `...`, and more than a break
// behind `---`; complex keys.
const notSimple =
  /[\t\ufeff\u0085\u2028\u2029]|\r(?!\n)|\\(?:U|\r?$)|^(?:%|\.\.\.|---.)|(?<![^\s,[{-])\?(?!\S)/mu;

function eventsOf(text: string): readonly Event[] | undefined {
  try {
    // A flow list in which each item is a pair nests twice as deep as it counts.
    return parseEvents(text, { maxDepth: deepestNesting / 2 });
  } catch {
    return undefined;
  }
}

type Walk = EventText & {
  // Index of the next event.
  next: number;
  // Offset behind the last flow collection, or plain or quoted scalar.
  end: number;
};

function documentsOf(walk: Walk): readonly SimpleDocument[] | undefined {
  const { events } = walk;
  const documents: SimpleDocument[] = [];
  while (walk.next < events.length) {
    const root = walk.next + 1;
    walk.next = root;
    const value = valueOf(walk);
    if (typeof value !== 'object' || value === null) return undefined;
    walk.next += 1;
    documents.push({
      value,
      locateValue: (pointer) => locateEventValue(walk, root, pointer),
      locateKey: (pointer) => offsetAt(walk, descend(walk, root, pointer).key),
    });
  }
  return documents.length > 0 ? documents : undefined;
}

function valueOf(walk: Walk): JsonValue | undefined {
  const event = walk.events[walk.next];
  walk.next += 1;
  if (event?.type === EVENT_ID.SCALAR) return isBare(event) ? scalarOf(walk, event) : undefined;
  const isCollection = event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE;
  return isCollection && isBare(event) ? collectionOf(walk, event) : undefined;
}

function isBare({ tagStart, anchorStart }: MappingEvent | SequenceEvent | ScalarEvent): boolean {
  return tagStart === -1 && anchorStart === -1;
}

function collectionOf(walk: Walk, event: MappingEvent | SequenceEvent): JsonValue | undefined {
  const { text } = walk;
  const isMapping = event.type === EVENT_ID.MAPPING;
  if (event.style === COLLECTION_STYLE.BLOCK)
    return isMapping ? mappingOf(walk, memberValue) : listOf(walk);
  if (isMapping && text[event.start] !== '{') return undefined;
  walk.end = event.start + 1;
  const value = isMapping ? mappingOf(walk, valueOf) : listOf(walk);
  walk.end = text.indexOf(isMapping ? '}' : ']', walk.end) + 1;
  // Parsers differ on comments inside of brackets.
  const isCommented = /#[^]*\n|\n[^]*#/u.test(text.slice(event.start, walk.end));
  return isSimplyClosed(walk) && !isCommented ? value : undefined;
}

function isSimplyClosed({ text, end }: Walk): boolean {
  let next = end;
  while (text[next] === ' ') next += 1;
  const sign = text[next];
  return sign === undefined || ':,]}\r\n'.includes(sign) || (sign === '#' && next > end);
}

function listOf(walk: Walk): JsonValue | undefined {
  const items: JsonValue[] = [];
  while (walk.events[walk.next]?.type !== EVENT_ID.POP) {
    const item = valueOf(walk);
    if (item === undefined) return undefined;
    items.push(item);
  }
  walk.next += 1;
  return items;
}

function mappingOf(walk: Walk, readValue: typeof valueOf): JsonObject | undefined {
  const members: { [key: string]: JsonValue } = {};
  while (walk.events[walk.next]?.type !== EVENT_ID.POP) {
    const name = keyOf(walk);
    if (name === undefined || Object.hasOwn(members, name)) return undefined;
    const value = readValue(walk);
    if (value === undefined) return undefined;
    members[name] = value;
  }
  walk.next += 1;
  return members;
}

function keyOf(walk: Walk): string | undefined {
  const { text, events, next } = walk;
  const event = events[next];
  if (event?.type !== EVENT_ID.SCALAR) return undefined;
  if (text.indexOf(':', event.valueEnd) > event.valueStart + longestKey) return undefined;
  const name = valueOf(walk);
  return typeof name !== 'string' || name === '<<' || forbiddenKeys.has(name) ? undefined : name;
}

// UTF-16 code units from a key to its colon: YAML 1.2 §7.4.2 ends it at 1024.
const longestKey = 1000;

function memberValue(walk: Walk): JsonValue | undefined {
  const event = walk.events[walk.next];
  if (!isLeftEmpty(event) || !isBare(event)) return valueOf(walk);
  walk.next += 1;
  return null;
}

function scalarOf(walk: Walk, event: ScalarEvent): JsonPrimitive | undefined {
  const { text } = walk;
  const value = getScalarValue(text, event);
  switch (event.style) {
    case SCALAR_STYLE.PLAIN:
      walk.end = event.valueEnd;
      return isLeftEmpty(event) ? undefined : plainValue(value);
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      walk.end = event.valueEnd + 1;
      return isSimplyClosed(walk) && value.isWellFormed() ? value : undefined;
    case SCALAR_STYLE.LITERAL_BLOCK:
    case SCALAR_STYLE.FOLDED_BLOCK:
      return blockOffset(text, event) === undefined ? undefined : value;
  }
}

// YAML 1.2 §10.3.2 (core schema).
const words: ReadonlyMap<string, boolean | null> = new Map([
  ['~', null],
  ['null', null],
  ['Null', null],
  ['NULL', null],
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
]);

// UTF-16 code units: hashing a longer text takes a pass over it.
const longestWord = 'false'.length;

function plainValue(plain: string): JsonPrimitive | undefined {
  const word = plain.length > longestWord ? undefined : words.get(plain);
  if (word !== undefined) return word;
  if (!maybeNumber.test(plain)) return plain;
  if (simpleNumber.test(plain)) return Number(plain);
  return oddNumber.test(plain) ? undefined : plain;
}

const maybeNumber = /^[-+.\d]/u;
// Few enough digits for a double.
const simpleNumber = /^(?!-0(?:\.0*)?$)(?=.{1,16}$)-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/u;
// Octal, hexadecimal, leading zeros, exponents, +1, -0, .5, 5., .inf, .nan and long numbers.
const oddNumber =
  /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|0o[0-7]+|0x[\da-f]+|[-+]?\.inf|\.nan)$/iu;

type EventText = { readonly text: string; readonly events: readonly Event[] };

type EventMember = { readonly key: number; readonly value: number };

/** `root` is the index of an event; an absent value has the offset of its nearest ancestor. */
function locateEventValue(parsed: EventText, root: number, pointer: Pointer): number {
  const { key, value } = descend(parsed, root, pointer);
  const { text, events } = parsed;
  const named = events[key];
  if (!isLeftEmpty(events[value]) || named?.type !== EVENT_ID.SCALAR)
    return offsetAt(parsed, value);
  let offset = text.indexOf(':', named.valueEnd) + 1;
  while (text[offset] === ' ') offset += 1;
  return offset;
}

function descend(parsed: EventText, root: number, pointer: Pointer): EventMember {
  let place: EventMember = { key: root, value: root };
  for (const token of pointer) {
    const isMap = parsed.events[place.value]?.type === EVENT_ID.MAPPING;
    const child = (isMap ? memberOf : itemOf)(parsed, place.value, token);
    if (!child) break;
    place = child;
  }
  return place;
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

function itemOf(parsed: EventText, list: number, token: string): EventMember | undefined {
  let item = list + 1;
  const { events } = parsed;
  if (events[list]?.type !== EVENT_ID.SEQUENCE || !/^\d+$/u.test(token)) return undefined;
  for (let passed = 0; item < events.length; passed += 1) {
    if (events[item]?.type === EVENT_ID.POP) break;
    if (passed === Number(token)) return { key: item, value: item };
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

function isLeftEmpty(event: Event | undefined): event is ScalarEvent {
  return event?.type === EVENT_ID.SCALAR && event.valueStart === -1;
}

function offsetAt({ text, events }: EventText, at: number): number {
  const event = events[at];
  if (event?.type === EVENT_ID.MAPPING || event?.type === EVENT_ID.SEQUENCE) return event.start;
  if (event?.type !== EVENT_ID.SCALAR) return 0;
  const { style, valueStart } = event;
  // Events leave out the quote and the block indicator.
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
    return valueStart - 1;
  return style === SCALAR_STYLE.PLAIN ? valueStart : (blockOffset(text, event) ?? valueStart);
}

/** Undefined where a digit or a comment follows the indicator. */
function blockOffset(text: string, { valueStart }: ScalarEvent): number | undefined {
  const lineStart = text.lastIndexOf('\n', valueStart - 2) + 1;
  const line = text.slice(lineStart, valueStart);
  const header = line.includes('#') ? undefined : /[|>][-+]?\s*$/u.exec(line);
  return header ? lineStart + header.index : undefined;
}
