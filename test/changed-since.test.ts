import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import { makeGitFolder } from './support/git-folder.ts';
import { expectGolden } from './support/golden.ts';
import { runInProcess } from './support/run-program.ts';
import { expectValid } from './support/schema.ts';
import { accessTo, serveCatalog, withoutPlace } from './support/workspace.ts';

const seed = ['orders', 'carts', 'returns'].map((name): JsonObject => ({
  name,
  fullyQualifiedName: `shop.sales.${name}`,
  entityStatus: 'Active',
  description: 'Old.',
  version: 1.2,
  updatedAt: 1_700_000_000_000,
  ...(name === 'returns' && { schema: [{ name: 'id' }, { name: 'note' }] }),
}));

const fileOf = (name: string, description = 'Old.') =>
  `fullyQualifiedName: shop.sales.${name}\ndescription: ${description}\n`;

const files = {
  'contracts/orders.yaml': fileOf('orders'),
  'contracts/old/carts.yaml': fileOf('carts'),
};

async function open(
  configuration: string,
  more: Readonly<Record<string, string>> = {},
  contracts = seed,
) {
  const catalog = await serveCatalog({ seed: contracts });
  const work = makeGitFolder({ ...files, ...more, 'contract-sync.yaml': configuration });
  const world = { folder: work.folder, environment: accessTo(catalog) };
  const plan = async (...flags: string[]) => {
    const { stdout } = await runInProcess(['plan', ...flags, '--format', 'json'], world);
    const made = JSON.parse(stdout);
    expectValid('plan', made);
    return made;
  };
  return { ...work, world, plan };
}

const golden = (name: string) => join(import.meta.dirname, 'golden', `changed-since-${name}.txt`);

test.each(['report', 'deprecate'] as const)(
  'a deleted file is in the plan, where unmanaged is %s',
  async (rule) => {
    const { world, remove, write } = await open(`scope: ["shop.**"]\nunmanaged: ${rule}\n`);
    remove('contracts/old/carts.yaml');
    write('contracts/orders.yaml', fileOf('orders', 'New.'));
    const { stdout, code } = await runInProcess(['plan', '--changed-since', 'main'], world);
    expect(code).toBe(0);
    expectGolden(
      golden(rule),
      `$ contract-sync plan --changed-since main\n${withoutPlace(stdout)}`,
    );
  },
);

const retiring = 'scope: ["shop.**"]\nunmanaged: deprecate\n';

test('what had no file at the revision either is left out', async () => {
  const { plan, remove } = await open(retiring);
  remove('contracts/old/carts.yaml');
  const { contracts, selection } = await plan('--changed-since', 'main');
  expect(contracts).toMatchObject([
    { action: 'update', fullyQualifiedName: 'shop.sales.carts', transition: { to: 'Deprecated' } },
  ]);
  expect(selection.leftOut).toEqual(['shop.sales.orders', 'shop.sales.returns']);
});

test('a contract that is taken out of a file of several is in the plan', async () => {
  const both = `${fileOf('orders')}---\n${fileOf('returns')}`;
  const { plan, write } = await open(retiring, { 'contracts/orders.yaml': both });
  write('contracts/orders.yaml', fileOf('orders'));
  const { contracts } = await plan('--changed-since', 'main');
  expect(contracts).toMatchObject([{ fullyQualifiedName: 'shop.sales.returns' }]);
});

test('a contract whose file has moved has one still', async () => {
  const { plan, git } = await open(retiring);
  git('mv', 'contracts/old/carts.yaml', 'contracts/carts.yaml');
  const { summary } = await plan('--changed-since', 'main');
  expect(summary).toMatchObject({ update: 0, unchanged: 1 });
});

test('a path keeps a deleted file in or out of the plan', async () => {
  const { plan, remove } = await open(retiring, { 'contracts/old/b.yaml': fileOf('returns') });
  remove('contracts/old/carts.yaml');
  const inside = await plan('contracts/old', '--changed-since', 'main');
  expect(inside.contracts).toMatchObject([{ fullyQualifiedName: 'shop.sales.carts' }]);
  const outside = await plan('contracts/orders.yaml', '--changed-since', 'main');
  expect(outside.contracts).toEqual([]);
  expect(outside.selection.leftOut).toContain('shop.sales.carts');
});

test('with a base, the plan says which file a contract without one had', async () => {
  const { plan, remove } = await open('scope: ["shop.**"]\n');
  remove('contracts/old/carts.yaml');
  const { contracts } = await plan('--base', 'main');
  expect(contracts).toMatchObject([
    { action: 'unmanaged', hadFile: { file: 'contracts/old/carts.yaml', until: 'main' } },
    { action: 'unmanaged', fullyQualifiedName: 'shop.sales.returns' },
  ]);
});

test('a section that a file no longer manages is reported once', async () => {
  const { plan, write, git } = await open('scope: ["shop.**"]\n');
  write('contracts/orders.yaml', 'fullyQualifiedName: shop.sales.orders\n');
  const told = await plan('--base', 'main');
  expect(told.contracts).toMatchObject([
    { action: 'unchanged', problems: [{ code: 'no-longer-managed', severity: 'information' }] },
    { action: 'unmanaged' },
  ]);
  git('commit', '--quiet', '-am', 'Leave the description to the catalog');
  const again = await plan('--base', 'main');
  expect(again.summary).toMatchObject({ unchanged: 2 });
  expect(JSON.stringify(again)).not.toContain('no-longer-managed');
});

test('a column that was added in the catalog is not reported as removed by the file', async () => {
  const file = 'fullyQualifiedName: shop.sales.returns\nschema: [{ name: id }]\n';
  // An hour after the files have been committed.
  const edit = {
    updatedAt: Date.now() + 3_600_000,
    versions: [{ schema: [{ name: 'id' }], updatedAt: 1_700_000_000_000 }],
  };
  const edited = seed.map((each) => (each['name'] === 'returns' ? { ...each, ...edit } : each));
  const { plan } = await open('drift: overwrite\n', { 'contracts/returns.yaml': file }, edited);
  const { contracts } = await plan('--base', 'main');
  expect(contracts).toMatchObject([
    {
      fullyQualifiedName: 'shop.sales.returns',
      problems: [
        { code: 'takes-back' },
        { code: 'column-removed', message: 'Column note was added in the catalog.' },
      ],
    },
  ]);
});
