import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { compiledFile } from '../../src/cli/compiled.ts';
import { runCli } from '../run-cli.ts';
import { makeFolder } from '../workspace.ts';

const contract = { 'contracts/orders.yaml': 'fullyQualifiedName: shop.orders\n' };

test('the first start makes a folder of its own, the second fills it, and each says the same', async () => {
  const home = makeHome();
  const first = await validate({ HOME: home });
  expect(kept(folderIn(home))).toEqual([]);
  expect(statSync(folderIn(home)).mode & 0o777).toBe(0o700);
  const second = await validate({ HOME: home });
  expect(kept(folderIn(home))).toEqual(['validate']);
  const file = join(folderIn(home), 'validate');
  const { mode, mtimeNs } = statSync(file, { bigint: true });
  expect(Number(mode) & 0o777).toBe(0o600);
  const third = await validate({ HOME: home });
  expect(statSync(file, { bigint: true }).mtimeNs).toBe(mtimeNs);
  expect([second, third]).toEqual([first, first]);
  expect(first).toMatchObject({ code: 0, stderr: '' });
});

test('of a command that fails nothing is kept, nor of one that is not known', async () => {
  const home = makeHome();
  await validate({ HOME: home });
  const world = { folder: makeFolder(), environment: { HOME: home } };
  for (const command of ['validate', 'valid', '../validate'])
    expect(await runCli([command], world)).toMatchObject({ code: 1 });
  expect(kept(folderIn(home))).toEqual([]);
});

test('a file that is damaged in any place is as good as none', () => {
  const home = makeHome();
  mkdirSync(folderIn(home), { mode: 0o700 });
  const file = compiledFile({ HOME: home }, 'plan');
  const modules = new Map([['a.cjs', { checksum: 7, code: Buffer.from('code') }]]);
  expect(file?.read()).toEqual(new Map());
  file?.write(modules);
  expect(file?.read()).toEqual(modules);
  const whole = readFileSync(join(folderIn(home), 'plan'));
  for (let place = 0; place < whole.length; place += 1) {
    const damaged = Buffer.from(whole);
    damaged[place] = (damaged[place] ?? 0) ^ 0x10;
    for (const bytes of [damaged, whole.subarray(0, place)]) {
      writeFileSync(join(folderIn(home), 'plan'), bytes);
      expect(file?.read()).toEqual(new Map());
    }
  }
});

test('XDG_CACHE_HOME comes before the home, unless it is relative', async () => {
  const [home, cache] = [makeHome(), makeFolder()];
  await validate({ HOME: home, XDG_CACHE_HOME: cache });
  expect(existsSync(join(cache, 'contract-sync'))).toBe(true);
  expect(existsSync(folderIn(home))).toBe(false);
  await validate({ HOME: home, XDG_CACHE_HOME: 'here' });
  expect(existsSync(folderIn(home))).toBe(true);
});

test('a folder that others can write to stays as it is', async () => {
  const home = makeHome();
  mkdirSync(folderIn(home));
  chmodSync(folderIn(home), 0o770);
  await validate({ HOME: home });
  expect(kept(folderIn(home))).toEqual([]);
});

test('a link to a folder is not followed', async () => {
  const [home, elsewhere] = [makeHome(), makeFolder()];
  chmodSync(elsewhere, 0o700);
  symlinkSync(elsewhere, folderIn(home));
  await validate({ HOME: home });
  expect(kept(elsewhere)).toEqual([]);
});

test('NODE_DISABLE_COMPILE_CACHE has nothing kept, and where there is no cache none is made', async () => {
  const home = makeHome();
  await validate({ HOME: home, NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(existsSync(folderIn(home))).toBe(false);
  const bare = makeFolder({ file: '' });
  await validate({ HOME: bare });
  expect(readdirSync(bare)).toEqual(['file']);
  const result = await validate({ HOME: join(bare, 'file') });
  expect(result).toMatchObject({ code: 0, stderr: '' });
});

test('what V8 made under other flags is made anew, and the answer is the same', async () => {
  const home = makeHome();
  const madeBy = async (environment: Readonly<Record<string, string>>) => {
    const answer = await validate({ HOME: home, ...environment });
    const [file] = kept(folderIn(home)).map((name) => statSync(join(folderIn(home), name)).ino);
    return { answer, file };
  };
  const { answer } = await madeBy({});
  const usual = await madeBy({});
  const other = await madeBy({ NODE_OPTIONS: '--disallow-code-generation-from-strings' });
  expect(other.file).not.toBe(usual.file);
  expect(await madeBy({ NODE_OPTIONS: '--disallow-code-generation-from-strings' })).toEqual(other);
  expect([usual.answer, other.answer]).toEqual([answer, answer]);
});

/** With a cache, as people's homes have one. */
function makeHome(): string {
  const home = makeFolder();
  mkdirSync(join(home, '.cache'));
  return home;
}

async function validate(environment: Readonly<Record<string, string>>) {
  return runCli(['validate'], { folder: makeFolder(contract), environment });
}

function folderIn(home: string): string {
  return join(home, '.cache', 'contract-sync');
}

/** What is in the folder, at any depth. */
function kept(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
