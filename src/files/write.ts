import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';

/** A file's whole text, its byte order mark included; none of one that is gone by now. */
export function readWhole(file: string, root: string): string {
  return unless('ENOENT', '', () => readFileSync(resolve(root, file)).toString());
}

/**
 * Replaces a file that still holds the text that was read. At every moment it is there whole, old or
 * new: the new text is written beside it, and takes its name. False: it holds another text by now, or
 * is gone.
 */
export function replaceFile(
  file: string,
  root: string,
  { before, after }: { readonly before: string; readonly after: string },
): boolean {
  return unless('ENOENT', false, () => {
    // A link stays one.
    const path = realpathSync(resolve(root, file));
    const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    try {
      writeFileSync(temporary, after, { flag: 'wx' });
      chmodSync(temporary, statSync(path).mode);
      if (readFileSync(path).toString() !== before) return false;
      renameSync(temporary, path);
      return true;
    } finally {
      rmSync(temporary, { force: true });
    }
  });
}

/** Writes a file that is not there yet, and the folders on the way. False: there is one. */
export function createFile(file: string, root: string, text: string): boolean {
  const path = resolve(root, file);
  mkdirSync(dirname(path), { recursive: true });
  return unless('EEXIST', false, () => {
    writeFileSync(path, text, { flag: 'wx' });
    return true;
  });
}

/** What the work comes to; something else where the file system refuses it for this reason. */
function unless<Result>(reason: string, otherwise: Result, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (reasonOf(error) === reason) return otherwise;
    throw error;
  }
}

/** `EACCES`; undefined where it was not the file system that refused. */
function reasonOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Files that were to be written: those that are there now, and why others are not. */
export type Written<File> = {
  readonly files: readonly File[];
  readonly problems: readonly Diagnostic[];
};

/** Writes one file after the other; one that can't be written keeps back none of the others. */
export function writeEach<File extends { readonly file: string }>(
  files: readonly File[],
  write: (file: File) => Diagnostic | undefined,
): Written<File> {
  const done = files.map((each) => ({ each, problem: problemOf(each, write) }));
  return {
    files: done.flatMap(({ each, problem }) => (problem ? [] : [each])),
    problems: done.flatMap(({ problem }) => problem ?? []),
  };
}

function problemOf<File extends { readonly file: string }>(
  each: File,
  write: (file: File) => Diagnostic | undefined,
): Diagnostic | undefined {
  try {
    return write(each);
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    return {
      code: 'unwritable-file',
      severity: 'error',
      message: `Can't write the file (${reason}).`,
      hint: 'Check its permissions and those of its folder.',
      source: { file: each.file, line: 1, column: 1 },
    };
  }
}
