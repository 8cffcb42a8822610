/** Where something was added, the places that `.github/CONTRIBUTING.md` names for it have it too. */

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import configSchema from '../schemas/config.schema.json' with { type: 'json' };
import contractSchema from '../schemas/contract.schema.json' with { type: 'json' };
import outcomesSchema from '../schemas/outcomes.schema.json' with { type: 'json' };
import planSchema from '../schemas/plan.schema.json' with { type: 'json' };
import { describeProgram } from '../src/cli/program.ts';
import { productNames, productOf } from '../src/catalog/products/products.ts';
import { managedFields } from '../src/contract/contract.ts';
import { fileFormats } from '../src/files/files.ts';
import { fileFormatNames } from '../src/files/formats/format.ts';
import { formats, formatsOf } from '../src/report/formats.ts';
import { sandboxOf } from '../src/sandbox/sandboxes.ts';
import { edits } from './apply/openmetadata-edits.ts';
import { root } from './support/root.ts';

const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })].map((page) =>
  readFileSync(join(root, page), 'utf8'),
);
const lacking = (names: readonly string[], ...words: readonly ((name: string) => string)[]) =>
  names.filter((name) => words.every((word) => !pages.some((text) => text.includes(word(name)))));

test('CONTRIBUTING names files and folders that are there', () => {
  const text = readFileSync(join(root, '.github', 'CONTRIBUTING.md'), 'utf8');
  const paths = [...text.matchAll(/`((?:src|test|docs|schemas|examples|\.ci)\/[\w./-]*)`/gu)];
  expect(paths.length).toBeGreaterThan(15);
  expect(
    paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path))),
  ).toEqual([]);
});

describe('a field of contracts', () => {
  test('is taken by a standard catalog, unless its description says who alone has it', () => {
    const described: Readonly<Record<string, { readonly description: string }>> =
      contractSchema.properties;
    const { checkFields } = productOf('standard');
    expect(managedFields.filter((field) => checkFields({ [field]: null }).length > 0)).toEqual(
      managedFields.filter((field) => / only[.;]/u.test(described[field]?.description ?? '')),
    );
  });

  test('is one that ODCS files manage, or is left out of them on purpose', () => {
    const leftOut = [
      'displayName',
      'semantics',
      'termsOfUse',
      'security',
      'effectiveFrom',
      'effectiveUntil',
      'sourceUrl',
      'qualityExpectations',
      'reviewers',
    ];
    const managed = configSchema.properties.odcs.properties.fields.items.enum.filter(
      // Of columns.
      (field) => field !== 'tags',
    );
    expect([...managed, ...leftOut].toSorted()).toEqual(managedFields.toSorted());
  });

  test('is changed in the sandbox by one of the edits', () => {
    const edited = new Set(
      edits.flatMap(({ cases }) =>
        cases.flatMap(({ to }) =>
          Object.keys(typeof to === 'function' ? to({ ada: {}, mira: {}, crew: {} }) : to),
        ),
      ),
    );
    // Test cases can't be made in the sandbox.
    expect(managedFields.filter((field) => !edited.has(field))).toEqual(['qualityExpectations']);
  });
});

test('each folder of a format of files is a format that import can write, with a page', () => {
  const folders = readdirSync(join(root, 'src/files/formats'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(fileFormatNames.toSorted()).toEqual(folders.toSorted());
  expect(Object.keys(fileFormats).toSorted()).toEqual(folders.toSorted());
  // Our own is on the page of contract files.
  const others = folders.filter((name) => name !== 'native');
  expect(lacking(others, (name) => `--format ${name}`)).toEqual([]);
});

describe('a product', () => {
  test('is a file or a folder of the products, and in the registry', () => {
    const named = readdirSync(join(root, 'src/catalog/products'), { withFileTypes: true })
      .map((entry) => entry.name.replace(/\.ts$/u, ''))
      .filter((name) => !['README.md', 'product', 'products'].includes(name));
    expect(productNames.toSorted()).toEqual(named.toSorted());
  });

  test('can be configured, and be in a plan and its outcomes', () => {
    const settings = configSchema.properties.catalog.properties.dialect.enum;
    expect(settings.toSorted()).toEqual(['auto', ...productNames].toSorted());
    for (const { properties } of [planSchema, outcomesSchema])
      expect(properties.dialect.properties.name.enum.toSorted()).toEqual(productNames.toSorted());
  });

  test('has a sandbox with an example, and a page', () => {
    for (const name of productNames) {
      const { dialect, example } = sandboxOf(name);
      expect(dialect).toBe(name);
      expect(existsSync(join(root, 'examples', example, 'catalog.json'))).toBe(true);
    }
    expect(
      lacking(
        productNames,
        (name) => `dialect ${name}`,
        (name) => `dialect: ${name}`,
      ),
    ).toEqual([]);
  });
});

test('each command is on a page', () => {
  const program = describeProgram(
    { write: () => undefined, report: () => undefined },
    async () => {},
  );
  const commands = program.commands.map((command) => command.name());
  expect(
    lacking(
      commands,
      (name) => `contract-sync ${name}`,
      (name) => `npm run ${name}`,
    ),
  ).toEqual([]);
});

test('each format of output has a printer, and is on a page', () => {
  const names = [...new Set(Object.values(formatsOf).flat())];
  expect(Object.keys(formats).toSorted()).toEqual(names.toSorted());
  const named = names.filter((name) => name !== 'text');
  expect(lacking(named, (name) => `--format ${name}`)).toEqual([]);
});
