/** A pull request that changes the policy together with what the policy decides. */

import { describe, expect, test } from 'vitest';
import { serve } from '../sandbox/openmetadata/served.ts';
import { describing, docsOnly, openWorld } from './review-world.ts';

const [orders, carts] = [describing('orders', 'By 7.'), describing('carts', 'By 7.')];
const allThree = { ...orders, ...carts, ...describing('refunds', 'By 7.') };
const devOrders = {
  'contracts/orders.yaml': 'fullyQualifiedName: dev.sales.orders\ndescription: By 7.\n',
};

describe('where the apply would plan something else, the comment says so, and the apply does nothing', () => {
  test.for([
    ['ignore: [/description]', orders, '1 to update', 'no changes.'],
    [
      'protected: [shop.sales.orders]',
      { ...orders, ...carts },
      '2 to update',
      '1 to update, 1 blocked, and',
    ],
    ['names: [{ from: dev, to: shop }]', devOrders, 'no changes, 1 missing', '1 to update.'],
    ['limits: { updates: 3 }', allThree, '3 to update', '3 to update.'],
  ] as const)('%s', async ([setting, files, byBase, byHead]) => {
    const world = await openWorld({ config: 'limits: { updates: 2, from: 2 }\n' });
    world.openPull(7, { 'contract-sync.yaml': `${setting}\n`, ...files });
    const plan = await world.plan(7);
    expect(plan).toMatchObject({ code: 1, outputs: { 'failure-reason': 'unsafe-plan' } });
    const said = world.bodyOf(7);
    expect(said).toContain(
      `## contract-sync: ${byBase}\n\n> [!CAUTION]\n> If you merge this, nothing is`,
    );
    expect(said).toContain(`which the apply goes by, it is another&#58; ${byHead}`);
    expect(said).toContain('Make two pull requests of this one');
    world.merge(7);
    await world.apply();
    expect(await world.live()).toEqual({ carts: 'Old.', orders: 'Old.', refunds: 'Old.' });
  });
});

test('where the apply plans the same, it applies what the comment shows', async () => {
  const world = await openWorld();
  world.openPull(7, { 'contract-sync.yaml': 'protected: [shop.sales.refunds]\n', ...orders });
  expect(await world.plan(7)).toMatchObject({ code: 0, outputs: { updates: '1' } });
  expect(world.bodyOf(7)).toContain('by the changed one it is the same');
  world.merge(7);
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
});

test('the first pull request of a repository is judged by the policy that it brings', async () => {
  const world = await openWorld({ names: [] });
  world.write({ 'contract-sync.yaml': null, ...docsOnly });
  world.git('commit', '--quiet', '-m', 'Nothing yet');
  const { url, tokenOf } = await serve();
  const inputs = { 'catalog-url': url, token: await tokenOf('admin') };
  world.openPull(7, {
    'contract-sync.yaml':
      'catalog: { dialect: openmetadata }\ncreate: true\nlimits: { updates: 10 }\nscope: ["shop.**"]\n',
    'contracts/orders.yaml':
      'name: orders\nentity: { type: table, fullyQualifiedName: shop.sales.web.orders }\nentityStatus: Draft\n',
  });
  const strict = await world.plan(7, { ...inputs, policy: 'base' });
  expect(strict).toMatchObject({ code: 1, outputs: { missing: '1' } });
  expect(world.bodyOf(7)).toMatch(/it is another\S+ 1 to create, .* merge the policy first/u);
  expect(await world.plan(7, inputs)).toMatchObject({ code: 0, outputs: { missing: '0' } });
  expect(world.bodyOf(7)).toMatch(
    /`create` false → true.* It judges this plan, since the base has/u,
  );
  world.merge(7);
  expect(await world.apply({ inputs })).toMatchObject({ code: 0, outputs: { applied: '1' } });
});

test('but not one that brings a configuration to contracts', async () => {
  const world = await openWorld();
  world.write({ 'contract-sync.yaml': null });
  world.git('commit', '--quiet', '-m', 'Defaults');
  world.openPull(7, { 'contract-sync.yaml': 'ignore: [/description]\n', ...orders });
  expect(await world.plan(7)).toMatchObject({ code: 1, outputs: { updates: '1' } });
});
