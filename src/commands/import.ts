/** Files for live contracts that have none. */

import { type LiveContract, optionalFields } from '../contract/contract.ts';
import { contractLabel, qualifiedNames } from '../contract/identity.ts';
import { nameInCatalog, renameIdentity } from '../contract/names.ts';
import { type Diagnostic, hasErrors, sortDiagnostics } from '../core/diagnostic.ts';
import { compareCodeUnits, deepEqual, isObject, type JsonObject } from '../core/json.ts';
import { count, listFirst } from '../core/text.ts';
import { editYaml } from '../files/edit/edit.ts';
import { readDocuments, valuesIn } from '../files/read/document.ts';
import { findFiles, selectNames } from '../files/find/find.ts';
import { countNames, type Format, type KnownNames } from '../files/formats/format.ts';
import {
  complainAboutText,
  createFile,
  isFree,
  readWhole,
  replaceFile,
  unwritableFile,
} from '../files/text.ts';
import { formatPointer, valueAt } from '../patch/pointer.ts';
import { isFiled } from '../plan/pair.ts';
import { isConcerned, type Rules, type Team, teamOf, withUnmanaged } from '../plan/rules.ts';
import { writeDocument } from '../files/edit/body.ts';
import { native } from '../files/formats/native/native.ts';
import { areTwins, pathKey } from '../pull/name.ts';
import { readOptionsOf } from '../config/settings.ts';
import type { Session } from '../session.ts';
import { findPairs } from './pairs.ts';

type NewFile = {
  readonly file: string;
  readonly text: string;
  readonly contracts: readonly string[];
};

type NewFiles = { readonly files: readonly NewFile[]; readonly problems: readonly Diagnostic[] };

/** `declared` counts the contracts that have a file. */
export type Import = NewFiles & { readonly declared: number };

type ImportOptions = {
  /** `folder` is that of the contract's team. */
  readonly pathOf: (live: LiveContract, folder: string | undefined) => string;
  readonly format?: Format;
};

/** Writes nothing. */
export async function prepareImport(
  session: Session,
  { pathOf, format = native }: ImportOptions,
): Promise<Import> {
  const { strays, declared, names, diagnostics } = await findStrays(session);
  if (hasErrors(diagnostics)) return { files: [], declared, problems: diagnostics };
  const problems = [...diagnostics];
  const composed: Composed[] = [];
  for (const stray of strays) {
    const made = composeContract(stray, names, session, format);
    problems.push(...made.problems);
    if (made.text !== undefined) {
      const { live, folder } = stray;
      composed.push({ ...made, live, text: made.text, file: pathOf(live, folder) });
    }
  }
  const files: NewFile[] = [];
  for (const own of groupByFile(composed, format)) {
    const file = own[0]?.file ?? '';
    const contracts = own.map(({ live }) => contractLabel(live));
    const text =
      format.newFiles.head(session.product.contractSchema) +
      own.map((each) => each.text).join('---\n');
    if (own.length > 1 && !format.newFiles.areShared) problems.push(onePathForAll(file, contracts));
    else if (complainAboutText(file, text)) problems.push(tooLarge(file, contracts));
    else files.push({ file, text, contracts });
  }
  return {
    files: files.toSorted((a, b) => compareCodeUnits(a.file, b.file)),
    declared,
    problems: sortDiagnostics([...problems, ...tellLeft(composed)]),
  };
}

function groupByFile(composed: readonly Composed[], { newFiles }: Format) {
  const groups = [...Map.groupBy(composed, ({ file }) => pathKey(file)).values()];
  if (newFiles.areShared) return groups;
  return groups.flatMap((own) =>
    own.length > 1 && areTwins(own.map(({ live }) => live))
      ? own.map((each) => [withId(each)])
      : [own],
  );
}

function withId(composed: Composed): Composed {
  const mark = `_${composed.live.id.replaceAll(/[^\w-]/gu, '')}`;
  return { ...composed, file: composed.file.replace(/(?:\.odcs)?\.ya?ml$/u, `${mark}$&`) };
}

type Stray = {
  /** With the names that files use. */
  readonly live: LiveContract;
  readonly rules: Rules;
  /** Whether `names` maps its names back to the catalog's; if not, a file would mean another. */
  readonly comesBack: boolean;
  readonly folder: string | undefined;
};

