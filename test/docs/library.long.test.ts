import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildTypes } from '../../.ci/build-types.ts';
import { run } from '../support/process.ts';
import { root } from '../support/root.ts';
import { makeFolder } from '../support/workspace.ts';

const page = readFileSync(join(root, 'docs', 'library.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n(?<code>[^]*?)```/gu)].map(
  ({ groups }) => groups?.['code'] ?? '',
);

test('the examples compile as node16, nodenext and bundler resolve modules', async () => {
  const folder = makeFolder(
    Object.fromEntries(examples.map((code, index) => [`example-${index}.ts`, code])),
  );
  const installed = join(folder, 'node_modules', 'contract-sync');
  mkdirSync(join(installed, 'dist'), { recursive: true });
  symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  writeFileSync(join(installed, 'package.json'), readFileSync(join(root, 'package.json')));
  await buildTypes(join(installed, 'dist'));
  for (const way of ['node16', 'nodenext', 'bundler'])
    expect(await compile(folder, way), way).toBe('');
}, 180_000);

/** What the compiler complains of. */
async function compile(folder: string, way: string): Promise<string> {
  const compilerOptions = {
    module: way === 'bundler' ? 'esnext' : way,
    moduleResolution: way,
    target: 'es2024',
    types: ['node'],
    strict: true,
    noEmit: true,
  };
  const config = { compilerOptions, include: ['*.ts'] };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const { code, stdout, stderr } = await run('npx', ['tsc', '-p', folder], { cwd: root });
  return code === 0 ? '' : stdout + stderr;
}
