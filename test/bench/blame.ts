import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { builtCli } from './built-cli.ts';
import { measure } from './children.ts';
import type { Limit } from './limit.ts';

const contracts = 1000;
const differing = 30;
/** What else the machine does only adds: the fastest, and the fewest requests, count. */
const rounds = 5;
const limit = 1.3;

/** Prints what it takes a plan to say who set what it changes. */
export async function run(): Promise<readonly Limit[]> {
  const cli = builtCli();
  const seed = Array.from({ length: contracts }, (_, rank) => ({
    name: `contract_${rank}`,
    fullyQualifiedName: `shop.sales.contract_${rank}`,
    description: rank < differing ? 'By hand.' : 'As in git.',
    updatedBy: 'mira',
    versions: [{ description: 'As it was.', updatedBy: 'ada' }],
  }));
  const catalog = await startSandbox({ seed });
  const folder = makeFiles();
  const environment = { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: catalog.token };
  let requests = 0;
  subscribe('http.server.request.start', () => {
    requests += 1;
  });
  const plan = async (blame: string) => {
    requests = 0;
    writeFileSync(join(folder, 'contract-sync.yaml'), `blame: ${blame}\n`);
    const args = [cli.path, 'plan', '--quiet', '--concurrency', '8'];
    const { milliseconds } = await measure(args, environment, folder);
    return { milliseconds, requests };
  };
  const plain: Awaited<ReturnType<typeof plan>>[] = [];
  const blamed: typeof plain = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      plain.push(await plan('none'));
      blamed.push(await plan('all'));
    }
  } finally {
    await catalog.close();
    cli.remove();
    rmSync(folder, { recursive: true });
  }
  return report(plain, blamed);
}

type Taken = { readonly milliseconds: number; readonly requests: number };

function report(plain: readonly Taken[], blamed: readonly Taken[]): readonly Limit[] {
  const [without, withBlame] = [plain, blamed].map((taken) => ({
    milliseconds: Math.min(...taken.map(({ milliseconds }) => milliseconds)),
    requests: Math.min(...taken.map(({ requests }) => requests)),
  }));
  if (!without || !withBlame) return [];
  const ratio = withBlame.milliseconds / without.milliseconds;
  const more = withBlame.requests - without.requests;
  const cells = [
    contracts,
    differing,
    `${Math.round(without.milliseconds)} ms`,
    `${Math.round(withBlame.milliseconds)} ms`,
    `${ratio.toFixed(2)} (limit ${limit})`,
    `${more} (limit ${differing})`,
  ];
  console.log('| contracts | differ | plan | with blame | against it | requests more |');
  console.log('|---|---|---|---|---|---|');
  console.log(`| ${cells.join(' | ')} |`);
  return [
    { figure: 'a plan with blame, against one without', value: ratio, limit },
    { figure: 'requests for blame', value: more, limit: differing },
  ];
}

function makeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  mkdirSync(join(folder, 'contracts'));
  for (let rank = 0; rank < contracts; rank += 1) {
    const text = `fullyQualifiedName: shop.sales.contract_${rank}\ndescription: As in git.\n`;
    writeFileSync(join(folder, 'contracts', `${rank}.yaml`), text);
  }
  const git = (...args: readonly string[]): void => {
    const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com'];
    execFileSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Add');
  return folder;
}
