import { CST, Parser } from 'yaml';
import { lexemesOf } from '../read/finding.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';

// Offsets are UTF-16 code units of the text; ends are exclusive.
type Extent = {
  /** Behind the dash or the colon; -1 without either. */
  readonly header: number;
  /** Of the anchor, else of the value. */
  readonly start: number;
  /** Behind the anchor; without one, the header. */
  readonly headEnd: number;
  readonly body: number;
  /** Behind the last character of content, before blank lines and comments. */
  readonly end: number;
  readonly anchor?: { readonly text: string; readonly start: number } | undefined;
};

export type CollectionNode = Extent & {
  readonly kind: 'map' | 'seq';
  readonly style: 'block' | 'flow';
  readonly items: readonly Item[];
};

export type YamlNode =
  | (Extent & {
      readonly kind: 'scalar';
      readonly style: 'plain' | 'single' | 'double' | 'block';
      readonly blockHeaderEnd: number;
    })
  | (Extent & { readonly kind: 'alias' | 'empty' })
  | CollectionNode;

export type Item = {
  /** Of the dash, the `?` or the key with its anchor; in a flow sequence, of the value. */
  readonly start: number;
  readonly end: number;
  readonly key?: {
    readonly node: YamlNode;
    /** The name in JSON; undefined where the key is no scalar. */
    readonly text: string | undefined;
    readonly isMerge: boolean;
  };
  /** Behind the colon or the dash; absent where a key has no colon. */
  readonly indicator?: number | undefined;
  readonly value: YamlNode;
  readonly comma?: number | undefined;
};

export type YamlTree = {
  readonly text: string;
  readonly document: number;
  readonly root: YamlNode;
  /** The tree before the first edit: its habits apply, even if their items are removed. */
  readonly first?: YamlTree;
};

export function parseTree(text: string, document: number): YamlTree {
  const tokens = [...new Parser().parse(text)].filter((token) => token.type === 'document');
  const { start: before, value, offset } = tokens[document] ?? { start: [], offset: text.length };
  const mark = before.find(({ type }) => type === 'doc-start');
  const root = composeNode(value, before, mark ? endOf(mark) : -1, mark ? endOf(mark) : offset);
  return { text, document, root };
}

export function reparseTree(text: string, former: YamlTree): YamlTree {
  return { ...parseTree(text, former.document), first: former.first ?? former };
}

export function* nodesOf(node: YamlNode): Generator<YamlNode> {
  yield node;
  if (!isCollection(node)) return;
  for (const { key, value } of node.items) {
    if (key) yield* nodesOf(key.node);
    yield* nodesOf(value);
  }
}

export function isCollection(node: YamlNode): node is CollectionNode {
  return node.kind === 'map' || node.kind === 'seq';
}

export function isBlockCollection(node: YamlNode): node is CollectionNode {
  return isCollection(node) && node.style === 'block';
}

export type YamlComment = { readonly offset: number; readonly text: string };

export function commentsOf(text: string): readonly YamlComment[] {
  if (!text.includes('#')) return [];
  return [...lexemesOf(text)]
    .filter(({ source, isText }) => !isText && source.startsWith('#'))
    .map(({ offset, source }) => ({ offset, text: source.trimEnd() }));
}

/** The index is the holder's length for an item to add. */
export type Site = { readonly holder: CollectionNode; readonly index: number };

export function itemAt({ holder, index }: Site): Item {
  const item = holder.items[index];
  if (!item) throw new RangeError(`There is no item ${index}.`);
  return item;
}

/** Without an item at the document's root. */
export type Found = {
  readonly kind: 'found';
  readonly node: YamlNode;
  /** `.schema[].tags` */
  readonly place: string;
  readonly item?: Item;
  readonly site?: Site;
  readonly isInFlow: boolean;
};

type Way =
  | Found
  /** All tokens but the last lead to a collection, which has no such item. */
  | { readonly kind: 'absent' }
  /** Behind an alias, or in no collection. */
  | { readonly kind: 'lost' };

export function followPointer(root: YamlNode, pointer: Pointer): Way {
  let way: Way = { kind: 'found', node: root, place: '', isInFlow: false };
  for (const token of pointer) {
    if (way.kind !== 'found' || !isCollection(way.node)) return { kind: 'lost' };
    const holder: CollectionNode = way.node;
    const index: number =
      holder.kind === 'map'
        ? holder.items.findIndex(({ key }) => key && !key.isMerge && key.text === token)
        : (parseIndex(token) ?? -1);
    const item = holder.items[index];
    const isInFlow: boolean = way.isInFlow || holder.style === 'flow';
    const place: string = holder.kind === 'map' ? `${way.place}.${token}` : `${way.place}[]`;
    way = item
      ? { kind: 'found', node: item.value, place, item, site: { holder, index }, isInFlow }
      : { kind: 'absent' };
  }
  return way;
}

type Token = CST.Token | null | undefined;

// `at` is the place of a value that is left out.
function composeNode(
  token: Token,
  before: readonly CST.SourceToken[],
  header: number,
  at = header,
): YamlNode {
  const mark = before.findLast(({ type }) => type === 'anchor');
  const anchor = mark && { text: mark.source, start: mark.offset };
  const headEnd = mark ? endOf(mark) : header;
  const body = token && 'offset' in token ? bodyOf(token) : Math.max(headEnd, at);
  const start = Math.min(body, anchor?.start ?? body);
  return withContent(token, { header, start, headEnd, body, anchor });
}

