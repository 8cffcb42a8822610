import type { Alias, Document, Node, YAMLMap } from 'yaml';
import { isAlias, isMap, isScalar, isSeq, visit } from '../yaml-build.js';

/** What each alias of a document stands for; absent where no such anchor stands before it. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

const none: AliasTargets = new Map();

/**
 * Resolves all aliases in one walk. A name may be anchored again, and an alias means the latest
 * anchor before it (YAML 1.2 §3.2.2.2). The package's own `resolve` walks the document each time.
 */
export function resolveAliases(document: Document.Parsed, text: string): AliasTargets {
  if (!text.includes('*')) return none;
  const anchored = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_key, node) => {
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchored.set(node.anchor, node);
        return;
      }
      const target = anchored.get(node.source);
      if (target) targets.set(node, target);
    },
  });
  return targets;
}

/** The node itself, or what it is an alias of. */
export function dereference(node: unknown, targets: AliasTargets): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

/** A plain `<<`: a key of YAML 1.1 that people rely on, though the core schema has none. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** The mappings that a merge key draws from, the strongest first; undefined where one is none. */
export function mergedMaps(value: unknown, targets: AliasTargets): readonly YAMLMap[] | undefined {
  const source = dereference(value, targets);
  const maps = (isSeq(source) ? source.items : [source]).map((item) => dereference(item, targets));
  return maps.every((map) => isMap(map)) ? maps : undefined;
}
