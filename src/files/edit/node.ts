/** Where a value stands. All offsets are of the text; ends are exclusive. */
type Extent = {
  /** Behind the dash or the colon that leads to the value; -1 where nothing does. */
  readonly header: number;
  /** The first of its properties (anchor, tag), or else of the value itself. */
  readonly start: number;
  /** Behind the last property; the header where there is none. */
  readonly headEnd: number;
  /** The value without its properties. */
  readonly body: number;
  /** Behind the last character of content: blank lines and comments do not count. */
  readonly end: number;
  readonly anchor?: Property;
  readonly tag?: Property;
  /** A comment stands between what leads to the value and the value. */
  readonly isCommented: boolean;
};

/** An anchor or a tag. */
export type Property = { readonly text: string; readonly start: number; readonly end: number };

export type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

export type ScalarNode = Extent & {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  /** Of a block scalar, behind its header (`|-`). */
  readonly blockHeaderEnd: number;
};
export type AliasNode = Extent & {
  readonly kind: 'alias';
  /** What it stands for; absent where no such anchor stands before it. */
  readonly target: YamlNode | undefined;
};
/** A key or a dash that nothing follows. */
type EmptyNode = Extent & { readonly kind: 'empty' };

/** A mapping or a sequence. */
export type CollectionNode = Extent & {
  readonly kind: 'map' | 'seq';
  /** `[a: 1]` holds a mapping without braces. */
  readonly style: 'block' | 'flow' | 'bare';
  readonly items: readonly Item[];
};

export type YamlNode = ScalarNode | AliasNode | EmptyNode | CollectionNode;

/** One member of a mapping or one element of a sequence. */
export type Item = {
  /** The dash, the `?`, or the key with its properties; of a flow sequence, the value. */
  readonly start: number;
  readonly end: number;
  /** Of a mapping. */
  readonly key?: YamlKey;
  /** Behind the colon or the dash; absent where a key has no colon. */
  readonly indicator?: number;
  readonly value: YamlNode;
  /** The comma that follows in a flow collection. */
  readonly comma?: number;
};

/** What stands in front of the colon of a member. */
export type YamlKey = {
  readonly node: YamlNode;
  /** As a member of JSON; undefined where it is no text. */
  readonly text: string | undefined;
  /** Written with a `?`. */
  readonly isExplicit: boolean;
  /** A plain `<<`. */
  readonly isMerge: boolean;
};

/** The nodes of a subtree, its root first. */
export function* nodesOf(node: YamlNode): Generator<YamlNode> {
  yield node;
  if (node.kind !== 'map' && node.kind !== 'seq') return;
  for (const { key, value } of node.items) {
    if (key) yield key.node;
    yield* nodesOf(value);
  }
}

/** Whether a value is a mapping or a sequence that is written with indentation. */
export function isBlockCollection(node: YamlNode): node is CollectionNode {
  return (node.kind === 'map' || node.kind === 'seq') && node.style === 'block';
}
