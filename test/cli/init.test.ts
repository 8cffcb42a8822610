import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { sandboxOf } from '../../src/sandbox/sandboxes.ts';
import { actionlint, expectSoundWorkflow, lintWorkflows } from '../action/workflow-checks.ts';
import { git } from '../support/git-folder.ts';
import { expectGolden } from '../support/golden.ts';
import { root } from '../support/root.ts';
import { runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { type Answering, sendJson, serve } from '../support/server.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

type Files = Readonly<Record<string, string>>;

/** A repository in which nothing is committed yet. */
function makeRepository(files: Files, { remote = '', branch = 'main' } = {}): string {
  const folder = makeFolder(files);
  git(folder, 'init', '--quiet', '--initial-branch', branch);
  if (remote !== '') git(folder, 'remote', 'add', 'origin', remote);
  return folder;
}

const good = 'fullyQualifiedName: shop.orders\ndescription: Fine.\n';
const other = 'services: { db: { image: postgres } }\n';
const odcs = (id: string, servers = '') => `apiVersion: v3.1.0
kind: DataContract
id: ${id}
name: ${id}
version: 1.0.0
status: active
${servers}schema:
  - name: ${id}
    properties: [{ name: id, logicalType: integer }]
`;
const oneServer = 'servers: [{ server: prod, type: postgres, database: shop, schema: sales }]\n';
const twoServers = `servers:
  - { server: test, environment: test, type: postgres, database: shop_test, schema: sales }
  - { server: live, environment: prod, type: postgres, database: shop, schema: sales }
`;
const github = 'git@github.com:acme/data.git';

type Case = {
  readonly name: string;
  readonly files?: Files;
  readonly repository?: { readonly remote?: string; readonly branch?: string };
  /** Where the user stands. */
  readonly below?: string;
  readonly args?: readonly string[];
  /** What `validate` says at once. */
  readonly valid: string;
};

const cases: readonly Case[] = [
  { name: 'an empty folder', valid: '1 contract in 1 file' },
  {
    name: 'an empty repository at GitHub',
    repository: { remote: github, branch: 'trunk' },
    valid: '1 contract in 1 file',
  },
  {
    name: 'a subfolder of a repository, for two environments',
    repository: { remote: 'https://user:secret@github.acme.com:8443/data/contracts.git' },
    files: { 'README.md': '' },
    below: 'teams/sales',
    args: ['--env', 'dev,prod'],
    valid: '1 contract in 1 file',
  },
  {
    name: 'ODCS files beside others, at GitLab',
    repository: { remote: 'https://gitlab.com/acme/data.git' },
    files: {
      'services/a/orders.odcs.yaml': odcs('orders', oneServer),
      'services/a/deployment.yaml': other,
      'services/b/carts.odcs.yaml': odcs('carts', oneServer),
      'services/b/deployment.yaml': other,
    },
    valid: '2 contracts in 2 files',
  },
  {
    name: 'ODCS files of which one has several servers and one has none',
    files: { 'odcs/a.yaml': odcs('a', twoServers), 'odcs/b.yaml': odcs('b') },
    valid: '2 contracts in 2 files',
  },
  {
    name: 'a configuration above, and one below',
    repository: {},
    files: {
      'contract-sync.yaml': 'scope: ["shop.**"]\n',
      'sales/contracts/orders.yaml': good,
      'sales/carts/contract-sync.yaml': '',
      'sales/carts/contracts/carts.yaml': good,
      '.github/CODEOWNERS': '',
    },
    below: 'sales',
    valid: '1 contract in 1 file',
  },
  {
    name: 'a configuration with environments',
    repository: { remote: github },
    files: {
      'contract-sync.yaml':
        'contracts: { include: ["a/**/*.{yaml,yml}"] }\nenvironments: { test: {} }\n',
      'a/orders.yaml': good,
    },
    args: ['--env', 'test,live'],
    valid: '1 contract in 1 file',
  },
];

function prepare({ files = {}, repository, below = '' }: Case): { root: string; folder: string } {
  const root = repository ? makeRepository(files, repository) : makeFolder(files);
  const folder = join(root, below);
  mkdirSync(folder, { recursive: true });
  return { root, folder };
}

const workflowsIn = (root: string) => globSync('.github/workflows/*.yml', { cwd: root }).toSorted();

test.each(cases)('in $name, init writes what can be used at once', async (one) => {
  const { name, args = [] } = one;
  const { root, folder } = prepare(one);
  const before = new Set(globSync('**/*', { cwd: root }));
  const run = await runInProcess(['init', ...args], { folder });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const workflows = workflowsIn(root);
  const written = [...globSync('**/*.yaml', { cwd: root }), ...workflows]
    .filter((file) => !before.has(file))
    .toSorted();
  const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
  const shown = written.map((file) => `$ cat ${file}\n${textOf(file)}`);
  expectGolden(
    join(import.meta.dirname, 'golden', 'init', `${name.replaceAll(/[ ,]+/gu, '-')}.txt`),
    [`$ contract-sync ${['init', ...args].join(' ')}\n${run.stdout}`, ...shown]
      .join('\n')
      // What a release pins.
      .replaceAll(/(?<=contract-sync\/contract-sync@).+/gu, 'COMMIT # VERSION'),
  );
  for (const file of workflows) expectSoundWorkflow(textOf(file));
  if (workflows.length > 0 && actionlint !== undefined)
    lintWorkflows(workflows.map((file) => join(root, file)));

  const valid = { code: 0, stdout: expect.stringContaining(one.valid) };
  expect(await runInProcess(['validate'], { folder })).toMatchObject(valid);
  const { url, token } = await serveCatalog();
  const environment = accessTo({ url, token });
  const planned = await runInProcess(['plan', '--catalog-url', url], { folder, environment });
  expect(planned.stdout).toContain(`Catalog: ${url}`);
  expect(planned.stderr).not.toContain('contract-sync.yaml');
  expect((await runInProcess(['init', ...args], { folder })).stdout).not.toContain('wrote');

  // All settings that stand there as comments; the names of one are in no repository.
  const file = join(folder, 'contract-sync.yaml');
  const settings = readFileSync(file, 'utf8').replaceAll(/^( *)# (?=\w+: [^ ])/gmu, '$1');
  writeFileSync(file, settings.replace('["warehouse.sales.**"]', '["**"]'));
  expect(await runInProcess(['validate'], { folder }), settings).toMatchObject(valid);
});

test('a plan with the placeholders of init fails until they are replaced', async () => {
  const folder = makeFolder({ 'odcs/orders.yaml': odcs('orders', oneServer) });
  await runInProcess(['init'], { folder });
  const { url, token } = await serveCatalog();
  const environment = accessTo({ url, token });
  const planned = await runInProcess(['plan', '--catalog-url', url], { folder, environment });
  expect(planned.code).toBe(1);
  expect(planned.stdout).toContain(
    "In `odcs.entity` of the configuration, replace the words in capitals with the catalog's names",
  );
});

test('two folders of a repository get workflows of their own', async () => {
  const root = makeRepository({ 'sales/x': '', 'stock/x': '' }, { remote: github });
  for (const team of ['sales', 'stock']) {
    const { stdout } = await runInProcess(['init'], { folder: join(root, team) });
    expect(stdout).not.toContain('kept');
  }
  const files = workflowsIn(root).map((file) => parse(readFileSync(join(root, file), 'utf8')));
  expect(new Set(files.map(({ name }) => name)).size).toBe(6);
  // An apply and a rollback of one folder wait for each other.
  expect(new Set(files.map(({ concurrency }) => concurrency.group)).size).toBe(4);
});

describe('what a folder with a configuration has is left to it', () => {
  const below = (folder: string): Files => ({
    [`${folder}/contract-sync.yaml`]: '',
    [`${folder}/orders.odcs.yaml`]: good,
  });

  test.each<[string, Files, readonly string[]]>([
    ['a file', { 'contracts/a.yaml': good, ...below('contracts/b') }, ['contracts/a.yaml']],
    [
      'files',
      { 'contracts/a.yaml': good, 'contracts/c.yaml': good, ...below('contracts/b') },
      ['contracts/*.{yaml,yml}'],
    ],
  ])('beside %s', async (_, files, include) => {
    for (const folder of [makeRepository(files), makeFolder(files)]) {
      await runInProcess(['init'], { folder });
      const { contracts } = parse(readFileSync(join(folder, 'contract-sync.yaml'), 'utf8'));
      expect(contracts).toEqual({ include });
    }
  });
});

test('files that git ignores are left out', async () => {
  const folder = makeRepository({
    '.gitignore': 'build/\n',
    'src/orders.yaml': good,
    'build/orders.yaml': good,
  });
  await runInProcess(['init'], { folder });
  const { contracts } = parse(readFileSync(join(folder, 'contract-sync.yaml'), 'utf8'));
  expect(contracts).toEqual({ include: ['src'] });
});

test('contracts are found where git gives no answer', async () => {
  const folder = makeFolder({ '.git/HEAD': 'nonsense', 'data/orders.yaml': good });
  const { stdout } = await runInProcess(['init'], { folder });
  expect(stdout).toContain('Found 1 file with contracts in data');
});

test('YAML that cannot be parsed stops nothing', async () => {
  const folder = makeRepository({
    'a.yaml': 'entity: [\n',
    'b.yaml': `entity: ${'['.repeat(5000)}`,
    'c.yaml': '\u0000entity',
    'd/orders.yaml': good,
  });
  expect((await runInProcess(['init'], { folder })).code).toBe(0);
  expect((await runInProcess(['validate'], { folder })).stdout).toContain('1 contract in 1 file');
});

test('a secret in the URL of a catalog or a remote gets into no file and no output', async () => {
  const remote = 'https://user:s3cret@github.com/acme/data.git';
  const folder = makeRepository({}, { remote });
  const environment = { CONTRACT_SYNC_URL: 'https://user:s3cret@catalog.acme.com/api' };
  const run = await runInProcess(['init'], { folder, environment });
  const files = [...globSync('**/*.yaml', { cwd: folder }), ...workflowsIn(folder)];
  const all = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('');
  expect(`${run.stdout}${run.stderr}${all}`).not.toContain('s3cret');
});

describe('the kind of the catalog', () => {
  test.each(['standard', 'openmetadata'] as const)(
    'is written down beside its contracts, and the commands that init names work: %s',
    async (dialect) => {
      const { start, example } = sandboxOf(dialect);
      const file = join(root, 'examples', example, 'catalog.json');
      const catalog = await start({}, { file, text: readFileSync(file, 'utf8') });
      onTestFinished(() => catalog.close());
      const world = { folder: makeFolder(), environment: accessTo(catalog) };
      const { stdout } = await runInProcess(['init'], world);
      const commands = stdout.matchAll(/run contract-sync (\w+)/gu).map(([, name = '']) => name);
      const named = commands.toArray();
      expect(named).toEqual(['import', 'plan']);
      for (const command of named)
        expect(await runInProcess([command], world)).toMatchObject({ code: 0 });
      const again = await runInProcess(['plan', '--detailed-exitcode'], world);
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes.') });
    },
  );

  test('is written down beside an example where it has no contracts', async () => {
    const world = { folder: makeFolder(), environment: accessTo(await serveCatalog({ seed: [] })) };
    const { stdout } = await runInProcess(['init'], world);
    expect(stdout).toContain(
      'The catalog has no contracts. Describe one in contracts/example.yaml, and run contract-sync validate.\n',
    );
    expect(await runInProcess(['validate'], world)).toMatchObject({ code: 0 });
  });

  test.each<[string, Answering, string | undefined]>([
    ['OpenMetadata', (_, to) => sendJson(to, { version: '1.12.1', revision: 'a' }), 'openmetadata'],
    ['no release', (_, to) => sendJson(to, {}, 404), 'standard'],
    ['a failure', (_, to) => sendJson(to, {}, 500), undefined],
    ['nothing', (_, to) => to.destroy(), undefined],
  ])('is requested once and written down for an answer of %s', async (_, answering, dialect) => {
    const { url, received } = await serve(answering);
    const environment = { CONTRACT_SYNC_URL: url.href, CONTRACT_SYNC_TOKEN: 'token' };
    const folder = makeFolder();
    const run = await runInProcess(['init'], { folder, environment });
    expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('dialect') });
    const { catalog } = parse(readFileSync(join(folder, 'contract-sync.yaml'), 'utf8'));
    expect(catalog?.dialect).toBe(dialect);
    const example = readFileSync(join(folder, 'contracts/example.yaml'), 'utf8');
    const schema = dialect === 'openmetadata' ? 'contract.openmetadata' : 'contract';
    expect(example).toContain(`/${schema}.schema.json\n`);
    const again = received.length;
    await runInProcess(['init'], { folder, environment });
    expect(received).toHaveLength(again);
  });

  test('is left to fill in without a token, or with a catalog for each environment', async () => {
    const { url, received } = await serve((_, to) => sendJson(to, {}, 404));
    for (const [args, token] of [
      [['init'], {}],
      [['init', '--env', 'dev,prod'], { CONTRACT_SYNC_TOKEN: 'token' }],
    ] as const) {
      const folder = makeFolder();
      const environment = { CONTRACT_SYNC_URL: url.href, ...token };
      expect(await runInProcess(args, { folder, environment })).toMatchObject({ code: 0 });
      const text = readFileSync(join(folder, 'contract-sync.yaml'), 'utf8');
      expect(text).toMatch(/# catalog: \{ url: \S+, dialect: openmetadata \} # or standard/u);
    }
    expect(received).toEqual([]);
  });
});

test('where changes need reviews, init writes the workflow that counts them, for each environment', async () => {
  const environments = 'environments: { dev: {}, prod: {} }\n';
  const folder = makeRepository({
    'contract-sync.yaml': environments,
    'contracts/a.yaml': good,
    '.github/x': '',
  });
  await runInProcess(['init'], { folder });
  const reviews = () => workflowsIn(folder).filter((file) => file.includes('review'));
  expect(reviews()).toEqual([]);
  writeFileSync(
    join(folder, 'contract-sync.yaml'),
    `${environments}reviews: { breaking: readers }\n`,
  );
  await runInProcess(['init'], { folder });
  expect(reviews()).toEqual(
    ['dev', 'prod'].map((name) => `.github/workflows/contract-sync-review-${name}.yml`),
  );
  const texts = reviews().map((file) => readFileSync(join(folder, file), 'utf8'));
  for (const text of texts) expectSoundWorkflow(text);
  expect(texts[1]).toContain('--workflow contract-sync-plan-prod.yml --event pull_request');
  expect(parse(texts[1] ?? '').name).toBe('contracts review prod');
});

test.each([
  { args: ['--env', 'dev,,prod'], files: {}, code: 'invalid-command-line' },
  { args: ['--env', 'dev,DEV'], files: {}, code: 'invalid-command-line' },
  { args: ['--env', '../up'], files: {}, code: 'invalid-command-line' },
  { args: [], files: { 'contract-sync.yml': 'scope: []\n' }, code: 'misnamed-config' },
  { args: [], files: { 'contract-sync.yaml': 'scop: []\n' }, code: 'unknown-key' },
])('init writes nothing where it ends with $code', async ({ args, files, code }) => {
  const folder = makeRepository(files, { remote: github });
  const run = await runInProcess(['init', ...args], { folder });
  expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(`[${code}]`) });
  expect(globSync('{*.yaml,*/*.yaml,.github/**}', { cwd: folder })).toEqual(
    Object.keys(files).filter((file) => file.endsWith('.yaml')),
  );
});

