import type { DesiredContract } from '../contract/contract.ts';
import { type Diagnostic, sortDiagnostics } from '../diagnostic.ts';
import { refuseDuplicates } from './claims.ts';
import { desiredContract } from './desired.ts';
import { type FileSelection, findFiles, type FoundFiles } from './find.ts';
import { guess, type Guess } from './guess.ts';
import { createLocator } from './locator.ts';
import type { ReadRequest } from './reading.ts';
import { readFiles } from './threads.ts';

export type { FileSelection } from './find.ts';

export type ReadOptions = {
  /** The statuses of the lifecycle: any other is an error. Without them none is checked. */
  readonly statuses?: readonly string[];
};

export type ReadResult = {
  /** By file, then by place in the file. */
  readonly contracts: readonly DesiredContract[];
  readonly diagnostics: readonly Diagnostic[];
  readonly fileCount: number;
};

export type CheckResult = Pick<ReadResult, 'diagnostics' | 'fileCount'> & {
  readonly contractCount: number;
};

/** The files of a selection, found and not yet read. */
export type ContractFiles = {
  /** Which of these keys the files seem to hold, and what they seem to be about. */
  readonly guess: <Key extends string>(keys: readonly Key[]) => Guess<Key>;
  /** Reads the contracts of all files, and says all that is wrong with them. */
  readonly read: (options?: ReadOptions) => Promise<ReadResult>;
};

export function openFiles(selection: FileSelection): ContractFiles {
  const found = findFiles(selection);
  return {
    guess: (keys) => guess(found.files, selection.root, keys),
    read: (options = {}) => readFound(found, selection, options),
  };
}

/** Reads the contracts of all selected files, and says all that is wrong with them. */
export async function readContracts(
  selection: FileSelection,
  options?: ReadOptions,
): Promise<ReadResult> {
  return openFiles(selection).read(options);
}

/** Says all that is wrong with the selected files, and keeps nothing of what they say. */
export async function checkContracts(
  selection: FileSelection,
  options?: ReadOptions,
): Promise<CheckResult> {
  const request = { ...options, identitiesOnly: true };
  const { contracts, ...result } = await readFound(findFiles(selection), selection, request);
  return { ...result, contractCount: contracts.length };
}

async function readFound(
  found: FoundFiles,
  { root, allowEmpty }: FileSelection,
  { statuses, identitiesOnly }: ReadOptions & Pick<ReadRequest, 'identitiesOnly'>,
): Promise<ReadResult> {
  const readings = await readFiles(found.files, { root, statuses, identitiesOnly });
  const locate = createLocator();
  const declared = readings.flatMap(({ contracts, text }, index) => {
    const file = found.files[index] ?? '';
    return contracts.map((contract) => desiredContract(contract, { file, text }, locate));
  });
  const { contracts, diagnostics: claimedTwice } = refuseDuplicates(declared);
  const inFiles = readings.flatMap(({ diagnostics }) => diagnostics);
  return {
    contracts,
    diagnostics: sortDiagnostics([
      ...found.diagnostics,
      ...inFiles,
      ...claimedTwice,
      ...(allowEmpty || found.diagnostics.length + readings.length > 0 ? [] : [nothing]),
    ]),
    fileCount: found.files.length,
  };
}

/** An empty source is more likely a slip than a wish, and a plan from it could retire contracts. */
const nothing: Diagnostic = {
  code: 'no-contracts',
  severity: 'error',
  message: 'No contract file was found: `contracts.exclude` leaves out all of them.',
  hint: 'Narrow it, or pass --allow-empty if there is to be none.',
};
