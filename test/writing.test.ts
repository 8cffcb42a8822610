/** Whatever ends a run: a file holds its old text or the new one, and the next run goes on from there. */

import { once } from 'node:events';
import { mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { liveContract } from './action/catalog.ts';
import { built } from './support/built.ts';
import { run } from './support/process.ts';
import { startCli } from './support/run-cli.ts';
import { runInProcess } from './support/run-program.ts';
import { accessTo, alone, makeFolder, serveCatalog } from './support/workspace.ts';

const names = Array.from({ length: 120 }, (_, index) => `table_${index}`);

/** A catalog of contracts that take some kilobytes each, and a folder without any. */
async function arrange() {
  const description = 'Forty bytes of a text that says so much.\n'.repeat(400);
  const seed = names.map((name) => liveContract(name, { description }));
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({ 'contracts/sales/kept.txt': '' });
  const world = { folder, environment: { ...accessTo(catalog), ...alone(folder) } };
  const place = join(folder, 'contracts/sales');
  const files = () => readdirSync(place).filter((name) => name.endsWith('.yaml'));
  const sizes = () =>
    new Set(files().map((name) => Math.floor(statSync(join(place, name)).size / 16_000)));
  return { world, files, sizes };
}

test('an import that is killed at any moment leaves whole files, and the next one goes on', async () => {
  const { world, files, sizes } = await arrange();
  for (let kills = 0; kills < 10; kills += 1) {
    const until = kills * 10;
    const child = startCli(['import'], world);
    const closed = once(child, 'close');
    while (child.exitCode === null && files().length <= until) await setImmediate();
    child.kill('SIGKILL');
    await closed;
    expect(sizes()).toEqual(new Set([1]));
  }
  expect((await runInProcess(['import'], world)).code).toBe(0);
  expect(files()).toHaveLength(names.length);
  expect(sizes()).toEqual(new Set([1]));
});

test.for([
  ['is killed for it', ''],
  ['is told so', "trap '' XFSZ; "],
])('an import that the disk has no room for, and that %s, cuts no file', async ([, trap]) => {
  const { world, files } = await arrange();
  const main = await built('cli.js');
  const script = `${trap}ulimit -f 10; exec "$0" "$1" import`;
  const { PATH } = process.env;
  const { code, stderr } = await run('sh', ['-c', script, process.execPath, main], {
    cwd: world.folder,
    env: { PATH, ...world.environment },
  });
  expect(code).not.toBe(0);
  if (trap !== '') expect(stderr).toContain("The file can't be written: file too large.");
  expect(files()).toEqual([]);
  expect((await runInProcess(['import'], world)).code).toBe(0);
  expect(files()).toHaveLength(names.length);
});

describe('import writes to no place but that of contracts', () => {
  test.for(['outside', '.github/workflows', '.git/hooks'])('through a link to %s', async (name) => {
    const { world } = await arrange();
    const target = join(name === 'outside' ? makeFolder() : world.folder, name);
    mkdirSync(target, { recursive: true });
    symlinkSync(target, join(world.folder, 'linked'));
    const { code, stderr } = await runInProcess(['import', '--into', 'linked/{name}.yaml'], world);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "linked/table_0.yaml:1:1: error: The file can't be written: a symbolic",
    );
    expect(readdirSync(target)).toEqual([]);
  });

  test.for(['.git/hooks/{name}.yaml', 'contracts/.{domain}/{name}.yml', 'a/GIT~1/{name}.yaml'])(
    'with --into %s',
    async (into) => {
      const { world } = await arrange();
      const { code, stderr } = await runInProcess(['import', '--into', into], world);
      expect(code).toBe(1);
      expect(stderr).toContain('names a hidden file or folder. [invalid-command-line]');
    },
  );
});
