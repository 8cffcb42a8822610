import { type LiveContract, optionalFields } from '../contract/contract.ts';
import { contractLabel, qualifiedNames } from '../contract/identity.ts';
import { nameInCatalog, renameIdentity } from '../contract/names.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { compareCodeUnits, deepEqual, type JsonObject } from '../core/json.ts';
import { listFirst } from '../core/text.ts';
import { readDocuments } from '../files/read/document.ts';
import { findFiles, selectNames } from '../files/find/find.ts';
import { countNames, type Format, type KnownNames } from '../files/formats/format.ts';
import {
  complainAboutText,
  createFile,
  isFree,
  removeStaleTempFilesBeside,
  unwritableFile,
} from '../files/text.ts';
import { isFiled } from '../plan/pair.ts';
import { type Rules, type Team, teamOf, withUnmanaged } from '../plan/rules.ts';
import { isConcerned } from '../plan/unmanaged.ts';
import { writeDocument } from '../files/edit/body.ts';
import { native } from '../files/formats/native/native.ts';
import { areTwins, pathKey } from '../pull/name.ts';
import { readOptionsOf, type Session } from '../session.ts';
import { findPairs } from './pairs.ts';

/** Files for live contracts that have none. */

type NewFile = {
  readonly file: string;
  readonly text: string;
  readonly contracts: readonly string[];
};

export type Import = {
  readonly files: readonly NewFile[];
  readonly declared: number;
  readonly problems: readonly Diagnostic[];
};

type ImportOptions = {
  /** `folder` is that of the contract's team. */
  readonly pathOf: (live: LiveContract, folder: string | undefined) => string;
  readonly format?: Format;
  readonly onComposed?: (done: number, total: number) => void;
};

/** Writes nothing. */
export async function prepareImport(
  session: Session,
  { pathOf, onComposed, format = native }: ImportOptions,
): Promise<Import> {
  const { found, declared, names, diagnostics } = await findWithoutFile(session);
  if (hasErrors(diagnostics)) return { files: [], declared, problems: diagnostics };
  const composed = found.map((contract, index) => {
    const made = composeContract(contract, names, session, format);
    onComposed?.(index + 1, found.length);
    return { ...made, folder: contract.folder };
  });
  const sound = composed.filter((each) => 'text' in each);
  const placed = sound.map((each) => ({ ...each, file: pathOf(each.live, each.folder) }));
  const isCrowded = (own: readonly unknown[]) => !format.newFiles.areShared && own.length > 1;
  const byPath = [...Map.groupBy(placed, ({ file }) => pathKey(file)).values()].flatMap((own) =>
    isCrowded(own) && areTwins(own.map(({ live }) => live)) ? own.map(withId) : [own],
  );
  const [crowded, fitting] = partition(byPath, isCrowded);
  const joined = fitting.map((own) => ({
    file: own[0]?.file ?? '',
    text: format.newFiles.head + own.map(({ text }) => text).join('---\n'),
    contracts: own.map(({ live }) => contractLabel(live)),
  }));
  const [files, large] = partition(joined, ({ file, text }) => !complainAboutText(file, text));
  const problems = composed.flatMap((each) => each.problems);
  return {
    files: files.toSorted((a, b) => compareCodeUnits(a.file, b.file)),
    declared,
    problems: sortDiagnostics([
      ...diagnostics,
      ...problems,
      ...crowded.map((own) => onePathForAll(own[0]?.file ?? '', own)),
      ...large.map(tooLarge),
      ...tellLeft(composed),
    ]),
  };
}

function withId<Item extends { readonly file: string; readonly live: LiveContract }>(item: Item) {
  const mark = `_${item.live.id.replaceAll(/[^\w-]/gu, '')}`;
  return [{ ...item, file: item.file.replace(/(?:\.odcs)?\.ya?ml$/u, `${mark}$&`) }];
}

