import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runApply } from '../../src/cli/apply.ts';
import { defaults } from '../../src/cli/flags.ts';
import { createTerminal, type Terminal } from '../../src/cli/terminal.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { commitFirst, git, gitInTurn } from '../support/git-folder.ts';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';
import { openWorld, outcomesIn, planIn } from '../support/world.ts';

const prodOrders = {
  id: 'c0000000-0000-4000-8000-000000000001',
  name: 'orders',
  fullyQualifiedName: 'warehouse.sales.orders',
  version: 0.2,
};
const devId = 'c0000000-0000-4000-8000-000000000002';
/** A copy of the catalog has the same ids. */
const devOrders = { ...prodOrders, fullyQualifiedName: 'warehouse_dev.sales.orders' };
const devStock = {
  name: 'stock',
  fullyQualifiedName: 'warehouse_dev.store.stock',
  version: 0.1,
  entityStatus: 'Active',
};
const file = 'fullyQualifiedName: warehouse.sales.orders\ndescription: One row for each order.\n';
const toDev = 'names: [{ from: warehouse., to: warehouse_dev. }]';
const says = (text: string) => expect.stringContaining(text);

async function openTwo(more: Readonly<Record<string, string>> = {}, common = '') {
  const dev = await serveCatalog({ seed: [devOrders, devStock] });
  const prod = await serveCatalog({ seed: [prodOrders] });
  const folder = makeFolder({
    'contract-sync.yaml': `${common}
environments:
  dev:
    catalog: { url: ${dev.url} }
    ${toDev}
  prod:
    catalog: { url: ${prod.url} }
    protected: true
`,
    'contracts/orders.yaml': file,
    ...more,
  });
  const tokens = { dev: dev.token, prod: prod.token };
  /** A run of no environment but that of these variables. */
  const runWith = (environment: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    runInProcess(args, { folder, environment });
  const run = (env: keyof typeof tokens, ...args: readonly string[]) =>
    runWith({ CONTRACT_SYNC_TOKEN: tokens[env] }, ...args, '--env', env);
  const plan = async (env: keyof typeof tokens, ...args: readonly string[]) =>
    planIn((await run(env, 'plan', '--format', 'json', ...args)).stdout);
  return { folder, dev, prod, run, runWith, plan };
}

test('each environment may have a token of its own, and doctor names the one in use', async () => {
  const { dev, prod, runWith } = await openTwo();
  const ofDev = 'token-that-is-not-for-prod';
  const tokens = {
    CONTRACT_SYNC_TOKEN: ofDev,
    CONTRACT_SYNC_TOKEN_PROD: prod.token,
    CONTRACT_SYNC_TOKEN_DEV: '',
  };
  const inProd = await runWith(tokens, 'doctor', '--env', 'prod');
  expect(inProd).toMatchObject({
    code: 0,
    stdout: says('because CONTRACT_SYNC_TOKEN_PROD is set'),
  });
  const inDev = await runWith(tokens, 'plan', '--env', 'dev');
  expect(inDev.code).toBe(1);
  const mine = { ...tokens, CONTRACT_SYNC_TOKEN: dev.token };
  const again = await runWith(mine, 'plan', '--env', 'dev');
  expect(again.code).toBe(0);
  for (const { stdout, stderr } of [inProd, inDev, again]) {
    expect(stdout + stderr).not.toContain(ofDev);
    expect(stdout + stderr).not.toContain(prod.token);
  }
});

test('one set of files serves two catalogs, and each plan names its own', async () => {
  const { folder, dev, run, runWith } = await openTwo();
  commitFirst(folder);
  const token = { CONTRACT_SYNC_TOKEN: dev.token };
  const inDev = await run('dev', 'plan');
  const inProd = await run('prod', 'plan', '--format', 'markdown');
  const misspelt = await runWith(token, 'plan', '--env', 'prd');
  const none = await runWith(token, 'plan');
  const applied = await run('dev', 'apply', '--yes', '--format', 'json');
  expect(outcomesIn(applied.stdout)).toMatchObject({
    catalogUrl: dev.url,
    environment: 'dev',
    commit: git(folder, 'rev-parse', 'HEAD').trim(),
    dialect: { name: 'standard' },
  });
  const shown = [
    `$ contract-sync plan --env dev\n${inDev.stdout}`,
    `$ contract-sync plan --env prod --format markdown\n${inProd.stdout}`,
    `$ contract-sync plan --env prd\n${misspelt.stderr}`,
    `$ contract-sync plan\n${none.stderr}`,
  ];
  const golden = join(import.meta.dirname, 'golden', 'environments.txt');
  expectGolden(golden, withoutPlace(shown.join('\n')));
});

test('a plan of files with uncommitted changes has a warning', async () => {
  const { folder, run } = await openTwo();
  gitInTurn(folder, 'init --quiet', 'commit --quiet --allow-empty -m First');
  const { stdout } = await run('dev', 'plan');
  expect(stdout).toMatch(/^Commit: [0-9a-f]{12}, with uncommitted changes$/mu);
});

const fingerprintsOf = ({ contracts }: Plan) =>
  contracts.flatMap((contract) => ('fingerprint' in contract ? contract.fingerprint : []));

test('a plan of one environment is applied to no other, by its hash or its file', async () => {
  const { run, plan } = await openTwo();
  const dev = await plan('dev', '--out', 'plan.json');
  const prod = await plan('prod');
  expect(fingerprintsOf(dev)).toEqual(fingerprintsOf(prod));
  expect(dev.planHash).not.toBe(prod.planHash);
  const byHash = await run('prod', 'apply', '--yes', '--expect-hash', dev.planHash ?? '');
  expect(byHash).toMatchObject({ code: 1, stdout: says('[plan-changed]') });
  const byFile = await run('prod', 'apply', '--yes', '--plan', 'plan.json');
  expect(byFile).toMatchObject({ code: 1, stderr: says('[other-catalog]') });
  expect((await run('dev', 'apply', '--yes', '--plan', 'plan.json')).code).toBe(0);
});

describe('names of files', () => {
  test('import turns the names of a catalog back, and the next plan finds the contracts', async () => {
    const { run, plan } = await openTwo({}, 'scope: ["warehouse.**"]');
    const imported = await run('dev', 'import', '--into', 'contracts/{service}/{name}.yaml');
    expect(imported.stdout).toContain('+ contracts/warehouse/stock.yaml');
    expect((await plan('dev', '--all')).contracts).toMatchObject([
      { action: 'update' },
      { action: 'unchanged', fullyQualifiedName: 'warehouse_dev.store.stock' },
    ]);
  });

  test('a name that would come back as another is not imported', async () => {
    const seed = [{ name: 'a', fullyQualifiedName: 'warehouse.a', version: 0.1 }];
    const { run } = await openWorld(seed, { 'contract-sync.yaml': `${toDev}\n` });
    expect(await run('import')).toMatchObject({ code: 1, stderr: says('[not-for-files]') });
  });

  test('a pull edits the file of the contract that has another name in this environment', async () => {
    const stock = 'fullyQualifiedName: warehouse.store.stock\ndescription: Old.\n';
    const { run } = await openTwo({ 'contracts/stock.yaml': stock });
    const pulled = await run('dev', 'pull', '--check');
    expect(pulled).toMatchObject({ code: 2, stdout: says('--- a/contracts/stock.yaml') });
  });

  test.each([
    ['protected: [warehouse.finance.**]', []],
    ['', ['--exclude', 'warehouse.finance.**']],
  ])('where names are mapped, %s %s that spares nothing is an error', async (config, flags) => {
    const { run } = await openTwo({}, config);
    const mapped = await run('dev', 'apply', '--yes', ...flags);
    expect(mapped).toMatchObject({ code: 1 });
    expect(mapped.stderr + mapped.stdout).toContain('matches no contract. [pattern-unused]');
    expect(await run('prod', 'plan', ...flags)).toMatchObject({ code: 0 });
  });
});

const question =
  '\nUpdate 1 contract in http://127.0.0.1:PORT/api, environment prod? Type the name of the environment to apply: ';

test.for<[title: string, answer: string | undefined, yes: boolean, code: number, words: string]>([
  ['takes its name, also with --yes', 'prod', true, 0, ''],
  ['takes no yes for its name', 'yes', false, 1, '[not-confirmed]'],
  ['needs only --yes without a terminal', undefined, true, 0, ''],
  ['needs --yes without a terminal', undefined, false, 1, '[confirmation-needed]'],
])('a protected environment %s', async ([, answer, yes, code, words]) => {
  const { folder, prod } = await openTwo();
  const asked: string[] = [];
  const reported: string[] = [];
  const terminal: Terminal = {
    ...createTerminal({ colour: false }),
    environment: { CONTRACT_SYNC_TOKEN: prod.token },
    folder,
    root: folder,
    write: () => undefined,
    report: (text) => void reported.push(text),
    interruption: () => new AbortController().signal,
    ask:
      answer === undefined
        ? undefined
        : async (text) => {
            asked.push(withoutPlace(text));
            return Promise.resolve(answer);
          },
  };
  expect(await runApply(terminal, { ...defaults, yes, env: 'prod' }, [])).toBe(code);
  expect(asked).toEqual(answer === undefined ? [] : [question]);
  expect(reported.join('')).toContain(words);
});

describe('where --env is forgotten and a URL is given', () => {
  test('a plan names all environments to choose from', async () => {
    const { dev, runWith } = await openTwo();
    const environment = { CONTRACT_SYNC_TOKEN: dev.token, CONTRACT_SYNC_URL: dev.url };
    const { stdout } = await runWith(environment, 'plan', '--format', 'json');
    expect(planIn(stdout).diagnostics).toContainEqual({
      code: 'no-environment',
      severity: 'warning',
      message: 'No environment is chosen.',
      hint: 'Choose one of the environments: dev, prod.',
    });
  });

  test('an apply to the catalog of a protected one ends before any question or request', async () => {
    const { prod, runWith } = await openTwo();
    const environment = { CONTRACT_SYNC_TOKEN: prod.token, CONTRACT_SYNC_URL: prod.url };
    const { code, stderr, stdout } = await runWith(environment, 'apply', '--yes');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(
      'No environment is chosen, and this may be the catalog of prod, which is protected: nothing was applied. [no-environment]',
    );
    expect(stdout).not.toContain('✓');
  });

  test('an apply needs --env where an environment has no URL', async () => {
    const config = 'environments: { dev: {}, prod: { protected: true } }\n';
    const { prod, runWith } = await openTwo({ 'contract-sync.yaml': config });
    const token = { CONTRACT_SYNC_TOKEN: prod.token };
    const args = ['apply', '--yes', '--catalog-url', prod.url];
    expect(await runWith(token, ...args)).toMatchObject({ code: 1 });
    expect(await runWith(token, ...args, '--env', 'prod')).toMatchObject({ code: 0 });
  });

  test('a shared URL that no environment has is a catalog of its own', async () => {
    const { folder, dev, runWith } = await openTwo();
    const own = `catalog: { url: ${dev.url} }\nenvironments: { prod: { catalog: { url: https://prod.example/api }, protected: true } }\n`;
    writeFileSync(join(folder, 'contract-sync.yaml'), own);
    const { stdout } = await runWith({ CONTRACT_SYNC_TOKEN: dev.token }, 'plan');
    expect(stdout).not.toContain('no-environment');
  });
});

describe('where two sources disagree', () => {
  test('a flag beats the variables, and a plan says so of the URL', async () => {
    const { dev, runWith } = await openTwo();
    const environment = {
      CONTRACT_SYNC_TOKEN: dev.token,
      CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api',
    };
    const flags = ['--catalog-url', dev.url, '--format', 'json'];
    const { stdout } = await runWith(environment, 'plan', ...flags);
    expect(planIn(stdout).diagnostics).toMatchObject([
      { code: 'catalog-url-overridden', severity: 'information' },
      { code: 'no-environment', severity: 'warning' },
    ]);
  });

  test('an empty variable chooses no environment, with a warning', async () => {
    const { dev, runWith } = await openTwo();
    const environment = {
      CONTRACT_SYNC_TOKEN: dev.token,
      CONTRACT_SYNC_URL: dev.url,
      CONTRACT_SYNC_ENV: '',
    };
    for (const format of ['text', 'json', 'markdown'])
      expect((await runWith(environment, 'plan', '--format', format)).stdout).toContain(
        'no-environment',
      );
    const chosen = await runWith(environment, 'plan', '--env', 'dev');
    expect(chosen.stdout).not.toContain('no-environment');
    const refused = await runWith(environment, 'plan', '--env', '');
    expect(refused.stderr).toContain('Unknown environment "".');
  });

  test('the same catalog by two sources is no conflict', async () => {
    const { dev, runWith } = await openTwo();
    const environment = { CONTRACT_SYNC_TOKEN: dev.token, CONTRACT_SYNC_URL: `${dev.url}/` };
    const { stdout } = await runWith(environment, 'plan', '--env', 'dev');
    expect(stdout).not.toContain('overridden');
  });
});

/** One catalog with the tables of both environments, as many have. */
const openOne = () =>
  openWorld([prodOrders, { ...devOrders, id: devId }], {
    'contract-sync.yaml': `environments: { dev: { ${toDev} }, prod: {} }\n`,
    'contracts/orders.yaml': file,
    'warehouse.yaml': '',
  });

test.each(['warehouse.sales.orders', 'contracts/orders.yaml', devId])(
  'history of %s in dev is that of the table of dev',
  async (name) => {
    const { run } = await openOne();
    const { stdout } = await run('history', name, '--env', 'dev', '--format', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ contract: devOrders.fullyQualifiedName });
  },
);

test('a run of dev is taken back in no other environment', async () => {
  const { run } = await openOne();
  await run('apply', '--yes', '--env', 'dev', '--report', 'run.json');
  const back = (...flags: readonly string[]) =>
    run('rollback', '--run', 'run.json', '--yes', ...flags);
  expect(await back('--env', 'prod')).toMatchObject({
    code: 1,
    stderr: says(
      'The run in run.json was made for environment dev, not for environment prod. [other-catalog]',
    ),
  });
  expect((await back()).stderr).toContain('[other-catalog]');
  expect((await back('--env', 'dev')).stdout).toContain('1 applied');
});
