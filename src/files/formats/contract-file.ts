import {
  type ContractDocument,
  type ContractFile,
  type DocumentReading,
  type fileFormatNames,
  type Format,
  type FormatRules,
  managedOf,
} from './format.ts';
import {
  type CheckedYaml,
  checkYaml,
  placeOf,
  type PointerDiagnostic,
  type Source,
  valuesIn,
} from '../read/document.ts';
import { type Diagnostic, sortDiagnostics } from '../../core/diagnostic.ts';
import { isObject, type JsonValue } from '../../core/json.ts';
import { mostProblems, type OffsetDiagnostic, toDiagnostic } from '../read/finding.ts';
import type { SourceFile } from '../text.ts';
import { native } from './native/native.ts';
import { odcs } from './odcs/odcs.ts';
import { type DesiredContract, type Slip, textMembers } from '../../contract/contract.ts';
import { nameInCatalog, type NameRule, renameIdentity } from '../../contract/names.ts';

/** The first that recognises a document reads it: native, which takes any mapping, is the last. */
export const fileFormats: Readonly<Record<(typeof fileFormatNames)[number], Format>> = {
  odcs,
  native,
};

/** A document with errors contributes no contract. */
export function parseContractFile({ file, text }: Source, rules: FormatRules = {}): ContractFile {
  const readings = new Map<JsonValue, DocumentReading & { readonly format: Format }>();
  const yaml = checkYaml(text, (value) => {
    const format = Object.values(fileFormats).find((each) => each.recognises(value)) ?? native;
    const reading = format.read(value, rules);
    readings.set(value, { ...reading, format });
    return reading.diagnostics;
  });
  const contracts = yaml.documents.flatMap(({ fields, locate }, index) => {
    const reading = fields && readings.get(fields);
    const { format = native, contracts: own = [], diagnostics = [] } = reading ?? {};
    const slips = format === native ? diagnostics.filter(isWarning).map(slipOf) : [];
    return own.map((contract) => {
      const place = yaml.lines.place(locate(contract.pointer));
      return { ...contract, format, index, place, slips };
    });
  });
  const inDocuments = yaml.documents.flatMap(({ findings }) => findings);
  const findings = [...yaml.findings, ...inDocuments, ...emptiness(yaml)];
  return { contracts, diagnostics: toDiagnostics(file, yaml, findings) };
}

function isWarning({ severity }: PointerDiagnostic): boolean {
  return severity === 'warning';
}

function slipOf({ pointer, meant, message, hint }: PointerDiagnostic): Slip {
  return { pointers: [pointer, ...(meant ? [meant] : [])], message, hint };
}

// A file without a contract is an error; an empty document beside others is a warning.
function emptiness({ documents, findings }: CheckedYaml): OffsetDiagnostic[] {
  if (findings.length > 0) return [];
  const empty = documents.filter(({ isEmpty }) => isEmpty);
  if (empty.length === documents.length) {
    const hint = 'Write one, remove the file, or add it to `contracts.exclude`.';
    const message = 'The file has no contract.';
    return [{ code: 'no-contract', severity: 'error', message, hint, offset: 0 }];
  }
  const message = 'This document is empty.';
  const hint = 'Remove the `---` before it.';
  const problem = { code: 'no-contract', severity: 'warning', message, hint } as const;
  return empty.map(({ offset }) => ({ ...problem, offset }));
}

// In order, each once (an anchor's content is visited again for each alias), up to a limit.
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
  if (last && all.length > shown.length) {
    const message = `The file has more than ${mostProblems} problems: the rest are not shown.`;
    const hint = 'Fix these first: one early mistake can cause many more.';
    shown.push({ code: 'too-many-problems', message, hint, offset: last.offset });
  }
  return sortDiagnostics(shown.map((finding) => toDiagnostic(file, lines, finding)));
}

export type ReadOptions = FormatRules & {
  readonly names?: readonly NameRule[];
  /** Documents with errors contribute their identity too. */
  readonly evenBroken?: boolean;
};

export function declaredIn(source: SourceFile, options: ReadOptions) {
  if ('problem' in source) return { contracts: [], diagnostics: [source.problem] };
  const { contracts, diagnostics } = parseContractFile(source, options);
  const broken = options.evenBroken ? brokenBeside(contracts, source) : [];
  const all = [...contracts, ...broken].map((each) => declareContract(each, source, options));
  return { contracts: all, diagnostics };
}

function brokenBeside(sound: readonly ContractDocument[], { text }: Source): ContractDocument[] {
  return valuesIn(text).flatMap((fields, index) => {
    if (!isObject(fields) || sound.some((each) => each.index === index)) return [];
    return [{ fields, format: native, index, pointer: [], place: { line: 1, column: 1 } }];
  });
}

export function declareContract(
  contract: ContractDocument,
  source: Source,
  { odcs: odcsRules, names = [] }: ReadOptions,
): DesiredContract {
  const { fields, index, place, format, slips = [] } = contract;
  const document = { ...source, index };
  const { entity, movedFrom, movedByRule = [] } = fields;
  const former = [movedFrom ?? [], movedByRule].flat().filter((name) => typeof name === 'string');
  const rename = (name: string) => nameInCatalog(name, names);
  const identity = {
    ...textMembers(fields, ['id', 'fullyQualifiedName', 'name']),
    ...(isObject(entity) && {
      entity: textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']),
    }),
  };
  return {
    identity: renameIdentity(identity, rename),
    ...(former.length > 0 && { movedFrom: former.map(rename) }),
    managed: managedOf(fields),
    ...(slips.length > 0 && { slips }),
    ...(contract.coarse && { coarse: contract.coarse }),
    source: { file: source.file, ...place, ...(format === odcs && { format: 'odcs' }) },
    locate: (pointer, isRemoved) => {
      // A removed member has no line of its own in the file, so its parent's is reported.
      const asked = isRemoved ? pointer.slice(0, -1) : pointer;
      const own = { contract, document, rules: { odcs: odcsRules } };
      const { pointer: from, ...key } = format.origin(own, asked);
      return { ...placeOf(document, from), ...key };
    },
  };
}
