import {
  type FileSelection,
  findFiles,
  findMisnamed,
  type NarrowedPaths,
  type Narrowing,
  selectNames,
} from './find/find.ts';
import { setImmediate } from 'node:timers/promises';
import { refuseDuplicates } from '../contract/identity.ts';
import { type DesiredContract, parseAsset, type Slip, textMembers } from '../contract/contract.ts';
import { placeProblems } from '../contract/conventions.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { listFirst } from '../core/text.ts';
import { decodeText, readText, type SourceFile } from './text.ts';
import { readCommit, type Repository, resolveBase } from './git/repository.ts';
import { largestFile } from './find/walk.ts';
import {
  type ContractDocument,
  type ContractFile,
  type DocumentReading,
  type fileFormatNames,
  type Format,
  type FormatRules,
  managedOf,
} from './formats/format.ts';
import { type CheckedYaml, checkYaml, placeOf, type Source, valuesIn } from './read/document.ts';
import { isObject, type JsonValue } from '../core/json.ts';
import { mostProblems, type OffsetDiagnostic, toDiagnostic } from './read/finding.ts';
import { native } from './formats/native/native.ts';
import { odcs } from './formats/odcs/odcs.ts';
import { nameInCatalog, type NameRule, renameIdentity } from '../contract/names.ts';

export type { FileSelection } from './find/find.ts';

export type ReadResult = {
  /** Sorted by file and place. */
  readonly contracts: readonly DesiredContract[];
  readonly diagnostics: readonly Diagnostic[];
  readonly fileCount: number;
  /** Absent where no files were named; `contracts` are those of all files. */
  readonly narrowed?: Narrowed;
};

export type Narrowed = NarrowedPaths & {
  /** Files beside the named ones have errors, so their contracts are not known. */
  readonly isBlind: boolean;
};

export async function readContracts(
  selection: FileSelection,
  options: ReadOptions = {},
): Promise<ReadResult> {
  const found = findFiles(selection);
  const { declared, inFiles } = await readEach(found.files, selection.root, options);
  const claims = refuseDuplicates(declared, found.narrowing);
  inFiles.push(...claims.diagnostics);
  const contracts = claims.contracts.filter((contract) => {
    const problems = placeProblems(options.check?.(contract.managed) ?? [], contract);
    inFiles.push(...problems);
    // A contract outside of the named files exists even if the catalog would refuse its fields.
    return !hasErrors(problems) || found.narrowing?.has(contract.source.file) === false;
  });
  const { narrowing } = found;
  const here = narrowing ? narrow(inFiles, narrowing) : { diagnostics: inFiles };
  const isEmpty = !selection.allowEmpty && found.diagnostics.length + found.files.length === 0;
  const diagnostics = [...found.diagnostics, ...here.diagnostics, ...(isEmpty ? [nothing] : [])];
  return {
    contracts,
    diagnostics: sortDiagnostics(diagnostics),
    fileCount: found.files.length,
    ...('narrowed' in here && { narrowed: here.narrowed }),
  };
}

/** Contracts of files that are not read because of their ending. */
export async function readMisnamed(selection: FileSelection, options: ReadOptions) {
  const lenient = { ...options, evenBroken: true };
  return (await readEach(findMisnamed(selection), selection.root, lenient)).declared;
}

async function readEach(files: readonly string[], root: string, options: ReadOptions) {
  const declared: DesiredContract[] = [];
  const inFiles: Diagnostic[] = [];
  for (const [index, file] of files.entries()) {
    const { contracts, diagnostics } = declaredIn({ file, ...readText(file, root) }, options);
    declared.push(...contracts);
    inFiles.push(...diagnostics);
    // Yield, so that signals and timers can run every 10 ms or so.
    if (index % 16 === 15) await setImmediate();
  }
  return { declared, inFiles };
}

function narrow(inFiles: readonly Diagnostic[], narrowing: Narrowing) {
  const { paths, has, outside } = narrowing;
  const isHere = ({ source }: Diagnostic): boolean => source === undefined || has(source.file);
  const broken = [...inFiles, ...narrowing.diagnostics].filter(
    (each) => each.severity === 'error' && !isHere(each),
  );
  const files = [...new Set(broken.map(({ source }) => source?.file ?? ''))];
  const isBlind = files.length > 0;
  const subject = files.length === 1 ? 'A file' : `${files.length} files`;
  const brokenBeside: Diagnostic = {
    code: 'files-beside-broken',
    severity: 'warning',
    message: `${subject} that this run leaves out can't be read without errors: ${listFirst(files, 3)}.`,
    hint: 'No contract is retired until they are mended: `contract-sync validate` shows what is wrong.',
  };
  return {
    diagnostics: [...inFiles.filter(isHere), ...(isBlind ? [brokenBeside] : [])],
    narrowed: { paths, has, outside, isBlind },
  };
}

