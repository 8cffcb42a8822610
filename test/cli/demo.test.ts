import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden } from '../golden.ts';
import { runCli } from '../run-cli.ts';
import { withoutPlace } from '../workspace.ts';

test.each([
  ['documented', [], 'demo.txt'],
  ['openmetadata', ['--dialect', 'openmetadata'], 'demo-openmetadata.txt'],
])('the demo of %s plans, applies and ends with nothing left to do', async (_, flags, golden) => {
  const run = await runCli(['demo', ...flags], {
    folder: join(import.meta.dirname, '..', '..'),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expectGolden(join(import.meta.dirname, 'golden', golden), withoutPlace(run.stdout));
});
