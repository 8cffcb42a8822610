import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { ConfigError } from '../core/errors.ts';
import { type Effects, systemEffects } from '../core/effects.ts';

/** Milliseconds between two looks at a lock, how long one waits, and when a lock is nobody's. */
const lookEvery = 20;
const longestWait = 60_000;
const staleAfter = 120_000;

/**
 * Does work that no other process may do to the file meanwhile, by a file beside it that one alone
 * can create. A lock whose process has died is taken away at once, one of another machine when it is
 * old. Work that waits for the same lock again waits in vain.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result> | Result,
  { sleep, now }: Pick<Effects, 'sleep' | 'now'> = systemEffects,
): Promise<Result> {
  const lock = `${file}.lock`;
  const end = now() + longestWait;
  while (!take(lock)) {
    if (now() >= end) throw locked(file, lock);
    if (isStale(lock, now())) removeStale(lock, now());
    else await sleep(lookEvery);
  }
  try {
    return await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, owner(process.pid), { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw new ConfigError('unwritable-logins', `The file ${lock} cannot be written.`, {
      hint: 'Set XDG_STATE_HOME to a folder of yours that may be written to.',
      cause: error,
    });
  }
}

function owner(pid: number): string {
  return `${pid} ${hostname()}`;
}

/** A lock that is gone is not stale: it can be taken. */
function isStale(lock: string, now: number): boolean {
  try {
    return now - statSync(lock).mtimeMs > staleAfter || isOfDead(readFileSync(lock, 'utf8'));
  } catch {
    return false;
  }
}

function isOfDead(content: string): boolean {
  const pid = Number.parseInt(content, 10);
  return content === owner(pid) && !isAlive(pid);
}

/** Another user's process may not be signalled, and is alive. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** Under another name first: what somebody else has put in its place meanwhile is put back. */
function removeStale(lock: string, now: number): void {
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
    if (!isStale(aside, now)) linkSync(aside, lock);
  } catch {
    // Somebody else was first, and the next look says what there is to do.
  } finally {
    rmSync(aside, { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

function locked(file: string, lock: string): ConfigError {
  const seconds = longestWait / 1000;
  return new ConfigError(
    'logins-locked',
    `Another run has kept the file ${file} locked for ${seconds} s.`,
    { hint: `Try again. If no other run is under way, delete ${lock}.` },
  );
}
