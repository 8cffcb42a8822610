import { type Document, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { SourcePosition } from '../../core/diagnostic.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { type Lines, linesOf } from './finding.ts';
import {
  type AliasTargets,
  dereference,
  isMergeKey,
  mergedMaps,
  offsetOf,
  resolveAliases,
} from './key.ts';
import { parseSimple, type Places } from './simple.ts';
import { parseYaml } from './yaml.ts';

/** A document by the file that it stands in. */
export type DocumentSource = {
  readonly file: string;
  readonly text: string;
  readonly index: number;
};

export type Locate = (source: DocumentSource, pointer: Pointer) => SourcePosition;

/**
 * Positions on demand: few contracts change, so most files are never asked about. The text that
 * was asked about last stays parsed, for changes are told file by file.
 */
export function createLocator(): Locate {
  let last: LocatedText | undefined;
  return ({ file, text, index }, pointer) => {
    if (last?.text !== text) last = { text, lines: linesOf(text), places: placesOf(text) };
    return { file, ...last.lines.place(last.places[index]?.locateValue(pointer) ?? 0) };
  };
}

type LocatedText = {
  readonly text: string;
  readonly lines: Lines;
  /** By document. */
  readonly places: readonly Places[];
};

/** Of each document of a text. */
function placesOf(text: string): readonly Places[] {
  return (
    parseSimple(text) ??
    parseYaml(text).documents.map((document) => placesIn(document, resolveAliases(document, text)))
  );
}

export function placesIn(document: Document.Parsed, targets: AliasTargets): Places {
  return {
    locateValue: (pointer) => {
      const { key, value } = descend(document, pointer, targets);
      // A key without a value may have no node for it: then its place is the key's.
      return offsetOf(value ?? key);
    },
    locateKey: (pointer) => offsetOf(descend(document, pointer, targets).key),
  };
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
