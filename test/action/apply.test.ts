import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { record } from '../support/recorder.ts';
import { makeFolder } from '../support/workspace.ts';
import { arrange, changeOf } from './catalog.ts';
import { describing, openPlanned, openWorld } from './review-world.ts';
import { annotationsIn, pushEvent, runAction, writeContract } from './run-action.ts';

const approving = { 'auto-approve': 'true' };

test('files that are not those of the review are not sent, and both are shown', async () => {
  const world = await openPlanned({ 7: 'carts' });
  world.merge(7);
  world.write(describing('carts', 'Never reviewed.'));
  const run = await world.apply();
  expect(run.outputs['failure-reason']).toBe('plan-changed');
  expect(run.summary).toContain('- description: "Old." → "By 7."');
  expect(run.summary).toContain('+ description: "Old." → "Never reviewed."');
  expect(await world.live()).toMatchObject({ carts: 'Old.' });
});

test('a cancelled run finishes the change in flight and lists what it did not send; a killed one leaves its outcomes', async () => {
  const { folder, catalog } = await arrange({
    orders: changeOf('orders'),
    carts: changeOf('carts'),
  });
  writeContract(folder, 'contract-sync.yaml', 'catalog: { concurrency: 1 }\n');
  let cancel: (() => void) | undefined;
  let isCancelled = false;
  const temporary = makeFolder();
  let left: string | undefined;
  const recorder = await record(catalog.url, (line) => {
    isCancelled ||= line.startsWith('PATCH');
    const outcomes = readdirSync(temporary).find((name) => name.endsWith('-outcomes.json'));
    if (isCancelled && outcomes) left ??= readFileSync(join(temporary, outcomes), 'utf8');
    // The runner sends each signal once; whatever stands between may pass it on once more.
    if (isCancelled) cancel?.();
  });
  const inputs = { command: 'apply', 'catalog-url': recorder.url, token: catalog.token };
  const environment = { RUNNER_TEMP: temporary };
  const world = { folder, inputs: { ...inputs, ...approving }, event: pushEvent, environment };
  const run = await runAction(world, (given) => {
    cancel = given;
  });
  expect(run.code).toBe(1);
  expect(JSON.parse(left ?? '')).toMatchObject({ partial: true, summary: { unverified: 2 } });
  expect(run.outputs).toMatchObject({ applied: '1', 'not-applied': '1' });
  expect(run.summary).toContain('## contract-sync: ❌ Applied 1 of 2 changes\n');
});

test('on a schedule the last merge is green after its apply, and red after an edit', async () => {
  const world = await openPlanned({ 7: 'orders' });
  world.merge(7);
  await world.apply();
  const look = async () =>
    world.run({ name: 'schedule' }, { inputs: { 'expect-hash': 'approved' } });
  expect((await look()).code).toBe(0);
  await world.edit('orders', { description: 'By hand.' });
  expect((await look()).outputs['failure-reason']).toBe('plan-changed');
});

test('a direct push is refused without auto-approve', async () => {
  const world = await openWorld();
  world.commit(describing('orders', 'Pushed.'));
  const run = await world.apply();
  expect(run).toMatchObject({ code: 1, waits: [1000, 2000, 4000] });
  expect(run.outputs['failure-reason']).toBe('plan-changed');
  expect(annotationsIn(run, 'error')[0]?.message).toContain('no merged pull request');
  expect(await world.live()).toMatchObject({ orders: 'Old.' });
  expect((await world.apply({ inputs: approving })).code).toBe(0);
  expect(await world.live()).toMatchObject({ orders: 'Pushed.' });
});
