import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { parseWorldSeed } from '../../src/sandbox/openmetadata/seed.ts';
import { startOpenMetadata } from '../../src/sandbox/openmetadata/server.ts';
import { parseSeed, startSandbox } from '../../src/sandbox/sandbox.ts';
import { commitFirst, git } from '../support/git-folder.ts';
import { expectGolden } from '../support/golden.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { orders, ordersId } from '../sandbox/served.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const examples = join(root, 'examples');
const golden = (name: string): string => join(import.meta.dirname, 'golden', name);

const contract = `# Kept by the sales team.
name: orders # as in the shop
entity:
  fullyQualifiedName: warehouse.sales.public.orders

entityStatus: Draft
description: 'One row per order.'   # in one sentence

owners:
  - { type: team, name: data-platform }
semantics:
  # Refunds live elsewhere.
  - name: amount is positive
    rule: '{">": [{"var": "amount"}, 0]}'

  - name: order has an id
    rule: '{"!!": {"var": "order_id"}}'
sla: { refreshFrequency: { interval: 1, unit: day } }
schema:
- name: order_id
  dataType: BIGINT
`;

/** The names of this catalog look like those of another kind. */
const standard = { 'contract-sync.yaml': 'catalog: { dialect: standard }\n' };

type Files = Readonly<Record<string, string>>;

function changedLines(folder: string): string[] {
  return git(folder, 'diff', '-U0')
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2} )/u.test(line));
}

/** A committed file of the contract `orders`, and a catalog after these edits. */
async function edited(
  operations: Patch,
  files: Files = { 'contracts/orders.yaml': contract },
  seed: JsonObject = orders,
) {
  const world = await openWorld([seed], { ...standard, ...files });
  commitFirst(world.folder);
  if (operations.length > 0) await world.edit('orders', operations);
  return { ...world, read: () => world.read('contracts/orders.yaml') };
}

type Run = Awaited<ReturnType<typeof openWorld>>['run'];

const planCode = async (run: Run) => (await run('plan', '--detailed-exitcode')).code;

const described: Patch = [{ op: 'replace', path: '/description', value: 'Edited by hand.' }];

test('an edit in the catalog changes its line of the file alone, and the plan is empty', async () => {
  const { folder, run } = await edited(described);
  const pulled = await run('pull');
  expect(pulled.code).toBe(0);
  expect(changedLines(folder)).toEqual([
    `-description: 'One row per order.'   # in one sentence`,
    `+description: 'Edited by hand.'   # in one sentence`,
  ]);
  expect(await planCode(run)).toBe(0);
  expect((await run('pull')).stdout).toBe('Nothing to pull: 1 compared.\n');
  expect(readdirSync(join(folder, 'contracts'))).toEqual(['orders.yaml']);
});

test('--check writes nothing, and exits with 2 where there is something to pull', async () => {
  const { run, read } = await edited(described);
  const { code, stdout } = await run('pull', '--check');
  expect(code).toBe(2);
  expect(stdout).toContain('+description: ');
  const total = { code: 2, stdout: 'To pull: 1 contract in 1 file.\n', stderr: '' };
  expect(await run('pull', '--check', '--quiet')).toEqual(total);
  expect(read()).toBe(contract);
  await run('pull');
  expect((await run('pull', '--check')).code).toBe(0);
});

test('a file with uncommitted changes is left alone, but for --force', async () => {
  const { folder, run, read } = await edited(described);
  const own = contract.replace('Kept', 'Looked after');
  writeFileSync(join(folder, 'contracts/orders.yaml'), own);
  const checked = await run('pull', '--check');
  const refused = await run('pull');
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('[uncommitted-changes]');
  expect(checked).toEqual(refused);
  expect(read()).toBe(own);
  git(folder, 'rm', '-q', '--cached', 'contracts/orders.yaml');
  git(folder, 'commit', '-qm', 'Untracked');
  expect((await run('pull')).stderr).toContain('[uncommitted-changes]');
  expect((await run('pull', '--force')).code).toBe(0);
  expect(read()).toContain('Looked after');
  expect(await planCode(run)).toBe(0);
});

