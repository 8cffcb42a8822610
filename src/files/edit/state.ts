import type { JsonValue } from '../../core/json.ts';
import { once } from './once.ts';
import { isProved, type Reading, readDocuments } from './reading.ts';
import { lineNumber } from './lines.ts';
import { applySplices, type Candidate } from './splice.ts';
import { firstOrigins, laterOrigins, lostComments, type Origins } from './trace.ts';
import { commentsOf, parseTree, reparseTree, type YamlComment, type YamlTree } from './tree.ts';

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
  readonly comments: readonly YamlComment[];
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
    comments: commentsOf(text),
    origins: firstOrigins(text),
    notices: [],
    removedComments: [],
  };
}

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
    const next = proved(state, candidate, expected);
    if (next) return next;
  }
  return undefined;
}

function proved(
  state: State,
  { splices, losing }: Candidate,
  expected: JsonValue,
): State | undefined {
  const { document } = state;
  const text = applySplices(state.text, splices);
  const reading = readDocuments(text);
  if (!isProved(state.reading, reading, document, expected)) return undefined;
  const comments = commentsOf(text);
  const lost = lostComments(state.comments, comments, losing);
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
    origins: laterOrigins(state.origins, state.text, text),
    removedComments: [...state.removedComments, ...gone],
  };
}

export function withNotice(state: State, line: number, message: string): State {
  return { ...state, notices: [...state.notices, { line, message }] };
}
