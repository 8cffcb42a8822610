import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readSavedText } from '../commands/review.ts';
import { defaultFile } from '../config/file.ts';
import { misuse } from '../config/settings.ts';
import { SyncError } from '../core/diagnostic.ts';
import { defined } from '../core/json.ts';
import { sanitizeLine, shellWord } from '../core/text.ts';
import { isBelow } from '../disk.ts';
import { SandboxError } from '../sandbox/http.ts';
import { type EmbeddedCatalog, handEdit, sandboxOf } from '../sandbox/sandboxes.ts';
import { readSecret } from './access.ts';
import { runApply } from './apply.ts';
import { defaults, type Flags, flags as declared } from './flags.ts';
import { runPlan } from './plan.ts';
import { findPackaged } from './reference.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

// A build has no TypeScript files.
function invocation({ environment }: Terminal, folder: string): string {
  if (import.meta.url.endsWith('.ts')) {
    const clone = dirname(findPackaged('package.json'));
    if (!relative(clone, folder).startsWith('..')) return 'npm --silent start --';
    return `npm --silent --prefix ${shellWord(sanitizeLine(clone))} start --`;
  }
  return environment['npm_command'] === 'exec' ? 'npx contract-sync' : 'contract-sync';
}

export async function runSandbox(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const catalog = await serve(flags, terminal.folder);
  // Before the invitation: its reader may press Ctrl-C at once.
  const signal = terminal.interruption();
  terminal.write(invitation(catalog, flags.seed, terminal));
  if (!signal.aborted) await once(signal, 'abort');
  await catalog.close();
  return exitCode.done;
}

// The sandbox shares no code with the program, errors included.
async function serve(flags: Partial<Flags>, folder: string): Promise<EmbeddedCatalog> {
  const { dialect = declared.dialect.initial, seed, token, tokenFile, port = '0', release } = flags;
  const accepted = tokenFile === undefined ? token : readSecret(tokenFile, folder).trim();
  if (!/^\d+$/u.test(port) || Number(port) > lastPort) {
    const message = `--port takes a whole number from 0 to ${lastPort}, not ${JSON.stringify(port)}.`;
    throw misuse(message);
  }
  const options = { port: Number(port), release, ...defined({ token: accepted }) };
  const content = seed === undefined ? undefined : readSeed(resolve(folder, seed));
  try {
    return await sandboxOf(dialect).start(options, content);
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error;
    const { code, message, hint } = error;
    throw new SyncError(code, message, { hint, cause: error });
  }
}

// Only a token that is not a secret of this run can be shown.
function invitation(
  { url, token, first = '', contracts }: EmbeddedCatalog,
  seed: string | undefined,
  terminal: Terminal,
): string {
  const isKnown = terminal.redactor.redact(token) !== token;
  const beside = seed === undefined ? terminal.folder : dirname(resolve(terminal.folder, seed));
  const isPlace = ['contracts', defaultFile].some((name) => existsSync(join(beside, name)));
  // The log of a clone is not that of the example's contracts, so it is no base for them.
  const isExample = isPlace && isBelow(beside, dirname(findPackaged('package.json')));
  const place = isPlace ? sanitizeLine(beside) : 'a folder with contracts';
  return [
    `The catalog listens on ${url} until Ctrl-C. In another terminal, in ${place}:`,
    '',
    `  export CONTRACT_SYNC_URL=${url}`,
    isKnown
      ? '  # and CONTRACT_SYNC_TOKEN as it is set here'
      : `  export CONTRACT_SYNC_TOKEN=${token}`,
    `  ${invocation(terminal, isPlace ? beside : '/')} plan${isExample ? ' --no-base' : ''}`,
    '',
    ...(/^[\da-f-]+$/iu.test(first) ? handEdit(first) : []),
    ...(contracts === 0 ? ['It holds no contracts; `--seed FILE` gives it some.', ''] : []),
  ].join('\n');
}

function readSeed(file: string): { readonly text: string; readonly file: string } {
  const text = readSavedText(file, {
    code: 'unreadable-file',
    message: `Can't read the seed file ${file}.`,
    hint: 'Check the path given with --seed: a JSON file with a list of contracts.',
  });
  return { text, file };
}

const lastPort = 65_535;

export async function runDemo(terminal: Terminal, flags: Flags): Promise<ExitCode> {
  const { dialect = declared.dialect.initial } = flags;
  const folder = findPackaged(`examples/${sandboxOf(dialect).example}`);
  const shown = relative(terminal.folder, folder);
  const catalog = await serve({ dialect, seed: join(folder, 'catalog.json') }, folder);
  try {
    const { strong, faint } = terminal.layouts.write.palette;
    terminal.write(`${strong('contract-sync demo')}
An embedded catalog listens on ${catalog.url}; it holds ${catalog.contracts} contracts.
The YAML files are in ${join(shown, 'contracts')}.
${faint('Nothing outside this process is touched.')}
`);
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
    const flag = dialect === declared.dialect.initial ? '' : ` --dialect ${dialect}`;
    const again = `${invocation(terminal, terminal.folder)} sandbox${flag} --seed ${join(shown, 'catalog.json')}`;
    const invited = `\nEdit a file, run plan in ${shown}, see the difference:\n  ${again}\n`;
    if (code === exitCode.done) terminal.write(invited);
    return code;
  } finally {
    await catalog.close();
  }
}

// The log of a clone is not that of the example's contracts.
const withoutBase: Flags = { ...defaults, base: false };

async function perform(terminal: Terminal): Promise<ExitCode> {
  announce('contract-sync plan', 'what would change; nothing is sent', terminal);
  await runPlan(terminal, withoutBase, []);
  announce('contract-sync apply --yes --quiet', 'the same plan, one patch per contract', terminal);
  const quiet: Flags = { ...withoutBase, quiet: true };
  const applied = await runApply(terminal, { ...quiet, yes: true }, []);
  if (applied !== exitCode.done) return applied;
  const again = 'contract-sync plan --quiet --detailed-exitcode';
  announce(again, 'the catalog matches the files now', terminal);
  const left = await runPlan(terminal, { ...quiet, detailedExitcode: true }, []);
  return left === exitCode.done ? exitCode.done : exitCode.failed;
}

function announce(command: string, purpose: string, { write, layouts }: Terminal): void {
  const { strong, faint } = layouts.write.palette;
  write(`\n${strong(`$ ${command}`)}   ${faint(`# ${purpose}`)}\n\n`);
}
