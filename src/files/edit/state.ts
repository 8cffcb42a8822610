import type { JsonValue } from '../../core/json.ts';
import type { Candidate } from './block.ts';
import { lostComments } from './comments.ts';
import { laterOrigins, type Origins } from './origins.ts';
import { isProved, type Reading, readDocuments } from './reading.ts';
import { lineNumber } from './text.ts';
import { parseTree, type YamlTree } from './tree.ts';

/** A place in the first text, and something to be said of it. */
export type EditNotice = { readonly line: number; readonly message: string };

/** A comment that is gone because it belonged to what is gone. */
export type RemovedComment = { readonly line: number; readonly text: string };

/** A text between two operations of a patch. */
export type State = {
  readonly kind: 'going';
  readonly tree: YamlTree;
  readonly reading: Reading;
  readonly origins: Origins;
  readonly notices: readonly EditNotice[];
  readonly removedComments: readonly RemovedComment[];
};

export function valueOf({ tree, reading }: State): JsonValue {
  return reading.documents[tree.document]?.value ?? null;
}

/** The line of the first text that an offset of the present text comes from. */
export function originOf({ tree, origins }: State, offset: number): number {
  return origins[lineNumber(tree.text, offset) - 1] ?? 1;
}

/**
 * The first candidate that, read again, says what it should, leaves the other documents alone and
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

function proved(state: State, { text, losing }: Candidate, expected: JsonValue): State | undefined {
  const { document } = state.tree;
  const reading = readDocuments(text);
  if (!isProved(state.reading, reading, document, expected)) return undefined;
  const tree = parseTree(text, document);
  const lost = tree && lostComments(state.tree.comments, tree.comments, losing);
  if (!lost) return undefined;
  const removed = lost.map((comment) => ({
    line: originOf(state, comment.offset),
    text: comment.text,
  }));
  return {
    ...state,
    tree,
    reading,
    origins: laterOrigins(state.origins, state.tree.text, text),
    removedComments: [...state.removedComments, ...removed],
  };
}

export function withNotice(state: State, line: number, message: string): State {
  return { ...state, notices: [...state.notices, { line, message }] };
}
