import { setImmediate } from 'node:timers/promises';
import type { DesiredContract, Identity } from '../contract/contract.ts';
import { type FieldCheck, placeProblems } from '../contract/field-check.ts';
import type { NameRule } from '../contract/rename.ts';
import { identityKey, identityKinds, strongestKind } from '../contract/identity.ts';
import {
  type Diagnostic,
  hasErrors,
  sortDiagnostics,
  type SourcePosition,
} from '../core/diagnostic.ts';
import { type FileSelection, findFiles, type FoundFiles } from './find/find.ts';
import { createDeclaring } from './formats/desired.ts';
import { type FileReading, parseSource, type ReadingRules } from './read/reading.ts';
import { readSources, type SourceFile } from './read/text.ts';

export type { FileSelection } from './find/find.ts';

export type ReadOptions = Pick<ReadingRules, 'statuses' | 'odcs'> & {
  /** What the catalog would not take, where it is known which kind it is. */
  readonly check?: FieldCheck | undefined;
  /** How the names of files become those of the catalog. */
  readonly names?: readonly NameRule[];
};

export type ReadResult = {
  /** By file, then by place in the file. */
  readonly contracts: readonly DesiredContract[];
  readonly diagnostics: readonly Diagnostic[];
  readonly fileCount: number;
};

/** The files of a selection, found and read, and what each of them comes to. */
export type OpenedFiles = {
  readonly sources: readonly SourceFile[];
  readonly parse: (rules: ReadingRules) => Promise<readonly FileReading[]>;
};

/** Reads files, named relative to the root. */
export type OpenFiles = (files: readonly string[], root: string) => OpenedFiles;

const openHere: OpenFiles = (files, root) => {
  const sources = readSources(files, root);
  return {
    sources,
    parse: async (rules) => {
      const readings: FileReading[] = [];
      for (const source of sources) {
        readings.push(parseSource(source, rules));
        // Parsing is deaf to everything else.
        if (readings.length % inOneGo === 0) await setImmediate();
      }
      return readings;
    },
  };
};

/** Files: some 10 ms. */
const inOneGo = 16;

/** Reads the contracts of all selected files, and says all that is wrong with them. */
export async function readContracts(
  selection: FileSelection,
  options: ReadOptions = {},
): Promise<ReadResult> {
  return findContracts(selection, openHere).read(options);
}

/** Files that have been found, and can be read. */
export type ContractFiles = {
  readonly sources: readonly SourceFile[];
  readonly read: (options: ReadOptions & ReadingRules) => Promise<ReadResult>;
};

export function findContracts(selection: FileSelection, openFiles: OpenFiles): ContractFiles {
  const found = findFiles(selection);
  const { sources, parse } = openFiles(found.files, selection.root);
  return {
    sources,
    read: async ({ check, names, ...rules }) => {
      const readings = await parse(rules);
      const declare = createDeclaring(rules.odcs, names);
      const declared = readings.flatMap(({ contracts }, index) => {
        const source = sources[index];
        if (!source || 'problem' in source) return [];
        return contracts.map((contract) => declare(contract, source));
      });
      const result = gather(found, readings, declared, selection);
      return check ? withChecks(result, check) : result;
    },
  };
}

function withChecks(result: ReadResult, check: FieldCheck): ReadResult {
  const checked = result.contracts.map((contract) => ({
    contract,
    problems: placeProblems(check(contract.managed), contract),
  }));
  const problems = checked.flatMap((each) => each.problems);
  return {
    ...result,
    contracts: checked.filter((each) => !hasErrors(each.problems)).map(({ contract }) => contract),
    diagnostics: sortDiagnostics([...result.diagnostics, ...problems]),
  };
}

/** Says all that is wrong with the selected files, and how many contracts they declare. */
export async function checkContracts(
  selection: FileSelection,
  options: ReadOptions = {},
  openFiles = openHere,
): Promise<CheckResult> {
  const files = findContracts(selection, openFiles);
  const { contracts, ...result } = await files.read({
    ...options,
    identitiesOnly: options.check === undefined,
  });
  return { ...result, contractCount: contracts.length };
}

type CheckResult = Pick<ReadResult, 'diagnostics' | 'fileCount'> & {
  readonly contractCount: number;
};

function gather(
  found: FoundFiles,
  readings: readonly FileReading[],
  declared: readonly DesiredContract[],
  { allowEmpty }: FileSelection,
): ReadResult {
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

/** One for each kind of identity; an entity that is no contract's only identity may have several. */
function keysOf(identity: Identity): string[] {
  const strongest = strongestKind(identity);
  return identityKinds.flatMap((kind) => {
    if (kind === 'entity.fullyQualifiedName' && kind !== strongest) return [];
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