function withContent(token: Token, extent: Omit<Extent, 'end'>): YamlNode {
  const { body } = extent;
  switch (token?.type) {
    case 'alias':
      return { ...extent, kind: 'alias', end: endOf(token) };
    case 'scalar':
    case 'single-quoted-scalar':
    case 'double-quoted-scalar': {
      const end = endOf(token);
      return { ...extent, kind: 'scalar', style: styles[token.type], blockHeaderEnd: end, end };
    }
    case 'block-scalar':
      return { ...extent, kind: 'scalar', style: 'block', ...blockEnds(token, body) };
    case 'block-map':
    case 'block-seq': {
      const isMap = token.type === 'block-map';
      const items = isMap ? token.items.filter(hasKey).map(mapItem) : token.items.flatMap(seqItem);
      const end = items.at(-1)?.end ?? body;
      return { ...extent, kind: isMap ? 'map' : 'seq', style: 'block', items, end };
    }
    case 'flow-collection': {
      const kind = token.start.type === 'flow-map-start' ? 'map' : 'seq';
      const end = endOf(token.end[0] ?? token.start);
      return { ...extent, kind, style: 'flow', items: flowItems(token, kind), end };
    }
    default:
      return { ...extent, kind: 'empty', end: body };
  }
}

const styles = {
  scalar: 'plain',
  'single-quoted-scalar': 'single',
  'double-quoted-scalar': 'double',
} as const;

// The CST's offset of a block mapping is behind the anchor of its first key.
function bodyOf(token: CST.Token): number {
  if (token.type !== 'block-map') return token.offset;
  return Math.min(token.offset, token.items[0]?.start.find(isKeyStart)?.offset ?? token.offset);
}

function endOf(token: CST.SourceToken | CST.FlowScalar): number {
  return token.offset + token.source.length;
}

function blockEnds({ props, source }: CST.BlockScalar, body: number) {
  const mark = props.find(({ type }) => type === 'block-scalar-header');
  const header = mark && 'source' in mark ? mark.source : '';
  const blockHeaderEnd = body + header.length;
  const start = props.reduce(
    (end, prop) => ('source' in prop ? prop.offset + prop.source.length : end),
    blockHeaderEnd,
  );
  // With `+`, blank lines at the end are content; else they separate.
  const isContent = (header.includes('+') ? source : source.trim()) !== '';
  const end = isContent ? start + source.replace(/\r?\n$/u, '').length : blockHeaderEnd;
  return { blockHeaderEnd, end };
}

// The last CST item of a block collection may hold comments alone.
function hasKey({ start, key, sep }: CST.CollectionItem): boolean {
  return Boolean(key) || sep !== undefined || start.some(isKeyStart);
}

function isKeyStart({ type }: CST.SourceToken): boolean {
  return type === 'explicit-key-ind' || type === 'anchor';
}

function seqItem({ start, value }: CST.CollectionItem): Item[] {
  const place = start.findIndex(({ type }) => type === 'seq-item-ind');
  const dash = start[place];
  if (!dash) return [];
  const indicator = dash.offset + 1;
  const node = composeNode(value, start.slice(place + 1), indicator);
  return [{ start: dash.offset, indicator, value: node, end: Math.max(indicator, node.end) }];
}

function mapItem({ start, key, sep = [], value }: CST.CollectionItem): Item {
  const question = start.findIndex(({ type }) => type === 'explicit-key-ind');
  const mark = start[question];
  const header = mark ? mark.offset + 1 : -1;
  const at = mark ? header : ((sep[0] ?? start.at(-1))?.offset ?? 0);
  const node = composeNode(key, start.slice(question + 1), header, at);
  const scalar = CST.isScalar(key) ? CST.resolveAsScalar(key, true, () => undefined) : null;
  const text = scalar?.value;
  const isMerge = node.kind === 'scalar' && node.style === 'plain' && text === '<<';
  const colon = sep.findIndex(({ type }) => type === 'map-value-ind');
  const indicator = sep[colon] && sep[colon].offset + 1;
  const valueStart = indicator ?? node.end;
  const content = composeNode(value, sep.slice(colon + 1), valueStart);
  return {
    start: mark ? mark.offset : node.start,
    end: Math.max(valueStart, content.end),
    key: { text, isMerge, node },
    indicator,
    value: content,
  };
}

function flowItems({ items }: CST.FlowCollection, kind: 'map' | 'seq'): readonly Item[] {
  return items.flatMap((item, index) => {
    if (!hasKey(item) && item.value === undefined) return [];
    const next = items[index + 1];
    const own = flowItem({ ...item, start: item.start.slice(commaIn(item) + 1) }, kind);
    return [{ ...own, comma: next?.start[commaIn(next)]?.offset }];
  });
}

function commaIn(item: CST.CollectionItem | undefined): number {
  return item?.start.findIndex(({ type }) => type === 'comma') ?? -1;
}

function flowItem(item: CST.CollectionItem, kind: 'map' | 'seq'): Item {
  if (kind === 'map') return mapItem(item);
  if (item.sep === undefined) {
    const value = composeNode(item.value, item.start, -1, 0);
    return { start: value.start, end: value.end, value };
  }
  // A mapping without braces, as in `[a: 1]`, is not edited.
  const { start, end } = mapItem(item);
  return { start, end, value: composeNode(undefined, [], -1, start) };
}
