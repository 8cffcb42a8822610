import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import * as library from '../src/index.ts';
import { built } from './support/built.ts';
import { outputOf } from './support/process.ts';
import { root } from './support/root.ts';
import { makeFolder } from './support/workspace.ts';

/** Bytes, of 420 kB: the declarations, which only a build makes, are another 10 kB. */
const most = 410_000;

test('the package is small, and has no needless file', async () => {
  const folder = makeFolder();
  for (const name of ['package.json', 'README.md', 'LICENSE', 'schemas', 'examples'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  cpSync(dirname(await built('cli.js')), join(folder, 'dist'), { recursive: true });
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const told = outputOf('npm', args, { cwd: folder });
  const [packed]: readonly Packed[] = JSON.parse(told);
  const folders = new Set(packed?.files.map(({ path }) => path.split('/').slice(0, -1).join('/')));
  expect([...folders].toSorted()).toMatchInlineSnapshot(`
    [
      "",
      "dist",
      "dist/chunks",
      "examples/openmetadata",
      "examples/openmetadata/contracts",
      "examples/quickstart",
      "examples/quickstart/contracts/logistics",
      "examples/quickstart/contracts/marketing",
      "examples/quickstart/contracts/sales",
      "examples/starter",
      "examples/workflows",
      "schemas",
    ]
  `);
  expect(packed?.size).toBeLessThan(most);
});

test('the library gives all that its sources do', async () => {
  const bundle: object = await import(join(dirname(await built('cli.js')), 'index.js'));
  expect(Object.keys(bundle).toSorted()).toEqual(Object.keys(library).toSorted());
});

type Packed = { readonly size: number; readonly files: readonly { readonly path: string }[] };
