import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import type { AliasNode, CollectionNode, Item, YamlNode } from './node.ts';

/** An item of a collection; past the last item where something is to be added. */
export type Site = { readonly holder: CollectionNode; readonly index: number };

/** A value; without an item where it is the document's own. */
export type Found = {
  readonly kind: 'found';
  readonly node: YamlNode;
  readonly item?: Item;
  readonly site?: Site;
  /** It stands between brackets or braces. */
  readonly isInFlow: boolean;
};

/** What is met on the way to the value at a pointer. */
export type Way =
  | Found
  /** All tokens but the last lead to this collection, which has no such item. */
  | { readonly kind: 'absent'; readonly holder: CollectionNode }
  /** The pointer leads on behind an alias: that many tokens lead to it. */
  | { readonly kind: 'alias'; readonly node: AliasNode; readonly depth: number }
  /** The mapping that that many tokens lead to has the next only by a merge key. */
  | {
      readonly kind: 'merged';
      readonly holder: CollectionNode;
      readonly merge: Item;
      readonly depth: number;
    }
  | { readonly kind: 'lost' };

export function followPointer(root: YamlNode, pointer: Pointer): Way {
  let way: Way = { kind: 'found', node: root, isInFlow: false };
  for (const [depth, token] of pointer.entries()) {
    if (way.kind !== 'found') return way.kind === 'absent' ? { kind: 'lost' } : way;
    way = advance(way, token, depth);
  }
  return way;
}

function advance({ node, isInFlow }: Found, token: string, depth: number): Way {
  if (node.kind === 'alias') return { kind: 'alias', node, depth };
  if (node.kind !== 'map' && node.kind !== 'seq') return { kind: 'lost' };
  const index =
    node.kind === 'map' ? memberIndex(node, token) : (parseIndex(token) ?? node.items.length);
  const item = node.items[index];
  if (item) {
    const site = { holder: node, index };
    const isFlow = isInFlow || node.style !== 'block';
    return { kind: 'found', node: item.value, item, site, isInFlow: isFlow };
  }
  const merge = node.items.find(({ key, value }) => key?.isMerge && isMerged(value, token));
  return merge ? { kind: 'merged', holder: node, merge, depth } : { kind: 'absent', holder: node };
}

function memberIndex(map: CollectionNode, name: string): number {
  const index = map.items.findIndex(({ key }) => key && !key.isMerge && key.text === name);
  return index === -1 ? map.items.length : index;
}

/** Whether what a merge key stands for has a member, be it by a merge of its own. */
function isMerged(value: YamlNode | undefined, name: string): boolean {
  if (value?.kind === 'alias') return isMerged(value.target, name);
  if (value?.kind === 'seq') return value.items.some((item) => isMerged(item.value, name));
  if (value?.kind !== 'map') return false;
  return value.items.some(({ key, value: inner }) =>
    key?.isMerge ? isMerged(inner, name) : key?.text === name,
  );
}