async function findStrays(session: Session) {
  const { pairs, selected, rules, diagnostics } = await findPairs(
    {
      ...session,
      files: { ...session.files, allowEmpty: 'silently' },
      rules: withUnmanaged(session.rules, () => ({ rule: 'report' })),
    },
    optionalFields,
  );
  const toFiles = rules.names.map(({ from, to }) => ({ from: to, to: from }));
  const nameForFiles = (live: LiveContract): LiveContract =>
    renameIdentity(live, (name) => nameInCatalog(name, toFiles));
  const concerned = [...selected].filter((pair) => isConcerned(pair, rules));
  const strays = concerned
    .flatMap((pair) => (pair.desired ? [] : pair.live))
    .toSorted(
      (a, b) =>
        compareCodeUnits(contractLabel(a), contractLabel(b)) || compareCodeUnits(a.id, b.id),
    )
    .map((live): Stray => {
      const named = nameForFiles(live);
      const back = new Set(qualifiedNames(named).map((name) => nameInCatalog(name, rules.names)));
      const comesBack = qualifiedNames(live).every((name) => back.has(name));
      return { live: named, rules, comesBack, folder: folderOf(teamOf({ live }, rules)) };
    });
  return {
    strays,
    declared: concerned.filter(isFiled).length,
    names: countNames(pairs.flatMap(({ live }) => (live ? nameForFiles(live) : []))),
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
  readonly file: string;
  readonly text: string;
  readonly leftToCatalog?: readonly string[];
};

type ComposedText = {
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
  { live, rules, comesBack }: Stray,
  names: KnownNames,
  session: Session,
  format: Format,
): ComposedText {
  const refuse = (why: string, hint: string): ComposedText => {
    const message = `Can't import ${contractLabel(live)}: ${why}`;
    return { problems: [{ code: 'not-for-files', severity: 'error', message, hint }] };
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
  return { text, leftToCatalog, problems };
}

function tellLeft(composed: readonly Composed[]): Diagnostic[] {
  const left = composed.flatMap(({ leftToCatalog = [] }) => leftToCatalog);
  if (left.length === 0) return [];
  const counts = [...Map.groupBy(left, (field) => field)].map(
    ([field, all]) => `${field} of ${count(all.length, 'contract', 'contracts')}`,
  );
  const message = `Left to the catalog, as ODCS can't say it: ${listFirst(counts, 10)}.`;
  const hint = 'Import without `--format odcs` to have all fields in files.';
  return [{ code: 'field-left-out', severity: 'information', message, hint }];
}

// Other tools read one ODCS document from a file.
function onePathForAll(file: string, contracts: readonly string[]): Diagnostic {
  const message = `${contracts.join(', ')} would share ${file}: an ODCS file holds one document.`;
  const hint =
    'Name other files with --into, such as contracts/{service}/{domain}/{name}.odcs.yaml.';
  return { code: 'file-exists', severity: 'error', message, hint };
}

function tooLarge(file: string, contracts: readonly string[]): Diagnostic {
  const message = `Can't import ${contracts.join(', ')}: ${file} would be larger than 1 MiB, the limit for a contract file.`;
  return { code: 'not-for-files', severity: 'error', message, hint: nameOthers };
}

const nameOthers =
  'Name other files with --into, such as contracts/{service}/{domain}/{name}.yaml.';

/** Overwrites no file. A check writes nothing, and says the same as far as that can be foreseen. */
export function writeImport(
  { files }: Import,
  { files: selection }: Session,
  isCheck = false,
): NewFiles {
  const { root } = selection;
  const known = new Map(findFiles(selection).files.map((file) => [pathKey(file), file]));
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
  return {
    files: written,
    problems: [...tried.flatMap(({ problem }) => problem ?? []), ...unseen],
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

/**
 * Writes down what kind of catalog it is, so that no later run asks. False where the configuration
 * can't be edited; a check writes nothing.
 */
export function writeDialect(session: Session, file: string, isCheck = false): boolean {
  try {
    return noteDialect(session, file, isCheck);
  } catch (error) {
    unwritableFile(file, error);
    return false;
  }
}

function noteDialect(session: Session, file: string, isCheck: boolean): boolean {
  const { product, environment } = session;
  const { name } = product;
  const { root } = session.files;
  const before = readWhole(file, root);
  if (before === '') return isCheck || createFile(file, root, `catalog: { dialect: ${name} }\n`);
  const [settings = null] = valuesIn(before);
  const parent = environment ? valueAt(settings, ['environments', environment.name]) : settings;
  if (!isObject(parent)) return false;
  const catalog = isObject(parent['catalog']) ? parent['catalog'] : {};
  const next = { ...parent, catalog: { ...catalog, dialect: name } };
  const path = environment ? formatPointer(['environments', environment.name]) : '';
  const edit = editYaml(before, [{ op: 'replace', path, value: next }]);
  return edit.kind === 'edited' && replaceFile(file, root, { before, after: edit.text }, isCheck);
}
