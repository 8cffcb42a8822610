import { type Diagnostic, sortDiagnostics } from '../../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { Pointer } from '../../patch/pointer.ts';
import { checkYaml, type CheckedYaml, type PointerDiagnostic } from '../read/document.ts';
import {
  type LineColumn,
  mostProblems,
  type OffsetDiagnostic,
  toDiagnostic,
} from '../read/finding.ts';
import type { DocumentSource } from '../read/position.ts';
import { nativeProblems } from './native/native.ts';
import { detectFormat } from './odcs/detect.ts';
import { mapOdcs } from './odcs/map.ts';
import type { Refinement } from './odcs/refine.ts';
import { defaultOdcsRules, type OdcsRules } from './odcs/settings.ts';

/** A contract of a document without errors: plain data, so that it can cross threads. */
export type ContractDocument = {
  /** The keys of a contract file. */
  readonly fields: JsonObject;
  /** The place of its document among those of the file. */
  readonly index: number;
  /** Where it starts. */
  readonly place: LineColumn;
  /** Absent for a document in this program's own format. */
  readonly odcs?: OdcsPart;
};

/** The part of an ODCS document that a contract is, and what that leaves to the catalog. */
export type OdcsPart = { readonly pointer: Pointer; readonly refinement: Refinement };

/** What one file says, looked at on its own. */
type ContractFile = {
  readonly contracts: readonly ContractDocument[];
  readonly diagnostics: readonly Diagnostic[];
};

/** A file with its text. */
export type Source = Omit<DocumentSource, 'index'>;

/** What documents are held against. */
export type FormatRules = {
  /** The statuses of the lifecycle: any other is an error. Without them none is checked. */
  readonly statuses?: readonly string[] | undefined;
  /** Without them what holds where nothing is configured. */
  readonly odcs?: OdcsRules | undefined;
};

/** Parses and checks the text of a file. A document with errors contributes no contract. */
export function parseContractFile({ file, text }: Source, rules: FormatRules = {}): ContractFile {
  const readings = new Map<JsonValue, DocumentReading>();
  const yaml = checkYaml(text, (value) => {
    const reading = readValue(value, rules);
    readings.set(value, reading);
    return reading.diagnostics;
  });
  const findings = [
    ...yaml.findings,
    ...yaml.documents.flatMap((document) => document.findings),
    ...emptiness(yaml),
  ];
  const contracts = yaml.documents.flatMap(({ fields, locate }, index) => {
    const reading = fields && readings.get(fields);
    return (reading?.contracts ?? []).map(({ pointer, ...contract }) => ({
      ...contract,
      index,
      place: yaml.lines.place(locate(pointer)),
    }));
  });
  return { contracts, diagnostics: toDiagnostics(file, yaml, findings) };
}

/** The contracts that a document declares, whatever its format, and where in it they start. */
type DocumentReading = {
  readonly contracts: readonly (Pick<ContractDocument, 'fields' | 'odcs'> & {
    readonly pointer: Pointer;
  })[];
  readonly diagnostics: readonly PointerDiagnostic[];
};

function readValue(
  value: JsonValue,
  { statuses, odcs = defaultOdcsRules }: FormatRules,
): DocumentReading {
  const detected = detectFormat(value);
  switch (detected.format) {
    case 'native':
      return {
        contracts: isObject(value) ? [{ fields: value, pointer: [] }] : [],
        diagnostics: nativeProblems(value, statuses),
      };
    case 'odcs': {
      const mapping = mapOdcs(value, odcs.settings, { ...odcs.run, statuses });
      return {
        contracts: mapping.contracts.map(({ fields, pointer, refinement }) => ({
          fields,
          pointer,
          odcs: { pointer, refinement },
        })),
        diagnostics: [...detected.diagnostics, ...mapping.diagnostics],
      };
    }
    case 'foreign':
      return { contracts: [], diagnostics: detected.diagnostics };
  }
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
  message: 'The file has no contract.',
  hint: 'Write one, remove the file, or add it to `contracts.exclude`.',
  offset: 0,
};

function emptyDocument(offset: number): OffsetDiagnostic {
  return {
    code: 'empty-document',
    severity: 'warning',
    message: 'This document is empty.',
    hint: 'Remove the `---` before it.',
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
    message: `The file has more than ${mostProblems} problems: the rest are not shown.`,
    hint: 'Fix these first: one early mistake can cause many more.',
    offset,
  };
}
