import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseWorldSeed } from '../sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../sandbox/openmetadata/server.ts';
import { parseSeed, startSandbox } from '../sandbox/sandbox.ts';
import { runApply } from './apply.ts';
import { invocation } from './invocation.ts';
import { findPackaged } from './packaged.ts';
import { runPlan } from './plan.ts';
import { type DialectFlag, readDialect, type SandboxDialect } from './sandbox.ts';
import { exitCode, type ExitCode, type Terminal } from './terminal.ts';

/** `contract-sync demo`: plan, apply and plan again, over the bundled example. */
export async function runDemo(terminal: Terminal, flags: DialectFlag): Promise<ExitCode> {
  const dialect = readDialect(flags, terminal);
  const folder = findPackaged(`examples/${examples[dialect]}`);
  const seedFile = join(folder, 'catalog.json');
  // As the user would type it, wherever the package is.
  const shown = relative(terminal.folder, folder);
  const { catalog, contracts } = await startSeeded(dialect, seedFile);
  try {
    terminal.write(opening({ url: catalog.url, contracts, folder: shown }, terminal));
    const code = await perform({
      ...terminal,
      folder,
      root: folder,
      environment: {
        CONTRACT_SYNC_URL: catalog.url,
        CONTRACT_SYNC_TOKEN: catalog.token,
        // The example may stand in a repository that it has nothing to do with.
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

async function startSeeded(dialect: SandboxDialect, seedFile: string) {
  const text = readFileSync(seedFile, 'utf8');
  if (dialect === 'standard') {
    const seed = parseSeed(text, seedFile);
    return { catalog: await startSandbox({ seed }), contracts: seed.length };
  }
  const seed = parseWorldSeed(text, seedFile);
  return { catalog: await startOpenMetadata({ seed }), contracts: seed.contracts?.length ?? 0 };
}

const shared = {
  format: 'text',
  all: false,
  quiet: false,
  allowHttp: false,
  verbose: false,
  // The example may be part of a clone, whose log is not that of its contracts.
  base: false,
} as const;

async function perform(terminal: Terminal): Promise<ExitCode> {
  announce('contract-sync plan', 'what would change; nothing is sent', terminal);
  await runPlan(terminal, [], { ...shared, detailedExitcode: false });
  announce('contract-sync apply --yes --quiet', 'the same plan, one patch per contract', terminal);
  const applied = await runApply(terminal, [], { ...shared, quiet: true, yes: true });
  if (applied !== exitCode.done) return applied;
  announce(
    'contract-sync plan --quiet --detailed-exitcode',
    'the catalog matches the files now',
    terminal,
  );
  const left = await runPlan(terminal, [], { ...shared, quiet: true, detailedExitcode: true });
  return left === exitCode.done ? exitCode.done : exitCode.failed;
}

type Scene = { readonly url: string; readonly contracts: number; readonly folder: string };

function opening({ url, contracts, folder }: Scene, { palettes }: Terminal): string {
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

function closing(folder: string, dialect: SandboxDialect, terminal: Terminal): string {
  const flag = dialect === 'standard' ? '' : ` --dialect ${dialect}`;
  return `
Edit a file, run plan in ${folder}, see the difference:
  ${invocation(terminal)} sandbox${flag} --seed ${join(folder, 'catalog.json')}
`;
}
