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

/** Why the system doesn't let a file be written; undefined for any other error. */
export function whyUnwritable(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  // Node says `EACCES: permission denied, open '/a/path'`.
  return /^E[A-Z0-9]+: ([^,]+)/u.exec(error.message)?.[1];
}

/** A file that the system doesn't let be written; any other error is thrown on. */
export function unwritableFile(file: string, error: unknown): Diagnostic {
  const reason = whyUnwritable(error);
  if (reason === undefined) throw error;
  return {
    code: 'unwritable-file',
    severity: 'error',
    message: `The file can't be written: ${reason}.`,
    hint: 'Check the permissions of its folder and the space on its disk, then run the command again.',
    source: { file, line: 1, column: 1 },
  };
}

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
    if (error instanceof Error && 'code' in error && error.code === reason) return otherwise;
    throw error;
  }
}
