import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCli } from './built-cli.ts';
import { measure, median, program } from './children.ts';
import type { Limit } from './limit.ts';

const changes = 1000;
const concurrency = 8;
/** Milliseconds that the catalog takes for an answer; 20 is a catalog in the same region. */
const latencyMs = 20;
const rounds = 7;

/** Prints what an apply takes, a whole process, against the round trips of its patches. */
export async function run(): Promise<readonly Limit[]> {
  const cli = builtCli();
  const times: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) times.push(await timeOfApply(cli.path));
  } finally {
    cli.remove();
  }
  const least = (changes / concurrency) * latencyMs;
  const time = median(times);
  const limit = 1.15;
  const ratio = time / least;
  const work = `${changes} changes at concurrency ${concurrency}, ${latencyMs} ms an answer`;
  console.log(`| work | apply | its patches at the least | ratio |\n|---|---|---|---|`);
  const cells = [work, seconds(time), seconds(least), `${ratio.toFixed(2)} (limit ${limit})`];
  console.log(`| ${cells.join(' | ')} |`);
  return [{ figure: `apply of ${work}, against its least time`, value: ratio, limit }];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

async function timeOfApply(cli: string): Promise<number> {
  const server = fork(program('late-sandbox.js'), [String(changes), String(latencyMs)]);
  const [catalog] = (await once(server, 'message')) as [{ url: string; token: string }];
  const folder = makeFiles();
  const environment = { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: catalog.token };
  try {
    const args = [cli, 'apply', '--yes', '--quiet', '--page-size', '1000'];
    return (await measure(args, environment, folder)).milliseconds;
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

/** The description and one more column, as a pull request may have it. */
function makeFiles(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  mkdirSync(join(folder, 'contracts'));
  writeFileSync(
    join(folder, 'contract-sync.yaml'),
    `catalog: { dialect: standard, concurrency: ${concurrency} }\nlimits: { updates: 100% }\n`,
  );
  for (let rank = 0; rank < changes; rank += 1) {
    const text = `fullyQualifiedName: shop.table_${rank}
description: As it is to be.
schema:
  - { name: id, dataType: BIGINT }
  - { name: added, dataType: TEXT }
`;
    writeFileSync(join(folder, 'contracts', `${rank}.yaml`), text);
  }
  return folder;
}
