import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import {
  deepestNesting,
  isArray,
  isObject,
  type JsonObject,
  type JsonPrimitive,
  type JsonValue,
} from '../../core/json.ts';
import { isExact } from '../../core/number.ts';
import { quote } from '../../core/text.ts';
import {
  loneSurrogate,
  type OffsetDiagnostic,
  type Lines,
  mostAliasedValues,
  tooDeep,
  tooManyAliased,
} from './finding.ts';
import {
  type AliasTargets,
  duplicateKey,
  isMergeKey,
  keyText,
  mergedMaps,
  mergeOfNoMapping,
  offsetOf,
} from './key.ts';

/** A document as JSON, and what of it JSON cannot hold: null stands in the place of that. */
type Conversion = { readonly value: JsonValue; readonly findings: readonly OffsetDiagnostic[] };

type Walk = {
  readonly targets: AliasTargets;
  readonly lines: Lines;
  readonly report: (finding: OffsetDiagnostic) => void;
  /** The aliases being followed, outermost first. */
  readonly following: Alias[];
  aliasedValues: number;
  depth: number;
};

/** Converts a document that has no syntax errors. */
export function toJson(document: Document.Parsed, targets: AliasTargets, lines: Lines): Conversion {
  const findings: OffsetDiagnostic[] = [];
  const report: Walk['report'] = (finding) => findings.push(finding);
  const walk: Walk = { targets, lines, report, following: [], aliasedValues: 0, depth: 0 };
  return { value: convert(document.contents, walk), findings };
}

function convert(node: unknown, walk: Walk): JsonValue {
  if (isAlias(node)) return convertAlias(node, walk);
  if (walk.following.length > 0 && !affordsAliased(walk)) return null;
  if (isScalar(node)) return scalarValue(node, walk.report);
  if (isMap(node)) return nested(node, walk, () => convertMap(node, walk));
  if (isSeq(node)) return nested(node, walk, () => node.items.map((item) => convert(item, walk)));
  return null; // A key without a value.
}

function nested(node: unknown, walk: Walk, convertItems: () => JsonValue): JsonValue {
  if (walk.depth >= deepestNesting) {
    walk.report(tooDeep(offsetOf(walk.following[0] ?? node)));
    return null;
  }
  walk.depth += 1;
  const value = convertItems();
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
    const name = keyText(key, walk.targets, walk.report);
    if (name === undefined) continue;
    const first = places.get(name);
    if (first !== undefined) walk.report(duplicateKey(name, key, walk.lines.place(first).line));
    else places.set(name, offsetOf(key));
    members[name] = convert(value, walk);
  }
  // The map's own keys win over merged ones, and earlier merged maps over later ones.
  return merged.length === 0 ? members : Object.assign({}, ...merged.toReversed(), members);
}

function convertMerge(value: unknown, walk: Walk): readonly JsonObject[] {
  const source = convert(value, walk);
  if (!mergedMaps(value, walk.targets)) walk.report(mergeOfNoMapping(value));
  return (isArray(source) ? source : [source]).filter(isObject);
}

function convertAlias(alias: Alias, walk: Walk): JsonValue {
  const target = walk.targets.get(alias);
  const outermost = walk.following[0] ?? alias;
  if (!target) {
    walk.report(unknownAnchor(alias));
  } else if (walk.following.some((open) => walk.targets.get(open) === target)) {
    walk.report(recursiveAlias(outermost));
  } else {
    walk.following.push(alias);
    const value = convert(target, walk);
    walk.following.pop();
    return value;
  }
  return null;
}

/** Counts a value that an alias adds; reports the first one past the bound. */
function affordsAliased(walk: Walk): boolean {
  walk.aliasedValues += 1;
  if (walk.aliasedValues === mostAliasedValues + 1) {
    walk.report(tooManyAliased(offsetOf(walk.following[0])));
  }
  return walk.aliasedValues <= mostAliasedValues;
}

function unknownAnchor(alias: Alias): OffsetDiagnostic {
  return {
    code: 'unknown-anchor',
    severity: 'error',
    message: `No anchor before the alias ${quote(alias.source)}.`,
    hint: 'Define the anchor above, in the same document.',
    offset: offsetOf(alias),
  };
}

function recursiveAlias(alias: Alias): OffsetDiagnostic {
  return {
    code: 'recursive-alias',
    severity: 'error',
    message: `The alias ${quote(alias.source)} contains itself.`,
    hint: 'Write the value without the alias.',
    offset: offsetOf(alias),
  };
}

type Report = (finding: OffsetDiagnostic) => void;

/** A scalar as JSON has it; null where it cannot, after a report. */
function scalarValue(scalar: Scalar, report: Report): JsonPrimitive {
  const { value } = scalar;
  if (typeof value === 'number') return numberValue(value, scalar, report);
  if (typeof value === 'string' && !value.isWellFormed())
    report(loneSurrogate(value, offsetOf(scalar)));
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return null;
}

function numberValue(value: number, scalar: Scalar, report: Report): number | null {
  const text = scalar.source ?? String(value);
  if (!Number.isFinite(value)) {
    report(notFinite(text, offsetOf(scalar)));
    return null;
  }
  if (isInteger(text) && !Number.isSafeInteger(value)) {
    report(integerTooLarge(text, offsetOf(scalar)));
    return null;
  }
  if (isDecimal(text) && !isExact(text, value))
    report(numberTooLong(text, value, offsetOf(scalar)));
  if (/^[-+]?0\d/u.test(text)) report(leadingZero(text, value, offsetOf(scalar)));
  return value === 0 ? 0 : value; // JSON text has no -0.
}

/** Written as an integer: 1e20 is a float, which is rounded by agreement. */
function isInteger(text: string): boolean {
  return /^(?:[-+]?\d+|0o[0-7]+|0x[\da-f]+)$/iu.test(text);
}

/** Octal and hexadecimal numbers are integers. */
function isDecimal(text: string): boolean {
  return /^[-+.\d]+(?:e[-+]?\d+)?$/iu.test(text);
}

function numberTooLong(text: string, value: number, offset: number): OffsetDiagnostic {
  return {
    code: 'number-too-long',
    severity: 'error',
    message: `The number ${quote(text)} would be read as ${value}: JSON readers keep about 16 digits.`,
    hint: `Write ${value}, or quote it to keep all of its digits.`,
    offset,
  };
}

function notFinite(text: string, offset: number): OffsetDiagnostic {
  return {
    code: 'number-not-finite',
    severity: 'error',
    message: `JSON can't represent the number ${quote(text)}.`,
    hint: 'Quote it if it is meant as text.',
    offset,
  };
}

function integerTooLarge(text: string, offset: number): OffsetDiagnostic {
  return {
    code: 'integer-too-large',
    severity: 'error',
    message: `The integer ${quote(text)} is beyond 2^53 - 1, so JSON readers would round it.`,
    hint: 'Quote it to keep all of its digits.',
    offset,
  };
}

function leadingZero(text: string, value: number, offset: number): OffsetDiagnostic {
  return {
    code: 'leading-zero',
    severity: 'warning',
    message: `The number ${text} is read as ${value}; older YAML tools read it as octal.`,
    hint: 'Drop the leading zero, or quote it if it is meant as text.',
    offset,
  };
}
