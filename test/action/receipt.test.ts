import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/root.ts';
import { expectValid } from '../support/schema.ts';
import { describing, openWorld } from './review-world.ts';
import type { ActionRun } from './run-action.ts';

const written = (run: ActionRun, output: string) =>
  JSON.parse(readFileSync(run.outputs[output] ?? '', 'utf8'));

test('an apply leaves its outcomes, and a receipt of who reviewed each change and how it ended', async () => {
  const world = await openWorld();
  world.openPull(7, describing('orders', 'By 7.'));
  world.openPull(8, describing('carts', 'By 8.'));
  const planned = await world.plan(7);
  const [first] = written(planned, 'plan-file').contracts;
  const [second] = written(await world.plan(8), 'plan-file').contracts;
  world.merge(7);
  world.merge(8);
  const run = await world.apply({ id: 900 });
  expect(run).toMatchObject({ code: 0, outputs: { applied: '2' } });

  const outcomes = written(run, 'outcomes-file');
  expectValid('outcomes', outcomes);
  const receipt = written(run, 'receipt-file');
  expectValid('receipt', receipt);
  const versions = { versionBefore: '0.1', versionAfter: '0.2' };
  expect(receipt).toEqual({
    formatVersion: '1.0',
    run: expect.stringMatching(/\/actions\/runs\/900$/u),
    commit: world.git('rev-parse', 'HEAD'),
    catalogUrl: world.catalog.url,
    planHash: outcomes.planHash,
    changes: [
      {
        result: 'applied',
        id: second.id,
        fullyQualifiedName: 'shop.sales.carts',
        fingerprint: second.fingerprint,
        pullRequest: 8,
        ...versions,
      },
      {
        result: 'applied',
        id: first.id,
        fullyQualifiedName: 'shop.sales.orders',
        fingerprint: first.fingerprint,
        pullRequest: 7,
        ...versions,
      },
    ],
  });
  expect(JSON.stringify(receipt)).not.toMatch(/By [78]|Old/u);
  expect(outcomes.outcomes).toMatchObject([{ changed: { after: { description: 'By 8.' } } }, {}]);

  const again = await world.apply();
  expect(again).toMatchObject({ code: 0, outputs: { applied: '0' } });
  expect(again.outputs).toHaveProperty('outcomes-file');
  expect(again.outputs).not.toHaveProperty('receipt-file');
});

test('the receipt lists an unreviewed change as not sent, without a pull request', async () => {
  const world = await openWorld();
  world.openPull(7, describing('orders', 'By 7.'));
  await world.plan(7);
  world.merge(7);
  world.write(describing('carts', 'Pushed.'));
  world.git('commit', '--quiet', '--message', 'Pushed');
  const run = await world.apply();
  expect(run.outputs).toMatchObject({ applied: '1', 'not-applied': '1' });
  expect(written(run, 'receipt-file').changes).toMatchObject([
    { result: 'not-reviewed', fullyQualifiedName: 'shop.sales.carts' },
    { result: 'applied', fullyQualifiedName: 'shop.sales.orders', pullRequest: 7 },
  ]);
  expect(written(run, 'receipt-file').changes[0]).not.toHaveProperty('pullRequest');
});

test('a plan counts edits of the catalog and merged changes that wait for their apply', async () => {
  const world = await openWorld();
  world.openPull(7, describing('orders', 'By 7.'));
  expect((await world.plan(7)).outputs).toMatchObject({ drifted: '0', 'not-applied': '0' });
  world.merge(7);
  await world.edit('carts', { description: 'By hand.' });
  const run = await world.run({ name: 'schedule' }, { inputs: { 'drift-issue': 'true' } });
  expect(run.outputs).toMatchObject({ drifted: '1', 'not-applied': '1' });
});

test('a receipt has the agreements of the plan', () => {
  const [receipt, plan] = ['receipt', 'plan'].map((name) =>
    JSON.parse(readFileSync(join(root, 'schemas', `${name}.schema.json`), 'utf8')),
  );
  expect(receipt.$defs.agreement).toEqual(plan.$defs.agreement);
});
