import { identityFields, managedFields } from '../../contract/contract.ts';
import { columnMembers, levelMembers, promises, ruleMembers } from '../../contract/sections.ts';
import { isArray, isObject, type JsonValue } from '../../core/json.ts';
import { valuesIn } from '../read/document.ts';
import {
  beginsLine,
  columnOf,
  contentAbove,
  indentationOf,
  isBlankLine,
  isComment,
  lineAt,
  lineEnd,
  lineStart,
  nextLine,
  runAbove,
  type Span,
} from './lines.ts';
import { type CollectionNode, nodesOf, type Site, type YamlTree } from './tree.ts';

/**
 * An item's lines, the unbroken block of comments above at its column, and deeper comments right
 * below. A block goes or stays whole.
 */
export function ownedSpan(tree: YamlTree, site: Site): Span {
  const { text } = tree;
  const end = outerEnd(text, site);
  const item = site.holder.items[site.index];
  const own = item ? lineEnd(text, item.end) : end;
  return { start: ownedStart(tree, site), end: hasBanner(text.slice(own, end)) ? own : end };
}

export function ownedStart(tree: YamlTree, { holder, index }: Site): number {
  const { text, root } = tree;
  const item = holder.items[index];
  if (!item) return holder.end;
  if (!beginsLine(text, item.start)) return item.start;
  const column = columnOf(text, item.start);
  const own = lineStart(text, item.start);
  const isAbove = (line: string): boolean => isComment(line) && indentationOf(line) === column;
  const start = runAbove(text, own, contentAbove({ holder, index }), isAbove);
  const block = text.slice(start, own);
  if (hasBanner(block) || isDisabled(block, tree, holder)) return own;
  if (index > 0 || holder !== root) return start;
  // Comments above a document's first item, with no others above them, are about the file.
  const top = runAbove(text, runAbove(text, start, -1, isComment), -1, isBlankLine);
  return top === 0 || !isComment(lineAt(text, top - 1)) ? own : start;
}

/** Behind the deeper comments right below the item. */
export function outerEnd(text: string, { holder, index }: Site): number {
  const item = holder.items[index];
  if (!item) return holder.end;
  const column = columnOf(text, item.start);
  let end = lineEnd(text, item.end);
  for (let next = nextLine(text, end); next < text.length; next = nextLine(text, next)) {
    const line = lineAt(text, next);
    if (!isComment(line) || indentationOf(line) <= column) break;
    end = lineEnd(text, next);
  }
  return end;
}

function hasBanner(block: string): boolean {
  return /^\s*#(?:##|\s*[-=*~_+#]{3,})/mu.test(block);
}

// YAML that is commented out: entries that the collection could have, of its own kind.
function isDisabled(block: string, tree: YamlTree, holder: CollectionNode): boolean {
  const isList = holder.kind === 'seq';
  if (!(isList ? /^\s*#\s*-/u : /^\s*#.*:/u).test(block)) return false;
  const [value = null] = valuesIn(block.replaceAll(/^\s*#/gmu, ''));
  const entries = isList && isArray(value) ? value : [value];
  const ofKind = mapsOfKind(tree, holder).flatMap(({ items }) => items.map(({ key }) => key?.text));
  const keys = new Set([...contractKeys, ...ofKind]);
  const isEntry = (entry: JsonValue): boolean =>
    isObject(entry)
      ? Object.keys(entry).some((key) => keys.has(key))
      : isList && ofKind.length === 0 && /^\S+$/u.test(JSON.stringify(entry));
  return isList === isArray(value) && entries.every(isEntry);
}

const contractKeys: readonly string[] = [
  ...identityFields,
  ...managedFields,
  ...[columnMembers, ruleMembers, promises, levelMembers].flatMap((each) => Object.keys(each)),
];

// The mappings of a list, and those beside a mapping of a list.
function mapsOfKind({ root }: YamlTree, holder: CollectionNode): readonly CollectionNode[] {
  const list = [...nodesOf(root)].find(
    (node) =>
      node.kind === 'seq' && (node === holder || node.items.some(({ value }) => value === holder)),
  );
  if (list?.kind !== 'seq') return [holder];
  return list.items.flatMap(({ value }) => (value.kind === 'map' ? [value] : []));
}
