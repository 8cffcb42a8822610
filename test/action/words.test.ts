import { describe, expect, test } from 'vitest';
import { reword } from '../../src/action/words.ts';
import { arrange, changeOf } from './catalog.ts';
import { annotationsIn, pullRequestEvent, runAction } from './run-action.ts';

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
    const run = await runAction({ folder: world.folder, inputs: { ...world.inputs, ...inputs } });
    expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
    expect(annotationsIn(run, 'error')).toMatchObject([{ message: says }]);
    expect(`${run.stdout}${run.summary}`).not.toMatch(/--[a-z]|&#96;/u);
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
  expect(run.stdout).not.toContain('--all');
});

describe('in the words of inputs', () => {
  test.each([
    ['x', 'Increase --timeout, or lower --page-size.'],
    ['x', 'Run again later, lower --concurrency, or increase --timeout-throttled.'],
    ['x', 'Bring the edit into the file, or apply with --drift overwrite to undo it.'],
    ['x', 'Create it, or create it with `create: true` or --create, which take its `name`.'],
    ['stopped-early', 'Fix the cause and apply again, or raise --max-failures.'],
    ['no-contracts', 'Narrow it, or pass --allow-empty if there is to be none.'],
    ['other-environment', 'Pass --env prod, or plan again.'],
    ['misnamed-config', 'Rename it, or pass --config contract-sync.yml.'],
    ['foreign-config', 'If you trust it, name it with --config; if not, write one here.'],
    ['limit-exceeded', 'If you mean it, plan again with --allow-limit updates --reason x.'],
  ])('%s has no flag: %s', (code, hint) => {
    expect(reword({ code, message: 'No.', hint }).hint).not.toMatch(/--[a-z]/u);
  });
});
