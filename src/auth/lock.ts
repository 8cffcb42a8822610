import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { hostname } from 'node:os';
import { ConfigError } from '../core/errors.ts';
import { type Effects, offlineEffects } from '../core/effects.ts';
import { createWhole, isAlive } from '../disk.ts';

/** Milliseconds between two looks at a lock, and between two signs of life of whoever has it. */
const lookEvery = 20;
const signOfLifeEvery = 10_000;
/** Milliseconds: longer than a run is patient with an issuer while it has the lock. */
const longestWait = 90_000;
/** Milliseconds without a sign of life, after which a lock is nobody's. */
const staleAfter = 120_000;
/** Milliseconds after which a lock that names nobody is nobody's: only a file that was cut names none. */
const namelessFor = 1_000;

/**
 * Does work that no other process may do to the file meanwhile, by a file beside it that one alone
 * can create. A lock whose process has died is taken away at once, any other when it has shown no
 * sign of life for long. Work that waits for the same lock again waits in vain.
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
    // Without it the lock is as old as it looks, which others find out.
  }
}

/** One that was taken away for dead, and is another's by now, is left alone. */
function release(lock: string, mine: string): void {
  try {
    if (readFileSync(lock, 'utf8') === mine) rmSync(lock, { force: true });
  } catch {
    // It is gone.
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
 * Tells whether it has taken the lock away. One alone may look and remove: while another was about
 * to, the lock might go and be somebody's again.
 */
function removeStale(lock: string, mine: string, now: Effects['now']): boolean {
  const removal = `${lock}.removal`;
  if (!take(removal, mine)) {
    // Whoever had it has died over it.
    if (isStale(removal, now())) rmSync(removal, { force: true });
    return false;
  }
  try {
    const isNobodys = isStale(lock, now());
    if (isNobodys) rmSync(lock, { force: true });
    return isNobodys;
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
