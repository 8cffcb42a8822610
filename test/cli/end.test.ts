import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/process.ts';
import { root } from '../support/root.ts';
import { sendJson, serve } from '../support/server.ts';
import { preloading, runCli, startCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';

const main = join(root, 'src', 'cli', 'main.ts');
const seed = [{ name: 'a', fullyQualifiedName: 'shop.a' }];
const files = { 'contracts/a.yaml': 'fullyQualifiedName: shop.a\ndescription: x\n' };

/** More than a pipe holds. */
const longest = 64 * 1024;

test('the process ends only when all of a long output is written', async () => {
  const unknown = Array.from({ length: 90 }, (_, index) => `unknown_${index}: 1\n`);
  const broken = ['name: orders\n', ...unknown].join('');
  const many = Array.from({ length: 40 }, (_, index) => [`contracts/${index}.yaml`, broken]);
  const folder = makeFolder(Object.fromEntries(many));
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

test('an apply whose output is closed ends what it began', async () => {
  const world = await openWorld(seed, files);
  const child = startCli(['apply', '--yes'], world);
  child.stdout.destroy();
  child.stderr.destroy();
  expect(await once(child, 'close')).toEqual([0, null]);
  expect((await world.run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('a report for a pipe is one document, written at the end', async () => {
  const { folder, environment } = await openWorld(seed, files);
  const script = '"$0" "$1" apply --yes --report /dev/fd/3 3>&1 >/dev/null | cat';
  const env = { ...process.env, ...environment };
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

test('a plan loads neither undici nor the code of other commands', async () => {
  const server = await serve((_, response) => sendJson(response, { data: [] }));
  const environment = { CONTRACT_SYNC_URL: server.url.href, CONTRACT_SYNC_TOKEN: 'token' };
  const loaded = await modulesLoadedBy('plan', environment);
  expect(server.received.length).toBeGreaterThan(0);
  expect(loaded).toContain('http');
  expect(loaded).not.toContain('internal/deps/undici/undici');
  expect(chunksAmong(loaded)).toContain('plan');
  for (const other of ['doctor', 'import', 'openid', 'pull', 'sandbox'])
    expect(chunksAmong(loaded)).not.toContain(other);
});

function chunksAmong(loaded: readonly string[]): string[] {
  return loaded.flatMap((path) => /\/([a-z]+)-[^/]+\.cjs$/u.exec(path)?.[1] ?? []);
}

/** The names that Node gives its own modules, and the paths of the program's. */
async function modulesLoadedBy(command: string, environment: object): Promise<readonly string[]> {
  const spy = `import { createRequire } from 'node:module';
    const { cache } = createRequire('file:///');
    process.on('exit', () => {
      const loaded = [...process.moduleLoadList, ...Object.keys(cache)];
      process.stderr.write(loaded.join('\\n'));
    });`;
  const world = {
    folder: makeFolder(files),
    environment: { ...environment, ...preloading(spy) },
  };
  const { stderr } = await runCli([command], world);
  return stderr.split('\n').map((line) => line.replace(/^NativeModule /u, ''));
}
