import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openWorld } from './action/review-world.ts';
import { runAction } from './action/run-action.ts';
import { runCli } from './support/run-cli.ts';

const names = ['carts', 'customers', 'orders', 'refunds', 'vouchers'];

/** A repository without a contract, and somebody's own catalog with five. */
async function arrive() {
  const world = await openWorld({ names, runStep: runAction });
  const declared = names.map((name) => `contracts/${name}.yaml`);
  world.write(Object.fromEntries(['contract-sync.yaml', ...declared].map((file) => [file, null])));
  world.git('remote', 'add', 'origin', 'https://github.com/acme/contracts.git');
  const environment = {
    CONTRACT_SYNC_URL: world.catalog.url,
    CONTRACT_SYNC_TOKEN: world.catalog.token,
    HOME: world.folder,
  };
  const run = async (...args: readonly string[]) =>
    runCli(args, { folder: world.folder, environment });
  const commit = (message: string) => {
    world.git('add', '--all');
    world.git('commit', '--quiet', '--message', message);
  };
  return { ...world, run, commit };
}

/** Where `import` puts it. */
const fileOf = (name: string) => `contracts/sales/${name}.yaml`;

test('what the README leads through works in one go: import, a pull request, an edit by hand', async () => {
  const { run, commit, ...world } = await arrive();
  const textOf = (name: string) => readFileSync(join(world.folder, fileOf(name)), 'utf8');

  expect(await run('doctor')).toMatchObject({ code: 0 });
  expect((await run('import')).stdout).toContain('Imported: 5 contracts in 5 files.');
  expect((await run('init')).stdout).toContain('contract-sync-apply.yml');
  commit('Import the contracts');
  expect((await run('plan')).stdout).toContain('No changes. 5 unchanged.');

  const changed = textOf('orders').replace('Old.', 'One row for each order.');
  world.openPull(7, { [fileOf('orders')]: changed });
  expect(await world.plan(7)).toMatchObject({ code: 0, outputs: { updates: '1' } });
  expect(world.bodyOf(7)).toContain('One row for each order.');
  expect(await world.live()).toMatchObject({ orders: 'Old.' });
  world.merge(7);
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
  expect(await world.live()).toMatchObject({ orders: 'One row for each order.', carts: 'Old.' });

  await world.edit('refunds', { description: 'Edited by hand.' });
  const blamed = await run('plan', '--base', 'main');
  expect(blamed.stdout).toMatch(
    /shop\.sales\.refunds {2}last written by admin\n.* set by admin, .*\(not from a commit\)/u,
  );
  expect(await run('pull')).toMatchObject({ code: 0 });
  expect(textOf('refunds')).toContain('description: Edited by hand.');
  expect((await run('plan')).stdout).toContain('No changes. 5 unchanged.');
});
