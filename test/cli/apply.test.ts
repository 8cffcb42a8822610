import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runApply } from '../../src/cli/apply.ts';
import { defaults, type Flags } from '../../src/cli/flags.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import type { Outcomes } from '../../src/apply/outcome.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { programFetch } from '../../src/http/fetch.ts';
import { plain } from '../../src/report/blocks.ts';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { record } from '../support/recorder.ts';
import { runCli, startCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const seed = ['orders', 'carts', 'refunds'].map((name) => ({
  name,
  fullyQualifiedName: `shop.sales.${name}`,
  description: 'Old.',
  entityStatus: 'Draft',
  version: 0.1,
}));

const changeOf = (name: string) => `fullyQualifiedName: shop.sales.${name}\ndescription: New.\n`;

function parse(text: string): Outcomes {
  const outcomes: Outcomes = JSON.parse(text);
  expectValid('outcomes', outcomes);
  return outcomes;
}

test('applies the plan, shows each outcome and leaves nothing to do', async () => {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({
    'contracts/orders.yaml': changeOf('orders'),
    'contracts/carts.yaml': `fullyQualifiedName: shop.sales.carts\nentityStatus: Active\n`,
    'contract-sync.yaml': 'catalog: { dialect: standard }\n',
  });
  const world = { folder, environment: accessTo(catalog) };
  const run = await runCli(['apply', '--yes'], world);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.stdout).toMatch(/shop\.sales\.carts {2}applied {2}version 0\.1 → 1\.0/u);
  expect(run.stdout).toMatch(/shop\.sales\.orders {2}applied {2}version 0\.1 → 0\.2/u);
  expect(run.stdout).toContain('Apply: 2 applied.');
  expect((await runInProcess(['plan', '--detailed-exitcode'], world)).code).toBe(0);
});

test('warns once of a catalog that refuses guards', async () => {
  const catalog = await serveCatalog({ seed });
  const proxy = await startFaultyProxy(catalog.url);
  onTestFinished(proxy.close);
  proxy.behave(({ body }) =>
    body.includes('"op":"test"') ? { moment: 'before commit', how: 400 } : undefined,
  );
  const folder = makeFolder({
    'contracts/orders.yaml': changeOf('orders'),
    'contracts/carts.yaml': changeOf('carts'),
    'contract-sync.yaml': 'catalog: { dialect: standard }\n',
  });
  const environment = accessTo({ ...catalog, url: proxy.url });
  const run = await runInProcess(['apply', '--yes', '--quiet'], { folder, environment });
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('Apply: 2 applied.') });
  expect(run.stderr.match(/\[guards-refused\]/gu)).toHaveLength(1);
});

test('--format json gives the outcomes on standard output, the plan on standard error', async () => {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({ 'contracts/orders.yaml': changeOf('orders') });
  const world = { folder, environment: accessTo(catalog) };
  const run = await runInProcess(['apply', '--yes', '--format', 'json'], world);
  expect(parse(run.stdout)).toMatchObject({
    summary: { applied: 1 },
    outcomes: [{ result: 'applied', versionBefore: '0.1', versionAfter: '0.2', error: null }],
  });
  expect(run.stderr).toContain('1 to update');
});

test('a plan without changes sends nothing and exits with 0', async () => {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({ 'contracts/orders.yaml': 'fullyQualifiedName: shop.sales.orders\n' });
  const world = { folder, environment: accessTo(catalog) };
  const asText = await runInProcess(['apply'], world);
  expect(asText).toMatchObject({ code: 0, stderr: '' });
  expect(asText.stdout).toContain('No changes.');
  const json = await runInProcess(['apply', '--format', 'json'], world);
  expect(json.code).toBe(0);
  expect(parse(json.stdout).outcomes).toEqual([]);
});

describe('without --yes', () => {
  test('nothing is applied without a terminal to confirm at', async () => {
    const catalog = await serveCatalog({ seed });
    const folder = makeFolder({ 'contracts/orders.yaml': changeOf('orders') });
    const world = { folder, environment: accessTo(catalog) };
    const asText = await runInProcess(['apply'], world);
    expect(asText.code).toBe(1);
    expect(asText.stderr).toContain('--yes');
    const json = await runInProcess(['apply', '--format', 'json'], world);
    expect(json.code).toBe(1);
    expect(parse(json.stdout).diagnostics).toMatchObject([{ code: 'confirmation-needed' }]);
    expect((await runInProcess(['plan', '--detailed-exitcode'], world)).code).toBe(2);
  });

  test.for([
    { answer: 'yes', code: 0, updates: 0 },
    { answer: ' yes\n', code: 0, updates: 0 },
    { answer: 'y', code: 1, updates: 2 },
    { answer: 'YES', code: 1, updates: 2 },
    { answer: '', code: 1, updates: 2 },
  ])('the answer $answer on a terminal gives $code', async ({ answer, code, updates }) => {
    const catalog = await serveCatalog({ seed });
    const folder = makeFolder({ 'contracts/orders.yaml': changeOf('orders') });
    const { terminal, reported, asked } = terminalThatAnswers(answer, folder, accessTo(catalog));
    expect(await runApply(terminal, flags, [])).toBe(code);
    expect(asked.join('')).toContain(`1 contract in ${catalog.url}`);
    if (code === 1) expect(reported.join('')).toContain('nothing was applied');
    const after = await runInProcess(['plan', '--detailed-exitcode'], {
      folder,
      environment: accessTo(catalog),
    });
    expect(after.code).toBe(updates);
  });
});

