import { expect, test } from 'vitest';
import { lateChunks } from '../../.ci/chunks.ts';
import { sendJson, serve } from '../catalog/server.ts';
import { preloading, runCli } from '../run-cli.ts';
import { makeFolder } from '../workspace.ts';

const contract = { 'contracts/orders.yaml': 'fullyQualifiedName: shop.orders\n' };

test('a plan loads no more of Node than it needs', async () => {
  const server = await serve((_, response) => sendJson(response, { data: [] }));
  const environment = { CONTRACT_SYNC_URL: server.url.href, CONTRACT_SYNC_TOKEN: 'token' };
  const loaded = await modulesLoadedBy('plan', environment);
  expect(server.received.length).toBeGreaterThan(0);
  expect(loaded).toContain('http');
  for (const costly of [
    'internal/deps/undici/undici',
    'http2',
    'child_process',
    'worker_threads',
    'crypto',
  ])
    expect(loaded).not.toContain(costly);
});

test('a validation loads nothing for the network', async () => {
  const loaded = await modulesLoadedBy('validate');
  expect(loaded).toContain('stream');
  for (const costly of ['http', 'crypto', 'zlib']) expect(loaded).not.toContain(costly);
});

test('the package yaml is loaded for a file that is not simple, and for no other', async () => {
  const configured = { ...contract, 'contract-sync.yaml': 'contracts:\n  exclude: [drafts/**]\n' };
  const anchored = { 'contracts/orders.yaml': 'name: &name orders\nfullyQualifiedName: *name\n' };
  expect((await modulesLoadedBy('validate', {}, configured)).some(isYaml)).toBe(false);
  expect((await modulesLoadedBy('validate', {}, anchored)).some(isYaml)).toBe(true);
});

test('what only some runs need is loaded by those alone', async () => {
  const live = {
    id: 'a',
    name: 'orders',
    fullyQualifiedName: 'shop.orders',
    entityStatus: 'Draft',
  };
  const server = await serve((_, response) => sendJson(response, { data: [live] }));
  const environment = { CONTRACT_SYNC_URL: server.url.href, CONTRACT_SYNC_TOKEN: 'token' };
  const lateOnesOf = async (files: Readonly<Record<string, string>>) => {
    const loaded = await modulesLoadedBy('plan', environment, files);
    const chunks = loaded.flatMap((path) => /\/([a-z]+)-[^/]+\.cjs$/u.exec(path)?.[1] ?? []);
    expect(chunks).toContain('plan');
    return lateChunks.map(({ name }) => name).filter((name) => chunks.includes(name));
  };
  expect(await lateOnesOf(orders('entityStatus: Active'))).toEqual([]);
  expect(await lateOnesOf(orders('schema: [{name: id, dataType: INT}]'))).toEqual(['changes']);
  expect(await lateOnesOf(orders('entityStatus: [Active'))).toEqual(['faults']);
  const configured = { ...orders('entityStatus: Active'), 'contract-sync.yaml': 'contracts: {}' };
  expect(await lateOnesOf(configured)).toEqual(['config']);
});

function orders(fields: string): Readonly<Record<string, string>> {
  return { 'contracts/orders.yaml': `fullyQualifiedName: shop.orders\n${fields}\n` };
}

function isYaml(name: string): boolean {
  return /\/yaml-[^/]+\.cjs$/u.test(name);
}

/** Outside of a repository: by the names that Node has for its modules, and the program's by their paths. */
async function modulesLoadedBy(
  command: string,
  environment = {},
  files: Readonly<Record<string, string>> = contract,
): Promise<readonly string[]> {
  const spy = `import fs from 'node:fs';
    import { createRequire } from 'node:module';
    const { cache } = createRequire('file:///');
    const { readFileSync } = fs;
    const read = [];
    fs.readFileSync = (path, ...options) => {
      read.push(path);
      return readFileSync(path, ...options);
    };
    process.on('exit', () => {
      const loaded = [...process.moduleLoadList, ...read, ...Object.keys(cache)];
      process.stderr.write(loaded.join('\\n'));
    });`;
  const world = {
    folder: makeFolder(files),
    environment: { ...environment, ...preloading(spy) },
  };
  const { stderr } = await runCli([command], world);
  return stderr.split('\n').map((line) => line.replace(/^NativeModule /u, ''));
}
