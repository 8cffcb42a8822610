import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  type Stats,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { removeUnfinished, replaceWhole } from '../disk.ts';
import { withLock } from './lock.ts';

/** Whose login it is: one person logs in at many issuers, and as many clients. */
type LoginKey = { readonly issuer: string; readonly clientId: string };

/** Where the logins of people are kept between runs. */
export type TokenStore = {
  /** For messages. */
  readonly file: string;
  readonly load: (key: LoginKey) => Issued | undefined;
  readonly save: (key: LoginKey, issued: Issued) => Promise<void>;
  /** Does what no other process may come between, such as to load, renew and save a login. */
  readonly hold: <Result>(
    key: LoginKey,
    work: (login: HeldLogin) => Promise<Result> | Result,
  ) => Promise<Result>;
};

/** A login that nobody else changes meanwhile. */
type HeldLogin = {
  readonly load: () => Issued | undefined;
  readonly save: (issued: Issued) => void;
  readonly remove: () => void;
};

/** The file of the XDG base directory specification: state is what a user would miss. */
export function tokensFile(environment: Readonly<Record<string, string | undefined>>): string {
  const state = environment['XDG_STATE_HOME'];
  // The specification has a relative path ignored: it would lead into whatever folder one is in.
  const folder = state && isAbsolute(state) ? state : join(homeIn(environment), '.local', 'state');
  return join(folder, 'contract-sync', 'tokens.json');
}

/** Containers run as users that the system doesn't know, with the root as their home if any. */
function homeIn({ HOME }: Readonly<Record<string, string | undefined>>): string {
  try {
    return HOME || homedir() || '/';
  } catch {
    return '/';
  }
}

/** A file that only its owner may read, in a folder of the same kind. */
export function openTokenStore(file: string): TokenStore {
  const load: TokenStore['load'] = (key) => toIssued(readLogins(file)[nameOf(key)]);
  const change = (key: LoginKey, issued: Issued | undefined): void => {
    const { [nameOf(key)]: _old, ...others } = readLogins(file);
    write(file, { ...others, ...(issued && { [nameOf(key)]: issued }) });
  };
  const hold: TokenStore['hold'] = async (key, work) => {
    makeFolder(file);
    return withLock(file, () =>
      work({
        load: () => load(key),
        save: (issued) => change(key, issued),
        remove: () => change(key, undefined),
      }),
    );
  };
  return { file, load, hold, save: (key, issued) => hold(key, (login) => login.save(issued)) };
}

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
    throw new ConfigError('unreadable-logins', message, {
      hint: 'Delete the file and run contract-sync login again.',
    });
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

function makeFolder(file: string): void {
  const folder = dirname(file);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // `mode` counts for a folder that was not there.
    chmodSync(folder, 0o700);
  } catch (cause) {
    throw unwritableLogins(file, cause);
  }
}

function write(file: string, logins: JsonObject): void {
  try {
    removeUnfinished(dirname(file), [/^tokens\.json\.(\d+)$/u]);
    replaceWhole(file, `${JSON.stringify({ logins }, null, 2)}\n`, { mode: 0o600 });
  } catch (cause) {
    throw unwritableLogins(file, cause);
  }
}

function unwritableLogins(file: string, cause: unknown): ConfigError {
  return new ConfigError('unwritable-logins', `Can't save your logins in ${file}.`, {
    hint: 'Set XDG_STATE_HOME to a folder that you can write to.',
    cause,
  });
}

/**
 * The text of a file that holds a secret. A file that others on this machine may read is refused;
 * a pipe, as `--token-file <(vault read …)` makes one, has no permissions to speak of.
 */
export function readSecretFile(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    // Of the open file, so that it cannot be another one by the time that it is read.
    const stats = fstatSync(descriptor);
    if (isLoose(stats)) throw tooOpen(file, stats);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Windows has no such permissions: what it says there means nothing. */
function isLoose(stats: Stats): boolean {
  const forOthers = 0o077;
  return process.platform !== 'win32' && stats.isFile() && (stats.mode & forOthers) !== 0;
}

function tooOpen(file: string, { mode }: Stats): ConfigError {
  const permissions = (mode & 0o777).toString(8).padStart(4, '0');
  return new ConfigError(
    'loose-permissions',
    `Other users can read or change ${file}, which contains a secret (permissions ${permissions}).`,
    { hint: `Run: chmod 600 ${quoteForShell(file)}` },
  );
}

function quoteForShell(text: string): string {
  return /^[\w./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A token as an issuer gives it. */
export type IssuedToken = {
  readonly accessToken: string;
  /** By the clock of this machine, in epoch milliseconds; absent where the issuer does not say. */
  readonly expiresAt?: number;
};

/** A token with what makes the next one. */
export type Issued = IssuedToken & { readonly refreshToken?: string };
