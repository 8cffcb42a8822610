/** Who reads a contract's data: by a command of its own, and beside a plan and its apply. */

import { expect, test } from 'vitest';
import { asset, contractName, seed, withoutAmount } from '../openmetadata/lineage.ts';
import { runInProcess } from '../support/run-program.ts';
import { serve } from '../sandbox/openmetadata/served.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

async function openCatalog(config = '', downstream = 'report') {
  const catalog = await serve({ seed });
  const folder = makeFolder({
    'contract-sync.yaml': `catalog: { dialect: openmetadata }\ncompatibility: { approved: warn, downstream: ${downstream} }\n${config}`,
    'contracts/orders.yaml': withoutAmount,
  });
  const run = async (...args: readonly string[]) =>
    runInProcess(args, { folder, environment: accessTo(catalog) });
  return { catalog, folder, run };
}

test('a contract is named by its qualified name, by its asset or by its file', async () => {
  const { run } = await openCatalog();
  for (const name of [contractName, asset, 'contracts/orders.yaml']) {
    const { code, stdout, stderr } = await run('downstream', name);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toBe(`lin.shop.sales.orders.dataContract_orders  contracts/orders.yaml

orders_daily (finance)                       1 step
orders_monthly (finance, contract Approved)  2 steps
dashboard Revenue (finance)                  3 steps
`);
  }
});

const ids = ({ downstream }: { downstream: { assets: { id: string }[] } }) =>
  downstream.assets.map(({ id }) => id);

test('as JSON, downstream prints the readers that a plan lists', async () => {
  const { run } = await openCatalog();
  const [alone, planned] = [
    await run('downstream', asset, '--format', 'json'),
    await run('plan', '--format', 'json'),
  ];
  const told = JSON.parse(alone.stdout);
  expect(told).toMatchObject({ formatVersion: '1.0', contract: contractName, diagnostics: [] });
  const plan = JSON.parse(planned.stdout);
  expectValid('plan', plan);
  expect(ids(plan.contracts.find((each: object) => 'downstream' in each))).toEqual(ids(told));
});

test('an asset without readers or without a contract gets a sentence of its own', async () => {
  const { run } = await openCatalog();
  const last = await run('downstream', 'lin.shop.sales.orders_monthly', '--format', 'markdown');
  expect(last.stdout).toContain('dashboard Revenue');
  expect(await run('downstream', 'lin.shop.sales.orders_monthly')).toMatchObject({
    stdout: `lin.shop.sales.orders_monthly.dataContract_monthly

dashboard Revenue (finance)  1 step
`,
  });
  const none = await run('downstream', 'lin.shop.sales.nothing');
  expect(none).toMatchObject({ code: 1 });
  expect(none.stderr).toContain('[no-such-contract]');
  const failed = await run('downstream', 'nothing', '--format', 'json');
  expect(JSON.parse(failed.stdout)).toMatchObject({ failure: 'config' });
});

test('downstream reports that a catalog has no lineage, and a plan only under a policy', async () => {
  const live = { name: 'orders', fullyQualifiedName: asset, entityStatus: 'Active' };
  const schema = ['order_id', 'amount', 'note'].map((name) => ({ name, dataType: 'INT' }));
  const catalog = await serveCatalog({ seed: [{ ...live, schema }] });
  const text = withoutAmount.replace(contractName, asset);
  const files = (policy: string) => ({
    'contract-sync.yaml': `catalog: { dialect: standard }\ncompatibility: { active: warn, downstream: ${policy} }\n`,
    'contracts/orders.yaml': text,
  });
  const run = async (policy: string, ...args: readonly string[]) =>
    runInProcess(args, { folder: makeFolder(files(policy)), environment: accessTo(catalog) });
  expect(await run('report', 'downstream', asset)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('downstream unknown: this kind of catalog has no lineage'),
  });
  expect((await run('report', 'plan')).stdout).not.toContain('downstream unknown');
  const strict = await run('block', 'plan');
  expect(strict).toMatchObject({ code: 0 });
  expect(strict.stdout).toContain('so `compatibility.downstream: block` does nothing here');
});

test('`compatibility.downstream: off` reads no lineage', async () => {
  const off = await openCatalog('', 'off');
  const { stdout, stderr } = await off.run('plan', '--verbose');
  expect(stdout).not.toContain('read by');
  expect(stderr).not.toContain('/lineage/');
  const { run } = await openCatalog();
  expect((await run('plan', '--verbose')).stderr).toContain('/lineage/');
});
