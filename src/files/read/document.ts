import { type Document, isScalar } from 'yaml';
import type { Severity } from '../../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { type Lines, linesOf, mostProblems, type OffsetDiagnostic } from './finding.ts';
import { offsetOf, resolveAliases } from './key.ts';
import { placesIn } from './position.ts';
import { parseSimple, type Places, type SimpleDocument } from './simple.ts';
import { syntaxFindings } from './syntax.ts';
import { toJson } from './value.ts';
import { parseYaml, type YamlText } from './yaml.ts';

/** Something about a document that its schema does not allow. */
export type PointerDiagnostic = {
  readonly code: string;
  /** An error where it does not say. */
  readonly severity?: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly pointer: Pointer;
  /** Whether the key at the pointer is at fault, and not its value. */
  readonly atKey?: boolean;
};

/** What a schema says against a document. */
export type ShapeCheck = (document: JsonValue) => readonly PointerDiagnostic[];

type ReadDocument = {
  /** Absent where the document is at fault, or empty. */
  readonly fields?: JsonObject;
  /** Whether nothing is in it, not even a mistake. */
  readonly isEmpty: boolean;
  readonly offset: number;
  /** The offset of the value at a pointer, or of its nearest ancestor. */
  readonly locate: (pointer: Pointer) => number;
  readonly findings: readonly OffsetDiagnostic[];
};

/** The documents of a text. An unbearable text has none, and a finding that says why. */
export type CheckedYaml = {
  readonly documents: readonly ReadDocument[];
  readonly lines: Lines;
  readonly findings: readonly OffsetDiagnostic[];
};

/** Parses and checks a text, quickly where it is simple. */
export function checkYaml(text: string, check: ShapeCheck): CheckedYaml {
  const documents = parseSimple(text)?.map((document) => checkSimple(document, check));
  if (documents?.every(({ findings }) => findings.length <= mostProblems)) {
    return { documents, lines: linesOf(text), findings: [] };
  }
  const yaml = parseYaml(text);
  return {
    ...yaml,
    documents: yaml.documents.map((document) => readDocument(document, text, yaml, check)),
  };
}

/** The values of a text's documents, as `checkYaml` has them. */
export function valuesIn(text: string): readonly JsonValue[] {
  const simple = parseSimple(text);
  if (simple) return simple.map(({ value }) => value);
  const { documents, lines } = parseYaml(text);
  return documents.map((document) => {
    const targets = resolveAliases(document, text);
    return toJson(document, targets, lines).value;
  });
}

function checkSimple(document: SimpleDocument, check: ShapeCheck): ReadDocument {
  const problems = check(document.value);
  // To find a place in events all that is before it is passed: of so many, trees find it sooner.
  const findings = problems.slice(0, mostProblems + 1).map((problem) => placed(problem, document));
  return checked(document.value, findings, document);
}

/** Converts and checks one document of a text. */
export function readDocument(
  document: Document.Parsed,
  text: string,
  yaml: YamlText,
  check: ShapeCheck,
): ReadDocument {
  const offset = offsetOf(document.contents);
  const syntax = syntaxFindings(document, text);
  // Errors of syntax shift what follows: what else is found then would mislead.
  if (document.errors.length > 0 || isEmptyDocument(document)) {
    const isEmpty = document.errors.length === 0;
    return { isEmpty, offset, locate: () => offset, findings: syntax };
  }
  const targets = resolveAliases(document, text);
  const places = placesIn(document, targets);
  const { value, findings: unfit } = toJson(document, targets, yaml.lines);
  const shape = check(value)
    .map((problem) => placed(problem, places))
    .filter((finding) => unfit.every((known) => known.offset !== finding.offset));
  return checked(value, [...syntax, ...unfit, ...shape], places);
}

function checked(
  value: JsonValue,
  findings: readonly OffsetDiagnostic[],
  { locateValue }: Places,
): ReadDocument {
  const isSound = findings.every(({ severity }) => severity !== 'error');
  return {
    isEmpty: false,
    offset: locateValue([]),
    locate: locateValue,
    findings,
    ...(isObject(value) && isSound && { fields: value }),
  };
}

function isEmptyDocument({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '');
}

function placed(
  { pointer, atKey, ...problem }: PointerDiagnostic,
  places: Places,
): OffsetDiagnostic {
  const offset = atKey ? places.locateKey(pointer) : places.locateValue(pointer);
  return { severity: 'error', ...problem, offset };
}
