import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { identityFields, managedFields, serverFields } from '../src/contract/contract.ts';
import { root } from './support/root.ts';

const contractFiles = readFileSync(join(root, 'docs', 'contract-files.md'), 'utf8');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

test('the page on contract files names every field of a contract', () => {
  for (const field of [...identityFields, ...managedFields, ...serverFields]) {
    expect(contractFiles).toContain(`\`${field}\``);
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

test('the code map names every part of the sources, and no file that is not there', () => {
  const map = readFileSync(join(root, 'src', 'README.md'), 'utf8');
  const files = [...map.matchAll(/`([.\w-]+\/[./\w-]+\.(?:ts|json|md))`/gu)];
  expect(files.length).toBeGreaterThan(30);
  for (const [, file = ''] of files)
    expect([join(root, 'src', file), join(root, file)].some(existsSync), file).toBe(true);
  for (const entry of readdirSync(join(root, 'src'), { withFileTypes: true })) {
    const name = entry.isDirectory() ? `${entry.name}/` : entry.name;
    if (name !== 'README.md') expect(map).toContain(`\`${name}\``);
  }
});

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the pre-commit hook, and the page on it, bring the release that they are part of', () => {
  const { version } = packageJson;
  const hooks = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'));
  expect(hooks[0].entry).toContain(` --package contract-sync@${version} `);
  expect(contractFiles).toContain(`rev: v${version}\n    hooks:\n      - id: ${hooks[0].id}\n`);
  expect(contractFiles).toContain(`\`${hooks[1].id}\``);
});

test('a schema has the address that Pages serve it at, and SchemaStore takes that of the configuration', () => {
  const pages = 'https://contract-sync.github.io/contract-sync';
  for (const name of readdirSync(join(root, 'schemas'))) {
    const schema = JSON.parse(readFileSync(join(root, 'schemas', name), 'utf8'));
    expect(schema.$id).toBe(`${pages}/${name}`);
  }
  const entry = JSON.parse(readFileSync(join(root, '.github', 'schemastore.json'), 'utf8'));
  // What schema-catalog.json of SchemaStore asks for: these keys, an address by https, texts.
  expect(entry).toEqual({
    name: 'contract-sync',
    description: expect.stringMatching(/^[A-Z][^.:]+$/u),
    fileMatch: ['contract-sync.yaml'],
    url: `${pages}/config.schema.json`,
  });
});

test('the settings of an editor name schemas that the package has', () => {
  const [, settings = ''] = /```json\n(?<json>[^]*?)```/u.exec(contractFiles) ?? [];
  const addresses = Object.keys(JSON.parse(settings)['yaml.schemas']);
  const published = /^https:\/\/cdn\.jsdelivr\.net\/npm\/contract-sync\/(?<file>.+)$/u;
  const files = addresses.map((address) => published.exec(address)?.groups?.['file'] ?? '');
  expect(files).toEqual(['schemas/contract.schema.json', 'schemas/config.schema.json']);
  for (const file of files) expect(existsSync(join(root, file))).toBe(true);
  expect(packageJson.files).toContain('schemas');
});
