import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRoot } from '../../src/config/file.ts';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const orders = { name: 'orders', fullyQualifiedName: 'shop.sales.orders', version: 0.2 };
const stock = { name: 'stock', fullyQualifiedName: 'shop.store.stock', version: 0.2 };

const files = {
  'team/contract-sync.yaml': 'contracts:\n  include: [contracts]\nprotected: ["shop.store.**"]\n',
  'team/contracts/sales/orders.yaml':
    'fullyQualifiedName: shop.sales.orders\ndescription: One row for each order.\n',
  'team/contracts/store/stock.yaml': 'fullyQualifiedName: shop.store.stock\ndescription: Stock.\n',
};

function makeRepository(more: Readonly<Record<string, string>> = {}): string {
  const repository = makeFolder({ ...files, ...more });
  // None that git knows: then there is no commit.
  mkdirSync(join(repository, '.git'));
  return repository;
}

describe('in a folder below the one with the configuration', () => {
  test('a plan is of the whole configuration, and names files from where the user stands', async () => {
    const repository = makeRepository();
    const environment = accessTo(await serveCatalog({ seed: [orders, stock] }));
    const world = { folder: join(repository, 'team', 'contracts', 'sales'), environment };
    const whole = await runInProcess(['plan'], world);
    const part = await runInProcess(['plan', '.', '../store/*.yaml'], world);
    const invalid = await runInProcess(['validate', 'nothing.yaml'], world);
    expectGolden(
      join(import.meta.dirname, 'golden', 'upwards.txt'),
      [
        `$ contract-sync plan\n${whole.stdout}exit code: ${whole.code}`,
        `$ contract-sync plan . '../store/*.yaml'\n${part.stdout}exit code: ${part.code}`,
        `$ contract-sync validate nothing.yaml\n${invalid.stdout}exit code: ${invalid.code}\n`,
      ]
        .join('\n\n')
        .replaceAll(environment.CONTRACT_SYNC_URL, 'CATALOG'),
    );
  });

  test('a wrong path is named as it was given, with the folder that it is relative to', async () => {
    const repository = makeRepository();
    const validate = async (folder: string, ...paths: string[]): Promise<string> =>
      (await runInProcess(['validate', ...paths], { folder: join(repository, folder) })).stdout;
    expect(await validate('team/contracts/sales', 'contracts/sales/orders.yaml')).toContain(
      'No file or folder "contracts/sales/orders.yaml". [path-not-found]\n' +
        '  Paths are relative to the working directory, contracts/sales.',
    );
    expect(await validate('team/contracts/sales', '../stor/*.yaml')).toContain(
      'No folder "../stor", which "../stor/*.yaml" needs. [path-not-found]\n  Paths are relative',
    );
    expect(await validate('team', 'nothing.yaml')).toContain(
      '  Paths are relative to the working directory.\n',
    );
  });

  test('a wrong path of the configuration has its place there', async () => {
    const include = 'contracts:\n  include: [contract, "contracs/*.yaml"]\n';
    const folder = join(makeRepository({ 'team/contract-sync.yaml': include }), 'team');
    const { stdout, code } = await runInProcess(['validate', '--format', 'json'], { folder });
    expect(code).toBe(1);
    const { diagnostics } = JSON.parse(stdout);
    const hint = 'Paths are relative to the folder of contract-sync.yaml.';
    const place = { file: 'contract-sync.yaml', line: 2 };
    expect(diagnostics).toMatchObject([
      { code: 'path-not-found', hint, source: { ...place, column: 13 } },
      { code: 'path-not-found', hint, source: { ...place, column: 23 } },
    ]);
  });
});

describe('the search', () => {
  test('takes the nearest one', () => {
    const folder = makeFolder({
      'contract-sync.yaml': '',
      'a/contract-sync.yaml': '',
      'a/b/c/file': '',
    });
    expect(findRoot(join(folder, 'a', 'b', 'c'))).toBe(join(folder, 'a'));
  });

  test('does not pass over one that is misspelt', async () => {
    const folder = makeFolder({ 'contract-sync.yml': '', 'a/file': '' });
    const run = await runInProcess(['validate'], { folder: join(folder, 'a') });
    expect(run.stdout).toContain('[misnamed-config]');
  });

  test.runIf(process.getuid?.() === 0)('refuses a configuration of another user', async () => {
    const folder = makeFolder({ 'contract-sync.yaml': 'catalog: {url: https://evil.example}' });
    const { chownSync } = await import('node:fs');
    chmodSync(folder, 0o777);
    chownSync(join(folder, 'contract-sync.yaml'), 4242, 4242);
    mkdirSync(join(folder, 'mine'));
    const run = await runInProcess(['plan'], { folder: join(folder, 'mine') });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toContain('[foreign-config]');
  });
});
