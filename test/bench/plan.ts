import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measure, program, servePages, type Usage } from './children.ts';
import { contractFile } from './live-contracts.ts';

const few = 10_000;
const many = 100_000;
const desired = 2000;
const latencyMs = 20;
/** What else the machine does only adds to a time: the fastest counts. Of memory, the most does. */
const rounds = 5;

/** Prints what a plan over a large catalog takes, against what its pages take at the least. */
export async function run(): Promise<void> {
  execFileSync(process.execPath, [join(root, '.ci', 'build.ts')], { stdio: 'inherit' });
  const small = await planAndBareLoop(few);
  const large = await planAndBareLoop(many);
  const late = await listingAndRoundTrips();
  const lines = [
    line(`peak memory, ${many} live (limit 350 MB)`, `${Math.round(large.plan.peakMb)} MB`),
    line(`against ${few} live (limit 1.6)`, ratio(large.plan.peakMb, small.plan.peakMb)),
    line('of the bare loop, for comparison', `${Math.round(large.bare.peakMb)} MB`),
    line(
      `time of the plan, ${many} live, against a bare loop of fetch and JSON.parse (limit 1.4)`,
      ratio(large.plan.milliseconds, large.bare.milliseconds),
    ),
    line('in seconds', `${seconds(large.plan)} and ${seconds(large.bare)}`),
    line(
      `listing with ${latencyMs} ms added, against the round trips of its pages (limit 1.15)`,
      ratio(late.listing, late.roundTrips),
    ),
  ];
  console.log(lines.join('\n'));
}

const root = join(import.meta.dirname, '..', '..');

type Pair = { readonly plan: Usage; readonly bare: Usage };

/** Of both in turns. */
async function planAndBareLoop(live: number): Promise<Pair> {
  const folder = makeContracts(live / desired);
  const server = await servePages(live);
  const environment = { CONTRACT_SYNC_URL: server.url, CONTRACT_SYNC_TOKEN: 'token' };
  const cli = join(root, 'dist', 'cli.js');
  const plans: Usage[] = [];
  const bares: Usage[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      bares.push(await measure([program('bare-loop.ts')], environment, folder));
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
function makeContracts(every: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  mkdirSync(join(folder, 'contracts'));
  for (let rank = 0; rank < desired; rank += 1) {
    const text = contractFile(rank * every, rank % 10 === 0);
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

function line(what: string, value: string): string {
  return `- ${what}: ${value}`;
}

function ratio(ours: number, theirs: number): string {
  return (ours / theirs).toFixed(2);
}

function seconds({ milliseconds }: Usage): string {
  return (milliseconds / 1000).toFixed(2);
}
