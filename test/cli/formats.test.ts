import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { expectGolden } from '../support/golden.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog, withoutPlace } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const example = join(root, 'examples', 'quickstart');
const golden = (name: string) => join(import.meta.dirname, 'golden', name);

test.each([
  ['markdown', 'md', withoutPlace],
  ['html', 'html', contentOf],
] as const)('--format %s gives the plan and its outcomes', async (format, ending, shown) => {
  const seedFile = join(example, 'catalog.json');
  const catalog = await serveCatalog({
    seed: parseSeed(readFileSync(seedFile, 'utf8'), seedFile),
    now: () => Date.UTC(2026, 8, 22),
  });
  const folder = makeFolder();
  cpSync(example, folder, { recursive: true });
  const world = { folder, environment: accessTo(catalog) };
  for (const command of ['plan', 'apply']) {
    const flags = command === 'apply' ? ['--yes'] : [];
    const run = await runInProcess([command, ...flags, '--format', format], world);
    expect(run.code).toBe(0);
    expectGolden(golden(`${command}.${ending}`), shown(run.stdout));
  }
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
  const orders = { name: 'orders', fullyQualifiedName: 'shop.orders' };
  const text = 'name: orders\nfullyQualifiedName: shop.orders\ndescription: New.\n';
  const { run } = await openWorld(
    [{ ...orders, description: `Ask with ${secret}.` }],
    { 'contracts/orders.yaml': text },
    { CONTRACT_SYNC_CLIENT_SECRET: secret },
  );
  for (const format of ['html', 'markdown']) {
    const { code, stdout } = await run('plan', '--format', format);
    expect(code).toBe(0);
    expect(stdout).toContain('Ask with ***.');
    expect(stdout).not.toContain('of-ours');
  }
});

const blocking = ['orders', 'carts', 'refunds'].map((name) => ({
  name,
  fullyQualifiedName: `shop.sales.${name}`,
  description: 'Old.',
  entityStatus: name === 'refunds' ? 'Active' : 'Deprecated',
  version: 0.1,
}));

const files = {
  'team/contract-sync.yaml': 'limits: { updates: 5 }\n',
  'team/contracts/orders.yaml': 'fullyQualifiedName: shop.sales.orders\nentityStatus: Draft\n',
  'team/contracts/carts.yaml': 'fullyQualifiedName: shop.sales.carts\nentityStatus: Active\n',
  'team/contracts/typo.yaml': 'fullyQualifiedName: shop.sales.wombats\ndescription: New.\n',
};

test.each(['github', 'junit'])(
  'plan --format %s says what blocks and what warns, at its line in the repository',
  async (format) => {
    const catalog = await serveCatalog({ seed: blocking });
    const folder = makeFolder({ '.git/HEAD': 'ref: refs/heads/main\n', ...files });
    const world = { folder: join(folder, 'team'), environment: accessTo(catalog) };
    const { code, stdout } = await runInProcess(['plan', '--format', format], world);
    expect(code).toBe(1);
    expectGolden(golden(`plan-${format}.txt`), stdout);
  },
);

test.each(['github', 'junit'])('plan --format %s says why there is no plan', async (format) => {
  const folder = makeFolder({ 'contracts/orders.yaml': 'descripton: New.\n' });
  const environment = { CONTRACT_SYNC_URL: 'http://127.0.0.1:1/api', CONTRACT_SYNC_TOKEN: 'x' };
  const { code, stdout } = await runInProcess(['plan', '--format', format], {
    folder,
    environment,
  });
  expect(code).toBe(1);
  expect(stdout).toContain('unknown-key');
  expect(stdout).toContain('contracts/orders.yaml');
});
