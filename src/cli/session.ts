import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { staticToken } from '../auth/static.ts';
import type { TokenSource } from '../auth/token.ts';
import type { CatalogWriter } from '../catalog/catalog.ts';
import { createReader, createWriter, type CatalogConnection } from '../catalog/client.ts';
import { resolveConfig, type Config, type SettingFlags } from '../config.ts';
import { ConfigError } from '../errors.ts';
import type { Sync } from '../sync.ts';
import { version } from '../version.ts';
import type { Terminal } from './terminal.ts';

/** The flags of every command that talks to a catalog. */
export type SessionFlags = SettingFlags & {
  readonly tokenFile?: string;
  readonly allowHttp: boolean;
  readonly verbose: boolean;
};

/** All that a command needs of the world, from its flags, environment and configuration. */
export type Session = Sync & {
  readonly concurrency: number;
  readonly openWriter: () => CatalogWriter;
};

export function openSession(
  paths: readonly string[],
  flags: SessionFlags,
  terminal: Terminal,
): Session {
  const config = resolveConfig(flags, terminal.environment, terminal.folder);
  const connection = connect(config, flags, terminal);
  return {
    catalogUrl: config.catalogUrl,
    files: {
      root: terminal.folder,
      include: paths.length > 0 ? paths : config.include,
      exclude: config.exclude,
    },
    reader: createReader(connection),
    rules: config.rules,
    concurrency: config.concurrency,
    openWriter: () => createWriter(connection),
  };
}

function connect(config: Config, flags: SessionFlags, terminal: Terminal): CatalogConnection {
  return {
    baseUrl: new URL(config.catalogUrl),
    token: readToken(flags, terminal),
    pageSize: config.pageSize,
    timeoutMs: config.timeoutMs,
    version,
    allowHttp: flags.allowHttp,
    ...(flags.verbose && { log: (line: string) => terminal.report(`${line}\n`) }),
  };
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
