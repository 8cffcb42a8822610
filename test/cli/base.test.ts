import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import { outputOf } from '../support/process.ts';
import { withoutPlace } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const names = ['carts', 'orders', 'refunds'];
const idOf = (name: string) => `00000000-0000-4000-8000-00000000000${names.indexOf(name)}`;
const fileFor = (name: string) => `contracts/${name}.yaml`;

const id = { name: 'id', dataType: 'BIGINT' };
const hand = { name: 'by_hand', dataType: 'TEXT' };

const textOf = (name: string, description = 'Old.') =>
  `id: ${idOf(name)}\nname: ${name}\ndescription: ${description}\nschema:\n  - { name: id, dataType: BIGINT }\n`;

/** Between what the files say and the edits of the catalog. */
const committed = '2022-01-01T00:00:00Z';
const dates = { GIT_AUTHOR_DATE: committed, GIT_COMMITTER_DATE: committed };

/**
 * A repository whose files are what the catalog holds, a branch that describes orders anew, and a
 * catalog in which somebody has added a column to orders and described carts since.
 */
async function openBranch() {
  const seed = names.map((name) => ({
    id: idOf(name),
    name,
    fullyQualifiedName: `shop.sales.${name}`,
    entityStatus: 'Active',
    description: name === 'carts' ? 'By hand.' : 'Old.',
    schema: name === 'orders' ? [id, hand] : [id],
    updatedBy: 'alice',
    updatedAt: 1_700_000_000_000,
    ...(name !== 'refunds' && {
      versions: [{ description: 'Old.', schema: [id], updatedAt: 1_600_000_000_000 }],
    }),
  }));
  const world = await openWorld(seed, {
    'contract-sync.yaml': 'contracts:\n  include: [contracts]\n',
    ...Object.fromEntries(names.map((name) => [fileFor(name), textOf(name)])),
  });
  const git = (...args: readonly string[]): string =>
    outputOf('git', args, { cwd: world.folder, env: { ...process.env, ...dates } });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  git('switch', '--quiet', '-c', 'work');
  world.write(fileFor('orders'), textOf('orders', 'New.'));
  git('commit', '--quiet', '-am', 'Describe orders');
  return { ...world, git };
}

test('a plan with a base shows the changes of the branch, and drift apart', async () => {
  const { run, plan } = await openBranch();
  const golden = join(import.meta.dirname, 'golden');
  const text = await run('plan', '--base', 'main');
  expect(text.code).toBe(0);
  expectGolden(join(golden, 'base.txt'), withoutPlace(text.stdout));
  const page = await run('plan', '--base', 'main', '--format', 'markdown');
  expectGolden(join(golden, 'base.md'), withoutPlace(page.stdout));
  expect(await plan('--base', 'main')).toMatchObject({
    summary: { update: 1, unchanged: 2, drift: 2 },
    base: expect.stringMatching(/^[0-9a-f]{40}$/u),
    contracts: [
      { action: 'unchanged', name: 'carts', drift: { updatedBy: 'alice' } },
      { action: 'update', name: 'orders', changes: [{ cause: 'file', path: '/description' }] },
    ],
  });
});

test('an apply sends the changes of the branch, leaves hand edits, and succeeds', async () => {
  const { run, apply, live } = await openBranch();
  await run('plan', '--base', 'main', '--out', 'plan.json');
  // The base is that of the saved plan.
  expect(await apply('--plan', 'plan.json')).toMatchObject({
    code: 0,
    outcomes: [
      { result: 'left', fullyQualifiedName: 'shop.sales.carts' },
      { result: 'applied', fullyQualifiedName: 'shop.sales.orders' },
    ],
  });
  expect(await live('orders')).toMatchObject({ description: 'New.', schema: [id, hand] });
  expect(await live('carts')).toMatchObject({ description: 'By hand.' });
});

test('edits that a reviewed plan overwrites are overwritten by the same arguments alone', async () => {
  const { run, live } = await openBranch();
  const carts = ['contracts/carts.yaml', '--base', 'main'];
  await run('plan', ...carts, '--drift', 'overwrite', '--out', 'plan.json');
  const applied = await run('apply', '--yes', ...carts, '--plan', 'plan.json');
  expect(applied.code).toBe(1);
  expect(applied.stdout).toContain('shop.sales.carts  not-found');
  expect(applied.stdout).toContain('Apply: 0 applied, 1 not-found.');
  expect(await live('carts')).toMatchObject({ description: 'By hand.' });
  const drift = ['contracts/carts.yaml', '--drift', 'overwrite'];
  expect((await run('apply', '--yes', ...drift, '--plan', 'plan.json')).code).toBe(0);
  expect(await live('carts')).toMatchObject({ description: 'Old.' });
});

test('an apply with another base than that of the saved plan names both', async () => {
  const { run, git } = await openBranch();
  await run('plan', '--base', 'main', '--out', 'plan.json');
  const { code, stderr } = await run('apply', '--yes', '--no-base', '--plan', 'plan.json');
  expect(code).toBe(1);
  expect(stderr).toContain(
    `The saved plan has the base ${git('rev-parse', 'main').slice(0, 12)}, this run has none: leave out --base and --no-base to apply what was reviewed.\n`,
  );
});

test('a base whose file holds no contract lacks that contract, so its whole file is a change', async () => {
  const { plan, git, write } = await openBranch();
  git('switch', '--quiet', 'main');
  write(fileFor('carts'), 'name: [\n');
  git('commit', '--quiet', '-am', 'Break');
  git('switch', '--quiet', '-c', 'mend');
  write(fileFor('carts'), textOf('carts'));
  const { contracts } = await plan('--base', 'main');
  expect(contracts).toMatchObject([{ action: 'update', name: 'carts' }, { name: 'orders' }]);
});

test('--drift needs a base unless it is overwrite, which a plan without a base does anyway', async () => {
  const { run } = await openBranch();
  const planOf = async (...flags: string[]) => (await run('plan', '--quiet', ...flags)).stdout;
  expect(await planOf('--drift', 'overwrite')).toBe(await planOf());
  expect((await run('plan', '--drift', 'leave')).stderr).toContain('--drift leave needs --base.');
});
