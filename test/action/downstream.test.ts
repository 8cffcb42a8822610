/** Who is downstream, in the comment of a pull request and after its merge. */

import { expect, test } from 'vitest';
import { addReader, seed, withoutAmount } from '../openmetadata/lineage.ts';
import { serve } from '../sandbox/openmetadata/served.ts';
import { openWorld } from './review-world.ts';

const config = 'catalog: { dialect: openmetadata }\ncompatibility: { approved: warn }\n';

async function openReviewed(more = '') {
  const world = await openWorld({ names: [], config: config + more });
  const catalog = await serve({ seed });
  const inputs = { 'catalog-url': catalog.url, token: await catalog.tokenOf('admin') };
  world.openPull(7, { 'contracts/orders.yaml': withoutAmount });
  expect(await world.plan(7, inputs)).toMatchObject({ code: 0, outputs: { breaking: '1' } });
  return { world, catalog, inputs };
}

test.for([
  [
    'nobody',
    'handles: { finance: acme/finance }',
    '(finance) · `orders_monthly` (finance, contract',
  ],
  ['owners', 'mention: owners, handles: { finance: "@acme/finance" }', '(@acme/finance)'],
])('the comment names the readers and mentions %s', async ([, setting, shown]) => {
  const { world } = await openReviewed(`comment: { ${setting} }\n`);
  expect(world.bodyOf(7)).toContain(`read by  \`orders_daily.amount\` ${shown}`);
  expect(world.bodyOf(7).includes('@acme')).toBe(shown?.includes('@'));
});

test("a new downstream reader doesn't invalidate a review", async () => {
  const { world, catalog, inputs } = await openReviewed();
  world.merge(7);
  for (const name of ['new_a', 'new_b', 'new_c']) await addReader(catalog, name);
  const run = await world.apply({ inputs });
  expect(run).toMatchObject({ code: 0, outputs: { applied: '1' } });
  expect(run.stdout).toContain('new_a');
});
