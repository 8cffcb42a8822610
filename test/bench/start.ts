import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contest, compare, program, row, servePages, tableHead } from './children.ts';
import { builtCli } from './built-cli.ts';
import type { Limit } from './limit.ts';
import { makeContracts } from './live-contracts.ts';

const validated = 20;
const planned = 60;
/** Starts are short, and so are many rounds. */
const rounds = 15;

/** Prints what people wait for most often: small commands, against Node that runs nothing. */
export async function run(): Promise<readonly Limit[]> {
  const limits: Limit[] = [];
  const { path: cli, remove } = builtCli();
  const few = makeContracts({ files: validated, size: 'long' });
  const more = makeContracts({ files: planned, size: 'long' });
  const server = await servePages(planned);
  const cache = mkdtempSync(join(tmpdir(), 'contract-sync-cache-'));
  const again = { XDG_CACHE_HOME: cache };
  const environment = { CONTRACT_SYNC_URL: server.url, CONTRACT_SYNC_TOKEN: 'token' };
  const against = [program('empty.js')];
  const print = async (work: string, contest: Omit<Contest, 'against'>, limit?: number) => {
    const comparison = await compare({ ...contest, against }, rounds);
    console.log(row(work, comparison, limit === undefined ? {} : { time: limit }));
    const figure = `${work}, against bare Node`;
    if (limit !== undefined) limits.push({ figure, value: comparison.time, limit });
  };
  try {
    console.log(tableHead);
    await print('--version', { program: [cli, '--version'], folder: few }, 1.6);
    const validate = { program: [cli, 'validate'], folder: few };
    await print(`validate ${validated} files`, validate, 3);
    await print('validate again', { ...validate, environment: again }, 3);
    const plan = { program: [cli, 'plan', '--quiet'], folder: more, environment };
    await print(`plan ${planned} files over ${planned} contracts`, plan, 5);
    await print('plan again', { ...plan, environment: { ...environment, ...again } }, 5);
    makeClone(more);
    const withoutBase = { ...plan, program: [...plan.program, '--no-base'] };
    await print('plan in a clone without a base', withoutBase);
    await print('plan in a clone with its default base', plan);
    const fetching = { program: [program('bare-loop.js')], folder: more, environment };
    await print(`fetch these ${planned} contracts, and no more`, fetching);
  } finally {
    server.close();
    remove();
    for (const folder of [few, more, cache]) rmSync(folder, { recursive: true });
  }
  return limits;
}

/** A repository whose remote has what is checked out. */
function makeClone(folder: string): void {
  for (const command of [
    'init --quiet',
    'add --all',
    '-c user.name=Bench -c user.email=bench@example.com commit --quiet --message First',
    'remote add origin https://git.example.com/contracts.git',
    'update-ref refs/remotes/origin/main HEAD',
  ])
    execFileSync('git', command.split(' '), { cwd: folder });
}
