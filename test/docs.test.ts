import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { managedFields, identityFields, serverFields } from '../src/contract/contract.ts';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the page on contract files names every field of a contract', () => {
  const page = readFileSync(join(root, 'docs', 'contract-files.md'), 'utf8');
  for (const field of [...identityFields, ...managedFields, ...serverFields]) {
    expect(page).toContain(`\`${field}\``);
  }
});

test('every script that the README names exists', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = [...readme.matchAll(/npm run (?<script>[\w-]+)/gu)].map(
    ({ groups }) => groups?.['script'],
  );
  expect(named).not.toEqual([]);
  for (const script of named) expect(scripts).toHaveProperty(script ?? '');
});

test('the code map names every part of the sources', () => {
  const map = readFileSync(join(root, 'src', 'README.md'), 'utf8');
  for (const entry of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
    if (name !== 'README.md') expect(map).toContain(`\`${name}\``);
  }
});