function partition<Item>(items: readonly Item[], isMeant: (item: Item) => boolean) {
  return [items.filter(isMeant), items.filter((item) => !isMeant(item))] as const;
}

type Listed = {
  readonly live: LiveContract;
  readonly rules: Rules;
  // Whether `names` maps its names back to the catalog's; if not, a file would mean another
  // contract.
  readonly comesBack: boolean;
  readonly folder?: string | undefined;
};

function nameForFiles(live: LiveContract, rules: Rules): Listed {
  const toFiles = rules.names.map(({ from, to }) => ({ from: to, to: from }));
  const named = renameIdentity(live, (name) => nameInCatalog(name, toFiles));
  const back = new Set(qualifiedNames(named).map((name) => nameInCatalog(name, rules.names)));
  const comesBack = qualifiedNames(live).every((name) => back.has(name));
  return { live: named, rules, comesBack };
}

async function findWithoutFile(session: Session) {
  const found = await findPairs(
    {
      ...session,
      files: { ...session.files, allowEmpty: 'silently' },
      rules: withUnmanaged(session.rules, () => ({ rule: 'report' })),
    },
    optionalFields,
  );
  const { diagnostics } = found;
  if (!found.pairs) return { found: [], declared: 0, names: new Map(), diagnostics };
  const { pairs, rules } = found;
  const selected = pairs.filter((pair) => isConcerned(pair, rules) && found.selector.takes(pair));
  const strays = selected.flatMap((pair) => (pair.desired ? [] : pair.live));
  return {
    found: strays
      .toSorted(
        (a, b) =>
          compareCodeUnits(contractLabel(a), contractLabel(b)) || compareCodeUnits(a.id, b.id),
      )
      .map((live) => ({
        ...nameForFiles(live, rules),
        folder: folderOf(teamOf({ live }, rules)),
      })),
    declared: selected.filter(isFiled).length,
    names: countNames(pairs.flatMap(({ live }) => (live ? nameForFiles(live, rules).live : []))),
    diagnostics,
  };
}

// The part of its first path that is a folder for certain.
function folderOf(team: Team | undefined): string | undefined {
  const names = team?.include[0]?.split('/') ?? [];
  const end = names.findIndex((name) => /[*?[\]{}()]|\.ya?ml$/u.test(name));
  return names.slice(0, end < 0 ? names.length : end).join('/') || undefined;
}

type Composed = {
  readonly live: LiveContract;
  readonly text?: string;
  readonly leftToCatalog?: readonly string[];
  readonly problems: readonly Diagnostic[];
};

// The text is read back, as the next run will read it.
function unreadable(text: string, document: JsonObject) {
  const { documents, errors } = readDocuments(text);
  const [error] = [...errors, ...documents.flatMap((each) => each.errors)];
  const problem = complainAboutText('', text) ?? error;
  if (problem) return problem;
  const isSame = documents.length === 1 && deepEqual(documents[0]?.value, document);
  return isSame ? undefined : { message: 'YAML would read another value from it.', hint: '' };
}

function composeContract(
  { live, rules, comesBack }: Listed,
  names: KnownNames,
  session: Session,
  format: Format,
): Composed {
  const refuse = (why: string, hint: string): Composed => {
    const message = `Can't import ${contractLabel(live)}: ${why}`;
    return { live, problems: [{ code: 'not-for-files', severity: 'error', message, hint }] };
  };
  const invalid = 'its file would be invalid.';
  if (!comesBack)
    return refuse(
      invalid,
      '`names` does not map this name back to itself: the file would match a different contract.',
    );
  const composed = format.compose(live, { names, rules, checks: readOptionsOf(session) });
  if ('refused' in composed) return refuse(composed.refused.message, composed.refused.hint);
  const { document, leftToCatalog, leftOut } = composed;
  const text = writeDocument(document);
  const problem = unreadable(text, document);
  if (problem) return refuse(invalid, `${problem.message} ${problem.hint ?? ''}`.trim());
  const problems = leftOut.map(({ message: why }): Diagnostic => {
    const message = `A field of ${contractLabel(live)} is left out of its file: ${why}`;
    return { code: 'field-left-out', severity: 'warning', message };
  });
  return { live, text, leftToCatalog, problems };
}

