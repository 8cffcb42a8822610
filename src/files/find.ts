import { existsSync, realpathSync, statSync } from 'node:fs';
import { matchesGlob, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../diagnostic.ts';
import { compareCodeUnits } from '../json.ts';
import { quote } from './finding.ts';
import { obstacleDiagnostic } from './obstacle.ts';
import { walk } from './walk.ts';

/** What to read: files, folders or globs, relative to the root or absolute. */
export type FileSelection = {
  readonly root: string;
  readonly include: readonly string[];
  /** Files and folders to leave out, as paths or globs. */
  readonly exclude: readonly string[];
};

export type FoundFiles = {
  /** Relative to the root, with `/`, in the order of their code units. */
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
};

/** Finds the files of a selection; each once, even if several links or globs lead to it. */
export function findFiles(selection: FileSelection): FoundFiles {
  const files = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  for (const include of selection.include) {
    const found = findIncluded(include, selection);
    for (const [real, file] of found.files) if (!files.has(real)) files.set(real, file);
    diagnostics.push(...found.diagnostics);
  }
  return { files: [...files.values()].toSorted(compareCodeUnits), diagnostics };
}

type Found = {
  /** By their real paths. */
  readonly files: ReadonlyMap<string, string>;
  readonly diagnostics: readonly Diagnostic[];
};

function findIncluded(include: string, { root, exclude }: FileSelection): Found {
  const start = startOf(relativeName(include, root), root);
  if (!start) return { files: new Map(), diagnostics: [pathNotFound(include)] };
  const excluded = exclude.map((pattern) => relativeName(pattern, root));
  const isExcluded = (file: string) => excluded.some((pattern) => matchesGlob(file, pattern));
  if (ancestry(start.name).some(isExcluded)) return { files: new Map(), diagnostics: [] };
  const prefix = start.name === '' ? 0 : start.name.length + 1;
  const matches = (file: string) => start.isFile || matchesGlob(file.slice(prefix), start.pattern);
  const boundary = realpathSync(start.name.startsWith('..') ? resolve(root, start.name) : root);
  const { files, obstacles } = walk({ root, start: start.name, boundary, matches, isExcluded });
  if (files.size + obstacles.length === 0) return { files, diagnostics: [nothingMatches(include)] };
  return { files, diagnostics: obstacles.map(obstacleDiagnostic) };
}

/** Where a walk starts, and which of the files below it are wanted. */
type Start = { readonly name: string; readonly isFile: boolean; readonly pattern: string };

/** A path that exists is taken literally, whatever its characters; anything else is a glob. */
function startOf(name: string, root: string): Start | undefined {
  const isFile = statSync(resolve(root, name), { throwIfNoEntry: false })?.isFile();
  if (isFile !== undefined) return { name, isFile, pattern: '**/*.{yaml,yml}' };
  const segments = name.split('/');
  const magic = segments.findIndex((segment) => /[*?[\]{}()]/u.test(segment));
  if (magic === -1) return undefined;
  const folder = segments.slice(0, magic).join('/');
  if (!existsSync(resolve(root, folder))) return undefined;
  return { name: folder, isFile: false, pattern: segments.slice(magic).join('/') };
}

function relativeName(path: string, root: string): string {
  return relative(root, resolve(root, path)).split(sep).join('/');
}

/** `a/b/c`, `a/b`, `a`. */
function ancestry(name: string): string[] {
  const segments = name.split('/');
  return segments.map((_segment, index) => segments.slice(0, index + 1).join('/'));
}

function pathNotFound(include: string): Diagnostic {
  return {
    code: 'path-not-found',
    severity: 'error',
    message: `There is no file or folder ${quote(include)}, and no folder that this glob starts in.`,
    hint: 'Paths are relative to the folder that the program runs in.',
  };
}

function nothingMatches(include: string): Diagnostic {
  return {
    code: 'nothing-matches',
    severity: 'error',
    message: `No contract file matches ${quote(include)}.`,
    hint: 'A folder is searched for *.yaml and *.yml; node_modules and names with a dot in front are skipped.',
  };
}
