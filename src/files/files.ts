import type { DesiredContract, Identity } from '../contract/contract.ts';
import { identityKey, identityKinds } from '../contract/identity.ts';
import {
  type Diagnostic,
  hasErrors,
  sortDiagnostics,
  type SourcePosition,
} from '../core/diagnostic.ts';
import { type FileSelection, findFiles, type FoundFiles } from './find/find.ts';
import { desiredContract } from './formats/native/native.ts';
import { guess, type Guess } from './guess.ts';
import { createLocator } from './read/position.ts';
import type { FileReading } from './read/reading.ts';
import { startReading } from './threads.ts';

export type { FileSelection } from './find/find.ts';

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

type CheckResult = Pick<ReadResult, 'diagnostics' | 'fileCount'> & {
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

type Claims = {
  readonly contracts: readonly DesiredContract[];
  readonly diagnostics: readonly Diagnostic[];
};

/** Contracts that are declared once; one that an earlier place claims is an error naming both. */
function refuseDuplicates(contracts: readonly DesiredContract[]): Claims {
  const claimed = new Map<string, SourcePosition>();
  const diagnostics: Diagnostic[] = [];
  const unclaimed = contracts.filter(({ identity, source }) => {
    const keys = keysOf(identity);
    const first = keys.map((key) => claimed.get(key)).find((place) => place !== undefined);
    if (first) diagnostics.push(duplicateClaim(source, first));
    else for (const key of keys) claimed.set(key, source);
    return !first;
  });
  return { contracts: unclaimed, diagnostics };
}

/** One for each kind of identity. */
function keysOf(identity: Identity): string[] {
  return identityKinds.flatMap((kind) => {
    const key = identityKey(kind, identity);
    return key === undefined ? [] : [`${kind} ${key}`];
  });
}

function duplicateClaim(source: SourcePosition, first: SourcePosition): Diagnostic {
  return {
    code: 'duplicate-contract',
    severity: 'error',
    message: `This is the same contract as the one at ${first.file}:${first.line}:${first.column}.`,
    hint: 'Keep one of the two: a contract has one file.',
    source,
  };
}

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
