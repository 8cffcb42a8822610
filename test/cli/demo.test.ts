import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import { run, start } from '../support/process.ts';
import { root } from '../support/root.ts';
import { runCli } from '../support/run-cli.ts';
import { withoutPlace } from '../support/workspace.ts';

test.each([
  ['standard', [], 'demo.txt'],
  ['openmetadata', ['--dialect', 'openmetadata'], 'demo-openmetadata.txt'],
])('the demo of %s plans, applies and ends with nothing left to do', async (_, flags, golden) => {
  const { code, stdout, stderr } = await runCli(['demo', ...flags], { folder: root });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expectGolden(join(import.meta.dirname, 'golden', golden), withoutPlace(stdout));
});

test('as npx runs it, the demo names npx', async () => {
  const { stdout } = await runCli(['demo'], { folder: root, environment: { npm_command: 'exec' } });
  expect(stdout).toMatch(/^ {2}npx contract-sync sandbox --seed /mu);
});

test('what a clone prints can be pasted there: the catalog that the demo names, and its plan', async () => {
  const { PATH } = process.env;
  const demo = await run('npm', ['run', 'demo'], { cwd: root, env: { PATH } });
  const [, folder = '', serve = ''] = /run plan in (\S+), .*\n(.*)\n$/u.exec(demo.stdout) ?? [];
  let written = '';
  const sandbox = start('sh', ['-c', `${serve} --port 0`], { cwd: root, env: { PATH } });
  for await (const chunk of sandbox.stdout) {
    written += String(chunk);
    if (written.includes('plan --no-base\n\nTo edit ')) break;
  }
  expect(written).toContain(`In another terminal, in ${join(root, folder)}:\n`);
  const [lines = ''] = /export [^]*plan --no-base\n/u.exec(written) ?? [];
  const plan = await run('sh', ['-c', lines], { cwd: join(root, folder), env: { PATH } });
  expect(plan.stdout).toContain('Plan: 5 to update');
});
