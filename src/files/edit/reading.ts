import type { Document } from 'yaml';
import { deepEqual, type JsonValue } from '../../core/json.ts';
import { resolveAliases } from '../read/key.ts';
import { syntaxFindings } from '../read/syntax.ts';
import { toJson } from '../read/value.ts';
import { parseYaml, type YamlText } from '../read/yaml.ts';

/** What the documents of a text say, read as the files of contracts are. */
export type Reading = {
  readonly documents: readonly DocumentReading[];
  /** Why the whole text cannot be read. */
  readonly fault?: ReadingFault;
};

type DocumentReading = { readonly value: JsonValue; readonly faults: readonly ReadingFault[] };

export type ReadingFault = { readonly message: string; readonly line: number };

export function readDocuments(text: string): Reading {
  const yaml = parseYaml(text);
  const [finding] = yaml.findings;
  const documents = yaml.documents.map((document) => readValue(document, text, yaml));
  if (!finding) return { documents };
  const { line } = yaml.lines.place(finding.offset);
  return { documents, fault: { message: finding.message, line } };
}

function readValue(document: Document.Parsed, text: string, { lines }: YamlText): DocumentReading {
  const { value, findings } =
    document.errors.length > 0
      ? { value: null, findings: [] }
      : toJson(document, resolveAliases(document, text), lines);
  const faults = [...syntaxFindings(document, text), ...findings]
    .filter(({ severity }) => severity === 'error')
    .map(({ message, offset }) => ({ message, line: lines.place(offset).line }));
  return { value, faults };
}

/** Whether one document says what it should, and the others say what they did. */
export function isProved(
  before: Reading,
  after: Reading,
  document: number,
  expected: JsonValue,
): boolean {
  return (
    !after.fault &&
    after.documents.length === before.documents.length &&
    after.documents.every(({ value, faults }, index) => {
      const former = before.documents[index];
      return (
        deepEqual(value, index === document ? expected : former?.value) &&
        faults.length === former?.faults.length
      );
    })
  );
}
