import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sealPlan } from '../../src/plan/seal.ts';
import { makeFolder } from '../support/workspace.ts';
import { describing, openWorld } from './review-world.ts';
import { annotationsIn, pushEvent } from './run-action.ts';

const saved = () => join(makeFolder(), 'plan.json');
const approving = { 'auto-approve': 'true' };

test('an apply sends what both the comments and the saved plan have', async () => {
  const world = await openWorld();
  const file = saved();
  world.openPull(7, describing('orders', 'By 7.'));
  world.openPull(8, describing('carts', 'By 8.'));
  expect((await world.plan(7, { 'plan-file': file })).code).toBe(0);
  expect((await world.plan(8)).code).toBe(0);
  const text = readFileSync(file, 'utf8');
  world.merge(7, 8);
  const run = await world.apply({ inputs: { 'plan-file': file } });
  expect(run.outputs).toMatchObject({ applied: '1', 'failure-reason': 'plan-changed' });
  expect(annotationsIn(run, 'error')[0]?.message).toContain('shop.sales.carts');
  expect(await world.live()).toMatchObject({ orders: 'By 7.', carts: 'Old.' });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a saved plan alone approves nothing', async () => {
  const world = await openWorld();
  const file = saved();
  world.commit(describing('carts', 'Pushed.'));
  expect((await world.run(pushEvent, { inputs: { 'plan-file': file } })).code).toBe(0);
  const run = await world.apply({ inputs: { 'plan-file': file } });
  expect(run.outputs).toMatchObject({ applied: '0', 'failure-reason': 'plan-changed' });
  expect(await world.live()).toMatchObject({ carts: 'Old.' });
});

test('with auto-approve, an apply sends the saved plan alone', async () => {
  const world = await openWorld();
  const file = saved();
  world.commit(describing('carts', 'Pushed.'));
  expect((await world.run(pushEvent, { inputs: { 'plan-file': file } })).code).toBe(0);
  world.write(describing('orders', 'Later.'));
  const run = await world.apply({ inputs: { ...approving, 'plan-file': file } });
  expect(run.outputs).toMatchObject({ applied: '1', 'failure-reason': 'plan-changed' });
  expect(run.stdout).toContain('No review approves these changes: shop.sales.orders.');
  expect(await world.live()).toMatchObject({ carts: 'Pushed.', orders: 'Old.' });
  const narrower = { ...approving, 'plan-file': file, paths: 'contracts/orders.yaml' };
  const again = await world.apply({ inputs: narrower });
  expect(again.outputs['failure-reason']).toBe('plan-changed');
  expect(again.stdout).toContain("can't be found now: shop.sales.carts.");
});

test.for([
  { edit: { errored: true }, code: 'plan-edited' },
  { edit: { rollback: { to: '0.1', contracts: [] } }, code: 'not-a-plan' },
  { edit: { contracts: [{}] }, code: 'not-a-plan' },
])('a saved plan with $edit is refused: $code', async ({ edit, code }) => {
  const world = await openWorld();
  const file = saved();
  world.write(describing('carts', 'Pushed.'));
  expect((await world.run(pushEvent, { inputs: { 'plan-file': file } })).code).toBe(0);
  const { checksum: _, ...plan } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify(sealPlan({ ...plan, ...edit })));
  const run = await world.apply({ inputs: { ...approving, 'plan-file': file } });
  expect(run.outputs['failure-reason']).toBe('plan-changed');
  expect(annotationsIn(run, 'error')[0]?.properties).toMatchObject({ title: code });
  expect(await world.live()).toMatchObject({ carts: 'Old.' });
});
