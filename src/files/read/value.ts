import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import {
  deepestNesting,
  isArray,
  isExact,
  isObject,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { forbiddenKeys, type Lines, type OffsetDiagnostic, tooDeep } from './finding.ts';

// Values that the aliases of a document may add: a bound for alias bombs.
const mostAliasedValues = 100_000;

type Report = (problem: Omit<OffsetDiagnostic, 'offset'>, node: unknown) => void;

type Walk = {
  readonly targets: AliasTargets;
  readonly lines: Lines;
  readonly report: Report;
  readonly following: Alias[];
  aliasedValues: number;
  depth: number;
};

/** A value that JSON can't hold becomes null, with a finding. */
export function toJson(document: Document.Parsed, targets: AliasTargets, lines: Lines) {
  const findings: OffsetDiagnostic[] = [];
  const report: Report = (problem, node) => findings.push({ ...problem, offset: offsetOf(node) });
  const walk: Walk = { targets, lines, report, following: [], aliasedValues: 0, depth: 0 };
  return { value: convert(document.contents, walk), findings };
}

function convert(node: unknown, walk: Walk): JsonValue {
  if (isAlias(node)) return convertAlias(node, walk);
  if (walk.following.length > 0 && !affordsAliased(walk)) return null;
  if (isScalar(node)) return scalarValue(node, walk.report);
  if (!isMap(node) && !isSeq(node)) return null; // A key without a value.
  if (walk.depth >= deepestNesting) {
    walk.report(tooDeep, walk.following[0] ?? node);
    return null;
  }
  walk.depth += 1;
  const value = isMap(node)
    ? convertMap(node, walk)
    : node.items.map((item) => convert(item, walk));
  walk.depth -= 1;
  return value;
}

function convertMap(map: YAMLMap, walk: Walk): JsonObject {
  const members: { [key: string]: JsonValue } = {};
  const merged: JsonObject[] = [];
  const places = new Map<string, number>();
  for (const { key, value } of map.items) {
    if (isMergeKey(key)) {
      merged.push(...convertMerge(value, walk));
      continue;
    }
    const name = keyText(key, walk);
    if (name === undefined) continue;
    const first = places.get(name);
    if (first === undefined) places.set(name, offsetOf(key));
    else {
      const { line } = walk.lines.place(first);
      const message = `Duplicate key ${quote(name)}: the first is on line ${line}.`;
      walk.report({ code: 'duplicate-key', message, hint: 'Remove one of the two.' }, key);
    }
    members[name] = convert(value, walk);
  }
  // The map's own keys win over merged ones, and earlier merged maps over later ones.
  return merged.length === 0 ? members : Object.assign({}, ...merged.toReversed(), members);
}

function keyText(key: unknown, { targets, report }: Walk): string | undefined {
  const target = dereference(key, targets);
  const value = isScalar(target) ? target.value : undefined;
  if (typeof value !== 'string') {
    const isWord = typeof value === 'number' || typeof value === 'boolean';
    const message = isWord
      ? `The key ${value} is a ${typeof value}. Keys must be text.`
      : 'This key is not text.';
    const hint = isWord ? `Quote it: "${value}".` : 'Use a plain or quoted word as the key.';
    report({ code: 'non-string-key', ofValue: true, message, hint }, key);
    return undefined;
  }
  if (!value.isWellFormed()) report(loneSurrogate(value), key);
  if (!forbiddenKeys.has(value)) return value;
  const message = `The key ${quote(value)} is not allowed: it can harm programs that read it.`;
  report({ code: 'forbidden-key', message, hint: 'Rename it.' }, key);
  return undefined;
}

function convertMerge(value: unknown, walk: Walk): readonly JsonObject[] {
  const source = convert(value, walk);
  if (!mergedMaps(value, walk.targets)) {
    const message = 'The merge key << needs a mapping or a list of mappings.';
    const hint = 'Quote the key, "<<", if it is meant as text.';
    walk.report({ code: 'merge-of-no-mapping', message, hint }, value);
  }
  return (isArray(source) ? source : [source]).filter(isObject);
}

function convertAlias(alias: Alias, walk: Walk): JsonValue {
  const target = walk.targets.get(alias);
  const outermost = walk.following[0] ?? alias;
  if (!target) {
    const message = `No anchor before the alias ${quote(alias.source)}.`;
    const hint = 'Define the anchor above, in the same document.';
    walk.report({ code: 'unknown-anchor', message, hint }, alias);
    return null;
  }
  if (walk.following.some((open) => walk.targets.get(open) === target)) {
    const message = `The alias ${quote(outermost.source)} contains itself.`;
    const hint = 'Write the value without the alias.';
    walk.report({ code: 'recursive-alias', message, hint }, outermost);
    return null;
  }
  walk.following.push(alias);
  const value = convert(target, walk);
  walk.following.pop();
  return value;
}

function affordsAliased(walk: Walk): boolean {
  walk.aliasedValues += 1;
  if (walk.aliasedValues === mostAliasedValues + 1) {
    const message = `The aliases of this document expand to more than ${mostAliasedValues} values.`;
    const hint = 'Write the values out, or split the document.';
    walk.report({ code: 'too-many-aliases', message, hint }, walk.following[0]);
  }
  return walk.aliasedValues <= mostAliasedValues;
}

function scalarValue(scalar: Scalar, report: Report): JsonPrimitive {
  const { value } = scalar;
  if (typeof value === 'number') return numberValue(value, scalar, report);
  if (typeof value === 'string' && !value.isWellFormed()) report(loneSurrogate(value), scalar);
  return typeof value === 'string' || typeof value === 'boolean' ? value : null;
}

function loneSurrogate(text: string) {
  const message = `Half of a surrogate pair in ${quote(text)} is no character: UTF-8 can't hold it.`;
  const hint = String.raw`Write the character itself, or both halves: "\ud83d\ude00".`;
  return { code: 'lone-surrogate', ofValue: true as const, message, hint };
}

function numberValue(value: number, scalar: Scalar, report: Report): number | null {
  const text = scalar.source ?? String(value);
  if (!Number.isFinite(value)) {
    const message = `JSON can't represent the number ${quote(text)}.`;
    const hint = 'Quote it if it is meant as text.';
    report({ code: 'number-not-finite', ofValue: true, message, hint }, scalar);
    return null;
  }
  // 1e20 is a float, which may be rounded.
  const isInteger = /^(?:[-+]?\d+|0o[0-7]+|0x[\da-f]+)$/iu.test(text);
  if (isInteger && !Number.isSafeInteger(value)) {
    const message = `The integer ${quote(text)} is beyond 2^53 - 1, so JSON readers would round it.`;
    const hint = 'Quote it to keep all of its digits.';
    report({ code: 'integer-too-large', ofValue: true, message, hint }, scalar);
    return null;
  }
  const isDecimal = /^[-+.\d]+(?:e[-+]?\d+)?$/iu.test(text);
  if (isDecimal && !isExact(text, value)) {
    const message = `The number ${quote(text)} would be read as ${value}: JSON readers keep about 16 digits.`;
    const hint = `Write ${value}, or quote it to keep all of its digits.`;
    report({ code: 'number-too-long', ofValue: true, message, hint }, scalar);
  }
  if (/^[-+]?0\d/u.test(text)) {
    const message = `The number ${text} is read as ${value}; older YAML tools read it as octal.`;
    const hint = 'Drop the leading zero, or quote it if it is meant as text.';
    report({ code: 'leading-zero', severity: 'warning', message, hint }, scalar);
  }
  return value === 0 ? 0 : value; // JSON text has no -0.
}

/** Without aliases whose anchor is not defined before them. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

/**
 * In one walk, where the package's `resolve` walks the document for each alias. An alias means the
 * latest anchor before it (YAML 1.2 §3.2.2.2).
 */
export function resolveAliases(document: Document.Parsed, text: string): AliasTargets {
  const targets = new Map<Alias, Node>();
  if (!text.includes('*')) return targets;
  const anchored = new Map<string, Node>();
  visit(document, {
    Node: (_key, node) => {
      const target = isAlias(node) ? anchored.get(node.source) : undefined;
      if (isAlias(node) && target) targets.set(node, target);
      else if (!isAlias(node) && node.anchor !== undefined) anchored.set(node.anchor, node);
    },
  });
  return targets;
}

export function dereference(node: unknown, targets: AliasTargets): unknown {
  return isAlias(node) ? targets.get(node) : node;
}

/** A plain `<<` is a merge key in YAML 1.1 only, but widely used. */
export function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** Strongest first; undefined where one is not a mapping. */
export function mergedMaps(value: unknown, targets: AliasTargets): readonly YAMLMap[] | undefined {
  const source = dereference(value, targets);
  const maps = (isSeq(source) ? source.items : [source]).map((item) => dereference(item, targets));
  return maps.every((map) => isMap(map)) ? maps : undefined;
}

/** Past the anchor and the tag. */
export function offsetOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}
