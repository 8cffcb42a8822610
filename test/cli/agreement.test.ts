/** On the command line no reviews can be asked for: what waits for readers is held. */

import { expect, test } from 'vitest';
import {
  asset,
  contractName,
  fileWith,
  seed,
  table,
  withoutAmount,
} from '../openmetadata/lineage.ts';
import { runInProcess } from '../support/run-program.ts';
import { serve } from '../sandbox/openmetadata/served.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const proven: NonNullable<typeof seed.lineage> = [
  { from: asset, to: 'lin.shop.sales.orders_monthly', columns: { amount: ['amount'] } },
];

async function open(file: string, lineage = proven, more: typeof seed = {}) {
  const catalog = await serve({ seed: { ...seed, lineage, ...more } });
  const folder = makeFolder({
    'contract-sync.yaml': `catalog: { dialect: openmetadata }\ncompatibility: { approved: warn }\nreviews: { breaking: readers, fallback: platform }\n`,
    'contracts/orders.yaml': file,
    'contracts/monthly.yaml':
      'fullyQualifiedName: lin.shop.sales.orders_monthly.dataContract_monthly\ndescription: "By month."\n',
  });
  const run = async (...args: readonly string[]) =>
    runInProcess(args, { folder, environment: accessTo(catalog) });
  const columns = async () => {
    const { body } = await catalog.ask('GET', `/dataContracts/name/${contractName}`);
    return body.schema.map(({ name }: { readonly name: string }) => name);
  };
  return { run, columns };
}

const kept = ['order_id', 'amount', 'note'];

test('what a proven reader loses is held, and the others land', async () => {
  const { run, columns } = await open(withoutAmount);
  const planned = await run('plan');
  expect(planned.code).toBe(1);
  expect(planned.stdout).toContain('Held for finance (orders_monthly.amount).');
  expect(planned.stdout).toContain('Plan: 2 to update, 1 held, 1 breaking, 0 unchanged');
  const plan = JSON.parse((await run('plan', '--format', 'json')).stdout);
  expectValid('plan', plan);

  const { code, stdout } = await run('apply', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain('Held for finance (orders_monthly.amount): not agreed yet.');
  expect(stdout).toContain('The Action counts their approving reviews of the pull request.');
  expect(await columns()).toEqual(kept);
  expect((await run('plan', 'contracts/monthly.yaml')).stdout).toContain('No changes.');
});

test.for<[string, typeof proven]>([
  [
    'reads the asset, by columns that are unknown',
    [{ from: asset, to: 'lin.shop.sales.orders_monthly' }],
  ],
  [
    'reads other columns',
    [{ from: asset, to: 'lin.shop.sales.orders_monthly', columns: { amount: ['note'] } }],
  ],
  [
    'has no contract',
    [{ from: asset, to: 'lin.shop.sales.orders_daily', columns: { amount: ['amount'] } }],
  ],
])('a reader that %s holds nothing', async ([, lineage]) => {
  const { run, columns } = await open(withoutAmount, lineage);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(await columns()).toEqual(['order_id', 'note']);
});

test('a retirement waits for every reader of the asset', async () => {
  const retired = `fullyQualifiedName: ${contractName}\nentityStatus: Deprecated\n`;
  const { run } = await open(retired, [{ from: asset, to: 'lin.shop.sales.orders_monthly' }]);
  expect((await run('plan')).stdout).toContain('Held for finance (orders_monthly).');
});

test('the reason of a rollback does not stand in for a reader', async () => {
  const { run, columns } = await open(fileWith(...kept), proven, {
    assets: [...(seed.assets ?? []), table('orders')],
    contracts: (seed.contracts ?? []).map((each) =>
      each['name'] === 'orders' ? { ...each, schema: [{ name: 'note', dataType: 'INT' }] } : each,
    ),
  });
  expect((await run('apply', '--yes')).code).toBe(0);
  const reason = ['--reason', 'A mistake, DATA-9'];
  const undone = await run('rollback', contractName, '--to', '0.1', '--yes', ...reason);
  expect(undone.stdout).toContain('Held for finance (orders_monthly.amount): not agreed yet.');
  expect(undone.code).toBe(1);
  expect(await columns()).toEqual(kept);
});

test.for([
  ['reviews: { breaking: [readers, platform] }', '`readers` stands alone in `reviews.breaking`.'],
  [
    'reviews: { notice: 30d }',
    '`reviews.notice` does nothing without `reviews.breaking: readers`.',
  ],
  ['reviews: { notice: soon, breaking: readers }', 'a span such as 12h, 30d or 4w'],
] as const)('%s is refused', async ([config, says]) => {
  const folder = makeFolder({ 'contract-sync.yaml': config, 'contracts/a.yaml': 'name: a\n' });
  const { code, stdout, stderr } = await runInProcess(['validate'], { folder, environment: {} });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain(says);
});
