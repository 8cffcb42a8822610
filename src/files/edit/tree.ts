import { CST, Lexer, Parser } from 'yaml';
import { lexerMarks } from '../read/yaml.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import {
  type AliasNode,
  type Anchors,
  type CollectionNode,
  composeNode,
  type Item,
  type YamlNode,
} from './compose.ts';

export type YamlTree = {
  readonly text: string;
  readonly document: number;
  readonly root: YamlNode;
  readonly aliases: readonly AliasNode[];
  /** The tree before the first edit: its habits apply, even if their items are removed. */
  readonly first?: YamlTree;
};

export function parseTree(text: string, document: number): YamlTree {
  const tokens = [...new Parser().parse(text)].filter((token) => token.type === 'document');
  const { start: before, value, offset } = tokens[document] ?? { start: [], offset: text.length };
  const anchors: Anchors = { named: new Map(), aliases: [] };
  const mark = before.find(({ type }) => type === 'doc-start');
  const header = mark ? mark.offset + mark.source.length : -1;
  const root = composeNode(value, before, { header, at: mark ? header : offset, anchors });
  return { text, document, root, aliases: anchors.aliases };
}

export function reparseTree(text: string, former: YamlTree): YamlTree {
  return { ...parseTree(text, former.document), first: former.first ?? former };
}

export type YamlComment = { readonly offset: number; readonly text: string };

export function commentsOf(text: string): readonly YamlComment[] {
  const comments: YamlComment[] = [];
  if (!text.includes('#')) return comments;
  let offset = 0;
  let isScalar = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isScalar && lexeme.startsWith('#')) comments.push({ offset, text: lexeme.trimEnd() });
    const isMark = !isScalar && lexerMarks.has(lexeme);
    isScalar = lexeme === CST.SCALAR;
    if (!isMark) offset += lexeme.length;
  }
  return comments;
}

export function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => (known ??= { value: compute() }).value;
}

/** The index is the holder's length for an item to add. */
export type Site = { readonly holder: CollectionNode; readonly index: number };

export type Target = { readonly node: YamlNode; readonly item?: Item | undefined };

/** Without an item at the document's root. */
export type Found = {
  readonly kind: 'found';
  readonly node: YamlNode;
  readonly item?: Item;
  readonly site?: Site;
  readonly isInFlow: boolean;
};

export type Way =
  | Found
  /** All tokens but the last lead to the holder, which has no such item. */
  | { readonly kind: 'absent'; readonly holder: CollectionNode }
  /** `depth` tokens lead to the alias. */
  | { readonly kind: 'alias'; readonly node: AliasNode; readonly depth: number }
  /** `depth` tokens lead to the holder, which has the next key only by a merge. */
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
    node.kind === 'map'
      ? node.items.findIndex(({ key }) => key && !key.isMerge && key.text === token)
      : (parseIndex(token) ?? -1);
  const item = node.items[index];
  if (item) {
    const site = { holder: node, index };
    const isFlow = isInFlow || node.style !== 'block';
    return { kind: 'found', node: item.value, item, site, isInFlow: isFlow };
  }
  const merge = node.items.find(({ key, value }) => key?.isMerge && isMerged(value, token));
  return merge ? { kind: 'merged', holder: node, merge, depth } : { kind: 'absent', holder: node };
}

function isMerged(value: YamlNode | undefined, name: string): boolean {
  if (value?.kind === 'alias') return isMerged(value.target, name);
  if (value?.kind === 'seq') return value.items.some((item) => isMerged(item.value, name));
  if (value?.kind !== 'map') return false;
  return value.items.some(({ key, value: inner }) =>
    key?.isMerge ? isMerged(inner, name) : key?.text === name,
  );
}