test('a pull writes nothing without --force where git fails', async () => {
  const { folder, run, read } = await edited(described);
  rmSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git'), 'gitdir: /nowhere/at/all\n');
  const refused = await run('pull');
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toContain(
    "error: git can't tell which files have changed: fatal: not a git repository: /nowhere/at/all [git-fails]",
  );
  expect(read()).toBe(contract);
  expect((await run('plan', '--base', 'main')).stderr).toContain(
    'git can\'t find the base "main": fatal: not a git repository: /nowhere/at/all [git-fails]',
  );
  expect((await run('pull', '--force')).code).toBe(0);
});

test('a file whose name fills all the room there is for one is pulled', async () => {
  const long = `contracts/${'o'.repeat(250)}.yaml`;
  const { folder, run } = await edited(described);
  renameSync(join(folder, 'contracts/orders.yaml'), join(folder, long));
  commitFirst(folder);
  expect(await run('pull')).toMatchObject({ code: 0, stderr: '' });
  expect(readFileSync(join(folder, long), 'utf8')).toContain('Edited by hand.');
});

test('only the contracts of --only and of the files that are named are pulled', async () => {
  const { run, read } = await edited(described);
  expect((await run('pull', '--exclude', 'warehouse.**')).code).toBe(0);
  expect(read()).toBe(contract);
  expect((await run('pull', 'contracts/orders.yaml', '--only', 'warehouse.**')).code).toBe(0);
  expect(read()).toContain('Edited by hand.');
});

/** Pulls while somebody does this to the file, after it was read and before it is written. */
async function pulledWhile(meddle: (file: string) => void) {
  const world = await edited(described);
  const file = join(world.folder, 'contracts/orders.yaml');
  const onWrite = (text: string): void => {
    if (text.includes('+++ b/contracts/orders.yaml')) meddle(file);
  };
  return { ...(await runInProcess(['pull'], { ...world, onWrite })), file };
}

test('a file that changes during a pull stays as it is, and is not reported as pulled', async () => {
  const own = contract.replace('Kept', 'Looked after');
  const { file, ...run } = await pulledWhile((name) => writeFileSync(name, own));
  expect(run.code).toBe(1);
  expect(run.stderr).toContain('[file-changed]');
  expect(run.stdout + run.stderr).not.toContain('Pulled');
  expect(readFileSync(file, 'utf8')).toBe(own);
});

const named = (name: string, number: number): JsonObject => ({
  ...orders,
  id: `0a000000-0000-4000-8000-00000000000${number}`,
  name,
  fullyQualifiedName: `warehouse.sales.public.${name}.contract`,
  entity: { type: 'table', fullyQualifiedName: `warehouse.sales.public.${name}` },
});
const smallFileOf = (name: string) => [
  `contracts/${name}.yaml`,
  `name: ${name}\nentity: { fullyQualifiedName: warehouse.sales.public.${name} }\ndescription: Old.\n`,
];

test('contracts that were deleted or renamed in the catalog are named, and the others are pulled', async () => {
  const files = Object.fromEntries(['kept', 'gone', 'before'].map(smallFileOf));
  const renamed = { ...named('before', 3), name: 'after' };
  const world = await openWorld([named('kept', 1), renamed], { ...standard, ...files });
  const pulled = await world.run('pull');
  expect(pulled).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Pulled: 1 contract in 1'),
  });
  expect((await world.plan()).summary).toMatchObject({ missing: 2, unchanged: 1 });
  expect(pulled.stderr).toContain(
    'contracts/gone.yaml:2:31: error: The catalog has no such contract.',
  );
  expect(pulled.stderr).toContain('but has another of this entity: "after"');
  expect(pulled.stderr).toContain('renamed or deleted there on purpose, do the same in the files.');
  world.write('contract-sync.yaml', `${standard['contract-sync.yaml']}missing: report\n`);
  expect(await world.run('pull')).toMatchObject({
    code: 0,
    stdout: 'Nothing to pull: 1 compared.\n',
    stderr: expect.stringContaining('contracts/gone.yaml:2:31: warning: The catalog has no such'),
  });
});

