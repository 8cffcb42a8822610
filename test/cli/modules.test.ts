import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CompiledFile } from '../../src/cli/compiled.ts';
import { createModules } from '../../src/cli/modules.ts';
import { makeFolder } from '../workspace.ts';

/** In memory; `writes` counts. */
function keepInMemory() {
  let modules: ReturnType<CompiledFile['read']> = new Map();
  let writes = 0;
  const file: CompiledFile = {
    read: () => modules,
    write: (written) => {
      modules = written;
      writes += 1;
    },
  };
  return { kept: file, writes: () => writes, modules: () => modules };
}

test('modules require each other, and what Node has, each of them run once', () => {
  const folder = makeFolder({
    'main.cjs': `const { b } = require('./parts/b.cjs');
      exports.name = 'main';
      exports.told = () => [b(), require('node:path').basename(__filename)];`,
    'parts/b.cjs': `const main = require('../main.cjs');
      exports.b = () => main.name + ' from b';`,
  });
  const { load } = createModules(undefined);
  const main = load(join(folder, 'main.cjs'));
  expect(main.told()).toEqual(['main from b', 'main.cjs']);
  expect(load(join(folder, 'main.cjs'))).toBe(main);
});

test('what a module is made of is kept, with the functions that were called', () => {
  const source = `exports.answer = () => [1, 2].map((each) => each * 2 + ' is twice ' + each);`;
  const keptAfter = (use: (answer: () => readonly string[]) => void) => {
    const memory = keepInMemory();
    const file = join(makeFolder({ 'a.cjs': source }), 'a.cjs');
    const { load, keep } = createModules(memory.kept);
    use(load(file).answer);
    keep();
    return { ...memory, file, size: memory.modules().get(file)?.code.length ?? 0 };
  };
  const uncalled = keptAfter(() => undefined);
  const called = keptAfter((answer) => answer());
  expect(called.size).toBeGreaterThan(uncalled.size + 100);
  const again = createModules(called.kept);
  expect(again.load(called.file).answer()).toEqual(['2 is twice 1', '4 is twice 2']);
  again.keep();
  expect(called.writes()).toBe(1);
});

test('a module that has changed is taken as it is, even where its length is the same', () => {
  const folder = makeFolder({ 'a.cjs': `exports.answer = () => 'old';` });
  const a = join(folder, 'a.cjs');
  const { kept, writes } = keepInMemory();
  const before = createModules(kept);
  expect(before.load(a).answer()).toBe('old');
  before.keep();
  writeFileSync(a, `exports.answer = () => 'new';`);
  const after = createModules(kept);
  expect(after.load(a).answer()).toBe('new');
  after.keep();
  expect(writes()).toBe(2);
});

test('what one run had no use for stays for others, until the first module is another', () => {
  const folder = makeFolder({ 'main.cjs': '', 'a.cjs': '', 'b.cjs': '' });
  const { kept, modules } = keepInMemory();
  const keepOf = (...names: readonly string[]): readonly string[] => {
    const { load, keep } = createModules(kept);
    for (const name of names) load(join(folder, name));
    keep();
    return [...modules().keys()].map((file) => basename(file));
  };
  expect(keepOf('main.cjs', 'a.cjs')).toEqual(['main.cjs', 'a.cjs']);
  expect(keepOf('main.cjs', 'b.cjs')).toEqual(['main.cjs', 'a.cjs', 'b.cjs']);
  writeFileSync(join(folder, 'main.cjs'), 'exports.version = 2;');
  expect(keepOf('main.cjs', 'b.cjs')).toEqual(['main.cjs', 'b.cjs']);
});

test('an error names its module and its place in it', () => {
  const folder = makeFolder({ 'a.cjs': `exports.fail = () => { throw new Error('no'); };` });
  const { fail } = createModules(undefined).load(join(folder, 'a.cjs'));
  expect(fail).toThrow(
    expect.objectContaining({ stack: expect.stringContaining(`${join(folder, 'a.cjs')}:1:30`) }),
  );
});
