import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildTypes } from '../../.ci/build-types.ts';
import { makeFolder } from '../workspace.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs', 'library.md'), 'utf8');
const examples = [...page.matchAll(/```ts\n(?<code>[^]*?)```/gu)].map(
  ({ groups }) => groups?.['code'] ?? '',
);

const built = mkdtempSync(join(tmpdir(), 'contract-sync-library-'));
beforeAll(() => buildTypes(built));
afterAll(() => rmSync(built, { recursive: true }));

test.each(['nodenext', 'bundler'])('the examples compile as %s resolves modules', (way) => {
  const folder = makeFolder(
    Object.fromEntries(examples.map((code, index) => [`example-${index}.ts`, code])),
  );
  const installed = join(folder, 'node_modules', 'contract-sync');
  mkdirSync(installed, { recursive: true });
  symlinkSync(built, join(installed, 'dist'));
  symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
  writeFileSync(join(installed, 'package.json'), readFileSync(join(root, 'package.json')));
  expect(compile(folder, way)).toBe('');
});

/** What the compiler complains of. */
function compile(folder: string, way: string): string {
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
  try {
    execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', folder], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}
