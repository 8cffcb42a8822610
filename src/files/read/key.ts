import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  visit,
  type YAMLMap,
} from 'yaml';
import { quote } from '../../core/text.ts';
import { forbiddenKeys, loneSurrogate, type OffsetDiagnostic } from './finding.ts';

/** The text of a mapping's key, or undefined where JSON can have no such key. */
export function keyText(
  key: unknown,
  targets: AliasTargets,
  report: (finding: OffsetDiagnostic) => void,
): string | undefined {
  const target = dereference(key, targets);
  if (!isScalar(target) || typeof target.value !== 'string') {
    report(nonStringKey(key, isScalar(target) ? target.value : undefined));
    return undefined;
  }
  if (!target.value.isWellFormed()) report(loneSurrogate(target.value, offsetOf(key)));
  if (forbiddenKeys.has(target.value)) {
    report(forbiddenKey(target.value, key));
    return undefined;
  }
  return target.value;
}

function nonStringKey(key: unknown, value: unknown): OffsetDiagnostic {
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return {
    code: 'non-string-key',
    severity: 'error',
    message: scalar
      ? `The key ${value} is a ${typeof value}. Keys must be text.`
      : 'This key is not text.',
    hint: scalar ? `Quote it: "${value}".` : 'Use a plain or quoted word as the key.',
    offset: offsetOf(key),
  };
}

function forbiddenKey(name: string, key: unknown): OffsetDiagnostic {
  return {
    code: 'forbidden-key',
    severity: 'error',
    message: `The key ${quote(name)} is not allowed: it can harm programs that read it.`,
    hint: 'Rename it.',
    offset: offsetOf(key),
  };
}

export function duplicateKey(name: string, key: unknown, firstLine: number): OffsetDiagnostic {
  return {
    code: 'duplicate-key',
    severity: 'error',
    message: `Duplicate key ${quote(name)}: the first is on line ${firstLine}.`,
    hint: 'Remove one of the two.',
    offset: offsetOf(key),
  };
}

export function mergeOfNoMapping(value: unknown): OffsetDiagnostic {
  return {
    code: 'merge-of-no-mapping',
    severity: 'error',
    message: 'The merge key << needs a mapping or a list of mappings.',
    hint: 'Quote the key, "<<", if it is meant as text.',
    offset: offsetOf(value),
  };
}

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

/** Where a node's value starts in the text, past its anchor and tag. */
export function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
