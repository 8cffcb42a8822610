import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { staticToken } from '../auth/static.ts';
import type { TokenSource } from '../auth/token.ts';
import { resolveConfig, type SettingFlags } from '../config.ts';
import { ConfigError } from '../errors.ts';
import { openSession, type Session } from '../session.ts';
import type { Terminal } from './terminal.ts';

/** The flags of every command that talks to a catalog. */
export type SessionFlags = SettingFlags & {
  readonly tokenFile?: string;
  readonly allowHttp: boolean;
  readonly verbose: boolean;
};

/** The session that the flags, the environment and the configuration file ask for. */
export function startSession(
  paths: readonly string[],
  flags: SessionFlags,
  terminal: Terminal,
): Session {
  const { environment, folder, report } = terminal;
  return openSession(resolveConfig(flags, environment, folder), {
    folder,
    paths,
    token: readToken(flags, terminal),
    allowHttp: flags.allowHttp,
    ...(flags.verbose && { log: (line: string) => report(`${line}\n`) }),
  });
}

/** Never from a flag's value: that would show in the process list. */
function readToken({ tokenFile }: SessionFlags, { environment, folder }: Terminal): TokenSource {
  if (tokenFile !== undefined) return staticToken(readTokenFile(resolve(folder, tokenFile)));
  const token = environment['CONTRACT_SYNC_TOKEN'];
  if (token === undefined || token === '') {
    throw new ConfigError('no-token', 'There is no token for the catalog.', {
      hint: 'Set CONTRACT_SYNC_TOKEN to a token (a JWT) of the catalog, or name a file that holds one with --token-file.',
    });
  }
  return staticToken(token);
}

function readTokenFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ConfigError('unreadable-token-file', `The token file ${file} cannot be read.`, {
      hint: 'Check the path given with --token-file and its permissions.',
      cause: error,
    });
  }
}
