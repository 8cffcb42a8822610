import {
  type Event,
  EVENT_ID,
  parseEvents,
  SCALAR_STYLE,
  type ScalarEvent,
  YAMLException,
} from 'js-yaml';
import { deepestNesting } from '../../core/json.ts';
import {
  isGap,
  lexemesOf,
  type Lines,
  linesOf,
  mergeConflict,
  type OffsetDiagnostic,
  syntaxError,
} from './finding.ts';

/** Places in the text are offsets in UTF-16 code units, places in `events` are indexes. */
export type EventText = {
  readonly text: string;
  readonly lines: Lines;
  readonly events: readonly Event[];
  /** By alias, the node it stands for; none where no anchor before it has its name. */
  readonly targets: ReadonlyMap<number, number>;
  /** By collection, the keys and values in it, once a place was looked for there. */
  readonly below: Map<number, readonly number[]>;
  /** Sections are left out, with the anchors in them. */
  readonly isPart?: boolean;
};

type Parsed = EventText & {
  /** Offsets are behind the `---`. */
  readonly documents: readonly { readonly root: number; readonly offset: number }[];
  readonly error?: OffsetDiagnostic;
  /** The error is of the whole text: no part of it can be read. */
  readonly ends?: true;
};

/** A text with an error has no documents. */
export function parseText(text: string): Parsed {
  if (last?.text === text) return last;
  last = parseAfresh(text);
  return last;
}

// An edit of a file has its text parsed several times in a row.
let last: Parsed | undefined;

function parseAfresh(text: string): Parsed {
  const targets = new Map<number, number>();
  const below = new Map<number, readonly number[]>();
  const lines = linesOf(text);
  const nothing = { text, lines, events: [], targets, below, documents: [] };
  const excess =
    text.length > mostTokens ? lexemesOf(text).drop(mostTokens).next().value : undefined;
  if (excess) return { ...nothing, error: tooComplex(excess.offset), ends: true };
  try {
    const events = eventsOf(text);
    return {
      ...nothing,
      events,
      targets: text.includes('*') ? targetsOf(text, events) : targets,
      documents: documentsOf(text, events),
    };
  } catch (error) {
    if (!(error instanceof YAMLException) || !error.mark) throw error;
    const conflict = mergeConflict(text);
    if (conflict) return { ...nothing, error: conflict, ends: true };
    const { reason, mark } = error;
    return { ...nothing, error: syntaxError(text, reason, mark.position) };
  }
}

// About half a megabyte of YAML: a bound on time and memory.
const mostTokens = 200_000;

function tooComplex(offset: number): OffsetDiagnostic {
  const message = `The file has more than ${mostTokens} YAML tokens: the rest is not read.`;
  const hint = 'Split it, for example into one file for each contract.';
  return { code: 'file-too-complex', message, hint, offset };
}

function eventsOf(text: string): readonly Event[] {
  // A scalar in the deepest collection counts too.
  const options = { maxDepth: deepestNesting + 1 };
  try {
    return parseEvents(text, options);
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') throw error;
    return parseEvents(withFlatGaps(text), options);
  }
}

// js-yaml alone requires a closing bracket to be indented deeper than its key, and no tab before
// a value in brackets. With spaces in place of such gaps all offsets stay.
function withFlatGaps(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  let gap = 0;
  for (const lexeme of lexemesOf(text)) {
    if (isGap(lexeme)) continue;
    const { offset, source, isText } = lexeme;
    const isClosing = !isText && /^[\]}]$/u.test(source);
    if (offset > gap && (isClosing || !text.slice(gap, offset).includes('\n'))) {
      pieces.push(text.slice(from, gap), ' '.repeat(offset - gap));
      from = offset;
    }
    gap = offset + source.length;
  }
  return [...pieces, text.slice(from)].join('');
}

function documentsOf(text: string, events: readonly Event[]): Parsed['documents'] {
  const marks = text.includes('---') ? [...text.matchAll(/^---(?=\s|$)/gmu)] : [];
  const documents: Parsed['documents'][number][] = [];
  let mark: number | undefined;
  for (let root = 1; root <= events.length; root += 1) {
    const event = events[root - 1];
    if (event?.type !== EVENT_ID.DOCUMENT) continue;
    if (event.explicitStart) mark = marks.shift()?.index;
    documents.push({ root, offset: mark === undefined ? 0 : mark + 3 });
  }
  return documents;
}

