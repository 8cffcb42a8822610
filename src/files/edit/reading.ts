import type { Document } from 'yaml';
import { deepEqual, type JsonValue } from '../../core/json.ts';
import { type Lines, linesOf, type OffsetDiagnostic } from '../read/finding.ts';
import { resolveAliases, toJson } from '../read/value.ts';
import { parseSimple } from '../read/simple.ts';
import { syntaxFindings } from '../read/syntax.ts';
import { parseYaml } from '../read/yaml.ts';

export type Reading = {
  readonly documents: readonly DocumentReading[];
  readonly errors: readonly OffsetDiagnostic[];
  readonly lines: Lines;
};

type DocumentReading = {
  readonly value: JsonValue;
  readonly errors: readonly OffsetDiagnostic[];
};

export function readDocuments(text: string): Reading {
  // Takes a tenth of the time, with the same result.
  const simple = parseSimple(text);
  if (simple) {
    const documents = simple.map(({ value }) => ({ value, errors: [] }));
    return { documents, errors: [], lines: linesOf(text) };
  }
  const { documents, findings, lines } = parseYaml(text);
  return {
    documents: documents.map((document) => readValue(document, text, lines)),
    errors: findings,
    lines,
  };
}

function readValue(document: Document.Parsed, text: string, lines: Lines): DocumentReading {
  const syntax = syntaxFindings(document, text);
  const { value, findings } =
    document.errors.length > 0
      ? { value: null, findings: [] }
      : toJson(document, resolveAliases(document, text), lines);
  const errors = [...syntax, ...findings].filter(({ severity = 'error' }) => severity === 'error');
  return { value, errors };
}

// JSON can't hold these values; the rest of the document can still be edited.
const tolerable: ReadonlySet<string> = new Set([
  'unknown-tag',
  'non-string-key',
  'integer-too-large',
  'number-not-finite',
  'number-too-long',
  'lone-surrogate',
]);

export function editingError(
  { documents, errors }: Reading,
  document: number,
): OffsetDiagnostic | undefined {
  const own = documents[document]?.errors ?? [];
  return [...errors, ...own].find(({ code }) => !tolerable.has(code));
}

export function isProved(
  before: Reading,
  after: Reading,
  document: number,
  expected: JsonValue,
): boolean {
  return (
    after.errors.length === 0 &&
    after.documents.length === before.documents.length &&
    after.documents.every(({ value, errors }, index) => {
      const former = before.documents[index];
      const wanted = index === document ? expected : former?.value;
      return deepEqual(value, wanted) && areKnown(errors, former?.errors ?? []);
    })
  );
}

function areKnown(
  errors: readonly OffsetDiagnostic[],
  former: readonly OffsetDiagnostic[],
): boolean {
  const known = former.map(({ message }) => message);
  return errors.every(({ message }) => {
    const index = known.indexOf(message);
    if (index !== -1) known.splice(index, 1);
    return index !== -1;
  });
}
