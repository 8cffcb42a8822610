/** Logins of people: a file that only its owner may read and one process at a time changes. */

import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { ConfigError } from '../core/diagnostic.ts';
import { type Clock, offlineEffects } from '../core/effects.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { shellWord } from '../core/text.ts';
import { createWhole, isAlive, readBounded, removeStaleTempFiles, replaceWhole } from '../disk.ts';

type LoginKey = { readonly issuer: string; readonly clientId: string };

export type TokenStore = Readonly<ReturnType<typeof openTokenStore>>;

/** By the XDG base directory specification: state is what a user would miss. */
export function tokensFile(environment: Readonly<Record<string, string | undefined>>): string {
  const state = environment['XDG_STATE_HOME'];
  // The specification ignores a relative path: it would depend on the current folder.
  const folder = state && isAbsolute(state) ? state : join(homeIn(environment), '.local', 'state');
  return join(folder, 'contract-sync', 'tokens.json');
}

// Containers run as users that the system doesn't know, with the root as their home if any.
function homeIn({ HOME }: Readonly<Record<string, string | undefined>>): string {
  try {
    return HOME || homedir() || '/';
  } catch {
    return '/';
  }
}

export function openTokenStore(file: string) {
  const load = (key: LoginKey): Issued | undefined => toIssued(readLogins(file)[nameOf(key)]);
  const change = (key: LoginKey, issued: Issued | undefined): void => {
    const { [nameOf(key)]: _old, ...others } = readLogins(file);
    const logins = { ...others, ...(issued && { [nameOf(key)]: issued }) };
    writing(`Can't save your logins in ${file}.`, () => {
      removeStaleTempFiles(dirname(file));
      replaceWhole(file, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 });
    });
  };
  const hold = async <Result>(key: LoginKey, work: (login: Held) => Promise<Result> | Result) => {
    writing(`Can't save your logins in ${file}.`, () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      // `mode` counts for a new folder alone.
      chmodSync(dirname(file), 0o700);
    });
    return withLock(file, () =>
      work({ load: () => load(key), save: (issued) => change(key, issued) }),
    );
  };
  const save = (key: LoginKey, issued: Issued) => hold(key, (login) => login.save(issued));
  return { file, load, hold, save };
}

type Held = {
  readonly load: () => Issued | undefined;
  /** Without a login, the kept one is removed. */
  readonly save: (issued: Issued | undefined) => void;
};

function nameOf({ issuer, clientId }: LoginKey): string {
  return `${issuer} ${clientId}`;
}

function readLogins(file: string): JsonObject {
  if (!existsSync(file)) return {};
  try {
    const document: JsonValue = JSON.parse(readSecretFile(file));
    const logins = isObject(document) ? document['logins'] : undefined;
    return isObject(logins) ? logins : {};
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // The cause is not passed on: it may quote the file.
    const message = `Can't read your logins from ${file}.`;
    const hint = 'Delete the file and run contract-sync login again.';
    throw new ConfigError('unreadable-logins', message, { hint });
  }
}

function toIssued(login: JsonValue | undefined): Issued | undefined {
  if (!isObject(login)) return undefined;
  const { accessToken, expiresAt, refreshToken } = login;
  if (typeof accessToken !== 'string') return undefined;
  return {
    accessToken,
    ...(typeof expiresAt === 'number' && { expiresAt }),
    ...(typeof refreshToken === 'string' && { refreshToken }),
  };
}

function writing<Result>(complaint: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new ConfigError('unwritable-file', complaint, {
      hint: 'Set XDG_STATE_HOME to a folder that you can write to.',
      cause,
    });
  }
}

/**
 * Refuses a file that others on this machine may read; a pipe, which `<(vault read …)` makes, has
 * no permissions.
 */
export function readSecretFile(file: string): string {
  const refuseLoose = (stats: Stats): void => {
    const forOthers = 0o077;
    // On Windows these bits mean nothing.
    if (process.platform !== 'win32' && stats.isFile() && (stats.mode & forOthers) !== 0) {
      const permissions = (stats.mode & 0o777).toString(8).padStart(4, '0');
      const message = `Other users can read or change ${file}, which contains a secret (permissions ${permissions}).`;
      throw new ConfigError('loose-permissions', message, {
        hint: `Run: chmod 600 ${shellWord(file)}`,
      });
    }
  };
  return readBounded(file, largestSecret, refuseLoose).toString();
}

// Bytes.
const largestSecret = 2 ** 20;

export type IssuedToken = {
  readonly accessToken: string;
  /** Epoch milliseconds by this machine's clock; absent where the issuer doesn't say. */
  readonly expiresAt?: number;
};

export type Issued = IssuedToken & { readonly refreshToken?: string };

// Milliseconds between two looks at a lock.
const lookEvery = 20;
// Milliseconds; longer than a run waits for an issuer while it holds the lock.
const longestWait = 90_000;
// Milliseconds after which a lock of another machine is stale.
const staleAfter = 120_000;

/**
 * The lock is a file beside it. That of a dead process is removed at once, any other when stale.
 * Not reentrant: work that waits for its own lock fails after `longestWait`.
 */
export async function withLock<Result>(
  file: string,
  work: () => Promise<Result> | Result,
  { sleep, now }: Clock = offlineEffects,
): Promise<Result> {
  const lock = `${file}.lock`;
  const mine = `${process.pid} ${hostname()} ${randomUUID()}`;
  const end = now() + longestWait;
  while (!take(lock, mine)) {
    if (now() >= end) {
      const message = `Another run has held the lock on ${file} for ${longestWait / 1000} s.`;
      const hint = `Try again. If no other run is in progress, delete ${lock}.`;
      throw new ConfigError('logins-locked', message, { hint });
    }
    if (!isStale(lock, now()) || !removeStale(lock, mine, now)) await sleep(lookEvery);
  }
  try {
    return await work();
  } finally {
    release(lock, mine);
  }
}

function take(lock: string, mine: string): boolean {
  return writing(`Can't write ${lock}.`, () => createWhole(lock, mine, 0o600));
}

// Another process may have taken the lock for stale, and hold it now.
function release(lock: string, mine: string): void {
  if (contentOf(lock) === mine) rmSync(lock, { force: true });
}

// One process at a time: between the look and the removal, the lock could be released and taken.
function removeStale(lock: string, mine: string, now: () => number): boolean {
  const removal = `${lock}.removal`;
  if (!take(removal, mine)) {
    // Its process died before it could release it.
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

function isStale(lock: string, now: number): boolean {
  const [pid = '', host] = contentOf(lock)?.split(' ') ?? [];
  if (host === hostname() && !isAlive(Number(pid))) return true;
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats !== undefined && now - stats.mtimeMs > staleAfter;
}

function contentOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    // Released meanwhile.
    return undefined;
  }
}
