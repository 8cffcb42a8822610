import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { expectGolden } from '../support/golden.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const example = join(root, 'examples', 'quickstart');
const golden = (name: string) => join(import.meta.dirname, 'golden', name);

test('--format html gives the plan and its outcomes as a page', async () => {
  const seedFile = join(example, 'catalog.json');
  const catalog = await serveCatalog({
    seed: parseSeed(readFileSync(seedFile, 'utf8'), seedFile),
    now: () => Date.UTC(2026, 8, 22),
  });
  const folder = makeFolder();
  cpSync(example, folder, { recursive: true });
  const world = { folder, environment: accessTo(catalog) };
  const plan = await runInProcess(['plan', '--format', 'html'], world);
  expect(plan).toMatchObject({ code: 0, stderr: '' });
  expectGolden(golden('plan.html'), contentOf(plan.stdout));
  const apply = await runInProcess(['apply', '--yes', '--format', 'html'], world);
  expect(apply.code).toBe(0);
  expectGolden(golden('apply.html'), contentOf(apply.stdout));
});

/** Without style and script, and the port that was free. */
function contentOf(page: string): string {
  return page
    .replaceAll(/(<(style|script)\b[^>]*>)[\s\S]*?(<\/\2>)/gu, '$1…$3')
    .replaceAll(/'sha256-[^']*'/gu, "'sha256-…'")
    .replaceAll(/127\.0\.0\.1:\d+/gu, '127.0.0.1:PORT');
}

test('a secret that a contract quotes is hidden before it is escaped', async () => {
  const secret = 'a"secret<&of-ours';
  const catalog = await serveCatalog({
    seed: [
      {
        id: 'c0000000-0000-4000-8000-000000000001',
        name: 'orders',
        fullyQualifiedName: 'shop.orders',
        description: `Ask with ${secret}.`,
      },
    ],
  });
  const folder = makeFolder({
    'contracts/orders.yaml': 'name: orders\nfullyQualifiedName: shop.orders\ndescription: New.\n',
  });
  const environment = { ...accessTo(catalog), CONTRACT_SYNC_CLIENT_SECRET: secret };
  for (const format of ['html', 'markdown']) {
    const { code, stdout } = await runInProcess(['plan', '--format', format], {
      folder,
      environment,
    });
    expect(code).toBe(0);
    expect(stdout).toContain('Ask with ***.');
    expect(stdout).not.toContain('of-ours');
  }
});
