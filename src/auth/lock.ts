import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { ConfigError } from '../core/errors.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import { createWhole, isAlive } from '../disk.ts';

/** Milliseconds between two looks at a lock, and between two updates of its time by the holder. */
const lookEvery = 20;
const signOfLifeEvery = 10_000;
/** Milliseconds: longer than a run waits for an issuer while it holds the lock. */
const longestWait = 90_000;
/** Milliseconds without an update of its time, after which a lock is stale. */
const staleAfter = 120_000;
/** The same for a lock without the name of a process: only a file that was cut has none. */
const namelessFor = 1_000;

/**
 * Does work on a file that no other process may do at the same time. The lock is a file beside it,
 * which only one process can create. The lock of a dead process is removed at once, any other one
 * when it is stale. Not reentrant: work that waits for its own lock fails after `longestWait`.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result> | Result,
  { sleep, now }: Pick<Effects, 'sleep' | 'now'> = offlineEffects,
): Promise<Result> {
  const lock = `${file}.lock`;
  const mine = `${owner(process.pid)} ${randomUUID()}`;
  const end = now() + longestWait;
  while (!take(lock, mine)) {
    if (now() >= end) throw locked(file, lock);
    if (!isStale(lock, now()) || !removeStale(lock, mine, now)) await sleep(lookEvery);
  }
  const signsOfLife = setInterval(() => touch(lock, now()), signOfLifeEvery);
  try {
    return await work();
  } finally {
    clearInterval(signsOfLife);
    release(lock, mine);
  }
}

function take(lock: string, mine: string): boolean {
  try {
    return createWhole(lock, mine, 0o600);
  } catch (error) {
    throw new ConfigError('unwritable-logins', `Can't write ${lock}.`, {
      hint: 'Set XDG_STATE_HOME to a folder that you can write to.',
      cause: error,
    });
  }
}

function owner(pid: number): string {
  return `${pid} ${hostname()}`;
}

function touch(lock: string, now: number): void {
  try {
    utimesSync(lock, now / 1000, now / 1000);
  } catch {
    // The lock then goes stale, and another process may take it.
  }
}

/** Leaves the lock alone if another process has taken it for stale and holds it now. */
function release(lock: string, mine: string): void {
  try {
    if (readFileSync(lock, 'utf8') === mine) rmSync(lock, { force: true });
  } catch {
    // The lock is gone already.
  }
}

/** A lock that is gone is not stale: it can be taken. */
function isStale(lock: string, now: number): boolean {
  try {
    const content = readFileSync(lock, 'utf8');
    const isNamed = /^\d+ \S/u.test(content);
    const patience = isNamed ? staleAfter : namelessFor;
    return now - statSync(lock).mtimeMs > patience || isOfDead(content);
  } catch {
    return false;
  }
}

function isOfDead(content: string): boolean {
  const pid = Number.parseInt(content, 10);
  return `${content} `.startsWith(`${owner(pid)} `) && !isAlive(pid);
}

/**
 * Removes a stale lock; false where it is not stale, or another process is removing it. One process
 * at a time: between the look and the removal, the lock could be released and taken again.
 */
function removeStale(lock: string, mine: string, now: Effects['now']): boolean {
  const removal = `${lock}.removal`;
  if (!take(removal, mine)) {
    // Its process has died before it could release it.
    if (isStale(removal, now())) rmSync(removal, { force: true });
    return false;
  }
  try {
    const isFree = isStale(lock, now());
    if (isFree) rmSync(lock, { force: true });
    return isFree;
  } finally {
    release(removal, mine);
  }
}

function locked(file: string, lock: string): ConfigError {
  const seconds = longestWait / 1000;
  return new ConfigError(
    'logins-locked',
    `Another run has held the lock on ${file} for ${seconds} s.`,
    { hint: `Try again. If no other run is in progress, delete ${lock}.` },
  );
}
