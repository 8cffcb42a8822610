import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Outcomes } from '../../src/apply/outcome.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { expectGolden } from '../support/golden.ts';
import { outputOf } from '../support/process.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';

const names = ['carts', 'orders', 'refunds'] as const;
const idOf = (name: string) =>
  `00000000-0000-4000-8000-00000000000${names.findIndex((each) => each === name)}`;

const id = { name: 'id', dataType: 'BIGINT' };
const hand = { name: 'by_hand', dataType: 'TEXT' };

function fileOf(name: string, description: string): string {
  return `id: ${idOf(name)}\nname: ${name}\ndescription: ${description}\nschema:\n  - { name: id, dataType: BIGINT }\n`;
}

const committed = '2022-01-01T00:00:00Z';

/**
 * A repository whose files are what the catalog holds, a branch that describes orders anew, and a
 * catalog in which somebody has added a column to orders and described carts since.
 */
async function openBranch() {
  const catalog = await serveCatalog({
    seed: names.map((name) => ({
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
    })),
  });
  const folder = makeFolder({
    'contract-sync.yaml': 'contracts:\n  include: [contracts]\n',
    ...Object.fromEntries(names.map((name) => [`contracts/${name}.yaml`, fileOf(name, 'Old.')])),
  });
  const git = (...args: readonly string[]): string => {
    // Between what the files say and the edits of the catalog.
    const dates = { GIT_AUTHOR_DATE: committed, GIT_COMMITTER_DATE: committed };
    return outputOf('git', args, { cwd: folder, env: { ...process.env, ...dates } });
  };
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'First');
  git('switch', '--quiet', '-c', 'work');
  writeFileSync(join(folder, 'contracts/orders.yaml'), fileOf('orders', 'New.'));
  git('commit', '--quiet', '-am', 'Describe orders');
  const world = { folder, environment: accessTo(catalog) };
  return {
    folder,
    git,
    world,
    url: catalog.url,
    run: (...args: string[]) => runInProcess(args, world),
    live: async (name: string): Promise<JsonObject> => {
      const response = await fetch(`${catalog.url}/v1/dataContracts`, {
        headers: { authorization: `Bearer ${catalog.token}` },
      });
      const { data }: { data: JsonObject[] } = JSON.parse(await response.text());
      return data.find((each) => each['name'] === name) ?? {};
    },
  };
}

const columnsOf = ({ schema = [] }: JsonObject): JsonValue => schema;

test('a plan with a base shows the changes of the branch, and drift apart', async () => {
  const { world, url } = await openBranch();
  const text = await runInProcess(['plan', '--base', 'main'], world);
  const folder = join(import.meta.dirname, 'golden');
  expectGolden(join(folder, 'base.txt'), withoutPlace(text.stdout));
  expect(text.code).toBe(0);
  const page = await runInProcess(['plan', '--base', 'main', '--format', 'markdown'], world);
  expectGolden(join(folder, 'base.md'), withoutPlace(page.stdout));
  const json = await runInProcess(['plan', '--base', 'main', '--format', 'json'], world);
  const plan: Plan = JSON.parse(json.stdout.replaceAll(url, 'CATALOG'));
  expectValid('plan', plan);
  expect(plan.summary).toMatchObject({ update: 1, unchanged: 2, drift: 2 });
  expect(plan.base).toMatch(/^[0-9a-f]{40}$/u);
  expect(plan.contracts).toMatchObject([
    { action: 'unchanged', name: 'carts', drift: { updatedBy: 'alice' } },
    { action: 'update', name: 'orders', changes: [{ cause: 'file', path: '/description' }] },
  ]);
});

test('an apply sends the changes of the branch and leaves hand edits; the run is green', async () => {
  const { run, live } = await openBranch();
  await run('plan', '--base', 'main', '--out', 'plan.json');
  // The base is that of the saved plan.
  const args = ['--yes', '--plan', 'plan.json', '--format', 'json'];
  const applied = await run('apply', ...args);
  expect(applied.code).toBe(0);
  const outcomes: Outcomes = JSON.parse(applied.stdout);
  expectValid('outcomes', outcomes);
  expect(outcomes.outcomes).toMatchObject([
    { result: 'left', fullyQualifiedName: 'shop.sales.carts' },
    { result: 'applied', fullyQualifiedName: 'shop.sales.orders' },
  ]);
  expect(await live('orders')).toMatchObject({ description: 'New.', schema: [id, hand] });
  expect(await live('carts')).toMatchObject({ description: 'By hand.' });
});

