/** A merge that waits for its apply is no edit by hand in other pull requests. */

import { expect, test } from 'vitest';
import { describing, openWorld, type World } from './review-world.ts';

/** 41 is merged, and its run was dropped. */
async function pending(world: World) {
  await world.review(41, describing('orders', 'By 41.'));
  // It may not read the catalog's versions, which would tell who set a value.
  return { token: await world.catalog.issueToken({ subject: 'reader', permissions: ['list'] }) };
}

test('it is named in the plan of another pull request', async () => {
  const world = await openWorld();
  const inputs = await pending(world);
  world.openPull(42, describing('carts', 'By 42.'));
  expect(await world.plan(42, inputs)).toMatchObject({ code: 0, outputs: { updates: '1' } });
  const [, left = ''] = world.bodyOf(42).split('### Merged, not applied yet');
  expect(left).toContain('description: "Old." → "By 41."  waiting for #41');
  expect(world.bodyOf(42)).not.toMatch(/### (?:Drift|Unknown cause)/u);
});

test('nor is it a conflict where both change the same place', async () => {
  const world = await openWorld({ config: 'conflicts: block\n' });
  const inputs = await pending(world);
  world.openPull(42, describing('orders', 'By 42.'));
  expect(await world.plan(42, inputs)).toMatchObject({
    code: 0,
    outputs: { updates: '1', blocked: '0' },
  });
  expect(world.bodyOf(42)).not.toContain('which the file changes too');
});

test('the merges that wait are read once for both policies that judge a pull request', async () => {
  const world = await openWorld();
  const inputs = await pending(world);
  const { requests } = world.github;
  const queriesOf = async (number: number, config = {}) => {
    world.openPull(number, { ...describing('carts', `By ${number}.`), ...config });
    const before = requests.length;
    await world.plan(number, inputs);
    return requests.slice(before).filter((line) => line === 'POST /graphql').length;
  };
  const byOne = await queriesOf(42);
  const byBoth = await queriesOf(43, { 'contract-sync.yaml': 'protected: [shop.sales.refunds]\n' });
  expect(world.bodyOf(43)).toContain('by the changed one it is the same');
  expect(byBoth).toBe(byOne);
});

test('the drift issue names it too, and a plan goes on where GitHub does not answer', async () => {
  let isDown = false;
  const refuse = (line: string) =>
    isDown && line.endsWith('/graphql') ? ({ status: 401 } as const) : undefined;
  const world = await openWorld({ github: { refuse } });
  const inputs = { ...(await pending(world)), 'drift-issue': 'true' };
  await world.run({ name: 'schedule' }, { inputs });
  const [issue] = world.github.issues;
  expect(issue?.title).toBe('1 contract not applied yet in the catalog');
  expect(issue?.body).toContain('waiting for #41');
  isDown = true;
  const run = await world.run({ name: 'schedule' }, { inputs: { token: inputs.token } });
  expect(run.code).toBe(0);
});

/** 41 is applied, its comment can't say so, and somebody sets the old value back. */
async function lost() {
  let isDown = false;
  const refuse = (line: string) =>
    isDown && line.startsWith('PATCH') ? ({ status: 403 } as const) : undefined;
  const world = await openWorld({ github: { refuse } });
  await world.review(41, describing('orders', 'By 41.'));
  isDown = true;
  await world.apply();
  isDown = false;
  expect(await world.live()).toMatchObject({ orders: 'By 41.' });
  await world.edit('orders', { description: 'Old.' });
  return world;
}

test('an approval counts once: an apply does not make a change again that was set back', async () => {
  const world = await lost();
  await world.review(42, describing('carts', 'By 42.'));
  const run = await world.apply();
  expect(await world.live()).toMatchObject({ carts: 'By 42.', orders: 'Old.' });
  expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'plan-changed' } });
  expect(run.stdout).toContain('shop.sales.orders changed after the review.');
  expect(await world.paste(world.shownOf(42))).toMatchObject({ code: 0 });
  expect(await world.live()).toMatchObject({ orders: 'By 41.' });
});
