import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sendJson, serve } from '../support/server.ts';
import { preloading, runCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const commands = [
  { args: ['plan', '--out'], document: 'The plan' },
  { args: ['apply', '--yes', '--report'], document: 'The report' },
];

const id = '00000000-0000-4000-8000-000000000001';

const contract = { 'contracts/orders.yaml': `id: ${id}\ndescription: New.\n` };

/** A folder beside another one that is nobody's business. */
function makeFolders(): { readonly folder: string; readonly outside: string } {
  const parent = makeFolder({
    ...Object.fromEntries(Object.entries(contract).map(([name, text]) => [`run/${name}`, text])),
    'run/build/old.json': 'old',
    'outside/secret.json': 'secret',
  });
  return { folder: join(parent, 'run'), outside: join(parent, 'outside') };
}

describe.for(commands)('$document', ({ args, document }) => {
  /** Nothing may be sent: a server that is asked says so. */
  async function refused(name: string, folder: string) {
    const catalog = await serve((_request, response) => sendJson(response, {}, 500));
    const environment = { CONTRACT_SYNC_URL: catalog.url.href, CONTRACT_SYNC_TOKEN: 'a-token' };
    const run = await runInProcess([...args, name], { folder, environment });
    const json = await runInProcess([...args, name, '--format', 'json'], { folder, environment });
    expect([run.code, json.code]).toEqual([1, 1]);
    expect(catalog.received).toEqual([]);
    expect(run.stderr).toContain(`${document} can't be written to `);
    return JSON.parse(json.stdout).diagnostics.map(({ code }: { readonly code: string }) => code);
  }

  test.for([
    'no/such/folder.json',
    'build',
    'contracts/orders.yaml/x.json',
    'contracts/orders.yaml',
  ])('to %s is refused before anything is sent', async (name) => {
    expect(await refused(name, makeFolders().folder)).toEqual(['unwritable-file']);
  });

  test('is never written through a link that leads out of the folder', async () => {
    const { folder, outside } = makeFolders();
    symlinkSync('../outside/secret.json', join(folder, 'a.json'));
    symlinkSync('../contracts/orders.yaml', join(folder, 'build/b.json'));
    symlinkSync('../outside', join(folder, 'c'));
    symlinkSync('../outside/new.json', join(folder, 'd.json'));
    expect(await refused('a.json', folder)).toEqual(['link-outside-root']);
    expect(await refused('build/b.json', folder)).toEqual(['link-outside-root']);
    expect(await refused('c/secret.json', folder)).toEqual(['link-outside-root']);
    expect(await refused('d.json', folder)).toEqual(['unwritable-file']);
    expect(readFileSync(join(outside, 'secret.json'), 'utf8')).toBe('secret');
    expect(existsSync(join(outside, 'new.json'))).toBe(false);
  });

  test('is written to a link within its folder, and to another folder that is named', async () => {
    const { folder, outside } = makeFolders();
    symlinkSync('old.json', join(folder, 'build/link.json'));
    const catalog = await serveCatalog({ seed: [{ id, name: 'a', description: 'Old.' }] });
    for (const [name, file] of [
      ['build/link.json', join(folder, 'build/old.json')],
      ['../outside/new.json', join(outside, 'new.json')],
      [join(outside, 'secret.json'), join(outside, 'secret.json')],
    ] as const) {
      await runInProcess([...args, name], { folder, environment: accessTo(catalog) });
      expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('formatVersion');
    }
  });
});

test('a file that is written over keeps its permissions', async () => {
  const { folder } = makeFolders();
  chmodSync(join(folder, 'build/old.json'), 0o640);
  const catalog = await serveCatalog({ seed: [{ id, name: 'a', description: 'Old.' }] });
  const world = { folder, environment: accessTo(catalog) };
  await runInProcess(['plan', '--out', 'build/old.json'], world);
  expect(JSON.parse(readFileSync(join(folder, 'build/old.json'), 'utf8'))).toHaveProperty(
    'planHash',
  );
  expect(statSync(join(folder, 'build/old.json')).mode & 0o777).toBe(0o640);
  expect(readdirSync(join(folder, 'build'))).toEqual(['old.json']);
});

test("an unfinished file of another user's run does not keep a plan from being written beside it", async () => {
  const left = '.contract-sync-999999999-0123456789ab.tmp';
  const folder = makeFolder({ ...contract, [`build/${left}`]: 'half a pl' });
  const sticky = `import { syncBuiltinESMExports } from 'node:module';
    const fs = process.getBuiltinModule('node:fs');
    const { rmSync } = fs;
    fs.rmSync = (path, options) => {
      if (path.endsWith('${left}')) throw new Error('EPERM: operation not permitted');
      rmSync(path, options);
    };
    syncBuiltinESMExports();`;
  const catalog = await serve((_, response) => sendJson(response, { data: [] }));
  const access = { CONTRACT_SYNC_URL: catalog.url.href, CONTRACT_SYNC_TOKEN: 'token' };
  const world = { folder, environment: { ...access, ...preloading(sticky) } };
  const { stderr } = await runCli(['plan', '--out', 'build/plan.json'], world);
  expect(stderr).not.toContain('unwritable-file');
  expect(readdirSync(join(folder, 'build')).toSorted()).toEqual([left, 'plan.json']);
});
