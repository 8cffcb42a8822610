import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const names = ['carts', 'orders', 'refunds'];

async function openCatalog({ mayUpdate = true } = {}) {
  const catalog = await serveCatalog({
    seed: names.map((name) => ({ name, fullyQualifiedName: `shop.${name}`, description: 'Old.' })),
  });
  const folder = makeFolder(
    Object.fromEntries(
      names.map((name) => [
        `contracts/${name}.yaml`,
        `fullyQualifiedName: shop.${name}\ndescription: New.\n`,
      ]),
    ),
  );
  const token = mayUpdate ? catalog.token : catalog.readOnlyToken;
  return { folder, environment: accessTo({ ...catalog, token }) };
}

const apply = ['apply', '--yes', '--concurrency', '1'] as const;

test('access denied stops the run, unless --max-failures allows more failures', async () => {
  const world = await openCatalog({ mayUpdate: false });
  const stopped = await runInProcess(apply, world);
  expect(stopped.code).toBe(1);
  expect(stopped.stdout).toContain('Apply: 0 applied, 1 failed, 2 skipped.');
  const tried = await runInProcess([...apply, '--max-failures', '2'], world);
  expect(tried.stdout).toContain('Apply: 0 applied, 2 failed, 1 skipped.');
});
