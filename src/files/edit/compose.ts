import { CST } from 'yaml';

type Properties = Omit<ScalarNode, 'kind' | 'style' | 'blockHeaderEnd' | 'end'>;

/** Only the latest anchor of each name counts (YAML 1.2 §3.2.2.2). */
export type Anchors = { readonly named: Map<string, YamlNode>; readonly aliases: AliasNode[] };

export function composeNode(
  token: CST.Token | null | undefined,
  before: readonly CST.SourceToken[],
  { header, at, anchors }: { header: number; at: number; anchors: Anchors },
): YamlNode {
  const anchor = propertyOf(before, 'anchor');
  const tag = propertyOf(before, 'tag');
  const properties = [anchor, tag].filter((property) => property !== undefined);
  const headEnd = Math.max(header, ...properties.map(({ end }) => end));
  const body = token && 'offset' in token ? bodyOf(token) : Math.max(headEnd, at);
  const start = Math.min(body, ...properties.map((property) => property.start));
  const extent: Properties = {
    header,
    start,
    headEnd,
    body,
    anchor,
    tag,
    isCommented: header >= 0 && before.some(({ type }) => type === 'comment'),
  };
  const node = withContent(token, extent, anchors);
  if (anchor) anchors.named.set(anchor.text.slice(1), node);
  if (node.kind === 'alias') anchors.aliases.push(node);
  return node;
}

// The CST's offset of a block mapping is behind the anchor and tag of its first key.
function bodyOf(token: CST.Token): number {
  if (token.type !== 'block-map') return token.offset;
  const first = token.items[0]?.start.find(({ type }) => isKeyStart(type));
  return Math.min(token.offset, first?.offset ?? token.offset);
}

function propertyOf(
  tokens: readonly CST.SourceToken[],
  type: 'anchor' | 'tag',
): Property | undefined {
  const token = tokens.findLast((candidate) => candidate.type === type);
  return token && { text: token.source, start: token.offset, end: endOf(token) };
}

function endOf(token: CST.SourceToken | CST.FlowScalar): number {
  return token.offset + token.source.length;
}

function withContent(
  token: CST.Token | null | undefined,
  extent: Properties,
  anchors: Anchors,
): YamlNode {
  switch (token?.type) {
    case 'alias': {
      const target = anchors.named.get(token.source.slice(1));
      return { ...extent, kind: 'alias', end: endOf(token), target };
    }
    case 'scalar':
      return flowScalar(token, 'plain', extent);
    case 'single-quoted-scalar':
      return flowScalar(token, 'single', extent);
    case 'double-quoted-scalar':
      return flowScalar(token, 'double', extent);
    case 'block-scalar':
      return blockScalar(token, extent);
    case 'block-map':
    case 'block-seq':
      return blockCollection(token, extent, anchors);
    case 'flow-collection':
      return flowCollection(token, extent, anchors);
    default:
      return { ...extent, kind: 'empty', end: extent.body };
  }
}

function flowScalar(token: CST.FlowScalar, style: ScalarStyle, extent: Properties): ScalarNode {
  const end = endOf(token);
  return { ...extent, kind: 'scalar', style, blockHeaderEnd: end, end };
}

function blockScalar(token: CST.BlockScalar, extent: Properties): ScalarNode {
  const header = token.props.find(({ type }) => type === 'block-scalar-header');
  const source = header && 'source' in header ? header.source : '';
  const blockHeaderEnd = extent.body + source.length;
  const start = token.props.reduce(
    (end, prop) => ('source' in prop ? prop.offset + prop.source.length : end),
    blockHeaderEnd,
  );
  // With `+`, blank lines at the end are content; else they separate.
  const isContent = source.includes('+') ? token.source !== '' : token.source.trim() !== '';
  const end = isContent ? start + token.source.replace(/\r?\n$/u, '').length : blockHeaderEnd;
  return { ...extent, kind: 'scalar', style: 'block', blockHeaderEnd, end };
}

function blockCollection(
  token: CST.BlockMap | CST.BlockSequence,
  extent: Properties,
  anchors: Anchors,
): CollectionNode {
  const items =
    token.type === 'block-map'
      ? token.items.filter(hasKey).map((item) => mapItem(item, anchors))
      : token.items
          .filter(({ start }) => start.some(({ type }) => type === 'seq-item-ind'))
          .map((item) => seqItem(item, anchors));
  return {
    ...extent,
    kind: token.type === 'block-map' ? 'map' : 'seq',
    style: 'block',
    items,
    end: items.at(-1)?.end ?? extent.body,
  };
}

// The last CST item of a block collection may hold comments alone.
function hasKey({ start, key, sep }: CST.CollectionItem): boolean {
  return Boolean(key) || sep !== undefined || start.some(({ type }) => isKeyStart(type));
}

function isKeyStart(type: CST.SourceToken['type']): boolean {
  return type === 'explicit-key-ind' || type === 'anchor' || type === 'tag';
}

function seqItem({ start, value }: CST.CollectionItem, anchors: Anchors): Item {
  const place = start.findIndex(({ type }) => type === 'seq-item-ind');
  const offset = start[place]?.offset ?? 0;
  const indicator = offset + 1;
  const around = { header: indicator, at: indicator, anchors };
  const node = composeNode(value, start.slice(place + 1), around);
  return { start: offset, indicator, value: node, end: Math.max(indicator, node.end) };
}

