import { expect, test } from 'vitest';
import { sendJson, serve } from '../support/server.ts';
import { preloading, runCli, startCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/workspace.ts';

/** More than a pipe holds. */
const longest = 64 * 1024;

test('the process ends only when all of a long output is written', async () => {
  const unknown = Array.from({ length: 90 }, (_, index) => `unknown_${index}: 1\n`);
  const broken = ['name: orders\n', ...unknown].join('');
  const files = Array.from({ length: 40 }, (_, index) => [`contracts/${index}.yaml`, broken]);
  const folder = makeFolder(Object.fromEntries(files));
  const { code, stdout } = await runCli(['validate', '--format', 'json'], { folder });
  expect(stdout.length).toBeGreaterThan(10 * longest);
  expect(JSON.parse(stdout)).toMatchObject({ summary: { files: 40 } });
  expect(code).toBe(1);
});

test('it ends although its output is closed', async () => {
  const child = startCli(['rules'], { folder: makeFolder() });
  child.stdout.destroy();
  const code = await new Promise((resolve) => {
    child.once('exit', resolve);
  });
  expect(code).toBe(0);
});

test('a user without a home folder can plan', async () => {
  const homeless = `import { syncBuiltinESMExports } from 'node:module';
    process.getBuiltinModule('node:os').homedir = () => {
      throw new Error('uv_os_homedir returned ENOENT');
    };
    syncBuiltinESMExports();`;
  const server = await serve((_, response) => sendJson(response, { data: [] }));
  const environment = { CONTRACT_SYNC_URL: server.url.href, CONTRACT_SYNC_TOKEN: 'token' };
  const world = {
    folder: makeFolder({ 'contracts/orders.yaml': 'fullyQualifiedName: shop.orders\n' }),
    environment: { ...environment, ...preloading(homeless) },
  };
  expect((await runCli(['plan'], world)).stdout).toContain('1 missing');
});