/** As a filter of GitHub has it. */
const literally = (name: string) => name.replaceAll(/[[\]!+]/gu, String.raw`\$&`);

describe('a name of a folder or branch', () => {
  test.for([
    ['it\'s "quoted" #1: x', "it's"],
    ['a+b[1]!', 'a+b!'],
    ['no', 'true'],
    ['{a}', '#%{a}'],
  ] as const)('%j, on the branch %j, is quoted in the workflows', async ([below, branch]) => {
    const root = makeRepository({ [`${below}/x`]: '' }, { remote: github, branch });
    await runInProcess(['init'], { folder: join(root, below) });
    const files = workflowsIn(root).map((file) => readFileSync(join(root, file), 'utf8'));
    const [apply, plan, rollback] = files.map((file) => parse(file));
    for (const { jobs } of [apply, plan]) {
      const [job] = Object.values<{ steps: { with?: object }[] }>(jobs);
      expect(job?.steps.map((step) => step.with)).toContainEqual(
        expect.objectContaining({ 'working-directory': below }),
      );
    }
    expect(rollback.defaults.run['working-directory']).toBe(below);
    expect(apply.on.push).toEqual({
      branches: [literally(branch)],
      paths: [`${literally(below)}/contracts/**`, `${literally(below)}/contract-sync.yaml`],
    });
    for (const file of files) expectSoundWorkflow(file);
  });

  test.for([
    ['folder', 'a\njobs: {}', 'a line break'],
    ['folder', 'a\u2028b', 'a line break'],
    ['folder', '${{ secrets.TOKEN }}', 'an expression'],
    ['branch', '${{github.token}}', 'an expression'],
  ] as const)('a %s %j is refused, and nothing is written', async ([what, name, has]) => {
    const branch = what === 'branch' ? name : 'main';
    const below = what === 'folder' ? name : 'team';
    const root = makeRepository({ [`${below}/x`]: '' }, { remote: github, branch });
    const { code, stderr } = await runInProcess(['init'], { folder: join(root, below) });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('[unsafe-name]') });
    expect(stderr).toContain(`can't stand in a workflow: it has ${has}`);
    expect(globSync('**/*.{yaml,yml}', { cwd: root })).toEqual([]);
    expect(workflowsIn(root)).toEqual([]);
  });
});

test.for([
  ['.github', '../outside'],
  ['contracts', '../outside'],
] as const)('init follows no link %s -> %s', async ([link, target]) => {
  const parent = makeFolder({ 'outside/x': '', 'repository/.github/workflows/x': '' });
  const folder = join(parent, 'repository');
  git(folder, 'init', '--quiet');
  rmSync(join(folder, link), { recursive: true, force: true });
  symlinkSync(target, join(folder, link));
  const { code, stderr } = await runInProcess(['init'], { folder });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('[link-outside-root]'),
  });
  const files = globSync('**/*', { cwd: parent, exclude: (name) => name === '.git' });
  expect(files.filter((name) => /\.ya?ml$/u.test(name))).toEqual([]);
  expect(readdirSync(join(parent, 'outside'))).toEqual(['x']);
});

test('the bundle has the examples that init copies', async () => {
  const folder = makeRepository({}, { remote: github });
  const run = await runCli(['init'], { folder });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toContain('wrote  .github/workflows/contract-sync-apply.yml\n');
});
