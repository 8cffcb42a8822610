import { lstatSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import {
  type Diagnostic,
  hasErrors,
  type Severity,
  type SourcePosition,
} from '../../core/diagnostic.ts';
import { compareCodeUnits, sortKey } from '../../core/json.ts';
import { composed, prefixesOf, quote } from '../../core/text.ts';
import { isBelow } from '../../disk.ts';
import { findRepository } from '../git/run-git.ts';
import { complainAboutGlob, type MatchPath, parseGlob } from './glob.ts';
import { lookAt, unreadable, walkFolder } from './walk.ts';

export type FileSelection = {
  readonly root: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Paths given for this run, within or beside `include`; absent: all files. */
  readonly named?: readonly string[];
  /** The folder that the paths given for this run are relative to. */
  readonly givenIn?: string | undefined;
  /** Whether finding no file is allowed; it is then a warning, or silent. */
  readonly allowEmpty?: boolean | 'silently';
  readonly locate?: (glob: string) => SourcePosition | undefined;
};

export type FoundFiles = {
  /** Relative to the root, with `/`, in the order of their code units. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
  readonly narrowing?: Narrowing;
};

/** The files of a run narrowed by paths; of all others only the identities are read. */
export type NarrowedPaths = {
  readonly paths: readonly string[];
  /** Also true for deleted files that match. */
  readonly has: MatchPath;
  /** Files that a run without paths would not select. */
  readonly outside: readonly string[];
};

export type Narrowing = NarrowedPaths & { readonly diagnostics: readonly Diagnostic[] };

export function findFiles(selection: FileSelection): FoundFiles {
  const { root, include, exclude, named, allowEmpty } = selection;
  const refused = refusedGlobs(selection);
  const isTaken = (glob: string): boolean => !refused.has(glob);
  const search = { ...selection, isExcluded: parseExcludes(exclude.filter(isTaken), root) };
  const all = findAll(include.filter(isTaken), named ? { ...search, givenIn: undefined } : search);
  const severity: Severity = allowEmpty ? 'warning' : 'error';
  const gathered = (files: Iterable<string>, { diagnostics, dead }: Found) => {
    const keyed = Array.from(files, (file) => ({ file, key: sortKey(file) }));
    keyed.sort((a, b) => compareCodeUnits(a.key, b.key) || compareCodeUnits(a.file, b.file));
    const names = keyed.map(({ file }) => file);
    const graded = allowEmpty === 'silently' ? [] : dead.map((each) => ({ ...each, severity }));
    const problems = [...refused.values(), ...diagnostics, ...graded];
    return { files: names, diagnostics: withoutRepeats(problems, new Set(names)) };
  };
  if (!named) return gathered(all.files.values(), all);
  const own = findAll(named.filter(isTaken), search);
  const files = new Map([...own.files, ...all.files]);
  const ownNames = new Set([...own.files.keys()].map((real) => files.get(real)));
  const isNamed = selectNames({ ...selection, include: named, named: [] });
  return {
    ...gathered(files.values(), own),
    narrowing: {
      paths: named,
      has: (file) => ownNames.has(file) || isNamed(file),
      outside: [...own.files].filter(([real]) => !all.files.has(real)).map(([, file]) => file),
      diagnostics: all.diagnostics,
    },
  };
}

/**
 * Files that `include` would find but for their ending: `orders.YAML`, `orders.yml.orig`,
 * `orders.txt`. Of those without `yaml` or `yml` in their name, a thousand.
 */
export function findMisnamed({ root, include, exclude }: FileSelection): readonly string[] {
  const isTaken = (glob: string): boolean => complaintAbout(glob, root) === undefined;
  const isExcluded = parseExcludes(exclude.filter(isTaken), root);
  const { files } = findAll(include.filter(isTaken), { root, isExcluded, areMisnamed: true });
  const { likely = [], unlikely = [] } = Object.groupBy(files.values(), (file) =>
    /ya?ml[^/]*$/iu.test(file) ? 'likely' : 'unlikely',
  );
  return [...likely, ...unlikely.slice(0, 1000)];
}

// Each ending is taken off in turn: that of `orders.yaml.bak` is `.bak`, or `.yaml.bak`.
function withUsualEnding(file: string): string[] {
  const ends = [...file.matchAll(/[.~](?=[^/]*$)|$/gu)].map(({ index }) => file.slice(0, index));
  return ends.flatMap((start) => [`${start}.yaml`, `${start}.yml`]);
}

function refusedGlobs({ root, include, exclude, named = [], locate }: FileSelection) {
  const refused = new Map<string, Diagnostic>();
  for (const glob of [...include, ...exclude, ...named]) {
    const complaint = complaintAbout(glob, root);
    if (complaint === undefined) continue;
    const message = `The glob ${quote(glob)} ${complaint}.`;
    const hint = 'Use *, ?, [a-z], ** and a few braces, such as {a,b}, or list several globs.';
    const source = locate?.(glob);
    const problem = { code: 'glob-too-complex', severity: 'error', message, hint } as const;
    refused.set(glob, { ...problem, ...(source && { source }) });
  }
  return refused;
}

/** Matches names relative to the root; the files need not exist. */
export function selectNames({ root, include, exclude, named = [] }: FileSelection): MatchPath {
  const isTaken = (name: string): boolean => complaintAbout(name, root) === undefined;
  const isExcluded = parseExcludes(exclude.filter(isTaken), root);
  const included = [...include, ...named].filter(isTaken).map((name): MatchPath => {
    const path = relativeName(name, root);
    if (!isThere(name, root) && splitGlob(path)) return parseGlob(withFolders(path));
    const folder = composed(path);
    return (file) => {
      const own = composed(file);
      const isBelow = (folder === '' || own.startsWith(`${folder}/`)) && /\.ya?ml$/u.test(own);
      return own === folder || isBelow;
    };
  });
  return (file) =>
    included.some((matches) => matches(file)) && !prefixesOf(file).some((name) => isExcluded(name));
}

function parseExcludes(names: readonly string[], root: string): MatchPath {
  const excluded = names.map((name): MatchPath => {
    const path = relativeName(name, root);
    return isThere(name, root) ? (file) => file === path : parseGlob(path);
  });
  return (file) => excluded.some((matches) => matches(file));
}

function withoutRepeats(diagnostics: readonly Diagnostic[], found: ReadonlySet<string>) {
  const shown = new Set<string>();
  return diagnostics.filter(({ severity, code, source }) => {
    if (severity !== 'warning' || !source) return true;
    const name = `${code} ${source.file}:${source.line}`;
    if (found.has(source.file) || shown.has(name)) return false;
    shown.add(name);
    return true;
  });
}

function complaintAbout(glob: string, root: string): string | undefined {
  return isThere(glob, root) ? undefined : complainAboutGlob(glob);
}

function isThere(name: string, root: string): boolean {
  return lookAt(resolve(root, name)) !== 'path-not-found';
}

type Found = {
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
  /** About paths and globs that lead to no file. */
  readonly dead: readonly Diagnostic[];
};

const nothingFound: Found = { files: new Map(), diagnostics: [], dead: [] };

type Search = Pick<FileSelection, 'root' | 'givenIn' | 'locate'> & {
  readonly isExcluded: MatchPath;
  readonly areMisnamed?: boolean;
};

// A file that several globs find keeps the name by which the first one finds it.
function findAll(globs: readonly string[], search: Search): Found {
  const found = globs.map((glob) => outsideRepository(glob, search) ?? findIncluded(glob, search));
  const files = new Map<string, string>();
  for (const [real, file] of found.flatMap((each) => [...each.files]))
    if (!files.has(real)) files.set(real, file);
  return {
    files,
    diagnostics: found.flatMap(({ diagnostics }) => diagnostics),
    dead: found.flatMap(({ dead }) => dead),
  };
}

function findIncluded(include: string, search: Search): Found {
  const { root, isExcluded, areMisnamed } = search;
  // An empty text comes from an unset variable and does not mean the root.
  const start = include === '' ? undefined : startOf(relativeName(include, root), root);
  if (!start) {
    // A broken link exists, and its problem is reported.
    const file = relativeName(include, root);
    return isLink(resolve(root, include))
      ? { ...nothingFound, diagnostics: [unreadable(file, 'path-not-found')] }
      : { ...nothingFound, dead: [pathNotFound(include, search)] };
  }
  if (prefixesOf(start.name).some(isExcluded)) return nothingFound;
  const prefix = start.name === '' ? 0 : start.name.length + 1;
  const matchesBelow = parseGlob(start.pattern);
  const isRead: MatchPath = (file) => start.isFile || matchesBelow(file.slice(prefix));
  const isMisnamed: MatchPath = (file) =>
    !isRead(file) && withUsualEnding(file).some((each) => isRead(each) && !isExcluded(each));
  const matches = areMisnamed ? isMisnamed : isRead;
  const place = resolve(root, start.name);
  const outermost =
    [root, findRepository(root) ?? root].find((top) => isBelow(place, top)) ?? place;
  const found = walkFolder({ root, start: start.name, outermost, matches, isExcluded });
  if (found.files.size > 0 || hasErrors(found.diagnostics)) return { ...found, dead: [] };
  const message = `No contract file matches ${quote(include)}.`;
  const hint =
    'Folders are searched for *.yaml and *.yml. node_modules and names that start with a dot are skipped.';
  return { ...found, dead: [{ code: 'path-not-found', severity: 'error', message, hint }] };
}

// A configuration may come with somebody else's change, so only arguments name files elsewhere.
function outsideRepository(include: string, { root, givenIn, locate }: Search): Found | undefined {
  const top = findRepository(root);
  if (givenIn !== undefined || isBelow(resolve(root, include), top ?? root)) return undefined;
  const where =
    top === undefined ? 'this folder, which is in no git repository' : 'the git repository';
  const source = locate?.(include);
  const code = 'outside-repository';
  const message = `${quote(include)} leads out of ${where}, so it isn't read.`;
  const hint = 'Move the files in, or name them on the command line.';
  const problem = { code, severity: 'error', message, hint, ...(source && { source }) } as const;
  return { ...nothingFound, diagnostics: [problem] };
}

const filesBelow = '**/*.{yaml,yml}';

// An existing path is literal, whatever its characters; anything else is a glob.
function startOf(name: string, root: string) {
  const kind = lookAt(resolve(root, name));
  if (kind !== 'path-not-found') return { name, isFile: kind === 'file', pattern: filesBelow };
  const glob = splitGlob(name);
  if (!glob || !isThere(glob.folder, root)) return undefined;
  return { name: glob.folder, isFile: false, pattern: withFolders(glob.pattern) };
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

function pathNotFound(include: string, search: Search): Diagnostic {
  const { root, givenIn } = search;
  const nameOf = (path: string): string =>
    givenIn === undefined || path === '' ? path : relativeName(resolve(root, path), givenIn);
  const { folder } = splitGlob(include) ?? {};
  const message =
    folder === undefined
      ? `No file or folder ${quote(nameOf(include))}.`
      : `No folder ${quote(nameOf(folder))}, which ${quote(nameOf(include))} needs.`;
  const source = givenIn === undefined ? search.locate?.(include) : undefined;
  const hint = relativeTo(search, source);
  return { code: 'path-not-found', severity: 'error', message, hint, ...(source && { source }) };
}

function relativeTo({ root, givenIn }: Search, place: SourcePosition | undefined): string {
  if (givenIn !== undefined) {
    const name = relativeName(givenIn, root);
    return `Paths are relative to the working directory${name === '' ? '' : `, ${name}`}.`;
  }
  if (place) return 'Paths are relative to the folder of contract-sync.yaml.';
  return 'To begin, run contract-sync import; in a new repository, contract-sync init. If the files are elsewhere, name them in `contracts.include` of contract-sync.yaml, relative to its folder.';
}

// `teams/*/contracts` names folders, as `contracts` does.
function withFolders(glob: string): string {
  return /(?:^|\/)[^/.*?[\]{}()]+$/u.test(glob) ? `${glob}{,/${filesBelow}}` : glob;
}

function splitGlob(text: string) {
  const segments = text.split('/');
  const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
  if (magic === -1) return undefined;
  return { folder: segments.slice(0, magic).join('/'), pattern: segments.slice(magic).join('/') };
}
