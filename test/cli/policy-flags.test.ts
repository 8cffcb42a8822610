import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commitFirst } from '../support/git-folder.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

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

async function arrange(content: Readonly<Record<string, string>>) {
  const catalog = await serveCatalog({ seed });
  return { folder: makeFolder(content), environment: accessTo(catalog) };
}

test('--changed-since plans the contracts of changed files, and lists what it left out', async () => {
  const world = await arrange(files);
  commitFirst(world.folder);
  writeFileSync(join(world.folder, 'contracts/carts.yaml'), `${changeOf('carts')}sla: {}\n`);

  const run = await runInProcess(['plan', '--changed-since', 'main', '--format', 'json'], world);
  const plan = JSON.parse(run.stdout);
  expectValid('plan', plan);
  expect(plan).toMatchObject({
    contracts: [{ fullyQualifiedName: 'shop.sales.carts' }],
    selection: { only: [], exclude: [], changedSince: 'main', leftOut: ['shop.sales.orders'] },
  });

  const wrong = await runInProcess(['plan', '--changed-since', 'nowhere'], world);
  expect(wrong.code).toBe(1);
  expect(wrong.stderr).toContain('[no-such-revision]');
});

test.for([
  { name: 'a folder that is not there', contracts: '' },
  { name: 'a folder without files', contracts: 'include: [empty]' },
  {
    name: 'files that are all left out',
    contracts: 'include: [others], exclude: [others]',
  },
])('an empty source, $name, is an error unless `contracts.allowEmpty`', async ({ contracts }) => {
  const world = await arrange({
    'contract-sync.yaml': `contracts: { ${contracts} }\n`,
    'empty/README.md': '',
    'others/orders.yaml': changeOf('orders'),
  });
  expect(await runInProcess(['plan'], world)).toMatchObject({ code: 1, stdout: '' });
  const more = `contracts: { ${contracts === '' ? '' : `${contracts}, `}allowEmpty: true }\n`;
  writeFileSync(join(world.folder, 'contract-sync.yaml'), more);
  expect(await runInProcess(['plan'], world)).toMatchObject({ code: 0 });
  expect(await runInProcess(['validate'], world)).toMatchObject({ code: 0 });
});

test('the reason for lifting a limit is kept in the outcomes', async () => {
  const world = await arrange({ ...files, 'contract-sync.yaml': 'limits: { from: 1 }' });
  const refused = await runInProcess(['apply', '--yes', '--format', 'json'], world);
  expect(refused.code).toBe(1);
  expect(JSON.parse(refused.stdout).diagnostics[0]).toMatchObject({ code: 'limit-exceeded' });

  const flags = ['--allow-limit', 'updates', '--reason', 'new wording'];
  const applied = await runInProcess(['apply', '--yes', '--format', 'json', ...flags], world);
  expect(applied.code).toBe(0);
  const outcomes = JSON.parse(applied.stdout);
  expectValid('outcomes', outcomes);
  expect(outcomes.overrides).toEqual([{ limit: 'updates', reason: 'new wording' }]);
});

test.for([
  { flags: ['--allow-limit', 'updates'], code: 'reason-needed' },
  { flags: ['--allow-limit', 'updates', '--reason', ' '], code: 'reason-needed' },
  { flags: ['--allow-limit', 'updates', '--reason', 'todo'], code: 'reason-needed' },
  { flags: ['--allow-limit', 'all', '--reason', 'x'], code: 'invalid-command-line' },
])('$flags is refused', async ({ flags, code }) => {
  const run = await runInProcess(['plan', ...flags], await arrange(files));
  expect(run).toMatchObject({ code: 1, stdout: '' });
  expect(run.stderr).toContain(`[${code}]`);
});

test.for(['**.orders', 'SHOP.sales."Orders"', 'shop.sales.orders\u200B '])(
  '--exclude %j leaves out a contract that the catalog names by its asset alone',
  async (pattern) => {
    const live = {
      ...seed[0],
      fullyQualifiedName: 'shop.sales.orders.dataContract_orders',
    };
    const catalog = await serveCatalog({ seed: [live] });
    const file = `name: orders\nentity: { fullyQualifiedName: shop.sales.orders }\ndescription: New.\n`;
    const folder = makeFolder({
      'contracts/orders.yaml': file,
      'contract-sync.yaml': 'catalog: { dialect: openmetadata }\n',
    });
    const world = { folder, environment: accessTo(catalog) };
    const run = await runInProcess(['plan', '--exclude', pattern, '--format', 'json'], world);
    expect(JSON.parse(run.stdout)).toMatchObject({
      summary: { update: 0, unchanged: 0 },
      selection: { leftOut: ['shop.sales.orders.dataContract_orders'] },
    });
  },
);
