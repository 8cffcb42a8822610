import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { parsePathPattern } from '../../src/pull/name.ts';
import { runInProcess } from '../support/run-program.ts';
import { orders, serve } from '../sandbox/served.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const standard = { 'contract-sync.yaml': 'catalog: { dialect: standard }\n' };

function contractOf(table: string, at: number, schema = 'public'): JsonObject {
  return {
    ...orders,
    id: `0a000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    name: table,
    fullyQualifiedName: `shop.sales.${schema}.${table}.contract`,
    entity: { type: 'table', fullyQualifiedName: `shop.sales.${schema}.${table}` },
  };
}

async function worldOf(seed: readonly JsonObject[], files: Readonly<Record<string, string>> = {}) {
  const catalog = await serve({ seed });
  return { folder: makeFolder({ ...standard, ...files }), environment: accessTo(catalog) };
}

test('--check lists what the run would write, and no more', async () => {
  const world = await worldOf(
    ['a', 'B', 'c', 'd'].map((name, at) => contractOf(name, at, name)),
    { 'contracts/a/a.yaml': 'fullyQualifiedName: x.y\n', 'contracts/B/b.yaml': 'id: b\n' },
  );
  mkdirSync(join(world.folder, '.hidden'));
  symlinkSync('../.hidden', join(world.folder, 'contracts/c'));
  const args = ['import', '--into', 'contracts/{schema}/{name}.yaml'];
  const before = readdirSync(world.folder, { recursive: true });
  const checked = await runInProcess([...args, '--check'], world);
  expect(readdirSync(world.folder, { recursive: true })).toEqual(before);
  const done = await runInProcess(args, world);
  expect(done.stdout).toBe(
    '+ contracts/d/d.yaml  shop.sales.d.d.contract\n\nImported: 1 contract in 1 file.\n',
  );
  expect(checked).toEqual({ ...done, stdout: done.stdout.replace('Imported', 'To import') });
  expect(done.stderr).toContain('contracts/a/a.yaml already exists');
  expect(done.stderr).toContain('contracts/B/b.yaml already exists');
  expect(done.stderr).toContain('[link-outside-root]');
});

test('beside a broken file, import fails', async () => {
  const world = await worldOf([orders], { 'contracts/broken.yaml': 'name: [\n' });
  expect(await runInProcess(['import'], world)).toMatchObject({ code: 1, stdout: '' });
});

test('a field with a key that no file may have is left out, with a notice', async () => {
  const world = await worldOf([
    { ...contractOf('a', 1), schema: [{ name: 'x', datatype: 'INT' }] },
  ]);
  const { code, stderr } = await runInProcess(['import'], world);
  expect(code).toBe(0);
  expect(stderr).toContain('is left out of its file: Unknown key "datatype" in a column.');
  expect(await runInProcess(['validate'], world)).toMatchObject({ code: 0, stderr: '' });
});

const names = {
  node_modules: 'contracts/node_modules_/node_modules.yaml',
  'foo.yaml': 'contracts/foo.yaml_/foo.yaml.yaml',
  'foo.YML': 'contracts/foo.YML_/foo.YML.yaml',
  CON: 'contracts/CON_/CON_.yaml',
  'aux.x': 'contracts/aux_.x/aux_.x.yaml',
  'com1.': 'contracts/com1_/com1_..yaml',
  'COM\u00b9': 'contracts/COM\u00b9_/COM\u00b9_.yaml',
  'lpt9 ': 'contracts/lpt9_/lpt9_.yaml',
  console: 'contracts/console/console.yaml',
  'a.': 'contracts/a_/a..yaml',
  'a. ': 'contracts/a._/a._.yaml',
  '.git': 'contracts/_git/_git.yaml',
  '..': 'contracts/_/_.yaml',
  'GIT~1': 'contracts/GIT_1/GIT_1.yaml',
  'a\\b/c:d*': 'contracts/a_b_c_d_/a_b_c_d_.yaml',
  '\u{1f600}': 'contracts/_/_.yaml',
};

test.for(Object.entries(names))('%s gives %s, which is found again everywhere', ([name, file]) => {
  const quoted = /["./\\]/u.test(name) ? `"${name}"` : name;
  const live = { name, entity: { fullyQualifiedName: `shop.sales.${quoted}.t` } };
  expect(parsePathPattern('contracts/{schema}/{name}.yaml')(live)).toBe(file);
});

test('a pattern may not name a folder in which no file is found', () => {
  expect(() => parsePathPattern('contracts/node_modules/{name}.yaml')).toThrow(
    'names a hidden file or folder',
  );
});

test.for(['native', 'odcs'])(
  'twins that a file name can’t tell apart are imported as %s',
  async (format) => {
    const twins = ['a b', 'a_b', 'A_B', '\u{1f600}', '\u{1f980}', 'other'].map((name, at) =>
      contractOf(name, at),
    );
    const world = await worldOf(twins);
    const imported = await runInProcess(['import', '--format', format], world);
    expect(imported).toMatchObject({ code: 0 });
    const planned = await runInProcess(['plan'], world);
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain('No changes. 6 unchanged.');
  },
);
