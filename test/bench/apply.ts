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
const rounds = 5;

/** Prints what an apply takes, a whole process, against a loop that sends the same patches, in turns. */
export async function run(): Promise<readonly Limit[]> {
  const cli = builtCli();
  const folder = makeFiles();
  const times: { readonly apply: number; readonly loop: number }[] = [];
  const apply = [cli.path, 'apply', '--yes', '--quiet', '--page-size', '1000'];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const loop = await timeOf([program('bare-apply.js')], folder);
      times.push({ apply: await timeOf(apply, folder), loop });
    }
  } finally {
    cli.remove();
    rmSync(folder, { recursive: true });
  }
  const limit = 1.15;
  const ratio = median(times.map((each) => each.apply / each.loop));
  const work = `${changes} changes at concurrency ${concurrency}, ${latencyMs} ms an answer`;
  console.log('| work | apply | a loop that lists and patches | ratio | its round trips alone |');
  console.log('|---|---|---|---|---|');
  const cells = [
    work,
    seconds(median(times.map((each) => each.apply))),
    seconds(median(times.map(({ loop }) => loop))),
    `${ratio.toFixed(2)} (limit ${limit})`,
    seconds((changes / concurrency) * latencyMs),
  ];
  console.log(`| ${cells.join(' | ')} |`);
  return [{ figure: `apply of ${work}, against a bare loop`, value: ratio, limit }];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** Each on a catalog of its own, which nothing has changed. */
async function timeOf(args: readonly string[], folder: string): Promise<number> {
  const server = fork(program('late-sandbox.js'), [String(changes), String(latencyMs)]);
  const [catalog] = (await once(server, 'message')) as [{ url: string; token: string }];
  const environment = { CONTRACT_SYNC_URL: catalog.url, CONTRACT_SYNC_TOKEN: catalog.token };
  try {
    return (await measure(args, environment, folder)).milliseconds;
  } finally {
    server.kill();
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
