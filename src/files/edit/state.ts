import { deepEqual, type JsonValue } from '../../core/json.ts';
import { readDocuments, type Reading } from '../read/document.ts';
import type { OffsetDiagnostic } from '../read/finding.ts';
import { applySplices, type Candidate, offsetBefore, type Span } from './lines.ts';
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
  /** The line of the first text, from 1, that an offset of this one comes from. */
  readonly lineOf: (offset: number) => number;
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
    lineOf: (offset) => text.slice(0, offset).split('\n').length,
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

export function withNotice(state: State, line: number, message: string): State {
  return { ...state, notices: [...state.notices, { line, message }] };
}

export function firstProved(state: State, candidates: Iterable<Candidate>, expected: JsonValue) {
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
  const [first, second] = [
    candidates.flatMap(({ splices }) => splices),
    candidates.flatMap((candidate) => candidate.second ?? []),
  ];
  const text = applySplices(applySplices(state.text, first), second);
  const reading = readDocuments(text);
  const { documents: former } = state.reading;
  const isRight =
    reading.errors.length === 0 &&
    reading.documents.length === former.length &&
    reading.documents.every(({ value, errors }, index) => {
      const isEdited = index === state.document;
      const known = former[index] ?? { value: null, errors: [] };
      const removing = isEdited ? candidates.filter(({ isMove }) => !isMove) : [];
      const losing = removing.flatMap((candidate) => candidate.losing ?? []);
      // Without new errors, and with all that were outside of what is removed.
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
  const removed = gone.map((each) => ({ line: state.lineOf(each.offset), text: each.text }));
  return {
    ...state,
    text,
    reading,
    tree: once(() => reparseTree(text, state.tree())),
    comments,
    lineOf: (offset) => state.lineOf(offsetBefore(first, offsetBefore(second, offset))),
    removedComments: [...state.removedComments, ...removed],
  };
}

// Those inside of `losing` that are gone; undefined where another one is gone. Of equal texts, those
// outside are matched first.
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
