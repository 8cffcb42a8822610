import { rmSync } from 'node:fs';
import { builtCli } from './built-cli.ts';
import { measure, servePages } from './children.ts';
import type { Limit } from './limit.ts';
import { makeContracts } from './live-contracts.ts';

const files = 500;
/** What else the machine does only adds to a time: the fastest counts. */
const rounds = 5;
/** A plan that changes every contract is more than the limits allow. */
const unlimited = ['--allow-limit', 'updates', '--reason', 'all files of a benchmark'];

/** Prints what a pull takes that edits every file in one place, against a plan over the same. */
export async function run(): Promise<readonly Limit[]> {
  const { path: cli, remove } = builtCli();
  const server = await servePages(files);
  const environment = { CONTRACT_SYNC_URL: server.url, CONTRACT_SYNC_TOKEN: 'token' };
  const time = async (...args: readonly string[]): Promise<number> => {
    const folder = makeContracts({ files, size: 'long', changed: 1 });
    try {
      return (await measure([cli, ...args], environment, folder)).milliseconds;
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  let plan = Infinity;
  let pull = Infinity;
  try {
    for (let round = 0; round < rounds; round += 1) {
      plan = Math.min(plan, await time('plan', '--quiet', ...unlimited));
      pull = Math.min(pull, await time('pull'));
    }
  } finally {
    server.close();
    remove();
  }
  const ratio = pull / plan;
  const limit = 2;
  console.log('| files | plan | pull | against it |\n|---|---|---|---|');
  const times = `${Math.round(plan)} ms | ${Math.round(pull)} ms`;
  console.log(`| ${files} | ${times} | ${ratio.toFixed(2)} (limit ${limit}) |`);
  return [{ figure: `pull of ${files} files, against a plan`, value: ratio, limit }];
}
