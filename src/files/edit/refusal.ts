import { quote } from '../../core/text.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { tokensOf, type ValueChange } from './change.ts';
import { type AliasNode, isBlockCollection, nodesOf, type YamlNode } from './node.ts';
import { originOf, type State } from './state.ts';
import { followPointer, type Found } from './tree.ts';

/** Why the text stays as it is, and where. */
export type EditRefusal = {
  readonly kind: 'refused';
  readonly line: number;
  readonly reason: string;
};

export function refusal(line: number, reason: string): EditRefusal {
  return { kind: 'refused', line, reason };
}

/** What of the text no edit is tried on, though one might be found. */
export function obstacleFor(state: State, change: ValueChange): EditRefusal | undefined {
  const way = followPointer(state.tree().root, sourceOf(change));
  if (way.kind !== 'found') return undefined;
  const { key, indicator, start } = way.item ?? {};
  if (key?.isExplicit && indicator === undefined) {
    return refusal(
      originOf(state, start ?? 0),
      `The key ${quote(key.text ?? '')} has no colon: write "key:" instead of "? key".`,
    );
  }
  return change.op === 'replace' && way.item && isCommented(way.node)
    ? commentBetween(state, way)
    : undefined;
}

/** Between a key and the keys or dashes below it, comments are about those. */
function isCommented(node: YamlNode): boolean {
  return node.isCommented && node.kind !== 'empty' && !isBlockCollection(node);
}

function commentBetween(state: State, { node, item }: Found): EditRefusal {
  const what = item?.key ? `the key ${quote(item.key.text ?? '')}` : 'the dash';
  return refusal(
    originOf(state, node.start),
    `A comment between ${what} and its value is in the way: move it above.`,
  );
}

/** Why no candidate was right. */
export function whyRefused(state: State, change: ValueChange): EditRefusal {
  const shared = sharedAnchor(state, placesOnWay(state, sourceOf(change)));
  if (!shared?.target?.anchor) {
    const line = lineOfPath(state, change.op === 'move' ? change.from : change.path);
    return refusal(line, "contract-sync can't write this change here: make it yourself.");
  }
  const { text, start } = shared.target.anchor;
  const user = originOf(state, shared.start);
  return refusal(
    originOf(state, start),
    `Line ${user} also uses the anchor ${quote(text)}: edit both yourself.`,
  );
}

function sourceOf(change: ValueChange): Pointer {
  return tokensOf(change.op === 'move' ? change.from : change.path);
}

/** The line of the item at a pointer, or of its nearest ancestor that is there. */
export function lineOfPath(state: State, path: string): number {
  const place = placesOnWay(state, tokensOf(path)).at(-1);
  return originOf(state, place?.item?.start ?? place?.node.start ?? 0);
}

/** What a pointer leads through, as far as it leads. */
function placesOnWay({ tree }: State, pointer: Pointer): readonly Found[] {
  return [...Array(pointer.length + 1).keys()]
    .map((length) => followPointer(tree().root, pointer.slice(0, length)))
    .filter((way) => way.kind === 'found');
}

/** An alias elsewhere of something on the way to the last place, or inside of it. */
function sharedAnchor({ tree }: State, way: readonly Found[]): AliasNode | undefined {
  const { root, aliases } = tree();
  const inside = new Set(nodesOf(way.at(-1)?.node ?? root));
  const nodes = way.flatMap(({ item, node }) => (item?.key ? [item.key.node, node] : [node]));
  const concerned = new Set([...nodes, ...inside]);
  return aliases.find((alias) => !inside.has(alias) && alias.target && concerned.has(alias.target));
}
