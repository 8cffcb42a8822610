import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCli } from './built-cli.ts';
import { compare, measure, program, row, servePages, tableHead } from './children.ts';
import type { Limit } from './limit.ts';
import { makeContracts } from './live-contracts.ts';

type Case = {
  readonly work: string;
  readonly live: number;
  readonly files: number;
  /** Whether the bare loop reads the files too. */
  readonly readsFiles?: boolean;
  readonly rounds: number;
  readonly limit: { readonly time?: number; readonly peakMb?: number };
};

const cases: readonly Case[] = [
  {
    work: '1,000 files over 1,000, with js-yaml',
    live: 1000,
    files: 1000,
    readsFiles: true,
    rounds: 9,
    limit: { time: 2, peakMb: 140 },
  },
  {
    work: '2,000 files over 100,000',
    live: 100_000,
    files: 2000,
    rounds: 5,
    limit: { time: 1.85, peakMb: 400 },
  },
];

/** Prints what a plan takes, against what its pages, and its files, take at the least. */
export async function run(): Promise<readonly Limit[]> {
  const limits: Limit[] = [];
  const cli = builtCli();
  try {
    console.log(tableHead);
    for (const each of cases) limits.push(...(await printPlan(each, cli.path)));
  } finally {
    cli.remove();
  }
  const listing = await listingAgainstRoundTrips();
  const told = `${listing.value.toFixed(2)} (limit ${listing.limit})`;
  console.log(`\n${listing.figure}: ${told}`);
  return [...limits, listing];
}

async function printPlan(
  { work, live, files, readsFiles = false, rounds, limit }: Case,
  cli: string,
): Promise<readonly Limit[]> {
  const cache = mkdtempSync(join(tmpdir(), 'contract-sync-cache-'));
  const folder = makeContracts({ files, size: 'long', every: live / files });
  const server = await servePages(live);
  const contest = {
    program: [cli, 'plan', '--quiet', '--page-size', '1000'],
    against: [program('bare-loop.js'), ...(readsFiles ? ['contracts'] : [])],
    folder,
    environment: {
      CONTRACT_SYNC_URL: server.url,
      CONTRACT_SYNC_TOKEN: 'token',
      XDG_CACHE_HOME: cache,
    },
  };
  try {
    const comparison = await compare(contest, rounds);
    console.log(row(work, comparison, limit));
    const { time, peakMb } = limit;
    const memory = comparison.program.peakMb;
    return [
      ...(time === undefined ? [] : [{ figure: work, value: comparison.time, limit: time }]),
      ...(peakMb === undefined ? [] : [{ figure: `${work}, MB`, value: memory, limit: peakMb }]),
    ];
  } finally {
    server.close();
    for (const made of [folder, cache]) rmSync(made, { recursive: true });
  }
}

const listed = 20_000;
const latencyMs = 20;

async function listingAgainstRoundTrips(): Promise<Limit> {
  const server = await servePages(listed, latencyMs);
  const environment = { CONTRACT_SYNC_URL: server.url };
  const times: { readonly listing: number; readonly roundTrips: number }[] = [];
  try {
    for (let round = 0; round < 3; round += 1) {
      const root = join(import.meta.dirname, '../..');
      const { stdout } = await measure([program('listing.ts')], environment, root);
      times.push(JSON.parse(stdout));
    }
  } finally {
    server.close();
  }
  const listing = Math.min(...times.map((time) => time.listing));
  const roundTrips = Math.min(...times.map((time) => time.roundTrips));
  const figure = `Listing with ${latencyMs} ms added, against the round trips of its pages`;
  return { figure, value: listing / roundTrips, limit: 1.7 };
}
