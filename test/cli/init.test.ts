import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../run-cli.ts';
import { runInProcess } from '../run-program.ts';
import { makeFolder } from '../workspace.ts';

const good = 'fullyQualifiedName: shop.orders\ndescription: Fine.\n';

test('init writes what a repository begins with, and never overwrites', async () => {
  const folder = makeFolder();
  const first = await runCli(['init'], { folder });
  expect(first.code).toBe(0);
  expect(first.stdout.split('\n').slice(0, 4)).toEqual([
    'wrote contract-sync.yaml',
    'wrote .github/workflows/contract-sync-plan.yml',
    'wrote .github/workflows/contract-sync-apply.yml',
    'wrote contracts/example.yaml',
  ]);
  writeFileSync(join(folder, 'contracts', 'example.yaml'), good);
  expect(readFileSync(join(folder, 'contracts', 'example.yaml'), 'utf8')).toBe(good);
  expect((await runCli(['validate'], { folder })).code).toBe(0);
  const second = await runCli(['init'], { folder });
  expect(second.stdout).not.toContain('wrote');
});

test('init adds no example beside contracts, since it could claim the same one', async () => {
  const folder = makeFolder({ 'contracts/sales/orders.yaml': good });
  const { stdout } = await runInProcess(['init'], { folder });
  expect(stdout).not.toContain('example.yaml');
  expect(existsSync(join(folder, 'contracts', 'example.yaml'))).toBe(false);
  expect((await runInProcess(['validate'], { folder })).code).toBe(0);
});

test('the example that init writes is a good contract', async () => {
  const folder = makeFolder();
  await runInProcess(['init'], { folder });
  expect(await runInProcess(['validate'], { folder })).toMatchObject({
    code: 0,
    stdout: 'No problems: 1 good contract in 1 file.\n',
  });
});
