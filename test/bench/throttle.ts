import { apply } from '../../src/apply/apply.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import { offlineEffects } from '../../src/core/effects.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { clientOf, connectTo, listAll, planFor, rules } from '../apply/world.ts';
import type { Limit as Promised } from './limit.ts';
import { atRandom, bucket, everyNth, type Limit, seconds, slidingSecond } from '../http/limits.ts';

const changes = 120;

/** How a gateway limits requests, and what it says of how long to wait. */
type Gateway = {
  readonly name: string;
  readonly limit: Limit;
  readonly asks: 'nothing' | 'zero' | 'whole seconds';
  /** Seconds that the limit itself takes for all changes, where it takes any. */
  readonly least?: number;
};

/** Prints what an apply of 120 changes comes to behind gateways that allow fewer requests. */
export async function run(): Promise<readonly Promised[]> {
  const limits: Promised[] = [];
  console.log(`${changes} changes at concurrency 8, in real time.\n`);
  console.log('| limit | Retry-After | applied | refused | time | least time | ratio |');
  console.log('|---|---|---|---|---|---|---|');
  for (const gateway of gateways()) {
    const { row, ratio } = await rowOf(gateway);
    console.log(row);
    const figure = `${gateway.name}, Retry-After ${gateway.asks}, against its least time`;
    if (ratio !== undefined) limits.push({ figure, value: ratio, limit: 1.3 });
  }
  return limits;
}

function gateways(): Gateway[] {
  const asks = ['nothing', 'whole seconds'] as const;
  return [
    { name: 'every 2nd', limit: everyNth(2), asks: 'zero' },
    { name: 'every 3rd', limit: everyNth(3), asks: 'zero' },
    { name: 'half at random', limit: atRandom(0.5, Math.random), asks: 'zero' },
    ...asks.flatMap((each): Gateway[] => [
      { name: '20/s, 20 at once', limit: bucket(20, 20), asks: each, least: 100 / 20 },
      { name: '20 in each second', limit: seconds(20), asks: each, least: 100 / 20 },
      { name: '20 in any second', limit: slidingSecond(20), asks: each, least: 100 / 20 },
    ]),
  ];
}

async function rowOf(gateway: Gateway): Promise<{ row: string; ratio: number | undefined }> {
  const { applied, refused, took } = await applyBehind(gateway);
  const { name, asks, least } = gateway;
  const ratio = least === undefined ? undefined : took / least;
  const against = ratio === undefined ? ' | ' : `${least?.toFixed(1)} s | ${ratio.toFixed(2)}`;
  const cells = [name, asks, applied, refused, `${took.toFixed(1)} s`, against];
  return { row: `| ${cells.join(' | ')} |`, ratio };
}

async function applyBehind({ limit, asks }: Gateway) {
  const seed = Array.from({ length: changes }, (_, number) => ({ name: `t${number}` }));
  const catalog = await startSandbox({ seed });
  const proxy = await startFaultyProxy(catalog.url);
  const connection = connectTo({ ...catalog, url: proxy.url }, { effects: {}, concurrency: 8 });
  const live = await listAll(connection);
  const wanted = live.map(({ id }) => [id, { description: 'New.' }]);
  const plan = await planFor(Object.fromEntries(wanted), connection);
  let refused = 0;
  proxy.behave(() => {
    const wait = limit(Date.now());
    if (wait === 0) return undefined;
    refused += 1;
    const seconds = asks === 'zero' ? 0 : Math.ceil(wait / 1000);
    const headers = asks === 'nothing' ? {} : { 'retry-after': String(seconds) };
    return { moment: 'before commit', how: 429, headers };
  });
  const start = Date.now();
  const { summary } = await apply({
    plan,
    ...clientOf(connection),
    rules,
    product: standard,
    concurrency: 8,
    effects: offlineEffects,
  });
  const took = (Date.now() - start) / 1000;
  proxy.close();
  await catalog.close();
  return { applied: summary.applied, refused, took };
}
