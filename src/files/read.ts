import { setImmediate } from 'node:timers/promises';
import type { DesiredContract } from '../contract/contract.ts';
import { type Diagnostic, sortDiagnostics } from '../diagnostic.ts';
import { refuseDuplicates } from './claims.ts';
import { parseContractFile } from './contract-file.ts';
import { desiredContract } from './desired.ts';
import { type FileSelection, findFiles } from './find.ts';
import { createLocator, type Locate } from './locator.ts';
import { readText } from './text.ts';

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
  const found = findFiles(selection);
  const locate = createLocator();
  const contracts: DesiredContract[] = [];
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  for (const files of batches(found.files)) {
    for (const file of files) {
      const read = readFile(file, { ...selection, locate, statuses });
      contracts.push(...read.contracts);
      diagnostics.push(...read.diagnostics);
    }
    await setImmediate(); // Answers of the catalog are taken in between.
  }
  const claims = refuseDuplicates(contracts);
  return {
    contracts: claims.contracts,
    diagnostics: sortDiagnostics([...diagnostics, ...claims.diagnostics]),
    fileCount: found.files.length,
  };
}

/** Files that are parsed at a stretch, some 10 ms. */
const batchSize = 16;

function* batches(files: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < files.length; start += batchSize) {
    yield files.slice(start, start + batchSize);
  }
}

type FileReading = Pick<ReadResult, 'contracts' | 'diagnostics'>;

type Reader = {
  readonly root: string;
  readonly statuses: readonly string[] | undefined;
  readonly locate: Locate;
};

function readFile(file: string, { root, statuses, locate }: Reader): FileReading {
  const read = readText(file, root);
  if ('problem' in read) return { contracts: [], diagnostics: [read.problem] };
  const { contracts, diagnostics } = parseContractFile(file, read.text, statuses);
  return {
    contracts: contracts.map((contract) => desiredContract(contract, file, read.text, locate)),
    diagnostics,
  };
}
