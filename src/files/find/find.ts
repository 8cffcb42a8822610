import { lstatSync, readdirSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { composed } from '../../contract/names.ts';
import {
  type Diagnostic,
  hasErrors,
  type Severity,
  type SourcePosition,
} from '../../core/diagnostic.ts';
import { compareCodeUnits } from '../../core/json.ts';
import { quote, suggest } from '../../core/text.ts';
import { complainAboutGlob, type MatchPath, parseGlob } from './glob.ts';
import { unreadable, walkFolder, whyUnreadable } from './walk.ts';

/** What to read: files, folders or globs, relative to the root or absolute. */
export type FileSelection = {
  readonly root: string;
  readonly include: readonly string[];
  /** Files and folders to leave out, as paths or globs. */
  readonly exclude: readonly string[];
  /** Those that somebody has named for a run, of these or beside them; where absent, all. */
  readonly named?: readonly string[];
  /** The folder in which somebody has given the paths of a run: `named`, or else `include`. */
  readonly givenIn?: string | undefined;
  /** Whether it may be that there is nothing to read, which is then a warning or not said at all. */
  readonly allowEmpty?: boolean | 'silently';
  /** Where the configuration has a glob, if it does. */
  readonly locate?: (glob: string) => SourcePosition | undefined;
};

export type FoundFiles = {
  /** Relative to the root, with `/`, in the order of their code units. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where no files were named. */
  readonly narrowing?: Narrowing;
};

/** The files that a run was narrowed to: of the others it is only asked what they declare. */
export type Narrowing = {
  readonly paths: readonly string[];
  /** Also of a file that is there no more. */
  readonly has: MatchPath;
  /** Those that a run without paths would not see. */
  readonly outside: readonly string[];
  /** What is wrong where the other files are looked for. */
  readonly diagnostics: readonly Diagnostic[];
};

/** Finds the files of a selection; each once, even if several links or globs lead to it. */
export function findFiles(selection: FileSelection): FoundFiles {
  const { include, named, allowEmpty, givenIn } = selection;
  const { refused, findAll } = createSearch(selection);
  const all = findAll(include, named ? undefined : givenIn);
  const ifNothing =
    allowEmpty === 'silently' ? undefined : allowEmpty === true ? 'warning' : 'error';
  if (!named) {
    const diagnostics = [...refused, ...gravely(all.diagnostics, ifNothing)];
    return foundFiles(all.files.values(), diagnostics);
  }
  const own = findAll(named, givenIn);
  // A file has the name by which a run without paths knows it.
  const files = new Map([...own.files, ...all.files]);
  const ownNames = new Set([...own.files.keys()].map((real) => files.get(real)));
  const isNamed = selectNames({ ...selection, include: named, named: [] });
  const found = foundFiles(files.values(), [...refused, ...gravely(own.diagnostics, ifNothing)]);
  return {
    ...found,
    narrowing: {
      paths: named,
      has: (file) => ownNames.has(file) || isNamed(file),
      outside: [...own.files].filter(([real]) => !all.files.has(real)).map(([, file]) => file),
      diagnostics: all.diagnostics.filter(({ code }) => !leadsNowhere.has(code)),
    },
  };
}

function foundFiles(files: Iterable<string>, diagnostics: readonly Diagnostic[]): FoundFiles {
  const names = [...files].toSorted(compareCodeUnits);
  return { files: names, diagnostics: withoutRepeats(diagnostics, new Set(names)) };
}

/** What says that there is no file of a name or glob. */
const leadsNowhere: ReadonlySet<string> = new Set(['path-not-found', 'nothing-matches']);

/** How grave it is that a name or glob leads to no file; undefined: nothing is said of it. */
function gravely(diagnostics: readonly Diagnostic[], severity: Severity | undefined): Diagnostic[] {
  return diagnostics.flatMap((each) => {
    if (!leadsNowhere.has(each.code)) return each;
    return severity ? { ...each, severity } : [];
  });
}

/** Finds files of one selection, by names and globs. */
function createSearch(selection: FileSelection) {
  const { root, exclude, locate } = selection;
  const refused = refuseGlobs(selection);
  const isTaken = (glob: string): boolean => !refused.has(glob);
  const excluded = exclude.filter(isTaken).map((name) => parseExclude(name, root));
  const isExcluded: MatchPath = (file) => excluded.some((matches) => matches(file));
  const findAll = (globs: readonly string[], givenIn?: string): Found => {
    const files = new Map<string, string>();
    const diagnostics: Diagnostic[] = [];
    for (const name of globs.filter(isTaken)) {
      const found = findIncluded(name, { root, isExcluded, givenIn, locate });
      for (const [real, file] of found.files) if (!files.has(real)) files.set(real, file);
      diagnostics.push(...found.diagnostics);
    }
    return { files, diagnostics };
  };
  return { refused: [...refused.values()], findAll };
}

/** Whether a name, relative to the root, would be selected if there were such a file. */
export function selectNames({
  root,
  include: globs,
  exclude,
  named = [],
}: FileSelection): MatchPath {
  const include = [...globs, ...named];
  const isTaken = (name: string): boolean =>
    isThere(name, root) || complainAboutGlob(name) === undefined;
  const excluded = exclude.filter(isTaken).map((name) => parseExclude(name, root));
  const included = include.filter(isTaken).map((name): MatchPath => {
    const path = relativeName(name, root);
    if (isThere(name, root) || !splitGlob(path)) {
      return (file) => isBelow(composed(path), composed(file));
    }
    return parseGlob(path);
  });
  return (file) =>
    included.some((matches) => matches(file)) &&
    !ancestry(file).some((name) => excluded.some((matches) => matches(name)));
}

function isBelow(path: string, file: string): boolean {
  if (file === path) return true;
  return (path === '' || file.startsWith(`${path}/`)) && /\.ya?ml$/u.test(file);
}

/** What one glob overlooks another may find, or overlook too. */
function withoutRepeats(
  diagnostics: readonly Diagnostic[],
  found: ReadonlySet<string>,
): Diagnostic[] {
  const told = new Set<string>();
  return diagnostics.filter(({ severity, code, source }) => {
    if (severity !== 'warning' || !source) return true;
    const name = `${code} ${source.file}:${source.line}`;
    if (found.has(source.file) || told.has(name)) return false;
    told.add(name);
    return true;
  });
}

/** What is wrong with globs that cannot be taken, by their text. */
function refuseGlobs({
  root,
  include,
  exclude,
  named = [],
  locate,
}: FileSelection): Map<string, Diagnostic> {
  const refused = new Map<string, Diagnostic>();
  for (const glob of [...include, ...exclude, ...named]) {
    const complaint = isThere(glob, root) ? undefined : complainAboutGlob(glob);
    if (complaint !== undefined) refused.set(glob, globRefused(glob, complaint, locate?.(glob)));
  }
  return refused;
}

function parseExclude(name: string, root: string): MatchPath {
  const path = relativeName(name, root);
  return isThere(name, root) ? (file) => file === path : parseGlob(path);
}

function isThere(name: string, root: string): boolean {
  return kindOf(resolve(root, name)) !== 'nothing';
}

type Found = {
  /** By their real paths. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
};

type Search = Pick<FileSelection, 'root' | 'givenIn'> & {
  readonly locate: FileSelection['locate'] | undefined;
  readonly isExcluded: (file: string) => boolean;
};

function findIncluded(include: string, search: Search): Found {
  const { root, isExcluded } = search;
  // An empty text is a variable that is not set, and not the root.
  const start = include === '' ? undefined : startOf(relativeName(include, root), root);
  if (!start) return { files: new Map(), diagnostics: [nothingThere(include, search)] };
  if (ancestry(start.name).some(isExcluded)) return { files: new Map(), diagnostics: [] };
  const prefix = start.name === '' ? 0 : start.name.length + 1;
  const matchesBelow = parseGlob(start.pattern);
  const matches: MatchPath = (file) => start.isFile || matchesBelow(file.slice(prefix));
  // A place outside of the root that is named is its own boundary.
  const outermost = start.name.startsWith('..') ? resolve(root, start.name) : root;
  const found = walkFolder({ root, start: start.name, outermost, matches, isExcluded });
  if (found.files.size > 0 || hasErrors(found.diagnostics)) return found;
  const nothing = nothingMatches(include);
  return { files: found.files, diagnostics: [...found.diagnostics, nothing] };
}

/** Where a walk starts, and which of the files below it are wanted. */
type Start = { readonly name: string; readonly isFile: boolean; readonly pattern: string };

/** A path that exists is taken literally, whatever its characters; anything else is a glob. */
function startOf(name: string, root: string): Start | undefined {
  const kind = kindOf(resolve(root, name));
  if (kind !== 'nothing') return { name, isFile: kind === 'file', pattern: '**/*.{yaml,yml}' };
  const glob = splitGlob(name);
  if (!glob || kindOf(resolve(root, glob.folder)) === 'nothing') return undefined;
  return { name: glob.folder, isFile: false, pattern: glob.pattern };
}

/** Whatever cannot be looked at is `other`: the walk says what is wrong with it. */
function kindOf(path: string): 'file' | 'other' | 'nothing' {
  try {
    return statSync(path).isFile() ? 'file' : 'other';
  } catch (error) {
    return whyUnreadable(error) === 'not-found' ? 'nothing' : 'other';
  }
}

/** A link to nothing is there, and what is wrong with it can be said. */
function nothingThere(include: string, search: Search): Diagnostic {
  const file = relativeName(include, search.root);
  return isLink(resolve(search.root, include))
    ? unreadable(file, 'not-found')
    : pathNotFound(include, search);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function relativeName(path: string, root: string): string {
  return relative(root, resolve(root, path)).split(sep).join('/');
}

/** `a/b/c`, `a/b`, `a`. */
function ancestry(name: string): string[] {
  const segments = name.split('/');
  return segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
}

function pathNotFound(include: string, search: Search): Diagnostic {
  const { root, givenIn } = search;
  const callIt = (path: string): string =>
    givenIn === undefined || path === '' ? path : relativeName(resolve(root, path), givenIn);
  const named = callIt(include);
  const { folder } = splitGlob(include) ?? {};
  const message =
    folder === undefined
      ? `No file or folder ${quote(named)}.`
      : `No folder ${quote(callIt(folder))}, which ${quote(named)} needs.`;
  const asConfigured = givenIn === undefined ? undefined : existingFromRoot(named, root);
  const near = nearPath(folder ?? include, root) ?? asConfigured;
  const meant = near === undefined ? '' : `Did you mean ${quote(callIt(near))}? `;
  const place = givenIn === undefined ? search.locate?.(include) : undefined;
  return {
    code: 'path-not-found',
    severity: 'error',
    message,
    hint: `${meant}${relativeTo(search, place)}`,
    ...(place && { source: place }),
  };
}

function relativeTo({ root, givenIn }: Search, place: SourcePosition | undefined): string {
  if (givenIn !== undefined) {
    const name = relativeName(givenIn, root);
    return `Paths are relative to the working directory${name === '' ? '' : `, ${name}`}.`;
  }
  if (place) return 'Paths are relative to the folder of contract-sync.yaml.';
  return 'To begin, run contract-sync import; in a new repository, contract-sync init. If the files are elsewhere, name them in `contracts.include` of contract-sync.yaml, relative to its folder.';
}

/** A path that was given as the configuration would call it. */
function existingFromRoot(path: string, root: string): string | undefined {
  return path !== '' && isThere(path, root) ? path : undefined;
}

/** The path with its first name that is not there replaced by the one that was probably meant. */
function nearPath(path: string, root: string): string | undefined {
  const names = relativeName(path, root).split('/');
  const missing = names.findIndex((_, at) => !isThere(names.slice(0, at + 1).join('/'), root));
  if (missing < 0) return undefined;
  const before = names.slice(0, missing);
  const meant = suggest(names[missing] ?? '', namesIn(resolve(root, ...before)));
  const near = meant && [...before, meant, ...names.slice(missing + 1)].join('/');
  return near !== undefined && isThere(near, root) ? near : undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch {
    return [];
  }
}

function nothingMatches(include: string): Diagnostic {
  return {
    code: 'nothing-matches',
    severity: 'error',
    message: `No contract file matches ${quote(include)}.`,
    hint: 'Folders are searched for *.yaml and *.yml. node_modules and names that start with a dot are skipped.',
  };
}

/** A glob as the folder that it starts in and the pattern for names below it. */
type Glob = { readonly folder: string; readonly pattern: string };

/** Splits at the first segment with a character that has a meaning in globs, if there is one. */
function splitGlob(text: string): Glob | undefined {
  const segments = text.split('/');
  const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
  if (magic === -1) return undefined;
  return { folder: segments.slice(0, magic).join('/'), pattern: segments.slice(magic).join('/') };
}

function globRefused(glob: string, complaint: string, source?: SourcePosition): Diagnostic {
  return {
    code: 'glob-too-complex',
    severity: 'error',
    message: `The glob ${quote(glob)} ${complaint}.`,
    hint: 'Use *, ?, [a-z], ** and a few braces, such as {a,b}, or list several globs.',
    ...(source && { source }),
  };
}
