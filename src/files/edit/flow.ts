import { lineBreakIn } from './habits.ts';
import {
  beginsLine,
  type Candidate,
  columnOf,
  indent,
  indentationOf,
  isBlankLine,
  lineAt,
  lineEnd,
  lineStart,
  type Splice,
} from './lines.ts';
import type { CollectionNode, Item } from './compose.ts';
import { lineRemovals, ownedSpan, ownedStart } from './owned.ts';
import type { Site, Target, YamlTree } from './tree.ts';

export type FlowItem = {
  readonly text: string;
  readonly comments: readonly string[];
  readonly padding: string;
};

export function insertFlow(tree: YamlTree, site: Site, item: FlowItem): Candidate {
  const { text } = tree;
  const { body, items, end } = site.holder;
  const isOnePerLine = [...items.map((each) => each.start), end - 1].every((each) =>
    beginsLine(text, each),
  );
  if (items.length > 0 && isOnePerLine) return { splices: ownLine(tree, site, item) };
  const inserted =
    items.length > 0 ? inLine(text, site, item.text) : intoBrackets(text, site.holder, item);
  const start = lineStart(text, body);
  const margin = ' '.repeat(indentationOf(lineAt(text, start)));
  const lines = item.comments.map((comment) => margin + comment + lineBreakIn(tree));
  return { splices: [{ start, end: start, text: lines.join('') }, inserted] };
}

function intoBrackets(
  text: string,
  { body, end }: CollectionNode,
  { text: item, padding }: FlowItem,
): Splice {
  const start = body + 1;
  const isEmpty = isBlankLine(text.slice(start, end - 1));
  return { start, end: isEmpty ? end - 1 : start, text: padding + item + padding };
}

function ownLine(tree: YamlTree, site: Site, item: FlowItem): readonly Splice[] {
  const { text } = tree;
  const { items } = site.holder;
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return [];
  const lineBreak = lineBreakIn(tree);
  const lines = indent([...item.comments, item.text], columnOf(text, first.start));
  const line = lines.join(lineBreak);
  if (site.index < items.length) {
    const at = ownedStart(tree, site);
    return [{ start: at, end: at, text: `${line},${lineBreak}` }];
  }
  const hasComma = last.comma !== undefined;
  const at = lineEnd(text, last.comma ?? last.end);
  const below = { start: at, end: at, text: `${lineBreak}${line}${hasComma ? ',' : ''}` };
  return hasComma ? [below] : [{ start: last.end, end: last.end, text: ',' }, below];
}

function inLine(text: string, { holder, index }: Site, item: string): Splice {
  const [first, second] = holder.items;
  const between = first && second ? text.slice(first.end, second.start) : '';
  const comma = /^ *, *$/u.test(between) ? between : ', ';
  const next = holder.items[index];
  if (next) return { start: next.start, end: next.start, text: item + comma };
  const at = holder.items.at(-1)?.end ?? holder.body + 1;
  return { start: at, end: at, text: comma + item };
}

export function* removeFlow(tree: YamlTree, site: Site): Generator<Candidate> {
  const { text } = tree;
  const item = site.holder.items[site.index];
  if (!item) return;
  if (!standsAlone(text, item)) {
    const losing = { start: item.start, end: item.end };
    yield { splices: withoutItem(text, site, item), losing };
    return;
  }
  const losing = ownedSpan(tree, site);
  for (const splice of lineRemovals(text, site, losing)) {
    yield { splices: [...danglingComma(site, item), splice], losing };
  }
}

function standsAlone(text: string, { start, end, comma = -1 }: Item): boolean {
  const behind = Math.max(end, comma + 1);
  const rest = text.slice(behind, lineEnd(text, behind));
  return beginsLine(text, start) && /^[ \t]*(?:#.*)?$/u.test(rest);
}

function danglingComma({ holder, index }: Site, item: Item): readonly Splice[] {
  const comma = holder.items[index - 1]?.comma;
  const isLast = index === holder.items.length - 1;
  if (!isLast || item.comma !== undefined || comma === undefined) return [];
  return [{ start: comma, end: comma + 1, text: '' }];
}

function withoutItem(text: string, { holder, index }: Site, item: Item): readonly Splice[] {
  const previous = holder.items[index - 1];
  const next = holder.items[index + 1];
  if (!previous && !next) return [onlyItem(text, holder, item)];
  const start = next ? item.start : (previous?.end ?? item.start);
  const end = next ? next.start : item.end;
  const gap = next ? text.slice(item.end, end) : text.slice(start, item.start);
  if (!gap.includes('#')) return [{ start, end, text: '' }];
  const comma = next ? item.comma : previous?.comma;
  const lone = { start: item.start, end: item.end, text: '' };
  return comma === undefined ? [lone] : [lone, { start: comma, end: comma + 1, text: '' }];
}

function onlyItem(text: string, { body, end }: CollectionNode, item: Item): Splice {
  const around = text.slice(body + 1, item.start) + text.slice(item.end, end - 1);
  if (/^[\s,]*$/u.test(around)) return { start: body + 1, end: end - 1, text: '' };
  return { start: item.start, end: Math.max(item.end, (item.comma ?? -1) + 1), text: '' };
}

export function swapInFlow({ node, item }: Target, flow: string): Candidate {
  const colon = item?.key && item.indicator === undefined ? ': ' : ' ';
  const inserted = node.kind === 'empty' ? colon + flow : flow;
  const splice = { start: node.body, end: node.end, text: inserted };
  return { splices: [splice], losing: { start: node.start, end: node.end } };
}