// An empty source is more likely a mistake, and a plan from it could retire contracts.
const nothing: Diagnostic = {
  code: 'no-contracts',
  severity: 'error',
  message: 'No contract file was found: `contracts.exclude` leaves out all of them.',
  hint: 'Narrow it, or set `contracts.allowEmpty: true` if there is to be none.',
};

/** As plain JSON (`schemas/validation.schema.json`). */
export type Validation = {
  readonly formatVersion: '1.0';
  readonly errored: boolean;
  readonly summary: {
    readonly files: number;
    /** Contracts without errors. */
    readonly contracts: number;
    readonly errors: number;
    readonly warnings: number;
  };
  /** By file, line and column. */
  readonly diagnostics: readonly Diagnostic[];
};

export function makeValidation(
  diagnostics: readonly Diagnostic[],
  files: number,
  contracts: number,
): Validation {
  const count = (wanted: Diagnostic['severity']): number =>
    diagnostics.filter(({ severity }) => severity === wanted).length;
  return {
    formatVersion: '1.0',
    errored: hasErrors(diagnostics),
    summary: { files, contracts, errors: count('error'), warnings: count('warning') },
    diagnostics: sortDiagnostics(diagnostics),
  };
}

/** At the merge base of HEAD and the revision. A file with errors counts as absent. */
export function readBase(
  revision: string,
  selection: FileSelection,
  repository: Repository,
  rules: ReadOptions,
  isNeeded: (file: string) => boolean = () => true,
) {
  const { commit, isHead } = resolveBase(revision, repository);
  const isSelected = selectNames(selection);
  const isWanted = (file: string): boolean => isSelected(file) && isNeeded(file);
  const files = readCommit(
    commit,
    repository,
    ({ file, size }) => size <= largestFile && isWanted(file),
  );
  const contracts = files.flatMap((file) => contractsIn(file, rules));
  return { revision, commit, isHead, contracts };
}

/** The file is as git holds it; one with errors has no contracts. */
export function contractsIn(
  { file, bytes }: { readonly file: string; readonly bytes: Uint8Array },
  rules: ReadOptions,
): readonly DesiredContract[] {
  if (bytes.length > largestFile) return [];
  return declaredIn({ file, ...decodeText(file, bytes) }, rules).contracts;
}

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
    const slips: Slip[] = [];
    for (const { pointer, meant, atKey, ...finding } of format === native ? diagnostics : []) {
      if (finding.severity !== 'warning') continue;
      const offset = locate(pointer, atKey ? 'key' : 'value');
      const problem = toDiagnostic(file, yaml.lines, { ...finding, offset });
      slips.push({ ...problem, pointer, ...(meant && { meant }) });
    }
    return own.map((contract) => {
      const place = yaml.lines.place(locate(contract.pointer));
      return { ...contract, format, index, place, slips };
    });
  });
  const inDocuments = yaml.documents.flatMap(({ findings }) => findings);
  const findings = [...yaml.findings, ...inDocuments, ...emptiness(yaml)];
  return { contracts, diagnostics: toDiagnostics(file, yaml, findings) };
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

// In order, each once, as each alias visits the content of its anchor again; up to a limit.
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

function declareContract(
  contract: ContractDocument,
  source: Source,
  { names = [] }: ReadOptions,
): DesiredContract {
  const { fields, index, place, format, slips = [] } = contract;
  const document = { ...source, index };
  const { entity, movedFrom = [] } = fields;
  const former = [movedFrom].flat().filter((name) => typeof name === 'string');
  const rename = (name: string) => nameInCatalog(name, names);
  const identity = {
    ...textMembers(fields, ['id', 'fullyQualifiedName', 'name']),
    ...(isObject(entity) && { entity: parseAsset(entity) }),
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
      const { pointer: from, ...key } = contract.origin?.(asked) ?? { pointer: asked };
      return { ...placeOf(document, from), ...key };
    },
  };
}