function mapItem({ start, key, sep = [], value }: CST.CollectionItem, anchors: Anchors): Item {
  const question = start.findIndex(({ type }) => type === 'explicit-key-ind');
  const mark = start[question];
  const header = mark ? mark.offset + 1 : -1;
  const at = mark ? header : ((sep[0] ?? start.at(-1))?.offset ?? 0);
  const node = composeNode(key, start.slice(question + 1), { header, at, anchors });
  const colon = sep.findIndex(({ type }) => type === 'map-value-ind');
  const indicator = sep[colon] && sep[colon].offset + 1;
  const valueAt = indicator ?? node.end;
  const around = { header: valueAt, at: valueAt, anchors };
  const content = composeNode(value, sep.slice(colon + 1), around);
  return {
    start: mark ? mark.offset : node.start,
    end: Math.max(valueAt, content.end),
    key: toKey(node, key, mark !== undefined),
    indicator,
    value: content,
  };
}

function toKey(node: YamlNode, token: CST.Token | null | undefined, isExplicit: boolean): YamlKey {
  const scalar = CST.isScalar(token) ? CST.resolveAsScalar(token, true, () => undefined) : null;
  const text = scalar?.value;
  const isMerge = node.kind === 'scalar' && node.style === 'plain' && text === '<<';
  return { node, text, isExplicit, isMerge };
}

function flowCollection(
  token: CST.FlowCollection,
  extent: Properties,
  anchors: Anchors,
): CollectionNode {
  const kind = token.start.type === 'flow-map-start' ? 'map' : 'seq';
  const last = token.end[0];
  const items = token.items.flatMap((item, index) => {
    if (!hasKey(item) && item.value === undefined) return [];
    const comma = token.items[index + 1]?.start.find(({ type }) => type === 'comma')?.offset;
    return [{ ...flowItem(item, kind, anchors), comma }];
  });
  return { ...extent, kind, style: 'flow', items, end: last ? endOf(last) : extent.body + 1 };
}

function flowItem(
  { start: before, ...item }: CST.CollectionItem,
  kind: 'map' | 'seq',
  anchors: Anchors,
): Item {
  const comma = before.findIndex(({ type }) => type === 'comma');
  const start = before.slice(comma + 1);
  if (kind === 'map') return mapItem({ ...item, start }, anchors);
  if (item.sep !== undefined) return bareItem({ ...item, start }, anchors);
  const value = composeNode(item.value, start, { header: -1, at: 0, anchors });
  return { start: value.start, end: value.end, value };
}

function bareItem(item: CST.CollectionItem, anchors: Anchors): Item {
  const pair = mapItem(item, anchors);
  const { start, end } = pair;
  const value: CollectionNode = {
    kind: 'map',
    style: 'bare',
    header: -1,
    start,
    headEnd: -1,
    body: start,
    end,
    isCommented: false,
    items: [pair],
  };
  return { start, end, value };
}

// Offsets are UTF-16 code units of the text; ends are exclusive.
type Extent = {
  // Behind the dash or the colon; -1 without either.
  readonly header: number;
  // Of the first anchor or tag, else of the value.
  readonly start: number;
  // Behind the last anchor or tag; without any, the header.
  readonly headEnd: number;
  readonly body: number;
  // Behind the last character of content, before blank lines and comments.
  readonly end: number;
  readonly anchor?: Property | undefined;
  readonly tag?: Property | undefined;
  readonly isCommented: boolean;
};

export type Property = { readonly text: string; readonly start: number; readonly end: number };

type ScalarStyle = 'plain' | 'single' | 'double' | 'block';

type ScalarNode = Extent & {
  readonly kind: 'scalar';
  readonly style: ScalarStyle;
  readonly blockHeaderEnd: number;
};
export type AliasNode = Extent & {
  readonly kind: 'alias';
  /** Undefined where the anchor is not defined before the alias. */
  readonly target: YamlNode | undefined;
};

export type CollectionNode = Extent & {
  readonly kind: 'map' | 'seq';
  /** A bare mapping has no braces, as in `[a: 1]`. */
  readonly style: 'block' | 'flow' | 'bare';
  readonly items: readonly Item[];
};

export type YamlNode =
  | ScalarNode
  | AliasNode
  | (Extent & { readonly kind: 'empty' })
  | CollectionNode;

export type Item = {
  /** Of the dash, the `?` or the key with its anchor and tag; in a flow sequence, of the value. */
  readonly start: number;
  readonly end: number;
  readonly key?: YamlKey;
  /** Behind the colon or the dash; absent where a key has no colon. */
  readonly indicator?: number | undefined;
  readonly value: YamlNode;
  readonly comma?: number | undefined;
};

type YamlKey = {
  readonly node: YamlNode;
  // The name in JSON; undefined where the key is no scalar.
  readonly text: string | undefined;
  readonly isExplicit: boolean;
  readonly isMerge: boolean;
};

export function* nodesOf(node: YamlNode): Generator<YamlNode> {
  yield node;
  if (node.kind !== 'map' && node.kind !== 'seq') return;
  for (const { key, value } of node.items) {
    if (key) yield key.node;
    yield* nodesOf(value);
  }
}

export function isBlockCollection(node: YamlNode): node is CollectionNode {
  return (node.kind === 'map' || node.kind === 'seq') && node.style === 'block';
}
