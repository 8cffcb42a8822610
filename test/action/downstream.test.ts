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

test('the comment names the readers and mentions nobody', async () => {
  const { world } = await openReviewed('comment: { handles: { finance: acme/finance } }\n');
  expect(world.bodyOf(7)).toContain(
    'read by  `orders_daily.amount` (finance) · `orders_monthly` (finance, contract Approved)',
  );
  expect(world.bodyOf(7)).not.toContain('@acme');
});

test('the comment mentions owners where the configuration has it', async () => {
  const { world } = await openReviewed(
    'comment: { mention: owners, handles: { finance: "@acme/finance" } }\n',
  );
  expect(world.bodyOf(7)).toContain('read by  `orders_daily.amount` (@acme/finance)');
});

test('a handle that is other Markdown is refused', async () => {
  const world = await openWorld({ names: [], config });
  world.openPull(7, {
    'contract-sync.yaml': `${config}comment: { handles: { finance: "@a](https://evil.example)" } }\n`,
  });
  expect(await world.plan(7)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('a GitHub handle such as @ada or @acme/finance'),
  });
});

test('new readers void no review, and the apply counts them', async () => {
  const { world, catalog, inputs } = await openReviewed();
  world.merge(7);
  for (const name of ['new_a', 'new_b', 'new_c']) await addReader(catalog, name);
  const run = await world.apply({ inputs });
  expect(run).toMatchObject({ code: 0, outputs: { applied: '1' } });
  expect(run.stdout).toContain('3 more downstream assets than when it was reviewed');
  expect(run.summary).toContain('3 more downstream assets than when it was reviewed');
});
