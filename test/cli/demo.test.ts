import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden } from '../golden.ts';
import { runCli } from '../run-cli.ts';

test('the demo plans, applies and ends with nothing left to do', async () => {
  const run = await runCli(['demo'], {
    folder: join(import.meta.dirname, '..', '..'),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expectGolden(
    join(import.meta.dirname, 'golden', 'demo.txt'),
    run.stdout.replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:PORT'),
  );
});
