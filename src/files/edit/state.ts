import { deepEqual, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import type { Edit } from '../../patch/diff.ts';
import { parsePointer, type Pointer } from '../../patch/pointer.ts';
import { readDocuments, type Reading } from '../read/document.ts';
import { applySplices, type Candidate, offsetBefore, type Span } from './lines.ts';
import {
  commentsOf,
  followPointer,
  type Found,
  nodesOf,
  parseTree,
  reparseTree,
  type YamlComment,
  type YamlNode,
  type YamlTree,
} from './tree.ts';

/** As a diff makes it: `add` adds, and a move stays in its list. */
export type TextChange = Edit['operation'];

export function tokensOf(pointer: string): Pointer {
  return parsePointer(pointer) ?? [];
}

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
  };
}

function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

export function valueOf({ document, reading }: State): JsonValue {
  return reading.documents[document]?.value ?? null;
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
      const known = former[index];
      const wanted = index === state.document ? expected : known?.value;
      return errors.length === known?.errors.length && deepEqual(value, wanted);
    });
  if (!isRight) return undefined;
  const comments = once(() => commentsOf(text));
  const losing = candidates.flatMap((candidate) => candidate.losing ?? []);
  if (!keepsComments(state.comments(), comments(), losing)) return undefined;
  return {
    ...state,
    text,
    reading,
    tree: once(() => reparseTree(text, state.tree())),
    comments,
    lineOf: (offset) => state.lineOf(offsetBefore(first, offsetBefore(second, offset))),
  };
}

function keepsComments(
  before: readonly YamlComment[],
  after: readonly YamlComment[],
  losing: readonly Span[],
): boolean {
  const left = new Map<string, number>();
  for (const { text } of after) left.set(text, (left.get(text) ?? 0) + 1);
  return before.every(({ text, offset }) => {
    if (losing.some(({ start, end }) => offset >= start && offset < end)) return true;
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count > 0;
  });
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

export function whyRefused(state: State, change: TextChange): EditRefusal {
  const pointer = tokensOf(change.op === 'move' ? change.from : change.path);
  const way = placesOnWay(state, pointer);
  const last = way.at(-1);
  const deepest = way.length <= pointer.length ? last?.node : undefined;
  // If the path is absent, the line of its nearest ancestor.
  const { start } = last?.item ?? last?.node ?? state.tree().root;
  return (
    (deepest && whyElsewhere(state, deepest, change)) ??
    whyShared(state, way) ??
    refusal(state.lineOf(start), unwritable)
  );
}

function whyShared(state: State, way: readonly Found[]): EditRefusal | undefined {
  const { root } = state.tree();
  const inside = new Set(nodesOf(way.at(-1)?.node ?? root));
  const keys = way.flatMap(({ item }) => item?.key?.node ?? []);
  const concerned = [...way.map(({ node }) => node), ...keys, ...inside];
  for (const alias of nodesOf(root)) {
    if (alias.kind !== 'alias' || inside.has(alias)) continue;
    const name = `&${state.text.slice(alias.body + 1, alias.end)}`;
    const { anchor } = concerned.find((node) => node.anchor?.text === name) ?? {};
    if (!anchor) continue;
    const user = state.lineOf(alias.start);
    const reason = `Line ${user} also uses the anchor ${quote(name)}: edit both yourself.`;
    return refusal(state.lineOf(anchor.start), reason);
  }
  return undefined;
}

// Of a value that is not below the last node on its way.
function whyElsewhere(state: State, node: YamlNode, { op }: TextChange): EditRefusal | undefined {
  if (node.kind === 'alias') {
    const name = quote(state.text.slice(node.body, node.end));
    const reason = `The alias ${name} stands for the value here: write it out, or edit it yourself.`;
    return refusal(state.lineOf(node.start), reason);
  }
  const merge = node.kind === 'map' ? node.items.find(({ key }) => key?.isMerge) : undefined;
  if (!merge || op === 'add') return undefined;
  return refusal(state.lineOf(merge.start), 'A merge (<<) gives this value: edit it yourself.');
}

function placesOnWay({ tree }: State, pointer: Pointer): readonly Found[] {
  return [...Array(pointer.length + 1).keys()]
    .map((length) => followPointer(tree().root, pointer.slice(0, length)))
    .filter((way) => way.kind === 'found');
}
