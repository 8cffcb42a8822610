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
      return (
        deepEqual(value, isEdited ? expected : known.value) &&
        keepsErrors(known.errors, errors, losing)
      );
    });
  if (!isRight) return undefined;
  const comments = once(() => commentsOf(text));
  const losing = candidates.flatMap((candidate) => candidate.losing ?? []);
  const isInLine = candidates.every((candidate) => candidate.isInLine);
  const lost = isInLine ? [] : lostComments(state.comments(), comments(), losing);
  if (!lost) return undefined;
  const gone = lost.map((each) => ({ line: originOf(state, each.offset), text: each.text }));
  return {
    ...state,
    text,
    reading,
    tree: once(() => reparseTree(text, state.tree())),
    comments,
    origins: laterOrigins(state.origins, state.text, splices),
    removedComments: [...state.removedComments, ...gone],
  };
}

// No error is new, and none outside of `losing` is gone: its value would be written as another.
function keepsErrors(
  before: readonly OffsetDiagnostic[],
  after: readonly OffsetDiagnostic[],
  losing: readonly Span[],
): boolean {
  if (before.length + after.length === 0) return true;
  const isLost = ({ offset }: OffsetDiagnostic): boolean =>
    losing.some(({ start, end }) => offset >= start && offset < end);
  const left = before.toSorted((a, b) => Number(isLost(a)) - Number(isLost(b)));
  const isKnown = ({ message }: OffsetDiagnostic): boolean => {
    const at = left.findIndex((each) => each.message === message);
    if (at !== -1) left.splice(at, 1);
    return at !== -1;
  };
  return after.every(isKnown) && left.every(isLost);
}

// Undefined where a comment outside of `losing` is gone; of equal comments, those outside are
// matched first.
function lostComments(
  before: readonly YamlComment[],
  after: readonly YamlComment[],
  losing: readonly Span[],
): readonly YamlComment[] | undefined {
  const left = new Map<string, number>();
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1);
  const isFound = ({ text }: YamlComment): boolean => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  };
  const { inside = [], outside = [] } = Object.groupBy(before, ({ offset }) =>
    losing.some(({ start, end }) => offset >= start && offset < end) ? 'inside' : 'outside',
  );
  return outside.every(isFound) ? inside.filter((comment) => !isFound(comment)) : undefined;
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
