import { setImmediate } from 'node:timers/promises';
import type { DesiredContract } from '../contract/contract.ts';
import { type FieldCheck, placeProblems } from '../contract/conventions.ts';
import type { NameRule } from '../contract/names.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { refuseDuplicates } from './claims.ts';
import { type FileSelection, findFiles, type FoundFiles, type Narrowing } from './find/find.ts';
import { createDeclaring } from './formats/desired.ts';
import { parseSource, type ReadingRules } from './read/reading.ts';
import { readText } from './read/text.ts';

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
  /** Absent where no files were named; the contracts are those of all files. */
  readonly narrowed?: Narrowed;
};

/** The files that a run was narrowed to, and what is known of the others. */
export type Narrowed = Pick<Narrowing, 'paths' | 'has' | 'outside'> & {
  /** Whether others have errors: what they declare is not known. */
  readonly isBlind: boolean;
};

/** Reads the contracts of all selected files, and says all that is wrong with them. */
export async function readContracts(
  selection: FileSelection,
  { check, names, ...rules }: ReadOptions & Pick<ReadingRules, 'identitiesOnly'> = {},
): Promise<ReadResult> {
  const found = findFiles(selection);
  const declare = createDeclaring(rules.odcs, names);
  const declared: DesiredContract[] = [];
  const inFiles: Diagnostic[] = [];
  for (const [index, file] of found.files.entries()) {
    const source = { file, ...readText(file, selection.root) };
    const { contracts, diagnostics } = parseSource(source, rules);
    if ('text' in source) declared.push(...contracts.map((each) => declare(each, source)));
    inFiles.push(...diagnostics);
    // Lets signals and timers run.
    if (index % inOneGo === inOneGo - 1) await setImmediate();
  }
  const { contracts, diagnostics } = checkContent(declared, found, check);
  return gather(found, contracts, [...inFiles, ...diagnostics], selection);
}

/** Files: some 10 ms. */
const inOneGo = 16;

type Checked = Pick<ReadResult, 'contracts' | 'diagnostics'>;

/** What the contracts of all files come to, seen together and by the catalog's kind. */
function checkContent(
  declared: readonly DesiredContract[],
  { narrowing }: FoundFiles,
  check: FieldCheck | undefined,
): Checked {
  const claims = refuseDuplicates(declared, narrowing);
  const checked = check ? checkFields(claims.contracts, narrowing, check) : undefined;
  return {
    contracts: checked?.contracts ?? claims.contracts,
    diagnostics: [...claims.diagnostics, ...(checked?.diagnostics ?? [])],
  };
}

/** A contract that is not planned is there, whatever its catalog would say of its fields. */
function checkFields(
  contracts: readonly DesiredContract[],
  narrowing: Narrowing | undefined,
  check: FieldCheck,
): Checked {
  const checked = contracts.map((contract) => ({
    contract,
    problems: placeProblems(check(contract.managed), contract),
  }));
  const isKept = ({ contract, problems }: (typeof checked)[number]): boolean =>
    narrowing?.has(contract.source.file) === false || !hasErrors(problems);
  return {
    contracts: checked.filter(isKept).map(({ contract }) => contract),
    diagnostics: checked.flatMap((each) => each.problems),
  };
}

function gather(
  found: FoundFiles,
  contracts: readonly DesiredContract[],
  inFiles: readonly Diagnostic[],
  { allowEmpty }: FileSelection,
): ReadResult {
  const { files, narrowing } = found;
  const isEmpty = !allowEmpty && found.diagnostics.length + files.length === 0;
  const here = narrowing ? narrow(inFiles, narrowing) : { diagnostics: inFiles };
  const diagnostics = [...found.diagnostics, ...here.diagnostics, ...(isEmpty ? [nothing] : [])];
  return {
    contracts,
    diagnostics: sortDiagnostics(diagnostics),
    fileCount: files.length,
    ...('narrowed' in here && { narrowed: here.narrowed }),
  };
}

/** What is wrong with the named files; of all others that it keeps a run from knowing them. */
function narrow(inFiles: readonly Diagnostic[], narrowing: Narrowing) {
  const { paths, has, outside } = narrowing;
  const isHere = ({ source }: Diagnostic): boolean => source === undefined || has(source.file);
  const broken = [...inFiles, ...narrowing.diagnostics].filter(
    (each) => each.severity === 'error' && !isHere(each),
  );
  const files = [...new Set(broken.map(({ source }) => source?.file ?? ''))];
  const isBlind = files.length > 0;
  return {
    diagnostics: [...inFiles.filter(isHere), ...(isBlind ? [brokenBeside(files)] : [])],
    narrowed: { paths, has, outside, isBlind },
  };
}

/** Names: so many tell where to look. */
const mostBroken = 3;

function brokenBeside(files: readonly string[]): Diagnostic {
  const named = files.slice(0, mostBroken).join(', ');
  const rest = files.length > mostBroken ? ` and ${files.length - mostBroken} more` : '';
  const subject = files.length === 1 ? 'A file' : `${files.length} files`;
  return {
    code: 'files-beside-broken',
    severity: 'warning',
    message: `${subject} that this run leaves out can't be read without errors: ${named}${rest}.`,
    hint: 'No contract is retired until they are mended: `contract-sync validate` shows what is wrong.',
  };
}

/** An empty source is more likely a slip than a wish, and a plan from it could retire contracts. */
const nothing: Diagnostic = {
  code: 'no-contracts',
  severity: 'error',
  message: 'No contract file was found: `contracts.exclude` leaves out all of them.',
  hint: 'Narrow it, or pass --allow-empty if there is to be none.',
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