/** The example of a dialect, committed, and then its catalog. */
async function example(dialect: 'standard' | 'openmetadata') {
  const source = join(examples, dialect === 'standard' ? 'quickstart' : 'openmetadata');
  const seedFile = join(source, 'catalog.json');
  const text = readFileSync(seedFile, 'utf8');
  const files = readdirSync(join(source, 'contracts'), { recursive: true, encoding: 'utf8' });
  const contents = files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => [`contracts/${file}`, readFileSync(join(source, 'contracts', file), 'utf8')]);
  const config = readFileSync(join(source, 'contract-sync.yaml'), 'utf8');
  const folder = makeFolder({ ...Object.fromEntries(contents), 'contract-sync.yaml': config });
  commitFirst(folder);
  const catalog =
    dialect === 'standard'
      ? await startSandbox({ seed: parseSeed(text, seedFile) })
      : await startOpenMetadata({ seed: parseWorldSeed(text, seedFile) });
  onTestFinished(() => catalog.close());
  return { environment: accessTo(catalog), folder, config };
}

test.for(['standard', 'openmetadata'] as const)(
  'the example of %s is pulled, and its plan is empty',
  async (dialect) => {
    const { environment, folder } = await example(dialect);
    const world = { folder, environment };
    const { code, stdout } = await runInProcess(['pull', '--no-base'], world);
    expect(code).toBe(0);
    expectGolden(golden(`pull-${dialect}.txt`), `$ contract-sync pull --no-base\n${stdout}`);
    const plan = await runInProcess(['plan', '--format', 'json'], world);
    expect(JSON.parse(plan.stdout).summary).toMatchObject({ update: 0, blocked: 0 });
  },
);

test('what many files keep, as it is committed and not applied yet, is one line', async () => {
  const { environment, folder } = await example('standard');
  const { code, stdout, stderr } = await runInProcess(['pull'], { folder, environment });
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing to pull: 12 compared.\n' });
  expect(stderr).toMatchInlineSnapshot(`
    "information: 5 contracts have committed changes that are not applied yet: kept the files' values. [not-applied]
      They begin with warehouse.shop.sales.customers, warehouse.shop.sales.legacy_orders, warehouse.shop.sales.orders. \`contract-sync plan\` shows all.
    contracts/marketing/web_sessions.yaml:5:23: warning: The catalog has no such contract. [contract-missing]
      Create it in the catalog first, or correct its identity: contracts are updated, never created. If it was renamed or deleted there on purpose, do the same in the files.
    "
  `);
});

test.for(['standard', 'openmetadata'] as const)(
  'all contracts of the example of %s are imported, and the plan is empty',
  async (dialect) => {
    const { environment, config } = await example(dialect);
    const folder = makeFolder({ 'contract-sync.yaml': config });
    const world = { folder, environment };
    const { code, stdout, stderr } = await runInProcess(['import'], world);
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const names = readdirSync(join(folder, 'contracts'), { recursive: true, encoding: 'utf8' });
    const texts = names
      .filter((name) => name.endsWith('.yaml'))
      .toSorted()
      .map((name) => `\n${name}\n${readFileSync(join(folder, 'contracts', name), 'utf8')}`);
    const shown = `$ contract-sync import\n${stdout}${texts.join('')}`;
    expectGolden(golden(`import-${dialect}.txt`), shown);
    const plan = await runInProcess(['plan', '--format', 'json'], world);
    const { unchanged, ...rest }: Record<string, number> = JSON.parse(plan.stdout).summary;
    expect(unchanged).toBeGreaterThan(3);
    expect(new Set(Object.values(rest))).toEqual(new Set([0]));
  },
);

/** Imports these contracts into a folder. */
async function imported(seed: readonly JsonObject[], args: readonly string[], files: Files = {}) {
  const world = await openWorld(seed, files);
  return { ...world, ...(await world.run('import', ...args)) };
}

test('an import counts the contracts that have a file already', async () => {
  const { run } = await imported([orders], [], standard);
  const again = await run('import');
  expect(again.stdout).toBe('Nothing to import; 1 contract has a file already.\n');
});

