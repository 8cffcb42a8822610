import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
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

/** A shell that has what a terminal in a clone has, and says all that it says until it is interrupted. */
function type(command: string, folder: string) {
  return spawn('sh', ['-c', command], {
    cwd: folder,
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
}

test('what a clone prints can be pasted there: the catalog that the demo names, and its plan', async () => {
  const demo = await text(type('npm run demo', root).stdout);
  const [, folder = '', serve = ''] = /run plan in (\S+), .*\n(.*)\n$/u.exec(demo) ?? [];
  const sandbox = type(`${serve} --port 0`, root);
  let written = '';
  for await (const chunk of sandbox.stdout) {
    written += String(chunk);
    if (!written.endsWith(' plan\n')) continue;
    expect(written).toContain(`In another terminal, in ${join(root, folder)}:\n`);
    const lines = written.slice(written.indexOf('\n\n  export')).trim();
    const plan = await text(type(lines, join(root, folder)).stdout);
    expect(plan).toContain('Plan: 5 to update');
    process.kill(-(sandbox.pid ?? 0), 'SIGINT');
  }
  expect.assertions(2);
});
