import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { runCli } from '../support/run-cli.ts';
import { changeOf, liveContract } from '../action/catalog.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, deadUrl, makeFolder, serveCatalog } from '../support/workspace.ts';

const live = {
  name: 'orders',
  fullyQualifiedName: 'shop.sales.orders',
  description: 'Orders.',
  entityStatus: 'Draft',
  version: 0.2,
};

const unchanged = 'fullyQualifiedName: shop.sales.orders\ndescription: Orders.\n';
const changed = 'fullyQualifiedName: shop.sales.orders\ndescription: All orders.\n';

function parse(text: string): Plan {
  const plan: Plan = JSON.parse(text);
  expectValid('plan', plan);
  return plan;
}

describe('exit codes', () => {
  test('--detailed-exitcode exits with 2 for changes, with 0 for none', async () => {
    const catalog = await serveCatalog({ seed: [live] });
    const folder = makeFolder({ 'same.yaml': unchanged, 'other.yaml': changed });
    const world = { folder, environment: accessTo(catalog) };
    const none = await runCli(['plan', 'same.yaml', '--detailed-exitcode'], world);
    const some = await runCli(['plan', 'other.yaml', '--detailed-exitcode'], world);
    expect([none.code, some.code]).toEqual([0, 2]);
  });

  test('a blocked contract exits with 1', async () => {
    const catalog = await serveCatalog({ seed: [{ ...live, entityStatus: 'Deprecated' }] });
    const folder = makeFolder({ 'contracts/orders.yaml': `${unchanged}entityStatus: Draft\n` });
    const run = await runInProcess(['plan', '--detailed-exitcode'], {
      folder,
      environment: accessTo(catalog),
    });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('[transition-blocked]');
  });
});

