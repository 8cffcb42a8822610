import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSeed, startSandbox } from '../sandbox/sandbox.ts';
import { apply } from './apply.ts';
import { findExample } from './examples.ts';
import { exitCode, type ExitCode } from './exit.ts';
import { plan } from './plan.ts';
import type { Terminal } from './terminal.ts';

/** `contract-sync demo`: plan, apply and plan again, over the bundled example. */
export async function demo(terminal: Terminal): Promise<ExitCode> {
  const folder = findExample('quickstart');
  const seedFile = join(folder, 'catalog.json');
  const seed = parseSeed(readFileSync(seedFile, 'utf8'), seedFile);
  const catalog = await startSandbox({ seed });
  try {
    terminal.write(opening(catalog.url, seed.length, terminal));
    return await tell({
      ...terminal,
      folder,
      environment: { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: catalog.token },
    });
  } finally {
    await catalog.close();
  }
}

const shared = {
  format: 'text',
  all: false,
  quiet: false,
  allowHttp: false,
  verbose: false,
} as const;

async function tell(terminal: Terminal): Promise<ExitCode> {
  const { write } = terminal;
  announce('contract-sync plan', 'what would change, and nothing is sent', terminal);
  await plan([], { ...shared, detailedExitcode: false }, terminal);
  announce('contract-sync apply --yes --quiet', 'the same plan, one patch per contract', terminal);
  const applied = await apply([], { ...shared, quiet: true, yes: true }, terminal);
  if (applied !== exitCode.done) return applied;
  announce(
    'contract-sync plan --quiet --detailed-exitcode',
    'the catalog is at the files now',
    terminal,
  );
  const left = await plan([], { ...shared, quiet: true, detailedExitcode: true }, terminal);
  if (left !== exitCode.done) return exitCode.failed;
  write(closing);
  return exitCode.done;
}

function opening(url: string, contracts: number, { palettes }: Terminal): string {
  const { strong, faint } = palettes.write;
  return `${strong('contract-sync demo')}
An embedded catalog listens on ${url}; it holds ${contracts} contracts.
The YAML files are in examples/quickstart/contracts.
${faint('Nothing outside this process is touched.')}
`;
}

function announce(command: string, purpose: string, { write, palettes }: Terminal): void {
  const { strong, faint } = palettes.write;
  write(`\n${strong(`$ ${command}`)}   ${faint(`# ${purpose}`)}\n\n`);
}

const closing = `
Edit a file, run plan, see the difference:
  contract-sync sandbox --seed examples/quickstart/catalog.json
`;
