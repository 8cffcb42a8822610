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

type Policy = { readonly allow?: string; readonly levels?: string; readonly breaking?: string };

async function open(
  file: string,
  lineage = proven,
  more: typeof seed = {},
  {
    allow = '',
    levels = 'compatibility: { approved: warn }\n',
    breaking = 'readers, fallback: platform',
  }: Policy = {},
) {
  const catalog = await serve({ seed: { ...seed, lineage, ...more } });
  const folder = makeFolder({
    'contract-sync.yaml': `catalog: { dialect: openmetadata }\n${levels}reviews: { breaking: ${breaking} }\n${allow}`,
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

test('a change that takes a column from a proven reader is held, and the others land', async () => {
  const { run, columns } = await open(withoutAmount);
  const planned = await run('plan');
  expect(planned.code).toBe(1);
  expect(planned.stdout).toContain('Held for finance (orders_monthly.amount).');
  expect(planned.stdout).toContain('Plan: 2 to update, 1 held, 1 breaking, 0 unchanged');
  const plan = JSON.parse((await run('plan', '--format', 'json')).stdout);
  expectValid('plan', plan);

  const { code, stdout } = await run('apply', '--yes');
  expect(code).toBe(1);
  expect(stdout).toContain(
    `! ${contractName}  held\n    Held for finance (orders_monthly.amount): not asked yet.\n`,
  );
  expect(stdout).toContain('Apply: 1 applied, 1 held.');
  expect(await columns()).toEqual(kept);
  expect((await run('plan', 'contracts/monthly.yaml')).stdout).toContain('No changes.');
  const outcomes = JSON.parse((await run('apply', '--yes', '--format', 'json')).stdout);
  expectValid('outcomes', outcomes);
  expect(outcomes).toMatchObject({
    failure: 'review',
    summary: { applied: 0, held: 1, skipped: 0 },
    outcomes: [{ result: 'held', error: { code: 'agreement-missing' } }],
  });
});

test('a held plan says what lifts it, and the entries of `allow` that do', async () => {
  const { run } = await open(withoutAmount);
  const { stdout } = await run('plan');
  const [, ways = ''] = /not asked yet\n\n(.*)\n\nPlan:/su.exec(stdout) ?? [];
  expect(ways).toMatchInlineSnapshot(`
    "Have the team platform approve the pull request: an apply of the Action counts that, the command line doesn't. Or name it in \`allow\` with a place, a reason and \`until\`.

    To apply it without the agreement of its readers, add to contract-sync.yaml with a reason and a last day:

    allow:
      - { contract: lin.shop.sales.orders.dataContract_orders, rule: column-removed, place: schema.amount, reason: "…", until: YYYY-MM-DD }"
  `);
  const [, entry = ''] = /^ +- (\{.*)$/mu.exec(ways) ?? [];
  const allow = `allow: [${entry.replace('…', 'DATA-812, by finance').replace('YYYY-MM-DD', '2099-01-31')}]\n`;
  const lifted = await open(withoutAmount, proven, {}, { allow });
  const { code, stdout: says } = await lifted.run('apply', '--yes');
  expect(code).toBe(0);
  expect(says).toContain("allowed without its readers' agreement until 2099-01-31");
});

const entry = (more: string) =>
  `allow:\n  - { contract: "lin.**", rule: column-removed, ${more}reason: "agreed, DATA-8" }\n`;

test.for([
  ['place: schema.amount, ', 'it has no `until`.', 'Add `until`, its last day.'],
  ['until: 2099-01-31, ', 'it has no `place`.', 'Add `place: schema.amount`.'],
  [
    '',
    'it has no `place` and no `until`.',
    'Add `place: schema.amount` and `until`, its last day.',
  ],
  ['place: schema.amount, until: 2020-01-31, ', 'it ended on 2020-01-31.', 'Set a later `until`.'],
] as const)(
  'an exception with %j says why it lifts no agreement: %s',
  async ([more, why, hint]) => {
    const { run } = await open(withoutAmount, proven, {}, { allow: entry(more) });
    const { code, stdout } = await run('plan');
    expect(code).toBe(1);
    expect(stdout).toContain(
      `contract-sync.yaml:5:5: warning: The exception for column-removed (agreed, DATA-8) doesn't lift the agreement of those who read schema.amount: ${why} [agreement-missing]`,
    );
    expect(stdout).toContain(hint);
  },
);

test('an owner without a handle or a fallback is named, with the settings that give one', async () => {
  const { run } = await open(withoutAmount, proven, {}, { breaking: 'readers' });
  const { stdout } = await run('plan');
  expect(stdout).toContain('nobody, since finance has no handle  no owner has a handle');
  expect(stdout).toContain(
    'Give finance a handle in `comment.handles`, or name a team in `reviews.fallback`.',
  );
});

test('a removal that was announced too recently names the day from which it may go', async () => {
  const marked = (seed.contracts ?? []).map((each) =>
    each['name'] === 'orders' ? { ...each, description: 'Deprecated: goes.' } : each,
  );
  const breaking = 'readers, fallback: platform, notice: 99999d';
  const { run } = await open(withoutAmount, proven, { contracts: marked }, { breaking });
  const { stdout } = await run('plan');
  expect(stdout).toMatch(
    /schema\.amount: announced .*, in 0\.1; it may go without an agreement from \d{4}-\d\d-\d\d\./u,
  );
});

test.for<[string, typeof proven, string?]>([
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
    'orders_daily.amount reads it too, but has no active contract of its own, so it was not asked.',
  ],
])('a reader that %s holds nothing', async ([, lineage, says = '']) => {
  const { run, columns } = await open(withoutAmount, lineage);
  expect((await run('plan')).stdout).toContain(says);
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
  expect(undone.stdout).toContain('Held for finance (orders_monthly.amount): not asked yet.');
  expect(undone.code).toBe(1);
  expect(await columns()).toEqual(kept);
});
