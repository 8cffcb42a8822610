import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { makeContract, serve } from '../sandbox/openmetadata/served.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

test('of two applies at once, one lands and the other reports a stale plan', async () => {
  const served = await serve({ now: Date.now });
  const contract = await makeContract(served, { description: 'Old.' });
  const wanted = ['One.', 'Two.'];
  const worlds = wanted.map((description) => ({
    environment: accessTo(served),
    folder: makeFolder({
      'contracts/orders.yaml': `name: orders\nentity: { fullyQualifiedName: shop.sales.web.orders }\ndescription: ${description}\n`,
    }),
  }));
  const plan = ['plan', '--out', 'plan.json', '--quiet'];
  const planned = await Promise.all(worlds.map((world) => runCli(plan, world)));
  expect(planned.map(({ code }) => code)).toEqual([0, 0]);
  const apply = ['apply', '--plan', 'plan.json', '--yes', '--format', 'json'];
  const applied = await Promise.all(worlds.map((world) => runCli(apply, world)));
  const results = applied.map(({ stdout }): string => JSON.parse(stdout).outcomes[0].result);
  // Late is who plans anew after the other has landed, or just before.
  expect(results.toSorted()).toEqual([
    'applied',
    expect.stringMatching(/^(?:stale|not-reviewed)$/u),
  ]);
  expect(applied.map(({ code }) => code)).toEqual(
    results.map((each) => Number(each !== 'applied')),
  );
  const winner = wanted[results.indexOf('applied')];
  expect(await contract.read()).toMatchObject({ description: winner, version: 0.2 });
});
