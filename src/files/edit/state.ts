import type { JsonValue } from '../../core/json.ts';
import { applySplices, type Candidate, lineNumber, type Span } from './lines.ts';
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
    const next = proved(state, candidate, expected);
    if (next) return next;
  }
  return undefined;
}

function proved(
  state: State,
  { splices, losing, isInLine = false }: Candidate,
  expected: JsonValue,
): State | undefined {
  const { document } = state;
  const text = applySplices(state.text, splices);
  const reading = readDocuments(text);
  if (!isProved(state.reading, reading, document, expected)) return undefined;
  const comments = once(() => commentsOf(text));
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
    origins: laterOrigins(state.origins, state.text, text),
    removedComments: [...state.removedComments, ...gone],
  };
}

export function withNotice(state: State, line: number, message: string): State {
  return { ...state, notices: [...state.notices, { line, message }] };
}

/** For each line of a text, the line of the first text that it came from; lines count from 1. */
type Origins = readonly number[];

function firstOrigins(text: string): Origins {
  return text.split('\n').map((_, index) => index + 1);
}

/** The origins after an edit: equal lines came from where they were, new ones from the line above. */
function laterOrigins(origins: Origins, before: string, after: string): Origins {
  const [former, later] = [before.split('\n'), after.split('\n')];
  const least = Math.min(former.length, later.length);
  const top = commonStart(former, later, least);
  const bottom = commonStart(former.toReversed(), later.toReversed(), least - top);
  const places = Map.groupBy(
    former.slice(top, former.length - bottom).map((line, index) => ({ line, index: top + index })),
    ({ line }) => line,
  );
  let last = origins[top] ?? origins.at(-1) ?? 1;
  const middle = later.slice(top, later.length - bottom).map((line) => {
    const place = places.get(line)?.shift();
    last = (place && origins[place.index]) ?? last;
    return last;
  });
  return [...origins.slice(0, top), ...middle, ...origins.slice(former.length - bottom)];
}

function commonStart(a: readonly string[], b: readonly string[], most: number): number {
  let count = 0;
  while (count < most && a[count] === b[count]) count += 1;
  return count;
}

/**
 * The comments that a later text has no more, if all of them stood where they may be lost; else
 * undefined. Where an equal one is left, it is taken for one that stood elsewhere.
 */
function lostComments(
  before: readonly YamlComment[],
  after: readonly YamlComment[],
  losing: Span | undefined,
): readonly YamlComment[] | undefined {
  const left = new Map<string, number>();
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1);
  const isFound = ({ text }: YamlComment): boolean => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  };
  const { inside = [], outside = [] } = Object.groupBy(before, ({ offset }) =>
    losing && offset >= losing.start && offset < losing.end ? 'inside' : 'outside',
  );
  return outside.every(isFound) ? inside.filter((comment) => !isFound(comment)) : undefined;
}
