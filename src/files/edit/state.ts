import type { JsonValue } from '../../core/json.ts';
import { applySplices, type Candidate, lineNumber, type Span } from './lines.ts';
import { firstOrigins, laterOrigins, type Origins } from './origins.ts';
import { isProved, readDocuments, type Reading } from './reading.ts';
import {
  commentsOf,
  once,
  parseTree,
  reparseTree,
  type YamlComment,
  type YamlTree,
} from './tree.ts';

/** Something to be said of a line of the first text. */
export type EditNotice = { readonly line: number; readonly message: string };

/** A comment of the first text that is gone, because it belonged to what is gone. */
export type RemovedComment = { readonly line: number; readonly text: string };

/** A text between two operations of a patch. */
export type State = {
  readonly kind: 'state';
  readonly text: string;
  readonly document: number;
  readonly reading: Reading;
  /** Made when it is first asked for: few patches have a second operation. */
  readonly tree: () => YamlTree;
  readonly comments: () => readonly YamlComment[];
  readonly origins: Origins;
  readonly notices: readonly EditNotice[];
  readonly removedComments: readonly RemovedComment[];
};

/** A text before its first operation. */
export function openState(text: string, document: number, reading: Reading): State {
  return {
    kind: 'state',
    text,
    document,
    reading,
    tree: once(() => parseTree(text, document)),
    comments: once(() => commentsOf(text)),
    origins: firstOrigins(text),
    notices: [],
    removedComments: [],
  };
}

/** What the document to edit says now. */
export function valueOf({ document, reading }: State): JsonValue {
  return reading.documents[document]?.value ?? null;
}

/** The line of the first text that an offset of the present text comes from. */
export function originOf({ text, origins }: State, offset: number): number {
  return origins[lineNumber(text, offset) - 1] ?? 1;
}

/**
 * The first candidate that, read again, says what it should, leaves the other documents alone, and
 * has all comments but those that may go.
 */
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

/** The text with all of some candidates, if it reads back as it should: none is in another's way. */
export function proved(
  state: State,
  candidates: readonly Candidate[],
  expected: JsonValue,
): State | undefined {
  const { document } = state;
  const splices = candidates.flatMap((candidate) => candidate.splices);
  const text = applySplices(state.text, splices);
  const reading = readDocuments(text);
  if (!isProved(state.reading, reading, document, expected)) return undefined;
  const comments = once(() => commentsOf(text));
  const isInLine = candidates.every((candidate) => candidate.isInLine);
  const losing = candidates.flatMap((candidate) => candidate.losing ?? []);
  const lost = isInLine ? [] : lostComments(state.comments(), comments(), losing);
  if (!lost) return undefined;
  const gone = lost.map((comment) => ({
    line: originOf(state, comment.offset),
    text: comment.text,
  }));
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

export function withNotice(state: State, line: number, message: string): State {
  return { ...state, notices: [...state.notices, { line, message }] };
}

/**
 * The comments that a later text has no more, if all of them stood where they may be lost; else
 * undefined. Where an equal one is left, it is taken for one that stood elsewhere.
 */
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
