import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/process.ts';
import { root } from '../support/root.ts';
import { startCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const main = join(root, 'src', 'cli', 'main.ts');

test('an apply whose output is closed ends what it began', async () => {
  const catalog = await serveCatalog({ seed: [{ name: 'a', fullyQualifiedName: 'shop.a' }] });
  const folder = makeFolder({ 'contracts/a.yaml': 'fullyQualifiedName: shop.a\ndescription: x\n' });
  const world = { folder, environment: accessTo(catalog) };
  const child = startCli(['apply', '--yes'], world);
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect((await runInProcess(['plan', '--detailed-exitcode'], world)).code).toBe(0);
});

test('a report for a pipe is one document, written at the end', async () => {
  const catalog = await serveCatalog({ seed: [{ name: 'a', fullyQualifiedName: 'shop.a' }] });
  const folder = makeFolder({ 'contracts/a.yaml': 'fullyQualifiedName: shop.a\ndescription: x\n' });
  const script = '"$0" "$1" apply --yes --report /dev/fd/3 3>&1 >/dev/null | cat';
  const env = { ...process.env, ...accessTo(catalog) };
  const args = ['-c', script, process.execPath, main];
  const { stdout } = await run('sh', args, { cwd: folder, env });
  expect(JSON.parse(stdout)).toMatchObject({ summary: { applied: 1 } });
});

test.runIf(existsSync('/dev/full'))('a full disk fails the run with an error', async () => {
  const script = 'exec "$0" "$1" rules >/dev/full';
  const { code, stderr } = await run('sh', ['-c', script, process.execPath, main]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: Can't write to standard output: .* \[output-lost\]\n/u);
});
