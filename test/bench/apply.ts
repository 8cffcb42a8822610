import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { apply } from '../../src/apply/apply.ts';
import { undelivered } from '../../src/apply/settle.ts';
import { guard } from '../../src/apply/guard.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import type { CatalogConnection } from '../../src/catalog/connection.ts';
import { programFetch, systemEffects } from '../../src/http/fetch.ts';
import { updates, type Plan } from '../../src/plan/plan.ts';
import { clientOf, connectTo, planFor, rules } from '../apply/world.ts';

const changes = 5000;
const concurrency = 16;
const rounds = 3;
/** Milliseconds that the catalog takes for an answer; 20 is a catalog in the same region. */
const latencies = [0, 20];
const token = 'bench-token';

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** Prints what an apply makes of the throughput of a bare loop that sends the same bodies. */
export async function run(): Promise<void> {
  console.log(
    `${changes} changes at concurrency ${concurrency}, fastest of ${rounds} rounds each.\n`,
  );
  console.log(
    '| latency | bare fetch loop | apply | ratio (limit 0.95 at 20 ms) |\n|---|---|---|---|',
  );
  for (const latency of latencies) {
    const { bare, applied } = await withCatalog(latency, compare);
    const ratio = (applied / bare).toFixed(2);
    console.log(`| ${latency} ms | ${perSecond(bare)} | ${perSecond(applied)} | ${ratio} |`);
  }
}

function perSecond(rate: number): string {
  return `${Math.round(rate)} / s`;
}

type Rates = { readonly bare: number; readonly applied: number };

/** They take turns, so that what else the machine does counts for neither. */
async function compare(connection: CatalogConnection): Promise<Rates> {
  let [bare, applied] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const forBare = await makePlan(`Bare ${round}.`, connection);
    bare = Math.max(bare, await rateOf(() => sendBare(forBare, connection)));
    const forApply = await makePlan(`Applied ${round}.`, connection);
    applied = Math.max(applied, await rateOf(() => sendApply(forApply, connection)));
  }
  return { bare, applied };
}

/** The description and one more column, as a pull request may have it. */
function makePlan(description: string, connection: CatalogConnection): Promise<Plan> {
  const schema = [
    { name: 'id', dataType: 'BIGINT' },
    { name: description, dataType: 'TEXT' },
  ];
  const wanted = Array.from({ length: changes }, (_, n) => [idOf(n), { description, schema }]);
  return planFor(Object.fromEntries(wanted), connection);
}

async function rateOf(send: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await send();
  return (changes * 1000) / (performance.now() - start);
}

async function sendBare(plan: Plan, { baseUrl }: CatalogConnection): Promise<void> {
  await pLimit(concurrency).map(updates(plan), async (change) => {
    const { patch, valueTests } = undelivered(change, standard, {});
    const response = await fetch(`${baseUrl.href}/v1/dataContracts/${change.id}`, {
      method: 'PATCH',
      body: JSON.stringify([...(guard(change, valueTests, standard) ?? []), ...patch]),
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json-patch+json',
      },
    });
    await response.text();
    if (!response.ok) throw new Error(`Status ${response.status}.`);
  });
}

async function sendApply(plan: Plan, connection: CatalogConnection): Promise<void> {
  const { summary } = await apply({
    plan,
    ...clientOf(connection),
    rules,
    dialect: 'auto',
    concurrency,
    signal: new AbortController().signal,
  });
  if (summary.applied !== changes) throw new Error(`Only ${summary.applied} were applied.`);
}

/** The catalog is a process of its own: it must not share our thread. */
async function withCatalog<T>(
  latency: number,
  use: (connection: CatalogConnection) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  const seed = Array.from({ length: changes }, (_, n) => ({ id: idOf(n), name: `t${n}` }));
  writeFileSync(join(folder, 'seed.json'), JSON.stringify(seed));
  writeFileSync(join(folder, 'token'), token, { mode: 0o600 });
  const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
  const flags = [
    '--port',
    '0',
    '--seed',
    'seed.json',
    '--token-file',
    'token',
    '--latency',
    `${latency}`,
  ];
  const server = spawn(process.execPath, [main, 'sandbox', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = await once(server.stdout, 'data');
    const [url = ''] = /http:\S+/u.exec(String(line)) ?? [];
    // As the command line sends.
    const effects = { ...systemEffects, fetch: programFetch({}) };
    return await use(connectTo({ url, token }, { pageSize: 1000, effects }));
  } finally {
    server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
