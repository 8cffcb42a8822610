import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const seed = ['orders', 'carts', 'refunds'].map((name) => ({
  name,
  fullyQualifiedName: `shop.sales.${name}`,
  description: 'Old.',
  entityStatus: name === 'refunds' ? 'Active' : 'Deprecated',
  version: 0.1,
}));

const files = {
  'team/contract-sync.yaml': 'limits: { updates: 5 }\n',
  'team/contracts/orders.yaml': 'fullyQualifiedName: shop.sales.orders\nentityStatus: Draft\n',
  'team/contracts/carts.yaml': 'fullyQualifiedName: shop.sales.carts\nentityStatus: Active\n',
  'team/contracts/typo.yaml': 'fullyQualifiedName: shop.sales.wombats\ndescription: New.\n',
};

test.each(['github', 'sarif'])(
  'plan --format %s says what blocks and what warns, at its line in the repository',
  async (format) => {
    const catalog = await serveCatalog({ seed });
    const folder = makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
    const world = { folder: join(folder, 'team'), environment: accessTo(catalog) };
    const { code, stdout } = await runInProcess(['plan', '--format', format], world);
    expect(code).toBe(1);
    expectGolden(join(import.meta.dirname, 'golden', `plan-${format}.txt`), stdout);
  },
);

test.each(['github', 'sarif'])('plan --format %s names why there is no plan', async (format) => {
  const folder = makeFolder({ 'contracts/orders.yaml': 'descripton: New.\n' });
  const environment = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api', CONTRACT_SYNC_TOKEN: 'x' };
  const { code, stdout } = await runInProcess(['plan', '--format', format], {
    folder,
    environment,
  });
  expect(code).toBe(1);
  expect(stdout).toContain('unknown-key');
  expect(stdout).toContain('contracts/orders.yaml');
});
