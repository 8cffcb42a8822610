import { type Document, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { SourcePosition } from '../../core/diagnostic.ts';
import type { Pointer } from '../../patch/pointer.ts';
import {
  type AliasTargets,
  dereference,
  isMergeKey,
  mergedMaps,
  offsetOf,
  resolveAliases,
} from './key.ts';
import { keepParsed } from './yaml.ts';

/** A document by the file that it stands in. */
export type DocumentSource = {
  readonly file: string;
  readonly text: string;
  readonly index: number;
};

export type Locate = (source: DocumentSource, pointer: Pointer) => SourcePosition;

/** Positions on demand: few contracts change, so most files are never asked about. */
export function createLocator(parse = keepParsed()): Locate {
  return ({ file, text, index }, pointer) => {
    const { documents, lines } = parse(text);
    const document = documents[index];
    if (!document) return { file, line: 1, column: 1 };
    const offset = locateValue(document, pointer, resolveAliases(document, text));
    return { file, ...lines.place(offset) };
  };
}

/**
 * The offset of the value at a pointer, or of its nearest ancestor that the document has; an
 * alias leads to the value that it stands for.
 */
export function locateValue(
  document: Document.Parsed,
  pointer: Pointer,
  targets: AliasTargets,
): number {
  const { key, value } = descend(document, pointer, targets);
  // A key without a value may have no node for it: then its place is the key's.
  return offsetOf(value ?? key);
}

/** The offset of the key at a pointer into mappings. */
export function locateKey(
  document: Document.Parsed,
  pointer: Pointer,
  targets: AliasTargets,
): number {
  return offsetOf(descend(document, pointer, targets).key);
}

type Member = { readonly key: unknown; readonly value: unknown };

function descend(document: Document.Parsed, pointer: Pointer, targets: AliasTargets): Member {
  let place: Member = { key: document.contents, value: document.contents };
  for (const token of pointer) {
    const child = childOf(place.value, token, targets);
    if (!child) break;
    place = child;
  }
  return place;
}

function childOf(node: unknown, token: string, targets: AliasTargets): Member | undefined {
  if (isMap(node)) return memberOf(node, token, targets, new Set());
  if (!isSeq(node) || !/^\d+$/u.test(token)) return undefined;
  const item = dereference(node.items[Number(token)], targets);
  return item === undefined ? undefined : { key: item, value: item };
}

function memberOf(
  map: YAMLMap,
  name: string,
  targets: AliasTargets,
  seen: Set<YAMLMap>,
): Member | undefined {
  const own = map.items.find(({ key }) => !isMergeKey(key) && keyName(key, targets) === name);
  if (own) return { key: own.key, value: dereference(own.value, targets) };
  seen.add(map); // A mapping that merges itself is refused, but must be located to be reported.
  return map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => mergedMaps(value, targets) ?? [])
    .filter((merged) => !seen.has(merged))
    .map((merged) => memberOf(merged, name, targets, seen))
    .find((place) => place !== undefined);
}

function keyName(key: unknown, targets: AliasTargets): unknown {
  const target = dereference(key, targets);
  return isScalar(target) ? target.value : undefined;
}