describe('a failed run ends with one clear message, exit code 1 and no stack trace', () => {
  test.for<{ name: string; code: string; says: RegExp; arrange: () => Promise<World> | World }>([
    {
      name: 'a wrong token',
      code: 'unauthorized',
      says: /contract-sync doctor/u,
      arrange: async () => {
        const { url } = await serveCatalog({ seed: [live] });
        return { CONTRACT_SYNC_URL: url, CONTRACT_SYNC_TOKEN: 'not.the.token' };
      },
    },
    {
      name: 'no token',
      code: 'no-token',
      says: /CONTRACT_SYNC_TOKEN/u,
      arrange: () => ({ CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api' }),
    },
    {
      name: 'no catalog URL',
      code: 'no-catalog-url',
      says: /`catalog-url`/u,
      arrange: () => ({ CONTRACT_SYNC_TOKEN: 'token' }),
    },
    {
      name: 'a base URL that is not the interface',
      code: 'bad-request',
      says: /\/api/u,
      arrange: async () => {
        const catalog = await serveCatalog({ seed: [live] });
        return { ...accessTo(catalog), CONTRACT_SYNC_URL: `${catalog.url}/wrong` };
      },
    },
  ])('$name', async ({ code, says, arrange }) => {
    const environment = await arrange();
    const folder = makeFolder({ 'contracts/orders.yaml': changed });
    const text = await runInProcess(['plan'], { folder, environment });
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toMatch(says);
    expect(text.stderr).toContain(`[${code}]`);
    expect(text.stderr).not.toMatch(/^\s+at /mu);
    expect(text.stderr.match(/error:/gu)).toHaveLength(1);

    const json = await runInProcess(['plan', '--format', 'json'], {
      folder,
      environment,
    });
    expect(json.code).toBe(1);
    const plan = parse(json.stdout);
    expect(plan).toMatchObject({ errored: true, contracts: [], diagnostics: [{ code }] });
    expect(plan).not.toHaveProperty('planHash');
  });

  test('an invalid file', async () => {
    const folder = makeFolder({
      'contracts/orders.yaml': `${changed}descripton: Typo.\nversion: 3\n`,
    });
    const environment = { CONTRACT_SYNC_URL: await deadUrl(), CONTRACT_SYNC_TOKEN: 'token' };
    const text = await runInProcess(['plan'], { folder, environment });
    expect(text).toMatchObject({ code: 1, stdout: '' });
    expect(text.stderr).toContain('contracts/orders.yaml:3:1: error:');
    expect(text.stderr).toContain('Did you mean "description"?');
    expect(text.stderr).toContain('contracts/orders.yaml:4:1: error:');

    const json = await runInProcess(['plan', '--format', 'json'], { folder, environment });
    expect(parse(json.stdout).diagnostics.map(({ code, source }) => [code, source?.line])).toEqual([
      ['unknown-key', 3],
      ['server-owned-field', 4],
    ]);
  });
});

test('--out writes the JSON plan beside any format', async () => {
  const catalog = await serveCatalog({ seed: [live] });
  const folder = makeFolder({ 'contracts/orders.yaml': changed });
  const world = { folder, environment: accessTo(catalog) };
  const text = await runInProcess(['plan', '--out', 'plan.json'], world);
  const json = await runInProcess(['plan', '--format', 'json'], world);
  expect(text.stdout).toContain('shop.sales.orders');
  expect(readFileSync(join(folder, 'plan.json'), 'utf8')).toBe(json.stdout);
  expect(parse(json.stdout).summary.update).toBe(1);
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
  const catalog = await serveCatalog({ seed: [live, other] });
  const folder = makeFolder({ 'contracts/orders.yaml': unchanged });
  const world = { folder, environment: accessTo(catalog) };
  const brief = parse((await runInProcess(['plan', '--format', 'json'], world)).stdout);
  const whole = parse((await runInProcess(['plan', '--format', 'json', '--all'], world)).stdout);
  expect(brief.contracts).toEqual([]);
  expect(whole.contracts.map(({ action }) => action)).toEqual(['unmanaged', 'unchanged']);
  expect(brief.summary).toEqual(whole.summary);
  expect(brief.planHash).toBe(whole.planHash);
});

test('the token is read from a file, and flags beat the environment, which beats the file', async () => {
  const catalog = await serveCatalog({ seed: [live] });
  const folder = makeFolder({
    'token.txt': `${catalog.token}\n`,
    'contract-sync.yaml': 'catalog: { url: "http://127.0.0.1:1/file" }\n',
    'contracts/orders.yaml': changed,
  });
  const environment = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/environment' };
  chmodSync(join(folder, 'token.txt'), 0o600);
  const flags = ['--catalog-url', catalog.url, '--token-file', 'token.txt'];
  expect((await runInProcess(['plan', ...flags], { folder, environment })).code).toBe(0);

  const fromEnvironment = await runInProcess(['plan', '--token-file', 'token.txt'], {
    folder,
    environment,
  });
  expect(fromEnvironment.stderr).toContain('127.0.0.1:1');
  const { stdout } = await runInProcess(['plan', '--token-file', 'token.txt', '--format', 'json'], {
    folder,
  });
  expect(parse(stdout).catalogUrl).toBe('http://127.0.0.1:1/file');
});

type World = Readonly<Record<string, string>>;

test('with --format json, a wrong command line is an error in JSON', async () => {
  const folder = makeFolder();
  const plan = await runInProcess(['plan', '--format', 'json', '--detailed-exit-code'], { folder });
  expect(plan.code).toBe(1);
  expect(parse(plan.stdout).diagnostics).toEqual([
    {
      code: 'invalid-command-line',
      severity: 'error',
      message: "Unknown option '--detailed-exit-code'.",
      hint: 'Did you mean --detailed-exitcode?',
    },
  ]);
  const apply = await runInProcess(['apply', '--format=json', '--nope'], { folder });
  expectValid('outcomes', JSON.parse(apply.stdout));
});

test('the end of a long plan names an apply without arguments where the plan had none', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `orders${index}`);
  const catalog = await serveCatalog({ seed: names.map((name) => liveContract(name)) });
  const folder = makeFolder({
    'contract-sync.yaml': 'limits: { updates: 100% }\n',
    ...Object.fromEntries(names.map((name) => [`contracts/${name}.yaml`, changeOf(name)])),
  });
  const world = { folder, environment: accessTo(catalog) };
  expect((await runInProcess(['plan', '--all'], world)).stdout).toMatch(
    /\nNext: contract-sync apply\n$/u,
  );
  expect((await runInProcess(['plan', '--only', '**'], world)).stdout).toMatch(
    /\nNext: contract-sync apply with the same arguments\n$/u,
  );
});