test('an import overwrites nothing', async () => {
  const file = 'contracts/public/orders.yaml';
  const text = 'fullyQualifiedName: some.other\n';
  const { code, stderr, read } = await imported([orders], [], { [file]: text });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[file-exists]') });
  expect(read(file)).toBe(text);
});

test('an import says that a file stands where it needs a folder', async () => {
  const { code, stdout, stderr } = await imported([orders], [], { contracts: 'Words.\n' });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(
    /^contracts\/public\/orders\.yaml:1:1: error: The file can't be written: .*\[unwritable-file\]/u,
  );
});

test('contracts of one path become documents of one file', async () => {
  const refunds = named('refunds', 2);
  const world = await imported([orders, refunds], ['--into', 'contracts/{schema}.yaml']);
  expect(world.code).toBe(0);
  expect(world.read('contracts/public.yaml').split('\n---\n')).toHaveLength(2);
  expect(await planCode(world.run)).toBe(0);
});

test('contracts that share all their names are imported with their ids', async () => {
  const twin = { ...orders, id: '0a000000-0000-4000-8000-000000000002' };
  const world = await imported([orders, twin], ['--into', 'contracts/all.yaml']);
  expect(world.code).toBe(0);
  expect(world.read('contracts/all.yaml')).toContain(`id: ${ordersId}`);
  expect(await planCode(world.run)).toBe(0);
});

test('a path with an unknown part, or that leads out of the folder, is refused', async () => {
  const unknown = await imported([orders], ['--into', 'contracts/{nam}.yaml']);
  expect(unknown.stderr).toContain('Did you mean "name"?');
  for (const into of ['../{name}.yaml', '/tmp/{name}.yaml', 'contracts/{name}', 'a/{name.yaml']) {
    const { code, stderr } = await imported([orders], ['--into', into]);
    expect(code).toBe(1);
    expect(stderr).toContain('[invalid-command-line]');
  }
});

test('an import to a file that no later run reads is a warning', async () => {
  const { stderr } = await imported([orders], ['--into', 'elsewhere/{name}.yaml']);
  expect(stderr).toContain('[file-outside-include]');
});

/** A branch that describes orders anew, beside a catalog in which somebody has edited the rest. */
async function branched(operations: Patch, own = contract.replace('amount is', 'each amount is')) {
  const world = await edited([]);
  await world.edit('orders', operations);
  world.write('contracts/orders.yaml', own);
  git(world.folder, 'commit', '-qam', 'Own');
  return world;
}

describe('--drift', () => {
  test('takes the edits of the catalog, and leaves the changes of the branch', async () => {
    const { folder, run, plan } = await branched(described);
    const before = await plan('--base', 'HEAD^1');
    const pulled = await run('pull', '--drift', '--base', 'HEAD^1');
    expect(pulled).toMatchObject({ code: 0, stderr: '' });
    expect(changedLines(folder)).toEqual([
      `-description: 'One row per order.'   # in one sentence`,
      `+description: 'Edited by hand.'   # in one sentence`,
    ]);
    const after = await plan('--base', 'HEAD^1');
    expect([before.summary.drift, after.summary.drift]).toEqual([1, 0]);
    expect(after.planHash).toBe(before.planHash);
    const again = await run('pull', '--drift', '--base', 'HEAD^1', '--force');
    expect(again.stdout).toBe('Nothing to pull: 1 compared.\n');
  });

  test('takes nothing into a file that is new since the base', async () => {
    const { run, write } = await edited(described, { 'contracts/README.md': 'Ours.' });
    write('contracts/orders.yaml', contract);
    const { code, stdout } = await run('pull', '--drift', '--base', 'HEAD');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Nothing to pull: 1 compared.\n' });
  });

  test('needs a base, and a base needs it', async () => {
    const { run } = await edited([]);
    for (const args of [['--drift'], ['--base', 'HEAD']]) {
      const stderr = expect.stringContaining('[invalid-command-line]');
      expect(await run('pull', ...args)).toMatchObject({ code: 1, stderr });
    }
  });
});
