import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtCli } from './built-cli.ts';
import {
  compare,
  type Comparison,
  measure,
  program,
  row,
  servePages,
  tableHead,
} from './children.ts';
import { type FileSize, makeContracts } from './live-contracts.ts';

const many = 100_000;
const latencyMs = 20;
const rounds = 5;
/** Of plans that take less than a second. */
const manyRounds = 15;

/** Prints what a plan takes, against what its pages, and its files, take at the least. */
export async function run(): Promise<void> {
  const cli = builtCli();
  try {
    await printPlans(createPlan(cli.path));
  } finally {
    cli.remove();
  }
  const { listing, roundTrips } = await listingAndRoundTrips();
  const ratio = (listing / roundTrips).toFixed(2);
  console.log(
    `\nListing with ${latencyMs} ms added, against the round trips of its pages (limit 1.7): ${ratio}`,
  );
}

type ComparePlan = (sizes: Sizes) => Promise<Comparison>;

async function printPlans(plan: ComparePlan): Promise<void> {
  console.log(tableHead);
  const even = { live: 1000, files: 1000, size: 'long', readsFiles: true } as const;
  const limit = { time: 2.5, peakMb: 140 };
  console.log(row('1,000 long files over 1,000, with js-yaml', await plan(even), limit));
  console.log(row('again', await plan({ ...even, again: true }), limit));
  for (const size of ['short', 'long'] as const) {
    const fewer = await plan({ live: 10_000, files: 2000, size });
    console.log(row(`2,000 ${size} files over 10,000`, fewer, {}));
    const all = await plan({ live: many, files: 2000, size });
    console.log(row(`2,000 ${size} files over 100,000`, all, { time: 2.4, peakMb: 400 }));
  }
}

type Sizes = {
  readonly live: number;
  readonly files: number;
  readonly size: FileSize;
  /** Whether the bare loop reads the files too. */
  readonly readsFiles?: boolean;
  /** Whether earlier starts may have left something for the next. */
  readonly again?: boolean;
};

function createPlan(cli: string): ComparePlan {
  return async ({ live, files, size, readsFiles = false, again = false }) => {
    const cache = mkdtempSync(join(tmpdir(), 'contract-sync-cache-'));
    const folder = makeContracts({ files, size, every: live / files });
    const server = await servePages(live);
    const environment = {
      CONTRACT_SYNC_URL: server.url,
      CONTRACT_SYNC_TOKEN: 'token',
      ...(again && { XDG_CACHE_HOME: cache }),
    };
    const against = [program('bare-loop.js'), ...(readsFiles ? ['contracts'] : [])];
    const own = [cli, 'plan', '--quiet', '--page-size', '1000'];
    try {
      const contest = { program: own, against, folder, environment };
      return await compare(contest, live > 1000 ? rounds : manyRounds);
    } finally {
      server.close();
      for (const made of [folder, cache]) rmSync(made, { recursive: true });
    }
  };
}

type Late = { readonly listing: number; readonly roundTrips: number };

async function listingAndRoundTrips(): Promise<Late> {
  const server = await servePages(many, latencyMs);
  const environment = { CONTRACT_SYNC_URL: server.url };
  const times: Late[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      const root = join(import.meta.dirname, '..', '..');
      const { stdout } = await measure([program('listing.ts')], environment, root);
      const time: Late = JSON.parse(stdout);
      times.push(time);
    }
  } finally {
    server.close();
  }
  return {
    listing: Math.min(...times.map(({ listing }) => listing)),
    roundTrips: Math.min(...times.map(({ roundTrips }) => roundTrips)),
  };
}
