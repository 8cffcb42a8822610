import { type Document, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { SourcePosition } from '../../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import {
  type Finding,
  type Lines,
  linesOf,
  mostProblems,
  type OffsetDiagnostic,
} from './finding.ts';
import {
  type AliasTargets,
  dereference,
  isMergeKey,
  mergedMaps,
  offsetOf,
  resolveAliases,
  toJson,
} from './value.ts';
import { parseSimple, type Places } from './simple.ts';
import { syntaxFindings } from './syntax.ts';
import { parseYaml, type YamlText } from './yaml.ts';

export type PointerDiagnostic = Finding & {
  readonly pointer: Pointer;
  /** The key is at fault, not its value. */
  readonly atKey?: boolean;
};

type ReadDocument = {
  readonly fields?: JsonObject;
  readonly isEmpty: boolean;
  readonly offset: number;
  readonly locate: Places['locateValue'];
  readonly findings: readonly OffsetDiagnostic[];
};

export type CheckedYaml = Pick<YamlText, 'lines' | 'findings'> & {
  readonly documents: readonly ReadDocument[];
};

type ShapeCheck = (document: JsonValue) => readonly PointerDiagnostic[];

export function checkYaml(text: string, check: ShapeCheck): CheckedYaml {
  const documents = parseSimple(text)?.map((document) => {
    // Events are searched from the start for each place; for so many, trees are faster.
    const problems = check(document.value).slice(0, mostProblems + 1);
    return checked(document.value, problems.map(placedBy(document)), document);
  });
  if (documents?.every(({ findings }) => findings.length <= mostProblems)) {
    return { documents, lines: linesOf(text), findings: [] };
  }
  const yaml = parseYaml(text);
  const read = (document: Document.Parsed) => readDocument(document, text, yaml, check);
  return { ...yaml, documents: yaml.documents.map(read) };
}

export type Reading = {
  readonly documents: readonly {
    readonly value: JsonValue;
    readonly errors: readonly OffsetDiagnostic[];
  }[];
  /** Of the text as a whole. */
  readonly errors: readonly OffsetDiagnostic[];
  readonly lines: Lines;
};

export function readDocuments(text: string): Reading {
  // Takes a tenth of the time, with the same result.
  const simple = parseSimple(text);
  if (simple) {
    const documents = simple.map(({ value }) => ({ value, errors: [] }));
    return { documents, errors: [], lines: linesOf(text) };
  }
  const yaml = parseYaml(text);
  const documents = yaml.documents.map((document) => {
    const syntax = syntaxFindings(document, text);
    const { value, findings } = toJson(document, resolveAliases(document, text), yaml.lines);
    const all = document.errors.length > 0 ? syntax : [...syntax, ...findings];
    return { value, errors: all.filter(({ severity = 'error' }) => severity === 'error') };
  });
  return { documents, errors: yaml.findings, lines: yaml.lines };
}

export function valuesIn(text: string): readonly JsonValue[] {
  return readDocuments(text).documents.map(({ value }) => value);
}

export function readDocument(
  document: Document.Parsed,
  text: string,
  yaml: YamlText,
  check: ShapeCheck,
): ReadDocument {
  const offset = offsetOf(document.contents);
  const syntax = syntaxFindings(document, text);
  // Syntax errors shift what follows, so further findings would mislead.
  const { contents } = document;
  const isBlank = contents === null || (isScalar(contents) && contents.source === '');
  if (document.errors.length > 0 || isBlank) {
    const isEmpty = document.errors.length === 0;
    return { isEmpty, offset, locate: () => offset, findings: syntax };
  }
  const targets = resolveAliases(document, text);
  const places = placesIn(document, targets);
  const { value, findings: unfit } = toJson(document, targets, yaml.lines);
  const shape = check(value)
    .map(placedBy(places))
    .filter((finding) => unfit.every((known) => known.offset !== finding.offset));
  return checked(value, [...syntax, ...unfit, ...shape], places);
}

function checked(
  value: JsonValue,
  findings: readonly OffsetDiagnostic[],
  { locateValue }: Places,
): ReadDocument {
  const isSound = findings.every(
    ({ severity }) => severity === 'warning' || severity === 'information',
  );
  return {
    isEmpty: false,
    offset: locateValue([]),
    locate: locateValue,
    findings,
    ...(isObject(value) && isSound && { fields: value }),
  };
}

function placedBy({ locateKey, locateValue }: Places) {
  return ({ pointer, atKey, ...problem }: PointerDiagnostic): OffsetDiagnostic => ({
    severity: 'error',
    ...problem,
    offset: atKey ? locateKey(pointer) : locateValue(pointer),
  });
}

export type DocumentSource = {
  readonly file: string;
  readonly text: string;
  readonly index: number;
};

export type Locate = (source: DocumentSource, pointer: Pointer) => SourcePosition;

/** Parses on demand, as few contracts change. Keeps the last text, as callers go file by file. */
export function createLocator(): Locate {
  let last: { text: string; lines: Lines; places: readonly Places[] } | undefined;
  return ({ file, text, index }, pointer) => {
    if (last?.text !== text) {
      const inTree = (document: Document.Parsed) =>
        placesIn(document, resolveAliases(document, text));
      const places = parseSimple(text) ?? parseYaml(text).documents.map(inTree);
      last = { text, lines: linesOf(text), places };
    }
    return { file, ...last.lines.place(last.places[index]?.locateValue(pointer) ?? 0) };
  };
}

export function placesIn(document: Document.Parsed, targets: AliasTargets): Places {
  return {
    locateValue: (pointer) => {
      const { key, value } = descend(document, pointer, targets);
      // A key without a value may have no node: then its own place counts.
      return offsetOf(value ?? key);
    },
    locateKey: (pointer) => offsetOf(descend(document, pointer, targets).key),
  };
}

type Member = { readonly key: unknown; readonly value: unknown };

function descend(document: Document.Parsed, pointer: Pointer, targets: AliasTargets): Member {
  let place: Member = { key: document.contents, value: document.contents };
  for (const token of pointer) {
    const { value: node } = place;
    const isItem = isSeq(node) && /^\d+$/u.test(token);
    const item = isItem ? dereference(node.items[Number(token)], targets) : undefined;
    const itself = item === undefined ? undefined : { key: item, value: item };
    const child = isMap(node) ? memberOf(node, token, targets) : itself;
    if (!child) break;
    place = child;
  }
  return place;
}

function memberOf(
  map: YAMLMap,
  name: string,
  targets: AliasTargets,
  seen = new Set<YAMLMap>(),
): Member | undefined {
  const own = map.items.find(({ key }) => {
    const target = isMergeKey(key) ? undefined : dereference(key, targets);
    return isScalar(target) && target.value === name;
  });
  if (own) return { key: own.key, value: dereference(own.value, targets) };
  seen.add(map); // A mapping that merges itself is refused, but must be located to be reported.
  return map.items
    .filter(({ key }) => isMergeKey(key))
    .flatMap(({ value }) => mergedMaps(value, targets) ?? [])
    .filter((merged) => !seen.has(merged))
    .map((merged) => memberOf(merged, name, targets, seen))
    .find((place) => place !== undefined);
}
