import { describe, expect, test } from 'vitest';
import { arrange, changeOf } from './catalog.ts';
import { annotationsIn, logOf, pullRequestEvent, runWithoutWaiting } from './run-action.ts';

describe('a run that is refused says what to do', () => {
  test.for<{ inputs: Record<string, string>; says: string }>([
    {
      inputs: { 'working-directory': 'nowhere' },
      says: 'The folder "nowhere" of the input `working-directory` doesn\'t exist.\nCheck the repository out before this step, or correct the input.',
    },
    {
      inputs: { environment: 'prod' },
      says: 'Unknown environment "prod".\nDefine it under `environments`, or choose none.',
    },
    {
      inputs: { 'catalog-url': 'http://catalog.example.com/api' },
      says: 'The catalog URL would send the token unencrypted to catalog.example.com.\nUse https://. On a network that you trust, the command line takes --allow-http.',
    },
    {
      inputs: { 'auto-approve': 'yes' },
      says: 'The input `auto-approve` takes true, false, not "yes".',
    },
  ])('$inputs', async ({ inputs, says }) => {
    const world = await arrange();
    const token = 'header.a--token.signature';
    const given = { ...world.inputs, token, ...inputs };
    const run = await runWithoutWaiting({ folder: world.folder, inputs: given });
    expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
    expect(annotationsIn(run, 'error')).toMatchObject([{ message: says }]);
    expect(`${logOf(run)}${run.summary}`).not.toContain('&#96;');
  });
});

test.each([
  ['True', 'true'],
  ['TRUE', 'true'],
  ['FALSE', 'false'],
])('%s is the boolean that the core schema of YAML makes of it', async (given, meant) => {
  const { folder, inputs } = await arrange();
  const event = { name: 'push', payload: {} };
  const all = { ...inputs, command: 'apply', 'auto-approve': given, base: '' };
  const run = await runWithoutWaiting({ folder, inputs: all, event });
  expect(run.outputs['applied']).toBe(meant === 'true' ? '1' : '0');
});

test('an input with a line feed behind it is the same input', async () => {
  const { folder, inputs } = await arrange();
  const fed = Object.entries({ ...inputs, command: 'plan', comment: 'off', paths: 'contracts' });
  const run = await runWithoutWaiting({
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
  const run = await runWithoutWaiting({ folder, inputs });
  expect(run.stdout).toMatch(/… and \d+ more|40 live contracts/u);
  expect(logOf(run)).not.toContain('--all');
});

test('a text of a contract that looks like a word of ours stays whole in the log', async () => {
  const description = 'Codes (--all shows each) and --base';
  const { folder, inputs } = await arrange({ orders: changeOf('orders', description) }, ['orders']);
  const run = await runWithoutWaiting({ folder, inputs });
  expect(run.stdout).toContain(description);
});
