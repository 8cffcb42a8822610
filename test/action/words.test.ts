import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { reword } from '../../src/action/words.ts';
import { arrange, changeOf } from './catalog.ts';
import { annotationsIn, logOf, pullRequestEvent, runAction } from './run-action.ts';

describe('a run that is refused says what to do in the workflow, and names no flag', () => {
  test.for<{ inputs: Record<string, string>; says: string }>([
    {
      inputs: { 'working-directory': 'nowhere' },
      says: 'The folder "nowhere" of the input `working-directory` doesn\'t exist.\nCheck the repository out before this step, or correct the input.',
    },
    {
      inputs: { environment: 'prod' },
      says: 'Unknown environment "prod".\nDefine it under `environments`, or remove the input `environment`.',
    },
    {
      inputs: { 'catalog-url': 'http://catalog.example.com/api' },
      says: 'The catalog URL would send the token unencrypted to catalog.example.com.\nUse https://.',
    },
    {
      inputs: { 'auto-approve': 'yes' },
      says: 'The input `auto-approve` takes true, false, not "yes".',
    },
  ])('$inputs', async ({ inputs, says }) => {
    const world = await arrange({ orders: changeOf('orders') }, ['orders']);
    const token = 'header.a--token.signature';
    const given = { ...world.inputs, token, ...inputs };
    const run = await runAction({ folder: world.folder, inputs: given });
    expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
    expect(annotationsIn(run, 'error')).toMatchObject([{ message: says }]);
    expect(`${logOf(run)}${run.summary}`).not.toMatch(/--[a-z]|&#96;/u);
  });
});

test.each([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['FALSE', 'false'],
])('%s is the boolean that the core schema of YAML makes of it', async (given, meant) => {
  const { folder, inputs } = await arrange({ orders: changeOf('orders') }, ['orders']);
  const event = { name: 'push', payload: {} };
  const all = { ...inputs, command: 'apply', 'auto-approve': given, base: '' };
  const run = await runAction({ folder, inputs: all, event });
  expect(run.outputs['applied']).toBe(meant === 'true' ? '1' : '0');
});

test('an input with a line feed behind it is the same input', async () => {
  const { folder, inputs } = await arrange({ orders: changeOf('orders') }, ['orders']);
  const fed = Object.entries({ ...inputs, command: 'plan', comment: 'off', paths: 'contracts' });
  const run = await runAction({
    folder,
    inputs: Object.fromEntries(fed.map(([name, value]) => [name, `${value}\n`])),
    event: pullRequestEvent(),
  });
  expect(run).toMatchObject({ code: 0, outputs: { updates: '1' } });
});

test('what the log leaves out, it leaves out without the name of a flag', async () => {
  const { folder, inputs } = await arrange({ orders: changeOf('orders') }, [
    'orders',
    ...Array.from({ length: 40 }, (_, number) => `other${number}`),
  ]);
  const run = await runAction({ folder, inputs });
  expect(run.stdout).toMatch(/… and \d+ more|40 live contracts/u);
  expect(logOf(run)).not.toContain('--all');
});

test('a text of a contract that looks like a word of ours stays whole in the log', async () => {
  const description = 'Codes (--all shows each) and --base';
  const { folder, inputs } = await arrange({ orders: changeOf('orders', description) }, ['orders']);
  const run = await runAction({ folder, inputs });
  expect(run.stdout).toContain(description);
});

/** The texts of the program. */
const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('generated'))
  .map((file) => readFileSync(join('src', file), 'utf8'));

describe('in the words of inputs', () => {
  test.each([
    ['x', 'Increase --timeout, or lower --page-size.'],
    ['bad-request', 'If the catalog takes only smaller pages, set --page-size, such as 50.'],
    ['x', 'Run again later, lower --concurrency, or increase --timeout-throttled.'],
    ['x', 'Bring the edit into the file, or apply with --drift overwrite to undo it.'],
    ['x', 'or create it with `create: true` or --create, which take its `name` and `entity`.'],
    ['stopped-early', 'Fix the cause and apply again, or raise --max-failures.'],
    ['no-contracts', 'Narrow it, or pass --allow-empty if there is to be none.'],
    ['other-environment', 'Remove --env and CONTRACT_SYNC_ENV, or plan again.'],
    ['misnamed-config', 'Rename it, or pass --config '],
    ['foreign-config', 'If you trust it, name it with --config; if not, write a '],
    ['limit-exceeded', 'If you mean it, plan again with --allow-limit '],
  ])('%s has no flag: %s', (code, hint) => {
    expect(sources.some((source) => source.includes(hint))).toBe(true);
    expect(reword({ code, hint }).hint).not.toMatch(/--[a-z]/u);
  });

  test.each([
    'Did you mean "--base"?',
    'Run contract-sync login --env dev.',
    'On your machine, run contract-sync plan contracts/a.yaml --env dev (it asks nobody).',
    'Check it by `contract-sync plan --env dev`.',
  ])('neither text of the user nor a command for a terminal is touched: %s', (hint) => {
    expect(reword({ code: 'x', hint }).hint).toBe(hint);
  });

  test('what stands around such a command is still in words of inputs', () => {
    const hint = 'Pass --env dev. Or run contract-sync login --env dev, then increase --timeout.';
    expect(reword({ code: 'x', hint }).hint).toBe(
      'Pass the input `environment` dev. Or run contract-sync login --env dev, then increase `catalog.timeoutSeconds`.',
    );
  });

  test('a message stays as it is, since it may quote the user', () => {
    const said = { code: 'unknown-key', message: 'Unknown key "--base".' };
    expect(reword(said)).toEqual(said);
  });
});
