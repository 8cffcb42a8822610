import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { measure } from './children.ts';

const contracts = 1000;
const differing = 30;
const latencyMs = 20;
/** What else the machine does only adds to a time: the fastest counts. */
const rounds = 5;
const root = join(import.meta.dirname, '..', '..');

/** Prints what it takes a plan to say who set what it changes. */
export async function run(): Promise<void> {
  execFileSync(process.execPath, [join(root, '.ci', 'build.ts')], { stdio: 'inherit' });
  const seed = Array.from({ length: contracts }, (_, rank) => ({
    name: `contract_${rank}`,
    fullyQualifiedName: `shop.sales.contract_${rank}`,
    description: rank < differing ? 'By hand.' : 'As in git.',
    updatedBy: 'mira',
    versions: [{ description: 'As it was.', updatedBy: 'ada' }],
  }));
  const catalog = await startSandbox({ seed, latencyMs });
  const folder = makeFiles();
  const environment = { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: catalog.token };
  const time = async (flag: string): Promise<number> => {
    const args = [join(root, 'dist', 'cli.js'), 'plan', '--quiet', '--concurrency', '8', flag];
    return (await measure(args, environment, folder)).milliseconds;
  };
  let [without, blamed] = [Infinity, Infinity];
  try {
    for (let round = 0; round < rounds; round += 1) {
      without = Math.min(without, await time('--no-blame'));
      blamed = Math.min(blamed, await time('--blame'));
    }
  } finally {
    await catalog.close();
    rmSync(folder, { recursive: true });
  }
  console.log('| contracts | differ | plan | with blame | against it |\n|---|---|---|---|---|');
  const cells = [
    contracts,
    differing,
    `${Math.round(without)} ms`,
    `${Math.round(blamed)} ms`,
    `${(blamed / without).toFixed(2)} (limit 1.3)`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
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
