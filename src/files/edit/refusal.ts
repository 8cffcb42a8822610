import { quote } from '../../core/text.ts';
import type { Operation } from '../../patch/operation.ts';
import { parsePointer, type Pointer } from '../../patch/pointer.ts';
import { originOf, type State } from './state.ts';
import { type AliasNode, nodesOf, type YamlNode } from './tree.ts';
import { followPointer, type Found } from './way.ts';

/** Why the text stays as it is, and where. */
export type Refusal = { readonly kind: 'refused'; readonly line: number; readonly reason: string };

export function refusal(line: number, reason: string): Refusal {
  return { kind: 'refused', line, reason };
}

/** What of the text no edit is tried on, though one might be found. */
export function obstacleFor(state: State, operation: Operation): Refusal | undefined {
  if (operation.op === 'test' || operation.op === 'copy') return undefined;
  const source = operation.op === 'move' ? operation.from : operation.path;
  const way = followPointer(state.tree.root, parsePointer(source) ?? []);
  if (way.kind !== 'found') return undefined;
  const { key, indicator, start } = way.item ?? {};
  if (key?.isExplicit && indicator === undefined) {
    return refusal(
      originOf(state, start ?? 0),
      `The key ${quote(key.text ?? '')} has no colon: write "key:" in place of "? key".`,
    );
  }
  const isReplaced = operation.op === 'replace' || operation.op === 'add';
  return isReplaced && isCommented(way.node) ? commentBetween(state, way) : undefined;
}

/** Between a key and the keys or dashes below it, comments are about those. */
function isCommented(node: YamlNode): boolean {
  const isBlock = (node.kind === 'map' || node.kind === 'seq') && node.style === 'block';
  return node.isCommented && node.kind !== 'empty' && !isBlock;
}

function commentBetween(state: State, { node, item }: Found): Refusal {
  const what = item?.key ? `the key ${quote(item.key.text ?? '')}` : 'the dash';
  return refusal(
    originOf(state, node.start),
    `A comment stands between ${what} and its value: move the comment above.`,
  );
}

/** Why no candidate was right. */
export function whyRefused(state: State, operation: Operation): Refusal {
  const source = operation.op === 'move' ? operation.from : operation.path;
  const pointer = parsePointer(source) ?? [];
  const nodes = nodesOnWay(state, pointer);
  const target = nodes.at(-1) ?? state.tree.root;
  const line = originOf(state, target.start);
  const shared = sharedAnchor(state, nodes, target);
  if (!shared?.target?.anchor) {
    return refusal(line, `No way is known to write this change here: make it by hand.`);
  }
  const { text } = shared.target.anchor;
  const user = originOf(state, shared.start);
  return refusal(line, `Line ${user} also uses the anchor ${quote(text)}: edit both by hand.`);
}

/** The nodes that a pointer leads through, as far as it leads. */
function nodesOnWay({ tree }: State, pointer: Pointer): readonly YamlNode[] {
  return [...Array(pointer.length + 1).keys()].flatMap((length) => {
    const way = followPointer(tree.root, pointer.slice(0, length));
    return way.kind === 'found' ? [way.node] : [];
  });
}

/** An alias elsewhere of something on the way to a target, or inside of it. */
function sharedAnchor(
  { tree }: State,
  way: readonly YamlNode[],
  target: YamlNode,
): AliasNode | undefined {
  const inside = new Set(nodesOf(target));
  const concerned = new Set([...way, ...inside]);
  return tree.aliases.find(
    (alias) => !inside.has(alias) && alias.target && concerned.has(alias.target),
  );
}
