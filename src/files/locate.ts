import type { Document, YAMLMap } from 'yaml';
import type { Pointer } from '../patch/pointer.ts';
import { isMap, isScalar, isSeq } from '../yaml-build.js';
import { type AliasTargets, dereference, isMergeKey, mergedMaps } from './aliases.ts';
import { offsetOf } from './node.ts';

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

type Place = { readonly key: unknown; readonly value: unknown };

function descend(document: Document.Parsed, pointer: Pointer, targets: AliasTargets): Place {
  let place: Place = { key: document.contents, value: document.contents };
  for (const token of pointer) {
    const child = childOf(place.value, token, targets);
    if (!child) break;
    place = child;
  }
  return place;
}

function childOf(node: unknown, token: string, targets: AliasTargets): Place | undefined {
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
): Place | undefined {
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
