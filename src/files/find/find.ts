import { statSync } from 'node:fs';
import { matchesGlob, relative, resolve, sep } from 'node:path';
import { type Diagnostic, hasErrors, type Severity } from '../../core/diagnostic.ts';
import { compareCodeUnits } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { walkFolder, whyUnreadable } from './walk.ts';

/** What to read: files, folders or globs, relative to the root or absolute. */
export type FileSelection = {
  readonly root: string;
  readonly include: readonly string[];
  /** Files and folders to leave out, as paths or globs. */
  readonly exclude: readonly string[];
  /** Whether it may be that there is nothing to read; by default that is an error. */
  readonly allowEmpty?: boolean;
};

export type FoundFiles = {
  /** Relative to the root, with `/`, in the order of their code units. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

/** Finds the files of a selection; each once, even if several links or globs lead to it. */
export function findFiles({ root, include, exclude, allowEmpty }: FileSelection): FoundFiles {
  const files = new Map<string, string>();
  const diagnostics = [...include, ...exclude].filter(isTooComplex).map(globTooComplex);
  const excluded = exclude
    .filter((glob) => !isTooComplex(glob))
    .map((glob) => relativeName(glob, root));
  const isExcluded = (file: string) => excluded.some((glob) => matchesGlob(file, glob));
  const ifNothing = allowEmpty ? 'warning' : 'error';
  for (const name of include.filter((glob) => !isTooComplex(glob))) {
    const found = findIncluded(name, { root, isExcluded, ifNothing });
    for (const [real, file] of found.files) if (!files.has(real)) files.set(real, file);
    diagnostics.push(...found.diagnostics);
  }
  const names = [...files.values()].toSorted(compareCodeUnits);
  return { files: names, diagnostics: withoutRepeats(diagnostics, new Set(names)) };
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
  const matches = (file: string) => start.isFile || matchesGlob(file.slice(prefix), start.pattern);
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
  const glob = parseGlob(name);
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
  const glob = parseGlob(include);
  return {
    code: 'path-not-found',
    severity,
    message: glob
      ? `There is no folder ${quote(glob.folder)}, where files that match ${quote(include)} would be.`
      : `There is no file or folder ${quote(include)}.`,
    hint: 'Paths are relative to the folder that the program runs in.',
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
function parseGlob(text: string): Glob | undefined {
  const segments = text.split('/');
  const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
  if (magic === -1) return undefined;
  return { folder: segments.slice(0, magic).join('/'), pattern: segments.slice(magic).join('/') };
}

const longestGlob = 1000;
const mostAlternatives = 1000;

/** A matcher writes all alternatives of braces out: `{a,b}` thirty times is a thousand million. */
function isTooComplex(glob: string): boolean {
  return (
    glob.length > longestGlob || /\{[^{}]*\.\./u.test(glob) || alternatives(glob) > mostAlternatives
  );
}

/** How many patterns the braces stand for, at most. */
function alternatives(glob: string): number {
  const open: number[] = [];
  let product = 1;
  for (const character of glob) {
    if (character === '{') open.push(1);
    else if (character === ',') open.push((open.pop() ?? 0) + 1);
    else if (character === '}') product *= open.pop() ?? 1;
  }
  return product;
}

function globTooComplex(glob: string): Diagnostic {
  return {
    code: 'glob-too-complex',
    severity: 'error',
    message: `The glob ${quote(glob)} stands for too many patterns.`,
    hint: `Use fewer braces, no ranges, and at most ${longestGlob} characters; or give several globs.`,
  };
}
