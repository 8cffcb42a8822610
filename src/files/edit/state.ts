import { deepEqual, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import type { Operation } from '../../patch/evaluate.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { readDocuments, type Reading } from '../read/document.ts';
import type { OffsetDiagnostic } from '../read/finding.ts';
import { toChange, tokensOf, type ValueChange } from './change.ts';
import { applySplices, type Candidate, offsetBefore, type Span } from './lines.ts';
import {
  commentsOf,
  followPointer,
  type Found,
  isBlockCollection,
  isCollection,
  nodesOf,
  parseTree,
  reparseTree,
  type YamlComment,
  type YamlNode,
  type YamlTree,
} from './tree.ts';

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

/** JSON can't hold these values; other errors are refused. */
function errorsIn({ document, reading }: State): readonly OffsetDiagnostic[] {
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
  const first = candidates.flatMap(({ splices }) => splices);
  const second = candidates.flatMap((candidate) => candidate.second ?? []);
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
  const gone = goneFrom(state.comments(), comments(), losing, ({ text: own }) => own);
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

/** Why the text was left unchanged, with a line that counts from 1. */
export type EditRefusal = {
  readonly kind: 'refused';
  readonly line: number;
  readonly reason: string;
};

export function refusal(line: number, reason: string): EditRefusal {
  return { kind: 'refused', line, reason };
}

export const unwritable = "contract-sync can't write this change here: make it yourself.";

export function obstacleFor(state: State, change: ValueChange): EditRefusal | undefined {
  const way = followPointer(state.tree().root, sourceOf(change));
  if (way.kind !== 'found' || !way.item) return undefined;
  const { key, indicator, start } = way.item;
  if (key?.isExplicit && indicator === undefined) {
    const written = `The key ${quote(key.text ?? '')} has no colon`;
    return refusal(state.lineOf(start), `${written}: write "key:" instead of "? key".`);
  }
  const { node } = way;
  if (change.op !== 'replace' || !isCommented(node)) return undefined;
  const what = key ? `the key ${quote(key.text ?? '')}` : 'the dash';
  const reason = `A comment between ${what} and its value is in the way: move it above.`;
  return refusal(state.lineOf(node.start), reason);
}

// Comments between a key and a block collection belong to its first item.
function isCommented(node: YamlNode): boolean {
  return node.isCommented && node.kind !== 'empty' && !isBlockCollection(node);
}

export function whyRefused(state: State, change: ValueChange): EditRefusal {
  const way = placesOnWay(state, sourceOf(change));
  const { root, aliases } = state.tree();
  const inside = new Set(nodesOf(way.at(-1)?.node ?? root));
  const nodes = way.flatMap(({ item, node }) => (item?.key ? [item.key.node, node] : [node]));
  const concerned = new Set([...nodes, ...inside]);
  const shared = aliases.find(
    (alias) => !inside.has(alias) && alias.target && concerned.has(alias.target),
  );
  if (!shared?.target?.anchor)
    return refusal(lineOfPath(state, change.op === 'move' ? change.from : change.path), unwritable);
  const { text, start } = shared.target.anchor;
  const user = state.lineOf(shared.start);
  const reason = `Line ${user} also uses the anchor ${quote(text)}: edit both yourself.`;
  return refusal(state.lineOf(start), reason);
}

function sourceOf(change: ValueChange): Pointer {
  return tokensOf(change.op === 'move' ? change.from : change.path);
}

// If the path is absent, the line of its nearest ancestor.
export function lineOfPath(state: State, path: string): number {
  const place = placesOnWay(state, tokensOf(path)).at(-1);
  return state.lineOf(place?.item?.start ?? place?.node.start ?? 0);
}

function placesOnWay({ tree }: State, pointer: Pointer): readonly Found[] {
  return [...Array(pointer.length + 1).keys()]
    .map((length) => followPointer(tree().root, pointer.slice(0, length)))
    .filter((way) => way.kind === 'found');
}

// A value written from JSON loses what JSON can't hold.
export function lossBy(state: State, operation: Operation): EditRefusal | undefined {
  if (errorsIn(state).length === 0 || operation.op === 'test') return undefined;
  const { root } = state.tree();
  if (operation.op === 'copy') {
    const way = followPointer(root, tokensOf(operation.from));
    const source = way.kind === 'merged' ? way.merge.value : 'node' in way ? way.node : root;
    const loss = lossIn(state, source);
    if (loss) return loss;
  }
  if (toChange(valueOf(state), operation).op !== 'replace') return undefined;
  const way = followPointer(root, tokensOf(operation.path));
  return way.kind === 'found' && isCollection(way.node) ? lossIn(state, way.node) : undefined;
}

export function lossIn(state: State, node: YamlNode): EditRefusal | undefined {
  const errors = errorsIn(state);
  if (errors.length === 0) return undefined;
  const targets = [...nodesOf(node)].map((each) => (each.kind === 'alias' ? each.target : each));
  const error = errors.find(({ offset }) =>
    targets.some((each) => each && offset >= each.start && offset < each.end),
  );
  if (!error) return undefined;
  const reason = `${error.message} A rewrite would lose it: edit it yourself.`;
  return refusal(state.lineOf(error.offset), reason);
}
