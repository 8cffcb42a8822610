import { expect, test } from 'vitest';
import { commitFirst } from '../support/git-folder.ts';
import { openWorld } from '../support/world.ts';

const seed = ['orders', 'carts'].map((name) => ({
  name,
  fullyQualifiedName: `shop.sales.${name}`,
  description: 'Old.',
  entityStatus: 'Draft',
  version: 0.1,
}));

const changeOf = (name: string) => `fullyQualifiedName: shop.sales.${name}\ndescription: New.\n`;
const files = {
  'contracts/orders.yaml': changeOf('orders'),
  'contracts/carts.yaml': changeOf('carts'),
};

test('--changed-since plans the contracts of changed files, and lists what it left out', async () => {
  const { folder, run, plan, write } = await openWorld(seed, files);
  commitFirst(folder);
  write('contracts/carts.yaml', `${changeOf('carts')}sla: {}\n`);
  expect(await plan('--changed-since', 'main')).toMatchObject({
    contracts: [{ fullyQualifiedName: 'shop.sales.carts' }],
    selection: { only: [], exclude: [], changedSince: 'main', leftOut: ['shop.sales.orders'] },
  });
  const wrong = await run('plan', '--changed-since', 'nowhere');
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('[no-such-revision]') });
});

test.for([
  ['a folder that is not there', ''],
  ['a folder without files', 'include: [empty], '],
  ['files that are all left out', 'include: [others], exclude: [others], '],
])('an empty source, %s, is an error unless `contracts.allowEmpty`', async ([, contracts]) => {
  const { run, write } = await openWorld(seed, {
    'contract-sync.yaml': `contracts: { ${contracts}}\n`,
    'empty/README.md': '',
    'others/orders.yaml': changeOf('orders'),
  });
  expect(await run('plan')).toMatchObject({ code: 1, stdout: '' });
  write('contract-sync.yaml', `contracts: { ${contracts}allowEmpty: true }\n`);
  expect(await run('plan')).toMatchObject({ code: 0 });
  expect(await run('validate')).toMatchObject({ code: 0 });
});

test('the reason for lifting a limit is kept in the outcomes', async () => {
  const { apply } = await openWorld(seed, {
    ...files,
    'contract-sync.yaml': 'limits: { from: 1 }',
  });
  const refused = await apply();
  expect(refused).toMatchObject({ code: 1, diagnostics: [{ code: 'limit-exceeded' }, {}] });
  const applied = await apply('--allow-limit', 'updates', '--reason', 'new wording');
  expect(applied).toMatchObject({
    code: 0,
    overrides: [{ limit: 'updates', reason: 'new wording' }],
  });
});

test.for([
  { flags: ['--allow-limit', 'updates'], code: 'reason-needed' },
  { flags: ['--allow-limit', 'updates', '--reason', ' '], code: 'reason-needed' },
  { flags: ['--allow-limit', 'updates', '--reason', 'todo'], code: 'reason-needed' },
  { flags: ['--allow-limit', 'all', '--reason', 'x'], code: 'invalid-command-line' },
])('$flags is refused', async ({ flags, code }) => {
  const { run } = await openWorld(seed, files);
  expect(await run('plan', ...flags)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`[${code}]`),
  });
});

test.for(['**.orders', 'SHOP.sales."Orders"', 'shop.sales.orders\u200B '])(
  '--exclude %j leaves out a contract that the catalog names by its asset alone',
  async (pattern) => {
    const name = 'shop.sales.orders.dataContract_orders';
    const { plan } = await openWorld([{ ...seed[0], fullyQualifiedName: name }], {
      'contracts/orders.yaml':
        'name: orders\nentity: { fullyQualifiedName: shop.sales.orders }\ndescription: New.\n',
      'contract-sync.yaml': 'catalog: { dialect: openmetadata }\n',
    });
    expect(await plan('--exclude', pattern)).toMatchObject({
      summary: { update: 0, unchanged: 0 },
      selection: { leftOut: [name] },
    });
  },
);
