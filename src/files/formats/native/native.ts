import {
  type DesiredContract,
  type EntityReference,
  type Identity,
  managedFields,
} from '../../../contract/contract.ts';
import { textMembers } from '../../../contract/live.ts';
import { type Diagnostic, sortDiagnostics } from '../../../core/diagnostic.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { ruleProblems } from '../../check/rules.ts';
import { checkYaml, type CheckedYaml, type ShapeCheck } from '../../read/document.ts';
import {
  type OffsetDiagnostic,
  mostProblems,
  type LineColumn,
  toDiagnostic,
} from '../../read/finding.ts';
import type { DocumentSource, Locate } from '../../read/position.ts';
import { shapeProblems } from './shape.ts';

/** A document without errors: plain data, so that it can cross threads. */
export type ContractDocument = {
  readonly fields: JsonObject;
  /** Its place among the documents of the file. */
  readonly index: number;
  /** Where it starts. */
  readonly place: LineColumn;
};

/** What one file says, looked at on its own. */
type ContractFile = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

/** A file with its text. */
type Source = Omit<DocumentSource, 'index'>;

/** Parses and checks the text of a file. A document with errors contributes no contract. */
export function parseContractFile(
  { file, text }: Source,
  statuses?: readonly string[],
): ContractFile {
  const check: ShapeCheck = (value) => [...shapeProblems(value), ...ruleProblems(value, statuses)];
  const yaml = checkYaml(text, check);
  const findings = [
    ...yaml.findings,
    ...yaml.documents.flatMap((document) => document.findings),
    ...emptiness(yaml),
  ];
  const contracts = yaml.documents.flatMap(({ fields, offset }, index) =>
    fields ? [{ fields, index, place: yaml.lines.place(offset) }] : [],
  );
  return { contracts, diagnostics: toDiagnostics(file, yaml, findings) };
}

/** A file without a contract is a mistake; an empty document beside others is a slip. */
function emptiness({ documents, findings }: CheckedYaml): OffsetDiagnostic[] {
  if (findings.length > 0) return [];
  const empty = documents.filter(({ isEmpty }) => isEmpty);
  if (empty.length === documents.length) return [emptyFile];
  return empty.map(({ offset }) => emptyDocument(offset));
}

const emptyFile: OffsetDiagnostic = {
  code: 'no-contract',
  severity: 'error',
  message: 'The file holds no contract.',
  hint: 'Write one, remove the file, or leave it out with `contracts.exclude`.',
  offset: 0,
};

function emptyDocument(offset: number): OffsetDiagnostic {
  return {
    code: 'empty-document',
    severity: 'warning',
    message: 'This document of the file is empty.',
    hint: 'Remove the `---` in front of it.',
    offset,
  };
}

/** In order, each once (what stands behind an anchor is met again with each alias), not endless. */
function toDiagnostics(
  file: string,
  { lines }: CheckedYaml,
  findings: readonly OffsetDiagnostic[],
): readonly Diagnostic[] {
  const distinct = new Map(
    findings.map((finding) => [`${finding.offset} ${finding.code} ${finding.message}`, finding]),
  );
  const all = [...distinct.values()].toSorted((a, b) => a.offset - b.offset);
  const shown = all.slice(0, mostProblems);
  const last = shown.at(-1);
  if (last && all.length > shown.length) shown.push(andMore(last.offset));
  return sortDiagnostics(shown.map((finding) => toDiagnostic(file, lines, finding)));
}

function andMore(offset: number): OffsetDiagnostic {
  return {
    code: 'too-many-problems',
    severity: 'error',
    message: `The file has more than ${mostProblems} problems; the others are not shown.`,
    hint: 'Mend these first: one mistake early on may cause many more.',
    offset,
  };
}

/** The contract that a checked document declares. */
export function desiredContract(
  { fields, index, place }: ContractDocument,
  { file, text }: Source,
  locate: Locate,
): DesiredContract {
  return {
    identity: identityOf(fields),
    managed: managedOf(fields),
    source: { file, ...place },
    locate: (pointer) => locate({ file, text, index }, pointer),
  };
}

function identityOf(fields: JsonObject): Identity {
  const { entity } = fields;
  return {
    ...textMembers(fields, ['id', 'fullyQualifiedName', 'name']),
    ...(isObject(entity) && { entity: entityOf(entity) }),
  };
}

function entityOf(entity: JsonObject): EntityReference {
  return textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']);
}

/** What the file says of the fields that it manages. */
export function managedOf(fields: JsonObject): JsonObject {
  const managed = managedFields.filter((field) => Object.hasOwn(fields, field));
  return Object.fromEntries(managed.map((field) => [field, fields[field] ?? null]));
}
