import { describe, expect, test } from 'vitest';
import { readInputs } from '../../src/action/inputs.ts';
import { arrange } from './catalog.ts';
import { annotationsIn, logOf, runWithoutWaiting } from './run-action.ts';

describe('a refused run names the next step', () => {
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
      inputs: { command: 'destroy' },
      says: 'The input `command` takes plan, apply, validate, not "destroy".',
    },
    {
      inputs: { command: 'apply', 'plan-file': 'plan.json' },
      says: 'The input `plan-file` is for `plan`, which writes it: an `apply` plans anew.\nTo apply exactly that plan, set `expect-hash` to the output `plan-hash` of its step.',
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
    expect(run).toMatchObject({
      code: 1,
      stderr: '',
      outputs: { 'failure-reason': 'configuration' },
    });
    expect(annotationsIn(run, 'error')).toMatchObject([{ message: says }]);
    expect(`${logOf(run)}${run.summary}`).not.toContain('&#96;');
  });
});

test.each([
  ['True', true],
  ['TRUE', true],
  ['FALSE', false],
])('%s is the boolean that the core schema of YAML makes of it', (given, meant) => {
  const { autoApprove } = readInputs((name) => (name === 'auto-approve' ? given : ''));
  expect(autoApprove).toBe(meant);
});
