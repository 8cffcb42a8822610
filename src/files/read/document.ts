import { type Document, isScalar } from 'yaml';
import type { Severity } from '../../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { OffsetDiagnostic } from './finding.ts';
import { type AliasTargets, offsetOf, resolveAliases } from './key.ts';
import { locateKey, locateValue } from './position.ts';
import { syntaxFindings } from './syntax.ts';
import { toJson } from './value.ts';
import type { YamlText } from './yaml.ts';

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
  readonly offset: number;
  /** The offset of the value at a pointer, or of its nearest ancestor. */
  readonly locate: (pointer: Pointer) => number;
  readonly findings: readonly OffsetDiagnostic[];
};

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
    return { offset, locate: () => offset, findings: syntax };
  }
  const targets = resolveAliases(document, text);
  const { value, findings: unfit } = toJson(document, targets, yaml.lines);
  const shape = check(value)
    .map((problem) => placed(problem, document, targets))
    .filter((finding) => unfit.every((known) => known.offset !== finding.offset));
  const findings = [...syntax, ...unfit, ...shape];
  return {
    offset,
    locate: (pointer) => locateValue(document, pointer, targets),
    findings,
    ...(isObject(value) && !hasError(findings) && { fields: value }),
  };
}

export function isEmptyDocument({ contents }: Document.Parsed): boolean {
  return contents === null || (isScalar(contents) && contents.source === '');
}

function hasError(findings: readonly OffsetDiagnostic[]): boolean {
  return findings.some(({ severity }) => severity === 'error');
}

function placed(
  { pointer, atKey, ...problem }: PointerDiagnostic,
  document: Document.Parsed,
  targets: AliasTargets,
): OffsetDiagnostic {
  const locate = atKey ? locateKey : locateValue;
  return { severity: 'error', ...problem, offset: locate(document, pointer, targets) };
}
