import {
  type DesiredContract,
  type EntityReference,
  type Identity,
  managedFields,
} from '../../../contract/contract.ts';
import { textMembers } from '../../../contract/live.ts';
import { type Diagnostic, sortDiagnostics } from '../../../core/diagnostic.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import { ruleProblems } from '../../check/rules.ts';
import { isEmptyDocument, readDocument, type ShapeCheck } from '../../read/document.ts';
import {
  type OffsetDiagnostic,
  mostProblems,
  type LineColumn,
  toDiagnostic,
} from '../../read/finding.ts';
import { offsetOf } from '../../read/key.ts';
import type { DocumentSource, Locate } from '../../read/position.ts';
import { parseYaml, type YamlText } from '../../read/yaml.ts';
import { shapeProblems } from './shape.ts';

/** A document without errors: plain data, so that it can cross threads. */
export type ContractDocument = {
  readonly fields: JsonObject;
  /** Its place among the documents of the file. */
  readonly index: number;
  /** Where it starts. */
  readonly place: LineColumn;
  /** Where the values of its fields start. */
  readonly fieldPlaces: { readonly [field: string]: LineColumn };
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
  parse = parseYaml,
): ContractFile {
  const yaml = parse(text);
  const check: ShapeCheck = (value) => [...shapeProblems(value), ...ruleProblems(value, statuses)];
  const documents = yaml.documents.map((document) => readDocument(document, text, yaml, check));
  const findings = [
    ...yaml.findings,
    ...documents.flatMap((document) => document.findings),
    ...emptiness(yaml),
  ];
  const contracts = documents.flatMap(({ fields, offset, locate }, index) => {
    if (!fields) return [];
    const place = yaml.lines.place(offset);
    const fieldPlaces = Object.fromEntries(
      Object.keys(fields).map((field) => [field, yaml.lines.place(locate([field]))]),
    );
    return [{ fields, index, place, fieldPlaces }];
  });
  return { contracts, diagnostics: toDiagnostics(file, yaml, findings) };
}

/** A file without a contract is a mistake; an empty document beside others is a slip. */
function emptiness({ documents, findings }: YamlText): OffsetDiagnostic[] {
  if (findings.length > 0) return [];
  const empty = documents.filter(
    (document) => isEmptyDocument(document) && document.errors.length === 0,
  );
  if (empty.length === documents.length) return [emptyFile];
  return empty.map((document) => emptyDocument(offsetOf(document.contents)));
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
  { lines }: YamlText,
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
  document: ContractDocument,
  { file, text }: Source,
  locate: Locate,
): DesiredContract {
  const { fields, index, place } = document;
  return {
    identity: identityOf(fields),
    managed: managedOf(fields),
    source: { file, ...place },
    locate: (pointer) =>
      pointer.length < 2
        ? { file, ...fieldPlace(document, pointer) }
        : locate({ file, text, index }, pointer),
  };
}

/** Most changes are of a whole field: of that the place is known without parsing the text again. */
function fieldPlace({ place, fieldPlaces }: ContractDocument, [field]: Pointer): LineColumn {
  const isKnown = field !== undefined && Object.hasOwn(fieldPlaces, field);
  return (isKnown ? fieldPlaces[field] : undefined) ?? place;
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

function managedOf(fields: JsonObject): JsonObject {
  const managed = managedFields.filter((field) => Object.hasOwn(fields, field));
  return Object.fromEntries(managed.map((field) => [field, fields[field] ?? null]));
}