function tellLeft(composed: readonly Composed[]): Diagnostic[] {
  const fields = Map.groupBy(
    composed.flatMap(({ live, leftToCatalog = [] }) =>
      leftToCatalog.map((field) => ({ field, label: contractLabel(live) })),
    ),
    ({ field }) => field,
  );
  if (fields.size === 0) return [];
  const listed = [...fields].map(([field, all]) => {
    const labels = all.map(({ label }) => label);
    return `${field} of ${listFirst(labels, 3)}`;
  });
  const message = `Left to the catalog, as ODCS can't say it: ${listed.join('; ')}.`;
  const hint = 'Import without `--format odcs` to have all fields in files.';
  return [{ code: 'field-left-out', severity: 'information', message, hint }];
}

// Other tools read one ODCS document from a file.
function onePathForAll(file: string, contracts: readonly { live: LiveContract }[]): Diagnostic {
  const labels = contracts.map(({ live }) => contractLabel(live)).join(', ');
  const message = `${labels} would share ${file}: an ODCS file holds one document.`;
  const hint =
    'Name other files with --into, such as contracts/{service}/{domain}/{name}.odcs.yaml.';
  return { code: 'file-exists', severity: 'error', message, hint };
}

function tooLarge({ file, contracts }: NewFile): Diagnostic {
  const message = `Can't import ${contracts.join(', ')}: ${file} would be larger than 1 MiB, the limit for a contract file.`;
  return { code: 'not-for-files', severity: 'error', message, hint: nameOthers };
}

const nameOthers =
  'Name other files with --into, such as contracts/{service}/{domain}/{name}.yaml.';

/** Overwrites no file. A check writes nothing, and says the same as far as that can be foreseen. */
export function writeImport(
  { files }: Pick<Import, 'files'>,
  { files: selection }: Session,
  isCheck = false,
): Pick<Import, 'files' | 'problems'> {
  const { root } = selection;
  const found = findFiles(selection).files;
  const known = new Map(found.map((file) => [pathKey(file), file]));
  const tried = files.map((file) => {
    const twin = known.get(pathKey(file.file));
    const problem = twin === undefined ? writeNew(file, root, isCheck) : alreadyThere(file, twin);
    return { file, problem };
  });
  const written = tried.flatMap(({ file, problem }) => (problem ? [] : file));
  const isSelected = selectNames(selection);
  const unseen = written
    .filter(({ file }) => !isSelected(file))
    .map(({ file }): Diagnostic => {
      const message = `\`contracts.include\` doesn't select the file ${file}.`;
      const hint = 'Add its folder to `contracts.include`, or name other files with --into.';
      return { code: 'file-outside-include', severity: 'warning', message, hint };
    });
  const beside = [...found, ...files.map(({ file }) => file)];
  const removed = isCheck ? [] : removeStaleTempFilesBeside(beside, root);
  return {
    files: written,
    problems: [...tried.flatMap(({ problem }) => problem ?? []), ...unseen, ...removed],
  };
}

function writeNew(made: NewFile, root: string, isCheck: boolean): Diagnostic | undefined {
  const { file, text } = made;
  try {
    const isNew = isCheck ? isFree(file, root) : createFile(file, root, text);
    return isNew ? undefined : alreadyThere(made, file);
  } catch (error) {
    return unwritableFile(file, error);
  }
}

function alreadyThere({ contracts }: NewFile, file: string): Diagnostic {
  const message = `${file} already exists: ${contracts.join(', ')} not imported.`;
  return { code: 'file-exists', severity: 'error', message, hint: nameOthers };
}
