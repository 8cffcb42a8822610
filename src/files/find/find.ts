import { statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import {
  type Diagnostic,
  hasErrors,
  type Severity,
  type SourcePosition,
} from '../../core/diagnostic.ts';
import { compareCodeUnits } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { complainAboutGlob, type MatchPath, parseGlob } from './glob.ts';
import { walkFolder, whyUnreadable } from './walk.ts';

/** What to read: files, folders or globs, relative to the root or absolute. */
export type FileSelection = {
  readonly root: string;
  readonly include: readonly string[];
  /** Files and folders to leave out, as paths or globs. */
  readonly exclude: readonly string[];
  /** Whether it may be that there is nothing to read; by default that is an error. */
  readonly allowEmpty?: boolean;
  /** Where the configuration has a glob, if it does. */
  readonly locate?: (glob: string) => SourcePosition | undefined;
};

export type FoundFiles = {
  /** Relative to the root, with `/`, in the order of their code units. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

/** Finds the files of a selection; each once, even if several links or globs lead to it. */
export function findFiles(selection: FileSelection): FoundFiles {
  const { root, include, exclude, allowEmpty } = selection;
  const files = new Map<string, string>();
  const refused = refuseGlobs(selection);
  const isTaken = (glob: string): boolean => !refused.has(glob);
  const diagnostics = [...refused.values()];
  const excluded = exclude.filter(isTaken).map((name) => parseExclude(name, root));
  const isExcluded: MatchPath = (file) => excluded.some((matches) => matches(file));
  const ifNothing = allowEmpty ? 'warning' : 'error';
  for (const name of include.filter(isTaken)) {
    const found = findIncluded(name, { root, isExcluded, ifNothing });
    for (const [real, file] of found.files) if (!files.has(real)) files.set(real, file);
    diagnostics.push(...found.diagnostics);
  }
  const names = [...files.values()].toSorted(compareCodeUnits);
  return { files: names, diagnostics: withoutRepeats(diagnostics, new Set(names)) };
}

/** Whether a name, relative to the root, would be selected if there were such a file. */
export function selectNames({ root, include, exclude }: FileSelection): MatchPath {
  const isTaken = (name: string): boolean =>
    isThere(name, root) || complainAboutGlob(name) === undefined;
  const excluded = exclude.filter(isTaken).map((name) => parseExclude(name, root));
  const included = include.filter(isTaken).map((name): MatchPath => {
    const path = relativeName(name, root);
    if (isThere(name, root) || !splitGlob(path)) {
      return (file) =>
        file === path || ((path === '' || file.startsWith(`${path}/`)) && /\.ya?ml$/u.test(file));
    }
    return parseGlob(path);
  });
  return (file) =>
    included.some((matches) => matches(file)) &&
    !ancestry(file).some((name) => excluded.some((matches) => matches(name)));
}

/** What one glob overlooks another may find, or overlook too. */
function withoutRepeats(
  diagnostics: readonly Diagnostic[],
  found: ReadonlySet<string>,
): Diagnostic[] {
  const told = new Set<string>();
  return diagnostics.filter(({ severity, code, source }) => {
    if (severity !== 'warning' || !source) return true;
    const name = `${code} ${source.file}`;
    if (found.has(source.file) || told.has(name)) return false;
    told.add(name);
    return true;
  });
}

/** What is wrong with globs that cannot be taken, by their text. */
function refuseGlobs({ root, include, exclude, locate }: FileSelection): Map<string, Diagnostic> {
  const refused = new Map<string, Diagnostic>();
  for (const glob of [...include, ...exclude]) {
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

type Search = {
  readonly root: string;
  readonly isExcluded: (file: string) => boolean;
  /** What it is that a name or glob leads to no file. */
  readonly ifNothing: Severity;
};

function findIncluded(include: string, { root, isExcluded, ifNothing }: Search): Found {
  // An empty text is a variable that is not set, and not the root.
  const start = include === '' ? undefined : startOf(relativeName(include, root), root);
  if (!start) return { files: new Map(), diagnostics: [pathNotFound(include, ifNothing)] };
  if (ancestry(start.name).some(isExcluded)) return { files: new Map(), diagnostics: [] };
  const prefix = start.name === '' ? 0 : start.name.length + 1;
  const matchesBelow = parseGlob(start.pattern);
  const matches: MatchPath = (file) => start.isFile || matchesBelow(file.slice(prefix));
  // A place outside of the root that is named is its own boundary.
  const outermost = start.name.startsWith('..') ? resolve(root, start.name) : root;
  const found = walkFolder({ root, start: start.name, outermost, matches, isExcluded });
  if (found.files.size > 0 || hasErrors(found.diagnostics)) return found;
  const nothing = nothingMatches(include, ifNothing);
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

function relativeName(path: string, root: string): string {
  return relative(root, resolve(root, path)).split(sep).join('/');
}

/** `a/b/c`, `a/b`, `a`. */
function ancestry(name: string): string[] {
  const segments = name.split('/');
  return segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
}

function pathNotFound(include: string, severity: Severity): Diagnostic {
  const glob = splitGlob(include);
  return {
    code: 'path-not-found',
    severity,
    message: glob
      ? `There is no folder ${quote(glob.folder)}, where files that match ${quote(include)} would be.`
      : `There is no file or folder ${quote(include)}.`,
    hint: 'Paths are named from the folder of contract-sync.yaml, if there is one.',
  };
}

function nothingMatches(include: string, severity: Severity): Diagnostic {
  return {
    code: 'nothing-matches',
    severity,
    message: `No contract file matches ${quote(include)}.`,
    hint: 'A folder is searched for *.yaml and *.yml; node_modules and names with a dot in front are skipped.',
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
    hint: 'Use *, ?, [a-z], ** and a few braces, such as {a,b}; or list several globs.',
    ...(source && { source }),
  };
}
