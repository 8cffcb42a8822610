/**
 * Writes files, and reads those of which nothing is known. A text goes to a temporary file in the
 * same folder, which is synced and renamed: at any time, also after a crash, the file holds the old
 * text or the new one.
 */

import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isatty } from 'node:tty';

type WriteOptions = {
  /** Permissions; by default those of the replaced file. */
  readonly mode?: number;
  /** Runs once the new text is on the disk; false keeps the old file. */
  readonly isWanted?: () => boolean;
};

export function replaceWhole(path: string, text: string, options: WriteOptions = {}): boolean {
  const { isWanted } = options;
  const stats = statSync(path, { throwIfNoEntry: false });
  const mode = options.mode ?? (stats && stats.mode & 0o7777);
  return writeAside(path, text, mode, (aside) => {
    if (isWanted && !isWanted()) return false;
    rename(aside, path);
    return true;
  });
}

export function createWhole(path: string, text: string, mode?: number): boolean {
  const isThere = (): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (isThere()) return false;
  return writeAside(path, text, mode, (aside) => {
    try {
      linkSync(aside, path);
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      // Without hard links, another process may create the file between the look and the rename.
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error;
      if (isThere()) return false;
      rename(aside, path);
    }
    return true;
  });
}

function writeAside(
  path: string,
  text: string,
  mode: number | undefined,
  name: (aside: string) => boolean,
): boolean {
  const mark = `${process.pid}-${crypto.randomUUID().slice(-12)}`;
  const aside = join(dirname(path), `.contract-sync-${mark}.tmp`);
  try {
    const descriptor = openSync(aside, 'wx', mode);
    try {
      // `openSync` has applied the umask.
      if (mode !== undefined) fchmodSync(descriptor, mode);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return name(aside);
  } finally {
    rmSync(aside, { force: true });
  }
}

function rename(from: string, to: string, attempts = 20): void {
  try {
    renameSync(from, to);
  } catch (error) {
    const isBusy = ['EPERM', 'EACCES', 'EBUSY'].includes(codeOf(error));
    if (process.platform !== 'win32' || !isBusy || attempts === 0) throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    rename(from, to, attempts - 1);
  }
}

const asides = /^\.contract-sync-(\d+)-[0-9a-f]{12}\.tmp$/u;

export function removeStaleTempFiles(folder: string): string[] {
  const removed: string[] = [];
  try {
    for (const name of readdirSync(folder)) {
      const [, pid] = asides.exec(name) ?? [];
      // In a container each run has the same id, and this run writes no file at the moment.
      if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue;
      rmSync(join(folder, name), { force: true });
      removed.push(name);
    }
  } catch {
    // Cleaning up fails in folders that users share, and must not keep a run from writing there.
  }
  return removed;
}

/** A process of another user can't be signalled, and exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

export class LinkError extends Error {}

export function placeOfNew(file: string, folder: string, bound = folder): string {
  const path = resolve(realpathSync(folder), file);
  return refuseElsewhere(join(realFolder(dirname(path)), basename(path)), path, bound);
}

export function placeOfOld(file: string, folder: string, bound = folder): string {
  const path = resolve(realpathSync(folder), file);
  return refuseElsewhere(realpathSync(path), path, bound);
}

// No link may lead out of the bound, or into a hidden folder such as .git or .github.
function refuseElsewhere(place: string, path: string, bound: string): string {
  const top = realpathSync(bound);
  const isHidden = relative(top, place)
    .split(sep)
    .some((name) => name.startsWith('.'));
  if (!isBelow(place, top) || (isHidden && place !== path)) throw new LinkError();
  return place;
}

function realFolder(folder: string): string {
  if (lstatSync(folder, { throwIfNoEntry: false })) return realpathSync(folder);
  return join(realFolder(dirname(folder)), basename(folder));
}

export class FolderError extends Error {}

/**
 * Links on the way may leave neither the folder that the path names nor, where the path lies in it,
 * the folder of the run. Throws where the file can't be written.
 */
export function placeOfOutput(path: string, folder: string): string {
  if (isDevice(path)) return path;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw new FolderError();
  const parent = realpathSync(dirname(path));
  if (isBelow(path, folder) && !isBelow(parent, realpathSync(folder))) throw new LinkError();
  const file = join(parent, basename(path));
  const stats = lstatSync(file, { throwIfNoEntry: false });
  const target = stats?.isSymbolicLink() ? realpathSync(file) : file;
  if (!isBelow(target, parent)) throw new LinkError();
  if (stats && !statSync(target).isFile()) throw new Error('no file');
  if (stats) accessSync(target, constants.W_OK);
  accessSync(dirname(target), constants.W_OK);
  return target;
}

export function writeOutput(path: string, folder: string, text: string): void {
  const place = placeOfOutput(path, folder);
  if (isDevice(place)) return writeFileSync(place, text);
  removeStaleTempFiles(dirname(place));
  replaceWhole(place, text);
}

export class UnfitFileError extends Error {
  readonly code: 'not-a-file' | 'file-too-large';

  constructor(code: UnfitFileError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A file, or a stream that is open already, such as `<(…)`: any other pipe may have no writer. `look`
 * sees what is read, in whose place nothing can be put any more.
 */
export function readBounded(
  path: string,
  mostBytes: number,
  look?: (stats: Stats) => void,
): Buffer {
  const tooLarge = () =>
    new UnfitFileError('file-too-large', `It is larger than ${mostBytes / 2 ** 20} MiB.`);
  if (!isDevice(path) && !statSync(path).isFile()) throw noFile();
  const descriptor = openSync(path, 'r');
  try {
    const stats = fstatSync(descriptor);
    look?.(stats);
    if (stats.size > mostBytes) throw tooLarge();
    if (stats.isFile()) return readFileSync(descriptor);
    // /dev/null is empty, and /dev/zero has no end.
    const isEndless = stats.isCharacterDevice() && !isatty(descriptor);
    const chunks: Buffer[] = [];
    for (let left = isEndless ? 0 : mostBytes; ;) {
      const chunk = Buffer.alloc(2 ** 16);
      const length = readSync(descriptor, chunk);
      if (length === 0) return Buffer.concat(chunks);
      left -= length;
      if (left < 0) throw isEndless ? noFile() : tooLarge();
      chunks.push(chunk.subarray(0, length));
    }
  } finally {
    closeSync(descriptor);
  }
}

// Errors are made where they are thrown: each takes a stack, and most files are fit.
function noFile(): UnfitFileError {
  return new UnfitFileError('not-a-file', 'It is not a file.');
}

// A stream that is open already: `/dev/stdout`, or `>(…)` as /dev/fd/63.
export function isDevice(path: string): boolean {
  return path.startsWith('/dev/') && !path.startsWith('/dev/shm/');
}

export function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