test('edits that a reviewed plan overwrites are overwritten by the same arguments alone', async () => {
  const { run, live } = await openBranch();
  const args = ['contracts/carts.yaml', '--base', 'main'];
  const overwriting = [...args, '--drift', 'overwrite'];
  await run('plan', ...overwriting, '--out', 'plan.json');
  const applied = await run('apply', '--yes', ...args, '--plan', 'plan.json');
  expect(applied.code).toBe(1);
  expect(applied.stdout).toContain('shop.sales.carts  not-found');
  expect(applied.stdout).toContain('Apply: 0 applied, 1 not-found.');
  expect(await live('carts')).toMatchObject({ description: 'By hand.' });
  const drift = ['contracts/carts.yaml', '--drift', 'overwrite'];
  const again = await run('apply', '--yes', ...drift, '--plan', 'plan.json');
  expect(again.code).toBe(0);
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

test('a hand edit that breaks consumers when undone stops no other contract', async () => {
  const { run, live } = await openBranch();
  const applied = await run('apply', '--yes', '--base', 'main', '--drift', 'overwrite');
  expect(applied.code).toBe(1);
  expect(applied.stdout).toContain('column-removed');
  expect(columnsOf(await live('orders'))).toEqual([id, hand]);
  expect(await live('carts')).toMatchObject({ description: 'Old.' });
});

describe('the base', () => {
  test('is where the branch left main, also after later commits there', async () => {
    const { run, git, folder } = await openBranch();
    git('switch', '--quiet', 'main');
    writeFileSync(join(folder, 'contracts/refunds.yaml'), fileOf('refunds', 'Meanwhile.'));
    git('commit', '--quiet', '-am', 'Meanwhile');
    git('switch', '--quiet', 'work');
    const { stdout } = await run('plan', '--base', 'main', '--format', 'json');
    const plan: Plan = JSON.parse(stdout);
    expect(plan.base).toBe(git('rev-parse', 'main~1').trim());
    expect(plan.summary).toMatchObject({ update: 1, drift: 2 });
  });

  test('with a file that holds no contract lacks that contract, so its whole file is a change', async () => {
    const { run, git, folder } = await openBranch();
    const text = readFileSync(join(folder, 'contracts/carts.yaml'), 'utf8');
    git('switch', '--quiet', 'main');
    writeFileSync(join(folder, 'contracts/carts.yaml'), 'name: [\n');
    git('commit', '--quiet', '-am', 'Break');
    git('switch', '--quiet', '-c', 'mend');
    writeFileSync(join(folder, 'contracts/carts.yaml'), text);
    const { stdout } = await run('plan', '--base', 'main', '--format', 'json');
    const plan: Plan = JSON.parse(stdout);
    expect(plan.contracts).toMatchObject([{ action: 'update', name: 'carts' }, { name: 'orders' }]);
  });

  test('that git does not know is an error, as is a folder without git', async () => {
    const { run, folder } = await openBranch();
    for (const name of ['nowhere', '--help', '']) {
      const refused = await run('plan', `--base=${name}`);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('[no-such-revision]');
    }
    rmSync(join(folder, '.git'), { recursive: true });
    expect((await run('plan', '--base', 'main')).stderr).toContain('[no-such-revision]');
  });

  test('is needed by --drift, but for overwrite, which is what a run without one does', async () => {
    const { run } = await openBranch();
    const planOf = async (...flags: string[]) => (await run('plan', '--quiet', ...flags)).stdout;
    expect(await planOf('--drift', 'overwrite')).toBe(await planOf());
    expect((await run('plan', '--drift', 'leave')).stderr).toContain('--drift leave needs --base.');
  });
});
