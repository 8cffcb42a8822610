import { deepEqual, type JsonValue } from '../../core/json.ts';
import { readDocuments, type Reading } from '../read/document.ts';
import type { OffsetDiagnostic } from '../read/finding.ts';
import { applySplices, type Candidate, lineStart, type Span, type Splice } from './lines.ts';
import { commentsOf, parseTree, reparseTree, type YamlComment, type YamlTree } from './tree.ts';

export type EditNotice = { readonly line: number; readonly message: string };

export type RemovedComment = { readonly line: number; readonly text: string };

export type State = {
  readonly kind: 'state';
  readonly text: string;
  readonly document: number;
  readonly reading: Reading;
  /** Lazy: few patches have a second operation. */
  readonly tree: () => YamlTree;
  readonly comments: () => readonly YamlComment[];
  readonly origins: Origins;
  readonly notices: readonly EditNotice[];
  readonly removedComments: readonly RemovedComment[];
};

export function openState(text: string, document: number, reading: Reading): State {
  return {
    kind: 'state',
    text,
    document,
    reading,
    tree: once(() => parseTree(text, document)),
    comments: once(() => commentsOf(text)),
    origins: text.split('\n').map((_, index) => index + 1),
    notices: [],
    removedComments: [],
  };
}

function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

export function valueOf({ document, reading }: State): JsonValue {
  return reading.documents[document]?.value ?? null;
}

/** Of values that JSON can't hold; others are refused. */
export function errorsIn({ document, reading }: State): readonly OffsetDiagnostic[] {
  return reading.documents[document]?.errors ?? [];
}

/** The line of the first text that an offset of the current one comes from. */
export function originOf({ text, origins }: State, offset: number): number {
  return origins[breaksIn(text.slice(0, offset))] ?? 1;
}

export function withNotice(state: State, line: number, message: string): State {
  return { ...state, notices: [...state.notices, { line, message }] };
}

export function firstProved(
  state: State,
  candidates: Iterable<Candidate>,
  expected: JsonValue,
): State | undefined {
  for (const candidate of candidates) {
    const next = proved(state, [candidate], expected);
    if (next) return next;
  }
  return undefined;
}

/**
 * Undefined unless the text reads back as expected, and keeps the other documents and all comments
 * outside of `losing`. Candidates must not overlap.
 */
export function proved(
  state: State,
  candidates: readonly Candidate[],
  expected: JsonValue,
): State | undefined {
  const splices = candidates.flatMap((candidate) => candidate.splices);
  const text = applySplices(state.text, splices);
  const reading = readDocuments(text);
  const { documents: former } = state.reading;
  const isRight =
    reading.errors.length === 0 &&
    reading.documents.length === former.length &&
    reading.documents.every(({ value, errors }, index) => {
      const isEdited = index === state.document;
      const known = former[index] ?? { value: null, errors: [] };
      const spans = isEdited ? candidates.filter(({ isMove }) => !isMove) : [];
      const losing = spans.flatMap((each) => each.losing ?? []);
      // No error is new: a value that is gone elsewhere would be written as another one.
      const gone = goneFrom(known.errors, errors, losing, ({ message }) => message);
      const isKept = errors.length + (gone?.length ?? NaN) === known.errors.length;
      return isKept && deepEqual(value, isEdited ? expected : known.value);
    });
  if (!isRight) return undefined;
  const comments = once(() => commentsOf(text));
  const losing = candidates.flatMap((candidate) => candidate.losing ?? []);
  const isInLine = candidates.every((candidate) => candidate.isInLine);
  const gone = isInLine
    ? []
    : goneFrom(state.comments(), comments(), losing, ({ text: own }) => own);
  if (!gone) return undefined;
  const removed = gone.map((each) => ({ line: originOf(state, each.offset), text: each.text }));
  return {
    ...state,
    text,
    reading,
    tree: once(() => reparseTree(text, state.tree())),
    comments,
    origins: laterOrigins(state.origins, state.text, splices),
    removedComments: [...state.removedComments, ...removed],
  };
}

// What of `losing` is gone; undefined where something outside of it is. Of equal ones, those outside
// are matched first.
function goneFrom<Each extends { readonly offset: number }>(
  before: readonly Each[],
  after: readonly Each[],
  losing: readonly Span[],
  textOf: (each: Each) => string,
): readonly Each[] | undefined {
  const left = new Map<string, number>();
  for (const text of after.map(textOf)) left.set(text, (left.get(text) ?? 0) + 1);
  const isFound = (each: Each): boolean => {
    const count = left.get(textOf(each)) ?? 0;
    left.set(textOf(each), count - 1);
    return count > 0;
  };
  const { inside = [], outside = [] } = Object.groupBy(before, ({ offset }) =>
    losing.some(({ start, end }) => offset >= start && offset < end) ? 'inside' : 'outside',
  );
  return outside.every(isFound) ? inside.filter((each) => !isFound(each)) : undefined;
}

// By line, its line in the first text, from 1.
type Origins = readonly number[];

function laterOrigins(origins: Origins, text: string, splices: readonly Splice[]): Origins {
  const later: number[] = [];
  let [line, offset] = [0, 0];
  for (const { span, own } of touchedLines(text, splices)) {
    const first = line + breaksIn(text.slice(offset, span.start));
    const before = text.slice(span.start, span.end).split('\n');
    const next = first + before.length;
    const after = applySplices(text, own, span).split('\n');
    later.push(...origins.slice(line, first));
    later.push(...originsWithin(origins.slice(first, next), before, after));
    [line, offset] = [next, span.end + 1];
  }
  return [...later, ...origins.slice(line)];
}

function touchedLines(text: string, splices: readonly Splice[]) {
  const groups: { readonly span: { start: number; end: number }; readonly own: Splice[] }[] = [];
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    const last = groups.at(-1);
    const feed = text.indexOf('\n', splice.end);
    const end = feed === -1 ? text.length : feed;
    if (last && splice.start <= last.span.end) {
      last.span.end = Math.max(last.span.end, end);
      last.own.push(splice);
    } else groups.push({ span: { start: lineStart(text, splice.start), end }, own: [splice] });
  }
  return groups;
}

function breaksIn(text: string): number {
  return text.split('\n').length - 1;
}

function originsWithin(
  origins: Origins,
  former: readonly string[],
  later: readonly string[],
): Origins {
  const least = Math.min(former.length, later.length);
  const top = commonStart(former, later, least);
  const bottom = commonStart(former.toReversed(), later.toReversed(), least - top);
  const places = Map.groupBy(
    former
      .keys()
      .drop(top)
      .take(former.length - bottom - top),
    (index) => former[index],
  );
  let last = origins[top] ?? origins.at(-1) ?? 1;
  const middle = later.slice(top, later.length - bottom).map((line) => {
    last = origins[places.get(line)?.shift() ?? -1] ?? last;
    return last;
  });
  return [...origins.slice(0, top), ...middle, ...origins.slice(former.length - bottom)];
}

function commonStart(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}
