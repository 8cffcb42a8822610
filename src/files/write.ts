import { lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Diagnostic } from '../core/diagnostic.ts';
import {
  createWhole,
  LinkError,
  placeOfNew,
  placeOfOld,
  removeStaleTempFiles,
  replaceWhole,
} from '../disk.ts';

export function whyUnwritable(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  // Node says `EACCES: permission denied, open '/a/path'`.
  return /^E[A-Z0-9]+: ([^,]+)/u.exec(error.message)?.[1];
}

/** Throws any error that is not from the file system. */
export function unwritableFile(file: string, error: unknown): Diagnostic {
  const source = { file, line: 1, column: 1 };
  if (error instanceof LinkError) {
    const message =
      "The file can't be written: a symbolic link leads out of the folder, or into a hidden one.";
    const hint = 'Replace the link by a folder.';
    return { code: 'link-outside-root', severity: 'error', message, hint, source };
  }
  const reason = whyUnwritable(error);
  if (reason === undefined) throw error;
  const message = `The file can't be written: ${reason}.`;
  const hint =
    'Check the permissions of its folder and the space on its disk, then run the command again.';
  return { code: 'unwritable-file', severity: 'error', message, hint, source };
}

export function readWhole(file: string, root: string): string {
  return unless('ENOENT', '', () => readFileSync(resolve(root, file)).toString());
}

/** False if the file has changed since it was read, or is gone; a check writes nothing. */
export function replaceFile(
  file: string,
  root: string,
  { before, after }: { readonly before: string; readonly after: string },
  isCheck = false,
): boolean {
  return unless('ENOENT', false, () => {
    // A file outside of the root was named: its own folder is the bound.
    const bound = file.startsWith('../') ? dirname(resolve(root, file)) : root;
    const path = placeOfOld(file, root, bound);
    const isWanted = (): boolean => readFileSync(path).toString() === before;
    return isCheck ? isWanted() : replaceWhole(path, after, { isWanted });
  });
}

/** Whether `createFile` would create it, as far as that can be foreseen. */
export function isFree(file: string, root: string): boolean {
  return lstatSync(placeOfNew(file, root), { throwIfNoEntry: false }) === undefined;
}

/** Also creates the folders; false if the file exists. */
export function createFile(file: string, root: string, text: string, bound = root): boolean {
  const path = placeOfNew(file, root, bound);
  mkdirSync(dirname(path), { recursive: true });
  return createWhole(path, text);
}

export function removeStaleTempFilesBeside(files: readonly string[], root: string): Diagnostic[] {
  const folders = [...new Set(files.map((file) => dirname(file)))].toSorted();
  const removed = folders.flatMap((folder) =>
    removeStaleTempFiles(resolve(root, folder)).map((name) => join(folder, name)),
  );
  return removed.map((file) => ({
    code: 'unfinished-file',
    severity: 'information',
    message: `Removed ${file}, which a run that was stopped had not finished.`,
  }));
}

function unless<Result>(reason: string, otherwise: Result, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === reason) return otherwise;
    throw error;
  }
}
