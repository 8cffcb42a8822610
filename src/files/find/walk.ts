import { type Dirent, existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { UnfitFileError } from '../../disk.ts';

type Walk = {
  readonly root: string;
  // A file or folder; empty for the root itself.
  readonly start: string;
  readonly outermost: string;
  readonly matches: (file: string) => boolean;
  readonly isExcluded: (file: string) => boolean;
};

type Walked = { readonly files: Map<string, string>; readonly diagnostics: Diagnostic[] };

type FoundPath = { readonly file: string; readonly real: string };
type Link = { readonly file: string; readonly folder: FoundPath };
type State = Walk & Walked & { readonly visited: Set<string>; readonly links: Link[] };

/**
 * Blocking calls are eight times as fast here as promises. Links are followed last, so that a file
 * reached in two ways keeps its name without a link.
 */
export function walkFolder(request: Walk): Walked {
  const files = new Map<string, string>();
  const state: State = { ...request, files, diagnostics: [], visited: new Set(), links: [] };
  visitPath({ file: request.start, folder: { file: '', real: '' } }, state);
  for (let link = state.links.pop(); link; link = state.links.pop()) visitPath(link, state);
  return { files, diagnostics: state.diagnostics };
}

function visitFolder(folder: FoundPath, state: State): void {
  if (state.visited.has(folder.real)) return;
  state.visited.add(folder.real);
  for (const entry of readFolder(folder, state)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const file = folder.file === '' ? entry.name : `${folder.file}/${entry.name}`;
    if (state.isExcluded(file)) continue;
    const real = `${folder.real}${sep}${entry.name}`;
    if (entry.isSymbolicLink()) state.links.push({ file, folder });
    else if (entry.isFile() && state.matches(file)) state.files.set(real, file);
    else noteOverlooked(entry, file, state);
    if (entry.isDirectory()) visitFolder({ file, real }, state);
  }
}

function noteOverlooked(entry: Kind, file: string, state: State): void {
  if (entry.isDirectory()) return;
  const isExpected = (name: string): boolean => state.matches(name) && !state.isExcluded(name);
  const lowered = file.replace(/\.[^./]+$/u, (ending) => ending.toLowerCase());
  // `orders.yaml.bak`, `orders.yml~`: a backup if the original exists, else a contract.
  const [named] = /^.*\.ya?ml(?=[.~][^/]*$)/u.exec(file) ?? [];
  const isRenamed = named !== undefined && entry.isFile() && isExpected(named);
  if (isExpected(lowered))
    state.diagnostics.push(overlooked(file, entry.isFile() ? 'ending-unread' : 'not-a-file'));
  else if (isRenamed && !existsSync(resolve(state.root, named)))
    state.diagnostics.push(overlooked(file, 'ending-unread'));
}

type Kind = Dirent | Stats;

function readFolder({ file }: FoundPath, state: State): Dirent[] {
  try {
    return readdirSync(resolve(state.root, file), { withFileTypes: true });
  } catch (error) {
    state.diagnostics.push(unreadable(file, whyUnreadable(error)));
    return [];
  }
}

function visitPath({ file, folder }: Link, state: State): void {
  const note = (why: Unreadable) => state.diagnostics.push(unreadable(file, why));
  try {
    const real = realpathSync(resolve(state.root, file));
    const target = statSync(real);
    const isWanted = target.isFile() && state.matches(file);
    if (!isWanted) noteOverlooked(target, file, state);
    if (!isWanted && !target.isDirectory()) return;
    if (!isWithin(real, realpathSync(state.outermost))) note('link-outside-root');
    else if (isWanted) state.files.set(real, state.files.get(real) ?? file);
    else if (isWithin(folder.real, real)) note('link-loop');
    else visitFolder({ file, real }, state);
  } catch (error) {
    const why = whyUnreadable(error);
    if (why !== 'path-not-found' || state.matches(file)) note(why);
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

type Unreadable = keyof typeof sentences;

/** `other` may be a device, and a path that can't be looked at says why. */
export function lookAt(path: string): 'file' | 'folder' | 'other' | Unreadable {
  try {
    const stats = statSync(path);
    if (stats.isFile()) return 'file';
    return stats.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    return whyUnreadable(error);
  }
}

export function whyUnreadable(error: unknown): Unreadable {
  if (error instanceof UnfitFileError) return error.code;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ELOOP') return 'link-loop';
  // A file in place of a folder, a name too long, a NUL in a name.
  const nothing = ['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'];
  return nothing.some((each) => each === code) ? 'path-not-found' : 'not-readable';
}

/** Bytes. */
export const largestFile = 1_048_576;

const sentences = {
  'link-outside-root': {
    message: 'This symbolic link leads outside the folder that contracts are read from.',
    hint: 'Copy its target, or exclude the link with `contracts.exclude`.',
  },
  'link-loop': {
    message: 'This symbolic link leads back to itself or to one of its parent folders.',
    hint: 'Remove the link, or exclude it with `contracts.exclude`.',
  },
  'path-not-found': {
    message: 'No such file, or a broken symbolic link.',
    hint: 'Correct the path, or remove the link.',
  },
  'not-a-file': { message: 'This is not a file.', hint: 'Correct the path, or put a file there.' },
  'file-too-large': {
    message: 'The file is larger than 1 MiB, the limit for a contract file.',
    hint: 'Split it, or exclude it with `contracts.exclude`.',
  },
  'foreign-file': {
    message:
      "The name doesn't end in .yaml, .yml or .json, and no key marks it as a file for contract-sync.",
    hint: 'Its content is not shown. Rename it, or correct the path to it.',
  },
  'not-readable': { message: "This can't be read.", hint: 'Check its permissions.' },
} as const;

const overlookedSentences = {
  'not-a-file': {
    message: 'This is neither a file nor a folder: not read.',
    hint: 'Remove it, or exclude it with `contracts.exclude`.',
  },
  'ending-unread': {
    message: "This file is not read: its name doesn't end in .yaml or .yml.",
    hint: 'Rename it to end in .yaml or .yml, or exclude it with `contracts.exclude`.',
  },
} as const;

function overlooked(file: string, code: keyof typeof overlookedSentences): Diagnostic {
  const source = { file, line: 1, column: 1 };
  return { code, severity: 'warning', ...overlookedSentences[code], source };
}

export function unreadable(file: string, code: Unreadable): Diagnostic {
  return { code, severity: 'error', ...sentences[code], source: { file, line: 1, column: 1 } };
}
