import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ProductName } from '../catalog/products/product.ts';
import { formerStandard, renamed } from '../config/rules.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import { sanitizeLine } from '../core/text.ts';
import { parseWorldSeed } from '../sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../sandbox/openmetadata/server.ts';
import { parseSeed, startSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { readSecret } from './auth.ts';
import { invocation } from './invocation.ts';
import { exitCode, type ExitCode, reportDiagnostics, type Terminal } from './terminal.ts';

/** Which kind of catalog a sandbox behaves as. */
export type SandboxDialect = ProductName;

export type DialectFlag = { readonly dialect: SandboxDialect | typeof formerStandard };

type SandboxFlags = DialectFlag & {
  readonly port: string;
  readonly seed?: string;
  /** One that is made up: the process list shows it. */
  readonly token?: string;
  readonly tokenFile?: string;
};

/** `contract-sync sandbox`: serves an embedded catalog until Ctrl-C. */
export async function runSandbox(terminal: Terminal, flags: SandboxFlags): Promise<ExitCode> {
  const dialect = readDialect(flags, terminal);
  const catalog = await start({ ...flags, dialect }, terminal.folder);
  // First, for whoever reads the invitation may press Ctrl-C at once.
  const signal = terminal.interruption();
  terminal.write(invitation(catalog, flags.seed, terminal));
  if (!signal.aborted) await once(signal, 'abort');
  await catalog.close();
  return exitCode.done;
}

/** The dialect that is asked for; its former name is accepted with a word on it. */
export function readDialect({ dialect }: DialectFlag, terminal: Terminal): SandboxDialect {
  if (dialect !== formerStandard) return dialect;
  reportDiagnostics([renamed('--dialect ')], terminal);
  return 'standard';
}

type Catalog = Pick<Sandbox, 'url' | 'token' | 'close'>;

function start(flags: SandboxFlags, folder: string): Promise<Catalog> {
  const { seed, dialect } = flags;
  const options = { port: portOf(flags), ...acceptedToken(flags, folder) };
  if (dialect === 'openmetadata') {
    return startOpenMetadata({
      ...options,
      ...(seed !== undefined && { seed: readSeed(resolve(folder, seed), parseWorldSeed) }),
    });
  }
  return startSandbox({
    ...options,
    ...(seed !== undefined && { seed: readSeed(resolve(folder, seed), parseSeed) }),
  });
}

/** Only a token that is not a secret of this run already can be shown. */
function invitation({ url, token }: Catalog, seed: string | undefined, terminal: Terminal): string {
  const isKnown = terminal.redactor.redact(token) !== token;
  const beside = seed === undefined ? terminal.folder : dirname(resolve(terminal.folder, seed));
  const place = existsSync(join(beside, 'contracts'))
    ? sanitizeLine(beside)
    : 'a folder with contracts';
  return [
    `The catalog listens on ${url} until Ctrl-C. In another terminal, in ${place}:`,
    '',
    `  export CONTRACT_SYNC_URL=${url}`,
    isKnown
      ? '  # and CONTRACT_SYNC_TOKEN as it is set here'
      : `  export CONTRACT_SYNC_TOKEN=${token}`,
    `  ${invocation(terminal)} plan`,
    '',
  ].join('\n');
}

function acceptedToken({ token, tokenFile }: SandboxFlags, folder: string): { token?: string } {
  if (tokenFile !== undefined) {
    return { token: readSecret(tokenFile, '--token-file', folder).trim() };
  }
  return token === undefined ? {} : { token };
}

function readSeed<Seed>(file: string, parse: (text: string, file: string) => Seed): Seed {
  try {
    return parse(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof SyncError) throw error;
    throw new ConfigError('unreadable-seed', `Can't read the seed file ${file}.`, {
      hint: 'Check the path given with --seed: a JSON file with a list of contracts.',
      cause: error,
    });
  }
}

const lastPort = 65_535;

function portOf({ port }: SandboxFlags): number {
  if (/^\d+$/u.test(port) && Number(port) <= lastPort) return Number(port);
  throw new ConfigError(
    'invalid-flag',
    `--port takes a whole number from 0 to ${lastPort}, not ${JSON.stringify(port)}.`,
  );
}
