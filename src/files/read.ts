import type { DesiredContract } from '../contract/contract.ts';
import { type Diagnostic, sortDiagnostics } from '../core/diagnostic.ts';
import { refuseDuplicates } from './claims.ts';
import { desiredContract } from './desired.ts';
import { type FileSelection, findFiles, type FoundFiles } from './find.ts';
import { guess, type Guess } from './guess.ts';
import { createLocator } from './locator.ts';
import type { FileReading } from './reading.ts';
import { startReading } from './threads.ts';

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

/** The files of a selection, found and, where they are many, being read by other threads. */
export type ContractFiles = {
  /** Which of these keys the files seem to hold, and what they seem to be about. */
  readonly guess: <Key extends string>(keys: readonly Key[]) => Guess<Key>;
  /**
   * Reads the contracts of all files, and says all that is wrong with them. This thread leaves that
   * to others, if there are any, where it has many contracts of the catalog to fetch meanwhile.
   */
  readonly read: (contractsToFetch?: Promise<number>) => Promise<ReadResult>;
};

export function openFiles(selection: FileSelection, options: ReadOptions = {}): ContractFiles {
  const found = findFiles(selection);
  const { root } = selection;
  const { statuses } = options;
  const finish = startReading(found.files, { root, statuses });
  return {
    guess: (keys) => guess(found.files, root, keys),
    read: async (contractsToFetch) => gather(found, await finish(contractsToFetch), selection),
  };
}

/** Reads the contracts of all selected files, and says all that is wrong with them. */
export async function readContracts(
  selection: FileSelection,
  options?: ReadOptions,
): Promise<ReadResult> {
  return openFiles(selection, options).read();
}

/** Says all that is wrong with the selected files, and keeps nothing of what they say. */
export async function checkContracts(
  selection: FileSelection,
  { statuses }: ReadOptions = {},
): Promise<CheckResult> {
  const found = findFiles(selection);
  const { root } = selection;
  const finish = startReading(found.files, { root, statuses, identitiesOnly: true });
  const { contracts, ...result } = gather(found, await finish(), selection);
  return { ...result, contractCount: contracts.length };
}

function gather(
  found: FoundFiles,
  readings: readonly FileReading[],
  { allowEmpty }: FileSelection,
): ReadResult {
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
