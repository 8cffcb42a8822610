import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { ConfigError } from '../core/errors.ts';

/**
 * The text of a file that holds a secret. A file that others on this machine may read is refused;
 * a pipe, as `--token-file <(vault read …)` makes one, has no permissions to speak of.
 */
export function readSecretFile(file: string): string {
  const descriptor = openSync(file, 'r');
  try {
    // Of the open file, so that it cannot be another one by the time that it is read.
    const { mode } = fstatSync(descriptor);
    if (isLoose(descriptor, mode)) throw tooOpen(file, mode);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** Windows has no such permissions: what it says there means nothing. */
function isLoose(descriptor: number, mode: number): boolean {
  const forOthers = 0o077;
  return process.platform !== 'win32' && fstatSync(descriptor).isFile() && (mode & forOthers) !== 0;
}

function tooOpen(file: string, mode: number): ConfigError {
  const permissions = (mode & 0o777).toString(8).padStart(4, '0');
  return new ConfigError(
    'loose-permissions',
    `The file ${file} holds a secret, and others on this machine may read or change it: its permissions are ${permissions}.`,
    { hint: `Run: chmod 600 ${quoteForShell(file)}` },
  );
}

function quoteForShell(text: string): string {
  return /^[\w./-]+$/u.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