test('a plan with errors is shown and refused before the first write', async () => {
  const catalog = await serveCatalog({
    seed: [...seed, { name: 'old', fullyQualifiedName: 'shop.old', entityStatus: 'Deprecated' }],
  });
  const folder = makeFolder({
    'contracts/old.yaml': 'fullyQualifiedName: shop.old\nentityStatus: Draft\n',
    'contracts/orders.yaml': changeOf('orders'),
  });
  const world = { folder, environment: accessTo(catalog) };
  const asText = await runInProcess(['apply', '--yes'], world);
  expect(asText.code).toBe(1);
  expect(asText.stdout).toContain('[transition-blocked]');
  expect(asText.stderr).toContain('nothing was applied');
  const json = await runInProcess(['apply', '--yes', '--format', 'json'], world);
  expect(parse(json.stdout).diagnostics.map(({ code }) => code)).toEqual([
    'transition-blocked',
    'plan-errored',
  ]);
  const { stdout } = await runInProcess(['plan', '--format', 'json'], world);
  expect(JSON.parse(stdout).summary).toMatchObject({ update: 1, blocked: 1 });
});

test('Ctrl-C finishes the patch in flight, skips the rest and exits with 130', async () => {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({
    'contracts/a.yaml': changeOf('carts'),
    'contracts/b.yaml': changeOf('orders'),
    'contracts/c.yaml': changeOf('refunds'),
  });
  const recorder = await record(catalog.url, (line) => {
    if (line.startsWith('PATCH')) child.kill('SIGINT');
  });
  const child = startCli(['apply', '--yes', '--concurrency', '1', '--format', 'json'], {
    folder,
    environment: accessTo({ ...catalog, url: recorder.url }),
  });
  const output = text(child.stdout);
  const [code] = await once(child, 'close');
  expect(code).toBe(130);
  expect(parse(await output).outcomes.map(({ result }) => result)).toEqual([
    'applied',
    'skipped',
    'skipped',
  ]);
});

const flags: Flags = { ...defaults, quiet: true };

/** A terminal with a person at it who gives one answer. */
function terminalThatAnswers(
  answer: string,
  folder: string,
  environment: Readonly<Record<string, string>>,
) {
  const reported: string[] = [];
  const asked: string[] = [];
  const terminal: Terminal = {
    write: () => undefined,
    report: (text) => void reported.push(text),
    live: false,
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
    environment,
    folder,
    root: folder,
    layouts: { write: { palette: plain }, report: { palette: plain } },
    endWith: () => () => undefined,
    interruption: () => new AbortController().signal,
    redactor: createRedactor(),
    fetch: programFetch(environment),
  };
  return { terminal, reported, asked };
}

describe('a contract that the catalog does not have', () => {
  const files = {
    'contracts/orders.yaml': changeOf('orders'),
    'contracts/typo.yaml': changeOf('cartz'),
  };

  test('is an error with exit code 1, and the others are applied', async () => {
    const catalog = await serveCatalog({ seed });
    const world = { folder: makeFolder(files), environment: accessTo(catalog) };
    const plan = await runInProcess(['plan', '--detailed-exitcode'], world);
    expect(plan).toMatchObject({ code: 1, stderr: '' });
    expect(plan.stdout).toContain('contracts/typo.yaml:1:21: error: The catalog has no such');
    expect(plan.stdout).toContain('Did you mean "shop.sales.carts" (live, without a file)?');
    const run = await runInProcess(['apply', '--yes'], world);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('Apply: 1 applied.');
    expect(run.stderr).toContain('[plan-incomplete]');
  });

  test('is a remark with `missing: report`', async () => {
    const catalog = await serveCatalog({ seed });
    const folder = makeFolder({ ...files, 'contract-sync.yaml': 'missing: report\n' });
    const world = { folder, environment: accessTo(catalog) };
    expect(await runInProcess(['apply', '--yes'], world)).toMatchObject({ code: 0, stderr: '' });
    expect(await runInProcess(['plan', '--detailed-exitcode'], world)).toMatchObject({ code: 0 });
  });
});
