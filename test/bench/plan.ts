import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure, program, servePages, type Usage } from './children.ts';
import { contractFile, type FileSize } from './live-contracts.ts';

const few = 10_000;
const many = 100_000;
const desired = 2000;
const latencyMs = 20;
/** What else the machine does only adds to a time: the fastest counts. Of memory, the most does. */
const rounds = 5;

/** Prints what a plan over a large catalog takes, against what its pages take at the least. */
export async function run(): Promise<void> {
  execFileSync(process.execPath, [join(root, '.ci', 'build.ts')], { stdio: 'inherit' });
  console.log('| files | live | plan | bare loop | time against it | memory | its own |');
  console.log('|---|---|---|---|---|---|---|');
  for (const size of ['short', 'long'] as const) {
    const small = await planAndBareLoop(few, size);
    const large = await planAndBareLoop(many, size);
    console.log(row(size, few, small));
    console.log(row(size, many, large));
    console.log(growth(size, small, large));
  }
  const { listing, roundTrips } = await listingAndRoundTrips();
  const ratio = (listing / roundTrips).toFixed(2);
  console.log(
    `\nListing with ${latencyMs} ms added, against the round trips of its pages (limit 1.15): ${ratio}`,
  );
}

function row(size: FileSize, live: number, { plan, bare }: Pair): string {
  const ratio = (plan.milliseconds / bare.milliseconds).toFixed(2);
  const cells = [
    size,
    live.toLocaleString('en'),
    `${seconds(plan)} s`,
    `${seconds(bare)} s`,
    live === many ? `${ratio} (limit 1.4)` : ratio,
    `${Math.round(plan.peakMb)} MB${live === many ? ' (limit 350)' : ''}`,
    `${Math.round(bare.peakMb)} MB`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function growth(size: FileSize, small: Pair, large: Pair): string {
  const ratio = (large.plan.peakMb / small.plan.peakMb).toFixed(2);
  return `| ${size} | ten times | | | | ${ratio} times (limit 1.6) | |`;
}

const root = join(import.meta.dirname, '..', '..');

type Pair = { readonly plan: Usage; readonly bare: Usage };

/** Of both in turns. */
async function planAndBareLoop(live: number, size: FileSize): Promise<Pair> {
  const folder = makeContracts(live / desired, size);
  const server = await servePages(live);
  const environment = { CONTRACT_SYNC_URL: server.url, CONTRACT_SYNC_TOKEN: 'token' };
  const cli = join(root, 'dist', 'cli.js');
  const plans: Usage[] = [];
  const bares: Usage[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      bares.push(await measure([program('bare-loop.js')], environment, folder));
      const args = [cli, 'plan', '--quiet', '--page-size', '1000'];
      plans.push(await measure(args, environment, folder));
    }
  } finally {
    server.close();
    rmSync(folder, { recursive: true });
  }
  return { plan: summarize(plans), bare: summarize(bares) };
}

/** A file for every so-manieth live contract; one in ten of them asks for a change. */
function makeContracts(every: number, size: FileSize): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  mkdirSync(join(folder, 'contracts'));
  for (let rank = 0; rank < desired; rank += 1) {
    const text = contractFile(rank * every, size, rank % 10 === 0);
    writeFileSync(join(folder, 'contracts', `${rank}.yaml`), text);
  }
  return folder;
}

function summarize(usages: readonly Usage[]): Usage {
  return {
    milliseconds: Math.min(...usages.map(({ milliseconds }) => milliseconds)),
    peakMb: Math.max(...usages.map(({ peakMb }) => peakMb)),
  };
}

type Late = { readonly listing: number; readonly roundTrips: number };

async function listingAndRoundTrips(): Promise<Late> {
  const server = await servePages(many, latencyMs);
  const environment = { CONTRACT_SYNC_URL: server.url };
  const times: Late[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
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

function seconds({ milliseconds }: Usage): string {
  return (milliseconds / 1000).toFixed(2);
}
