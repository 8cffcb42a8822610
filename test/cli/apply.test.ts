import { expect, test } from 'vitest';
import { runApply } from '../../src/cli/apply.ts';
import { defaults, type Flags } from '../../src/cli/flags.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { programFetch } from '../../src/http/fetch.ts';
import { plain } from '../../src/report/blocks.ts';
import { runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo } from '../support/workspace.ts';
import { openWorld, outcomesIn } from '../support/world.ts';

const seed = ['orders', 'carts', 'refunds'].map((name) => ({
  name,
  fullyQualifiedName: `shop.sales.${name}`,
  description: 'Old.',
  entityStatus: 'Draft',
  version: 0.1,
}));

const changeOf = (name: string) => `fullyQualifiedName: shop.sales.${name}\ndescription: New.\n`;
const oneChange = { 'contracts/orders.yaml': changeOf('orders') };
const withTypo = { ...oneChange, 'contracts/typo.yaml': changeOf('cartz') };
const standard = { 'contract-sync.yaml': 'catalog: { dialect: standard }\n' };

test('applies the plan, shows each outcome and leaves nothing to do', async () => {
  const { folder, environment, run } = await openWorld(seed, {
    'contracts/orders.yaml': changeOf('orders'),
    'contracts/carts.yaml': `fullyQualifiedName: shop.sales.carts\nentityStatus: Active\n`,
    ...standard,
  });
  const applied = await runCli(['apply', '--yes'], { folder, environment });
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(applied.stdout).toMatch(/shop\.sales\.carts {2}applied {2}version 0\.1 → 1\.0/u);
  expect(applied.stdout).toMatch(/shop\.sales\.orders {2}applied {2}version 0\.1 → 0\.2/u);
  expect(applied.stdout).toContain('Apply: 2 applied.');
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('--format json gives the outcomes on standard output, the plan on standard error', async () => {
  const { apply } = await openWorld(seed, oneChange);
  expect(await apply()).toMatchObject({
    stderr: expect.stringContaining('1 to update'),
    summary: { applied: 1 },
    outcomes: [{ result: 'applied', versionBefore: '0.1', versionAfter: '0.2', error: null }],
  });
});

test('a plan without changes sends nothing and exits with 0', async () => {
  const nothing = { 'contracts/orders.yaml': 'fullyQualifiedName: shop.sales.orders\n' };
  const { run, apply } = await openWorld(seed, nothing);
  const asText = await run('apply');
  expect(asText).toMatchObject({ code: 0, stderr: '' });
  expect(asText.stdout).toContain('No changes.');
  expect(await apply()).toMatchObject({ code: 0, outcomes: [] });
});

test('without --yes nothing is applied where no terminal can confirm', async () => {
  const { run } = await openWorld(seed, oneChange);
  const asText = await run('apply');
  expect(asText).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
  const json = await run('apply', '--format', 'json');
  expect(json.code).toBe(1);
  expect(outcomesIn(json.stdout).diagnostics).toMatchObject([{ code: 'confirmation-needed' }]);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(2);
});

test.for([
  { answer: 'yes', code: 0, updates: 0 },
  { answer: ' yes\n', code: 0, updates: 0 },
  { answer: 'y', code: 1, updates: 2 },
  { answer: 'YES', code: 1, updates: 2 },
  { answer: '', code: 1, updates: 2 },
])('without --yes the answer $answer on a terminal gives $code', async (given) => {
  const { folder, environment, catalog, run } = await openWorld(seed, oneChange);
  const { terminal, reported, asked } = terminalThatAnswers(given.answer, folder, environment);
  expect(await runApply(terminal, flags, [])).toBe(given.code);
  expect(asked.join('')).toContain(`1 contract in ${catalog.url}`);
  if (given.code === 1) expect(reported.join('')).toContain('nothing was applied');
  expect((await run('plan', '--detailed-exitcode')).code).toBe(given.updates);
});

test('access denied stops the run, unless --max-failures allows more failures', async () => {
  const { catalog, folder } = await openWorld(seed, {
    ...oneChange,
    'contracts/carts.yaml': changeOf('carts'),
    'contracts/refunds.yaml': changeOf('refunds'),
  });
  const environment = accessTo({ ...catalog, token: catalog.readOnlyToken });
  const apply = async (...more: readonly string[]) =>
    runInProcess(['apply', '--yes', '--concurrency', '1', ...more], { folder, environment });
  const stopped = await apply();
  expect(stopped.code).toBe(1);
  expect(stopped.stdout).toContain('Apply: 0 applied, 1 failed, 2 skipped.');
  const tried = await apply('--max-failures', '2');
  expect(tried.stdout).toContain('Apply: 0 applied, 2 failed, 1 skipped.');
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

test('a contract that the catalog lacks is an error, and the others are applied', async () => {
  const { run } = await openWorld(seed, withTypo);
  const plan = await run('plan', '--detailed-exitcode');
  expect(plan).toMatchObject({ code: 1, stderr: '' });
  expect(plan.stdout).toContain('contracts/typo.yaml:1:21: error: The catalog has no such');
  expect(plan.stdout).toContain('Did you mean "shop.sales.carts" (live, without a file)?');
  const applied = await run('apply', '--yes');
  expect(applied.code).toBe(1);
  expect(applied.stdout).toContain('Apply: 1 applied.');
  expect(applied.stderr).toContain('[plan-incomplete]');
});
