import type { DesiredContract } from '../contract/contract.ts';
import { type Diagnostic, sortDiagnostics } from '../diagnostic.ts';
import { refuseDuplicates } from './claims.ts';
import { desiredContract } from './desired.ts';
import { type FileSelection, findFiles } from './find.ts';
import { createLocator } from './locator.ts';
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

/** Reads the contracts of all selected files, and says all that is wrong with them. */
export async function readContracts(
  selection: FileSelection,
  { statuses }: ReadOptions = {},
): Promise<ReadResult> {
  const { root } = selection;
  const found = findFiles(selection);
  const readings = await readFiles(found.files, { root, statuses });
  const locate = createLocator();
  const declared = readings.flatMap(({ contracts, text }, index) => {
    const file = found.files[index] ?? '';
    return contracts.map((contract) => desiredContract(contract, { file, text }, locate));
  });
  const { contracts, diagnostics: claimedTwice } = refuseDuplicates(declared);
  const inFiles = readings.flatMap(({ diagnostics }) => diagnostics);
  return {
    contracts,
    diagnostics: sortDiagnostics([...found.diagnostics, ...inFiles, ...claimedTwice]),
    fileCount: found.files.length,
  };
}