// An alias means the latest anchor before it (YAML 1.2 §3.2.2.2).
function targetsOf(text: string, events: readonly Event[]): ReadonlyMap<number, number> {
  const targets = new Map<number, number>();
  const anchored = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    if (event.type === EVENT_ID.DOCUMENT) anchored.clear();
    if (event.type === EVENT_ID.DOCUMENT || event.type === EVENT_ID.POP || event.anchorStart === -1)
      continue;
    const name = text.slice(event.anchorStart, event.anchorEnd);
    const target = anchored.get(name);
    if (event.type !== EVENT_ID.ALIAS) anchored.set(name, index);
    else if (target !== undefined) targets.set(index, target);
  }
  return targets;
}

/** The index behind a value. */
export function endOfValue({ events }: EventText, start: number): number {
  let open = 0;
  let at = start;
  do {
    const type = events[at]?.type;
    if (type === EVENT_ID.POP) open -= 1;
    else if (type !== EVENT_ID.SCALAR && type !== EVENT_ID.ALIAS) open += 1;
    at += 1;
  } while (open > 0 && at < events.length);
  return at;
}

/** The indexes of a map's keys and values, or of a list's items. */
export function valuesBelow(parsed: EventText, collection: number): readonly number[] {
  const { events, below } = parsed;
  const known = below.get(collection);
  if (known) return known;
  const values: number[] = [];
  let at = collection + 1;
  while (at < events.length && events[at]?.type !== EVENT_ID.POP) {
    values.push(at);
    at = endOfValue(parsed, at);
  }
  below.set(collection, values);
  return values;
}

/** A merge key names its value, or the items of a list; some may be aliases. */
export function mergeSources(parsed: EventText, value: number): readonly number[] {
  const list = parsed.targets.get(value) ?? value;
  const isList = parsed.events[list]?.type === EVENT_ID.SEQUENCE;
  return isList ? valuesBelow(parsed, list) : [value];
}

export function isLeftEmpty(event: Event | undefined): event is ScalarEvent {
  return event?.type === EVENT_ID.SCALAR && event.valueStart === -1;
}

/** Past the anchor and the tag. A value that is left out is behind its colon or dash. */
export function offsetOf(parsed: EventText, index: number): number {
  const { text, events } = parsed;
  let from = index;
  while (from >= 0 && startOf(text, events[from]) === -1) from -= 1;
  if (from === index) return startOf(text, events[index]);
  let end = endOf(events[from]);
  for (const event of events.slice(from + 1, index + 1)) {
    if (event.type !== EVENT_ID.SCALAR) continue;
    indicator.lastIndex = end;
    indicator.test(text);
    end = indicator.lastIndex;
  }
  return end;
}

const indicator = /(?:[\s\]}]|#[^\n]*)*[-:?]? */uy;

function startOf(text: string, event: Event | undefined): number {
  switch (event?.type) {
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    case EVENT_ID.SCALAR:
      return isLeftEmpty(event)
        ? Math.max(event.anchorEnd, event.tagEnd)
        : startOfScalar(text, event);
    default:
      return -1;
  }
}

// Events leave out the quote, and the header of a block.
function startOfScalar(text: string, { style, valueStart }: ScalarEvent): number {
  if (style === SCALAR_STYLE.PLAIN) return valueStart;
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
    return valueStart - 1;
  const line = text.lastIndexOf('\n', valueStart - 2) + 1;
  const header = /[|>][-+\d]*[ \t]*(?:(?<=\s)#.*)?\r?\n?$/u.exec(text.slice(line, valueStart));
  return line + (header?.index ?? 0);
}

function endOf(event: Event | undefined): number {
  switch (event?.type) {
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    case EVENT_ID.ALIAS:
      return event.anchorEnd;
    case EVENT_ID.SCALAR: {
      const isQuoted =
        event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED;
      return Math.max(event.valueEnd + Number(isQuoted), event.anchorEnd, event.tagEnd);
    }
    default:
      return 0;
  }
}
