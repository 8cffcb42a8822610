import { expect, test } from 'vitest';
import { sendJson, serve } from '../support/server.ts';
import { preloading, runCli } from '../support/run-cli.ts';
import { makeFolder } from '../support/workspace.ts';

const files = { 'contracts/orders.yaml': 'fullyQualifiedName: shop.orders\n' };

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
