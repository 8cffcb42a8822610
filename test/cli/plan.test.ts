import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, deadUrl, makeFolder, serveCatalog } from '../support/workspace.ts';
import { openWorld, planIn } from '../support/world.ts';

const live = {
  name: 'orders',
  fullyQualifiedName: 'shop.sales.orders',
  description: 'Orders.',
  entityStatus: 'Draft',
  version: 0.2,
};

const unchanged = 'fullyQualifiedName: shop.sales.orders\ndescription: Orders.\n';
const changed = 'fullyQualifiedName: shop.sales.orders\ndescription: All orders.\n';

test('--detailed-exitcode exits with 2 for changes, with 0 for none', async () => {
  const world = await openWorld([live], { 'same.yaml': unchanged, 'other.yaml': changed });
  const none = await runCli(['plan', 'same.yaml', '--detailed-exitcode'], world);
  const some = await runCli(['plan', 'other.yaml', '--detailed-exitcode'], world);
  expect([none.code, some.code]).toEqual([0, 2]);
});

type Environment = Readonly<Record<string, string>>;

test.for<[string, string, RegExp, (access: ReturnType<typeof accessTo>) => Environment]>([
  [
    'a wrong token',
    'unauthorized',
    /contract-sync doctor/u,
    (access) => ({ ...access, CONTRACT_SYNC_TOKEN: 'not.the.token' }),
  ],
  [
    'no token',
    'no-token',
    /CONTRACT_SYNC_TOKEN/u,
    () => ({ CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api' }),
  ],
  ['no catalog URL', 'no-catalog-url', /`catalog-url`/u, () => ({ CONTRACT_SYNC_TOKEN: 'token' })],
  [
    'a base URL that is not the interface',
    'bad-request',
    /\/api/u,
    (access) => ({ ...access, CONTRACT_SYNC_URL: `${access.CONTRACT_SYNC_URL}/wrong` }),
  ],
])('%s ends a plan with one clear message and no stack trace', async ([, code, says, arrange]) => {
  const environment = arrange(accessTo(await serveCatalog({ seed: [live] })));
  const folder = makeFolder({ 'contracts/orders.yaml': changed });
  const text = await runInProcess(['plan'], { folder, environment });
  expect(text).toMatchObject({ code: 1, stdout: '' });
  expect(text.stderr).toMatch(says);
  expect(text.stderr).toContain(`[${code}]`);
  expect(text.stderr).not.toMatch(/^\s+at /mu);
  expect(text.stderr.match(/error:/gu)).toHaveLength(1);
  const json = await runInProcess(['plan', '--format', 'json'], { folder, environment });
  expect(json.code).toBe(1);
  const plan = planIn(json.stdout);
  expect(plan).toMatchObject({ errored: true, contracts: [], diagnostics: [{ code }] });
  expect(plan).not.toHaveProperty('planHash');
});

test('an invalid file ends a plan with all of its problems', async () => {
  const text = `${changed}descripton: Typo.\nversion: 3\n`;
  const { run, plan } = await openWorld([], { 'contracts/orders.yaml': text });
  const dead = ['--catalog-url', await deadUrl()];
  const { code, stdout, stderr } = await run('plan', ...dead);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('contracts/orders.yaml:3:1: error:');
  expect(stderr).toContain('Did you mean "description"?');
  expect(stderr).toContain('contracts/orders.yaml:4:1: error:');
  const { diagnostics } = await plan(...dead);
  expect(diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
    ['unknown-key', 3],
    ['server-owned-field', 4],
  ]);
});

test('--out writes the JSON plan beside any format', async () => {
  const { run, read } = await openWorld([live], { 'contracts/orders.yaml': changed });
  const text = await run('plan', '--out', 'plan.json');
  expect(text.stdout).toContain('shop.sales.orders');
  const { stdout } = await run('plan', '--format', 'json');
  expect(read('plan.json')).toBe(stdout);
  expect(planIn(stdout).summary.update).toBe(1);
});

test('--help lists the flags in groups, and no default of a switch', async () => {
  const { stdout } = await runInProcess(['plan', '--help'], { folder: makeFolder() });
  expect(stdout.match(/^\S.*:$/gmu)).toEqual([
    'Arguments:',
    'Options:',
    'Which contracts:',
    'Limits:',
    'Who changed what:',
    'What was reviewed:',
    'The catalog:',
  ]);
  expect(stdout).toContain('default: "text"');
  expect(stdout).not.toContain('false');
});

test('--all lists the unchanged and the unmanaged, which are only counted otherwise', async () => {
  const other = { name: 'carts', fullyQualifiedName: 'shop.sales.carts', entityStatus: 'Draft' };
  const { plan } = await openWorld([live, other], { 'contracts/orders.yaml': unchanged });
  const [brief, whole] = [await plan(), await plan('--all')];
  expect(brief.contracts).toEqual([]);
  expect(whole.contracts.map(({ action }) => action)).toEqual(['unmanaged', 'unchanged']);
  expect(brief.summary).toEqual(whole.summary);
  expect(brief.planHash).toBe(whole.planHash);
});

test('the token is read from a file, and flags beat the environment, which beats the file', async () => {
  const { catalog, folder } = await openWorld([live], {
    'contract-sync.yaml': 'catalog: { url: "http://127.0.0.1:1/file" }\n',
    'contracts/orders.yaml': changed,
    'token.txt': '',
  });
  writeFileSync(join(folder, 'token.txt'), `${catalog.token}\n`);
  chmodSync(join(folder, 'token.txt'), 0o600);
  const plan = async (environment: Environment, ...flags: readonly string[]) =>
    runInProcess(['plan', '--token-file', 'token.txt', ...flags], { folder, environment });
  const environment = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/environment' };
  expect((await plan(environment, '--catalog-url', catalog.url)).code).toBe(0);
  expect((await plan(environment)).stderr).toContain('127.0.0.1:1/environment');
  const { stdout } = await plan({}, '--format', 'json');
  expect(planIn(stdout).catalogUrl).toBe('http://127.0.0.1:1/file');
});
