import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../../.ci/bundle.ts';
import { expectGolden } from '../support/golden.ts';
import { runCli } from '../support/run-cli.ts';
import { withoutPlace } from '../support/workspace.ts';

test.each([
  ['standard', [], 'demo.txt'],
  ['openmetadata', ['--dialect', 'openmetadata'], 'demo-openmetadata.txt'],
])('the demo of %s plans, applies and ends with nothing left to do', async (_, flags, golden) => {
  const run = await runCli(['demo', ...flags], {
    folder: join(import.meta.dirname, '..', '..'),
  });
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expectGolden(join(import.meta.dirname, 'golden', golden), withoutPlace(run.stdout));
});

test('as npx runs it, the demo names npx', async () => {
  const { stdout } = await runCli(['demo'], { folder: root, environment: { npm_command: 'exec' } });
  expect(stdout).toMatch(/^ {2}npx contract-sync sandbox --seed /mu);
});

/** A shell with the environment of a terminal in a clone; it ends with the test. */
function type(command: string, folder: string): Readable {
  const shell = spawn('sh', ['-c', command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  onTestFinished(() => {
    if (shell.exitCode === null && shell.signalCode === null)
      process.kill(-(shell.pid ?? 0), 'SIGINT');
  });
  return shell.stdout;
}

test('what a clone prints can be pasted there: the catalog that the demo names, and its plan', async () => {
  const demo = await text(type('npm run demo', root));
  const [, folder = '', serve = ''] = /run plan in (\S+), .*\n(.*)\n$/u.exec(demo) ?? [];
  let written = '';
  for await (const chunk of type(`${serve} --port 0`, root)) {
    written += String(chunk);
    if (written.includes('plan\n\nTo edit ')) break;
  }
  expect(written).toContain(`In another terminal, in ${join(root, folder)}:\n`);
  const [lines = ''] = /export [^]*plan\n/u.exec(written) ?? [];
  expect(await text(type(lines, join(root, folder)))).toContain('Plan: 5 to update');
});
