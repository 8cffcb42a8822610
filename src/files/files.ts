import { declaredIn, type ReadOptions } from './formats/contract-file.ts';
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
import type { DesiredContract } from '../contract/contract.ts';
import { placeProblems } from '../contract/conventions.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { listFirst } from '../core/text.ts';
import { decodeText, readText } from './text.ts';
import { readCommit, type Repository, resolveBase } from './git/repository.ts';
import { largestFile } from './find/walk.ts';

export type { FileSelection } from './find/find.ts';
export type { ReadOptions } from './formats/contract-file.ts';

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
