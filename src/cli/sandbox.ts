import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { ProductName } from '../catalog/products/product.ts';
import { formerStandard, renamed } from '../config/rules.ts';
import { ConfigError, SyncError } from '../core/errors.ts';
import { sanitizeLine } from '../core/text.ts';
import { SandboxError } from '../sandbox/http.ts';
import { parseWorldSeed } from '../sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../sandbox/openmetadata/server.ts';
import { parseSeed, startSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { readSecret } from './session.ts';
import { runApply } from './apply.ts';
import { defaults, type Flags } from './flags.ts';
import { runPlan } from './plan.ts';
import { findPackaged } from './reference.ts';
import { exitCode, type ExitCode, reportDiagnostics, type Terminal } from './terminal.ts';

// A build has no TypeScript files.
function invocation({ environment }: Terminal): string {
  if (import.meta.url.endsWith('.ts')) return 'npm start --';
  return environment['npm_command'] === 'exec' ? 'npx contract-sync' : 'contract-sync';
}

export async function runSandbox(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const dialect = readDialect(flags, terminal);
  const catalog = await serve(dialect, flags, terminal.folder);
  // Before the invitation: its reader may press Ctrl-C at once.
  const signal = terminal.interruption();
  terminal.write(invitation(catalog, flags.seed, terminal));
  if (!signal.aborted) await once(signal, 'abort');
  await catalog.close();
  return exitCode.done;
}

function readDialect({ dialect = 'standard' }: Flags, terminal: Terminal): ProductName {
  if (dialect !== formerStandard) return dialect;
  reportDiagnostics([renamed('--dialect ')], terminal);
  return 'standard';
}

type Catalog = Pick<Sandbox, 'url' | 'token' | 'close'> & { readonly contracts: number };

type ServeFlags = Pick<Flags, 'seed' | 'token' | 'tokenFile' | 'port'>;

// The sandbox shares no code with the program, errors included.
async function serve(dialect: ProductName, flags: ServeFlags, folder: string): Promise<Catalog> {
  try {
    return await start(dialect, flags, folder);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { code, message, hint } = error;
    throw new SyncError(code, message, { hint, cause: error });
  }
}

async function start(
  dialect: ProductName,
  { seed, token, tokenFile, port }: ServeFlags,
  folder: string,
): Promise<Catalog> {
  const accepted =
    tokenFile === undefined ? token : readSecret(tokenFile, '--token-file', folder).trim();
  const options = { port: portOf(port), ...(accepted !== undefined && { token: accepted }) };
  const file = seed === undefined ? undefined : resolve(folder, seed);
  if (dialect === 'openmetadata') {
    const world = file === undefined ? undefined : readSeed(file, parseWorldSeed);
    const catalog = await startOpenMetadata({ ...options, ...(world && { seed: world }) });
    return { ...catalog, contracts: world?.contracts?.length ?? 0 };
  }
  const contracts = file === undefined ? [] : readSeed(file, parseSeed);
  return {
    ...(await startSandbox({ ...options, seed: contracts })),
    contracts: contracts.length,
  };
}

// Only a token that is not a secret of this run can be shown.
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

function readSeed<Seed>(file: string, parse: (text: string, file: string) => Seed): Seed {
  try {
    return parse(readFileSync(file, 'utf8'), file);
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw new ConfigError('unreadable-seed', `Can't read the seed file ${file}.`, {
      hint: 'Check the path given with --seed: a JSON file with a list of contracts.',
      cause: error,
    });
  }
}

const lastPort = 65_535;

function portOf(port = '0'): number {
  if (/^\d+$/u.test(port) && Number(port) <= lastPort) return Number(port);
  throw new ConfigError(
    'invalid-flag',
    `--port takes a whole number from 0 to ${lastPort}, not ${JSON.stringify(port)}.`,
  );
}

export async function runDemo(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const dialect = readDialect(flags, terminal);
  const folder = findPackaged(`examples/${examples[dialect]}`);
  const seedFile = join(folder, 'catalog.json');
  const shown = relative(terminal.folder, folder);
  const catalog = await serve(dialect, { seed: seedFile }, folder);
  try {
    terminal.write(opening(catalog, shown, terminal));
    const code = await perform({
      ...terminal,
      folder,
      root: folder,
      environment: {
        CONTRACT_SYNC_URL: catalog.url,
        CONTRACT_SYNC_TOKEN: catalog.token,
        // The example may lie in a repository of something else.
        GIT_CEILING_DIRECTORIES: dirname(folder),
      },
    });
    if (code === exitCode.done) terminal.write(closing(shown, dialect, terminal));
    return code;
  } finally {
    await catalog.close();
  }
}

const examples = { standard: 'quickstart', openmetadata: 'openmetadata' } as const;

// The log of a clone is not that of the example's contracts.
const withoutBase: Flags = { ...defaults, base: false };

async function perform(terminal: Terminal): Promise<ExitCode> {
  announce('contract-sync plan', 'what would change; nothing is sent', terminal);
  await runPlan(terminal, withoutBase, []);
  announce('contract-sync apply --yes --quiet', 'the same plan, one patch per contract', terminal);
  const quiet: Flags = { ...withoutBase, quiet: true };
  const applied = await runApply(terminal, { ...quiet, yes: true }, []);
  if (applied !== exitCode.done) return applied;
  announce(
    'contract-sync plan --quiet --detailed-exitcode',
    'the catalog matches the files now',
    terminal,
  );
  const left = await runPlan(terminal, { ...quiet, detailedExitcode: true }, []);
  return left === exitCode.done ? exitCode.done : exitCode.failed;
}

function opening({ url, contracts }: Catalog, folder: string, { palettes }: Terminal): string {
  const { strong, faint } = palettes.write;
  return `${strong('contract-sync demo')}
An embedded catalog listens on ${url}; it holds ${contracts} contracts.
The YAML files are in ${join(folder, 'contracts')}.
${faint('Nothing outside this process is touched.')}
`;
}

function announce(command: string, purpose: string, { write, palettes }: Terminal): void {
  const { strong, faint } = palettes.write;
  write(`\n${strong(`$ ${command}`)}   ${faint(`# ${purpose}`)}\n\n`);
}

function closing(folder: string, dialect: ProductName, terminal: Terminal): string {
  const flag = dialect === 'standard' ? '' : ` --dialect ${dialect}`;
  return `
Edit a file, run plan in ${folder}, see the difference:
  ${invocation(terminal)} sandbox${flag} --seed ${join(folder, 'catalog.json')}
`;
}
