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
import { expectValid } from '../support/schema.ts';
import { makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';

const id = 'c0000000-0000-4000-8000-000000000001';
const prodOrders = {
  id,
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

async function openTwo(more: Readonly<Record<string, string>> = {}, common = '') {
  const [dev, prod] = await Promise.all([
    serveCatalog({ seed: [devOrders, devStock] }),
    serveCatalog({ seed: [prodOrders] }),
  ]);
  const folder = makeFolder({
    'contract-sync.yaml': `${common}
environments:
  dev:
    catalog: { url: ${dev.url} }
    names: [{ from: warehouse., to: warehouse_dev. }]
  prod:
    catalog: { url: ${prod.url} }
    protected: true
`,
    'contracts/orders.yaml': file,
    ...more,
  });
  const token = { dev: dev.token, prod: prod.token };
  const run = (of: keyof typeof token, ...args: string[]) =>
    runInProcess(args, { folder, environment: { CONTRACT_SYNC_TOKEN: token[of] } });
  return { folder, dev, prod, run };
}

const planOf = ({ stdout }: { readonly stdout: string }): Plan => {
  const plan: Plan = JSON.parse(stdout);
  expectValid('plan', plan);
  return plan;
};

test('each environment may have a token of its own, and doctor names the one in use', async () => {
  const { folder, dev, prod } = await openTwo();
  const ofDev = 'token-that-is-not-for-prod';
  const environment = {
    CONTRACT_SYNC_TOKEN: ofDev,
    CONTRACT_SYNC_TOKEN_PROD: prod.token,
    CONTRACT_SYNC_TOKEN_DEV: '',
  };
  const inProd = await runInProcess(['doctor', '--env', 'prod'], { folder, environment });
  expect(inProd.code).toBe(0);
  expect(inProd.stdout).toContain('because CONTRACT_SYNC_TOKEN_PROD is set');
  const inDev = await runInProcess(['plan', '--env', 'dev'], { folder, environment });
  expect(inDev.code).toBe(1);
  const mine = { ...environment, CONTRACT_SYNC_TOKEN: dev.token };
  const again = await runInProcess(['plan', '--env', 'dev'], { folder, environment: mine });
  expect(again.code).toBe(0);
  for (const { stdout, stderr } of [inProd, inDev, again]) {
    expect(stdout + stderr).not.toContain(ofDev);
    expect(stdout + stderr).not.toContain(prod.token);
  }
});

test('one set of files serves two catalogs, and each plan names its own', async () => {
  const { folder, dev, run } = await openTwo();
  commitFirst(folder);
  const world = { folder, environment: { CONTRACT_SYNC_TOKEN: dev.token } };
  const inDev = await runInProcess(['plan', '--env', 'dev'], world);
  const inProd = await run('prod', 'plan', '--env', 'prod', '--format', 'markdown');
  const misspelt = await run('dev', 'plan', '--env', 'prd');
  const none = await run('dev', 'plan');
  const applied = await run('dev', 'apply', '--env', 'dev', '--yes', '--format', 'json');
  const outcomes = JSON.parse(applied.stdout);
  expectValid('outcomes', outcomes);
  expect(outcomes).toMatchObject({
    catalogUrl: dev.url,
    environment: 'dev',
    commit: git(folder, 'rev-parse', 'HEAD').trim(),
    dialect: { name: 'standard' },
  });
  expectGolden(
    join(import.meta.dirname, 'golden', 'environments.txt'),
    withoutPlace(
      [
        `$ contract-sync plan --env dev\n${inDev.stdout}`,
        `$ contract-sync plan --env prod --format markdown\n${inProd.stdout}`,
        `$ contract-sync plan --env prd\n${misspelt.stderr}`,
        `$ contract-sync plan\n${none.stderr}`,
      ].join('\n'),
    ),
  );
});

test('a plan of files with uncommitted changes has a warning', async () => {
  const { folder, run } = await openTwo();
  gitInTurn(folder, 'init --quiet', 'commit --quiet --allow-empty -m First');
  expect((await run('dev', 'plan', '--env', 'dev')).stdout).toMatch(
    /^Commit: [0-9a-f]{12}, with uncommitted changes$/mu,
  );
});

describe('a plan of one environment is applied to no other', () => {
  test('by its hash, though copies of a catalog have the same ids', async () => {
    const { run } = await openTwo();
    const dev = planOf(await run('dev', 'plan', '--env', 'dev', '--format', 'json'));
    const prod = planOf(await run('prod', 'plan', '--env', 'prod', '--format', 'json'));
    const [inDev, inProd] = [dev, prod].map(({ contracts }) =>
      contracts.flatMap((contract) => ('fingerprint' in contract ? contract.fingerprint : [])),
    );
    expect(inDev).toEqual(inProd);
    expect(dev.planHash).not.toBe(prod.planHash);
    const hash = dev.planHash ?? '';
    const refused = await run('prod', 'apply', '--yes', '--env', 'prod', '--expect-hash', hash);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain('[plan-changed]');
  });

  test('by its file', async () => {
    const { run } = await openTwo();
    await run('dev', 'plan', '--env', 'dev', '--out', 'plan.json');
    const refused = await run('prod', 'apply', '--yes', '--env', 'prod', '--plan', 'plan.json');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('[other-catalog]');
    const applied = await run('dev', 'apply', '--yes', '--env', 'dev', '--plan', 'plan.json');
    expect(applied.code).toBe(0);
  });
});

describe('names of files', () => {
  test('import turns the names of a catalog back, and the next plan finds the contracts', async () => {
    const { run } = await openTwo({}, 'scope: ["warehouse.**"]');
    const imported = await run(
      'dev',
      'import',
      '--env',
      'dev',
      '--into',
      'contracts/{service}/{name}.yaml',
    );
    expect(imported.stdout).toContain('+ contracts/warehouse/stock.yaml');
    const plan = planOf(await run('dev', 'plan', '--env', 'dev', '--all', '--format', 'json'));
    expect(plan.contracts).toMatchObject([
      { action: 'update' },
      { action: 'unchanged', fullyQualifiedName: 'warehouse_dev.store.stock' },
    ]);
  });

  test('a name that would come back as another is not imported', async () => {
    const catalog = await serveCatalog({
      seed: [{ name: 'a', fullyQualifiedName: 'warehouse.a', version: 0.1 }],
    });
    const folder = makeFolder({
      'contract-sync.yaml': `catalog: { url: ${catalog.url} }\nnames: [{ from: warehouse., to: warehouse_dev. }]\n`,
    });
    const environment = { CONTRACT_SYNC_TOKEN: catalog.token };
    const run = await runInProcess(['import'], { folder, environment });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('[not-for-files]');
  });

  test('a pull edits the file of the contract that has another name in this environment', async () => {
    const { run } = await openTwo({
      'contracts/stock.yaml': 'fullyQualifiedName: warehouse.store.stock\ndescription: Old.\n',
    });
    const pulled = await run('dev', 'pull', '--env', 'dev', '--check');
    expect(pulled.stdout).toContain('--- a/contracts/stock.yaml');
    expect(pulled.code).toBe(2);
  });

  test.each([
    ['protected: [warehouse.finance.**]', []],
    ['', ['--exclude', 'warehouse.finance.**']],
  ])('where names are mapped, %s %s that spares nothing is an error', async (config, flags) => {
    const { run } = await openTwo({}, config);
    const mapped = await run('dev', 'apply', '--env', 'dev', '--yes', ...flags);
    expect(mapped).toMatchObject({ code: 1 });
    expect(mapped.stderr + mapped.stdout).toContain('matches no contract. [pattern-unused]');
    const asIs = await run('prod', 'plan', '--env', 'prod', ...flags);
    expect(asIs).toMatchObject({ code: 0 });
  });

  test('a scope of files is none of another database in the same catalog', async () => {
    const catalog = await serveCatalog({ seed: [prodOrders, { ...devOrders, id: devId }] });
    const folder = makeFolder({
      'contract-sync.yaml': `catalog: { url: ${catalog.url} }\nscope: ["warehouse.**"]\nunmanaged: deprecate\nlimits: { from: 100 }\nenvironments: { dev: { names: [{ from: warehouse., to: warehouse_dev. }] } }\n`,
      'contracts/orders.yaml': file,
    });
    const environment = { CONTRACT_SYNC_TOKEN: catalog.token, CONTRACT_SYNC_ENV: 'dev' };
    const run = await runInProcess(['plan', '--all'], { folder, environment });
    expect(run.stdout).toContain('Plan: 1 to update, 0 unchanged.');
  });
});

async function applyAt(answer: string | undefined, flags: { readonly yes: boolean }) {
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
        : async (question) => {
            asked.push(question);
            return Promise.resolve(answer);
          },
  };
  const code = await runApply(terminal, { ...defaults, ...flags, env: 'prod' }, []);
  return { code, asked: asked.map(withoutPlace), reported: reported.join('') };
}

describe('a protected environment', () => {
  test('needs its name typed at a terminal, even with --yes', async () => {
    expect(await applyAt('prod', { yes: true })).toMatchObject({
      code: 0,
      asked: [
        '\nUpdate 1 contract in http://127.0.0.1:PORT/api, environment prod? Type the name of the environment to apply: ',
      ],
    });
  });

  test('takes no yes for its name', async () => {
    const { code, reported } = await applyAt('yes', { yes: false });
    expect(code).toBe(1);
    expect(reported).toContain('[not-confirmed]');
  });

  test('needs only --yes without a terminal', async () => {
    expect((await applyAt(undefined, { yes: true })).code).toBe(0);
    const refused = await applyAt(undefined, { yes: false });
    expect(refused.code).toBe(1);
    expect(refused.reported).toContain('[confirmation-needed]');
  });
});

async function runAt(which: 'dev' | 'prod', ...args: string[]) {
  const { folder, dev, prod } = await openTwo();
  const { url, token } = { dev, prod }[which];
  const environment = { CONTRACT_SYNC_TOKEN: token, CONTRACT_SYNC_URL: url };
  return runInProcess(args, { folder, environment });
}

describe('where --env is forgotten and a URL is given', () => {
  const withoutUrls = 'environments: { dev: {}, prod: { protected: true } }\n';

  test('a plan names the environment whose catalog it is, and all to choose from', async () => {
    const { diagnostics } = planOf(await runAt('dev', 'plan', '--format', 'json'));
    expect(diagnostics).toContainEqual({
      code: 'no-environment',
      severity: 'warning',
      message: 'No environment is chosen, though this may be the catalog of dev.',
      hint: 'Choose one of the environments: dev, prod.',
    });
  });

  test('an apply to the catalog of a protected one ends before any question or request', async () => {
    const { code, stderr, stdout } = await runAt('prod', 'apply', '--yes');
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(
      'No environment is chosen, and this may be the catalog of prod, which is protected: nothing was applied. [no-environment]',
    );
    expect(stdout).not.toContain('✓');
  });

  test('an apply needs --env where an environment has no URL', async () => {
    const { folder, prod } = await openTwo({ 'contract-sync.yaml': withoutUrls });
    const environment = { CONTRACT_SYNC_TOKEN: prod.token };
    const args = ['apply', '--yes', '--catalog-url', prod.url];
    const refused = await runInProcess(args, { folder, environment });
    expect(refused).toMatchObject({ code: 1 });
    const chosen = await runInProcess([...args, '--env', 'prod'], { folder, environment });
    expect(chosen.code).toBe(0);
  });

  test('a shared URL that no environment has is a catalog of its own', async () => {
    const { folder, dev } = await openTwo();
    const own = `catalog: { url: ${dev.url} }\nenvironments: { prod: { catalog: { url: https://prod.example/api }, protected: true } }\n`;
    writeFileSync(join(folder, 'contract-sync.yaml'), own);
    const environment = { CONTRACT_SYNC_TOKEN: dev.token };
    const { stdout } = await runInProcess(['plan'], { folder, environment });
    expect(stdout).not.toContain('no-environment');
  });
});

describe('where two sources disagree', () => {
  test('a flag that beats it is a remark, and a token file that beats the variable too', async () => {
    const { folder, dev } = await openTwo({ 'token.txt': '' });
    const { chmodSync, writeFileSync } = await import('node:fs');
    writeFileSync(join(folder, 'token.txt'), dev.token);
    chmodSync(join(folder, 'token.txt'), 0o600);
    const environment = {
      CONTRACT_SYNC_TOKEN: 'other',
      CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api',
    };
    const args = [
      'plan',
      '--catalog-url',
      dev.url,
      '--token-file',
      'token.txt',
      '--format',
      'json',
    ];
    expect(planOf(await runInProcess(args, { folder, environment })).diagnostics).toMatchObject([
      { code: 'catalog-url-overridden', severity: 'information' },
      { code: 'no-environment', severity: 'warning' },
    ]);
  });

  test('a variable that is set to nothing chooses no environment, and is a warning', async () => {
    const { folder, dev } = await openTwo();
    const environment = {
      CONTRACT_SYNC_TOKEN: dev.token,
      CONTRACT_SYNC_URL: dev.url,
      CONTRACT_SYNC_ENV: '',
    };
    const code = 'no-environment';
    for (const format of ['text', 'json', 'markdown']) {
      const run = await runInProcess(['plan', '--format', format], { folder, environment });
      expect(run.stdout).toContain(code);
    }
    const chosen = await runInProcess(['plan', '--env', 'dev'], { folder, environment });
    expect(chosen.stdout).not.toContain(code);
    const refused = await runInProcess(['plan', '--env', ''], { folder, environment });
    expect(refused.stderr).toContain('Unknown environment "".');
  });

  test('the same catalog by two sources is no conflict', async () => {
    const { folder, dev } = await openTwo();
    const environment = { CONTRACT_SYNC_TOKEN: dev.token, CONTRACT_SYNC_URL: `${dev.url}/` };
    const run = await runInProcess(['plan', '--env', 'dev'], { folder, environment });
    expect(run.stdout).not.toContain('overridden');
  });
});

describe('names on the command line are those of files', () => {
  /** One catalog with the tables of both environments, as many have. */
  async function openOne() {
    const catalog = await serveCatalog({ seed: [prodOrders, { ...devOrders, id: devId }] });
    const folder = makeFolder({
      'contract-sync.yaml': `catalog: { url: ${catalog.url} }
environments:
  dev: { names: [{ from: warehouse., to: warehouse_dev. }] }
  prod: {}
`,
      'contracts/orders.yaml': file,
      'warehouse.yaml': '',
    });
    const environment = { CONTRACT_SYNC_TOKEN: catalog.token };
    return async (...args: string[]) => runInProcess(args, { folder, environment });
  }
  const name = 'warehouse.sales.orders';

  test.each([name, devOrders.fullyQualifiedName, 'contracts/orders.yaml', devId])(
    'history of %s in dev is that of the table of dev',
    async (given) => {
      const run = await openOne();
      const told = await run('history', given, '--env', 'dev', '--format', 'json');
      expect(JSON.parse(told.stdout)).toMatchObject({ contract: devOrders.fullyQualifiedName });
    },
  );

  test('a rollback in dev leaves the table of prod alone', async () => {
    const run = await openOne();
    expect((await run('apply', '--yes', '--env', 'dev')).stdout).toContain('1 applied');
    expect((await run('apply', '--yes', '--env', 'prod')).stdout).toContain('1 applied');
    const back = await run('rollback', name, '--to', '0.2', '--env', 'dev', '--yes');
    expect(back.stdout).toContain('✓ warehouse_dev.sales.orders  applied');
    const plan = await run('plan', '--env', 'prod');
    expect(plan.stdout).toContain('No changes. 1 unchanged');
  });

  test('a run of dev is taken back in no other environment', async () => {
    const run = await openOne();
    await run('apply', '--yes', '--env', 'dev', '--report', 'run.json');
    const other = await run('rollback', '--run', 'run.json', '--env', 'prod', '--yes');
    expect(other).toMatchObject({ code: 1 });
    expect(other.stderr).toContain(
      'The run in run.json was made for environment dev, not for environment prod. [other-catalog]',
    );
    const none = await run('rollback', '--run', 'run.json', '--yes');
    expect(none.stderr).toContain('[other-catalog]');
    const own = await run('rollback', '--run', 'run.json', '--env', 'dev', '--yes');
    expect(own.stdout).toContain('1 applied');
  });
});
