import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Validation } from '../../src/files/files.ts';
import { root } from '../support/root.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectGolden } from '../support/golden.ts';
import { expectValid } from '../support/schema.ts';
import { makeFolder } from '../support/workspace.ts';

const good = 'fullyQualifiedName: shop.orders\ndescription: Fine.\n';

type Files = Readonly<Record<string, string>>;

/** What validate finds in these files, as its schema says. */
async function validate(files: Files, ...flags: readonly string[]): Promise<Validation> {
  const args = ['validate', '--format', 'json', ...flags];
  const { code, stdout } = await runInProcess(args, { folder: makeFolder(files) });
  const validation: Validation = JSON.parse(stdout);
  expectValid('validation', validation);
  expect(code).toBe(validation.errored ? 1 : 0);
  return validation;
}

const bad = {
  'contracts/a.yaml': 'fullyQualifiedName: shop.orders\ndescripton: Typo.\nversion: 3\n',
  'contracts/b.yaml': 'name: lonely\nentityStatus: Activ\n',
  'contracts/c: d,e.yaml': `${good}schema:\n  - { name: id }\n  - { name: ID }\n`,
  'contracts/wide.yaml': 'fullyQualifiedName: shop.wide\n漢字の鍵: 値\n',
  'contracts/hostile.yaml': 'fullyQualifiedName: shop.h\n"\\e[2J\\n::error::gone": x\n',
  'contracts/same.yaml': good,
};

test.for(['text', 'json', 'github', 'junit'] as const)(
  'validate reports every problem of every file as %s',
  async (format) => {
    const run = await runInProcess(['validate', '--format', format], { folder: makeFolder(bad) });
    expect(run).toMatchObject({ code: 1, stderr: '' });
    expectGolden(join(import.meta.dirname, 'golden', `validate-${format}.txt`), run.stdout);
  },
);

test('good files exit with 0, without a catalog and without a token', async () => {
  const folder = makeFolder({ 'contracts/orders.yaml': good });
  const run = await runInProcess(['validate'], { folder });
  expect(run).toEqual({ code: 0, stderr: '', stdout: 'No problems: 1 contract in 1 file.\n' });
});

test('where the dialect is configured, the content of sections is checked as a plan does', async () => {
  const text = `${good}schema:
  - { name: id, dataType: BIGNT, constraint: PRIMARY_KEYS }
sla:
  refreshFrequency: { interval: 15, unit: minutes }
  retention: 3 years
semantics:
  - { name: paid, description: Paid., rule: 3 }
`;
  const { diagnostics } = await validate({
    'contract-sync.yaml': 'catalog: { dialect: openmetadata }\n',
    'contracts/orders.yaml': text,
  });
  expect(diagnostics.map(({ source, message }) => `${source?.line}: ${message}`)).toEqual([
    '4: The catalog has no dataType "BIGNT".',
    '4: The catalog has no constraint "PRIMARY_KEYS".',
    '6: The catalog has no unit "minutes".',
    '7: `retention` must be a mapping.',
    '9: `rule` must be text.',
  ]);
});

test('dialects that only environments have are checked too, unless another environment is chosen', async () => {
  const files = {
    'contract-sync.yaml':
      'environments:\n  dev: {}\n  test: { catalog: { dialect: openmetadata } }\n  prod: { catalog: { dialect: openmetadata } }\n',
    'contracts/orders.yaml': `${good}schema: [{ name: id, dataType: MONSTER }]\n`,
  };
  const found = [{ message: 'The catalog has no dataType "MONSTER".' }];
  expect((await validate(files)).diagnostics).toMatchObject(found);
  expect((await validate(files, '--env', 'prod')).diagnostics).toMatchObject(found);
  const message =
    'Not checked in this contract: what is allowed here depends on the kind of catalog.';
  expect((await validate(files, '--env', 'dev')).diagnostics).toMatchObject([{ message }]);
});

test('without a dialect, what only one kind of catalog allows is a notice of one line, and no error', async () => {
  const { diagnostics, summary } = await validate({
    'contracts/a.yaml': `fullyQualifiedName: shop.a\nentityStatus: Approved\n`,
    'contracts/b.yaml': `fullyQualifiedName: shop.b\nschema: [{ name: id, dataType: int8 }]\ntermsOfUse: For us.\n`,
    'contracts/c.yaml': good,
    'contracts/d.yaml': `fullyQualifiedName: shop.d\nentityStatus: Live\n`,
  });
  expect(summary).toMatchObject({ contracts: 3, errors: 1, warnings: 0 });
  expect(diagnostics).toMatchObject([
    {
      code: 'dialect-unset',
      severity: 'information',
      message:
        'Not checked in this contract and in 1 other: what is allowed here depends on the kind of catalog.',
      hint: expect.stringContaining('`catalog: { dialect: openmetadata }`'),
      source: { file: 'contracts/a.yaml', line: 2 },
    },
    { code: 'unknown-status', source: { file: 'contracts/d.yaml', line: 2 } },
  ]);
});

test('a hint that several problems in a row share is printed once, below the last of them', async () => {
  const folder = makeFolder({
    'a.yaml': 'name: a\n',
    'b.yaml': 'name: b\n',
  });
  const { stdout } = await runInProcess(['validate', 'a.yaml', 'b.yaml'], { folder });
  const complaint = "error: This document doesn't say which contract it is. [identity-missing]";
  expect(stdout.split('\n').filter((line) => line !== '')).toEqual([
    `a.yaml:1:1: ${complaint}`,
    '  1 | name: a',
    '    | ^',
    `b.yaml:1:1: ${complaint}`,
    '  1 | name: b',
    '    | ^',
    '  Give `id`, or `fullyQualifiedName`, or `name` with `entity.id` or `entity.fullyQualifiedName`.',
    '2 files, 2 errors.',
  ]);
});

test('a broken configuration is reported like any problem of a file', async () => {
  const files = { 'contract-sync.yaml': 'contract: {}\n', 'contracts/a.yaml': good };
  expect(await validate(files)).toMatchObject({
    errored: true,
    diagnostics: [
      { code: 'unknown-key', source: { file: 'contract-sync.yaml', line: 1, column: 1 } },
    ],
  });
});

test.for(['contract', 'config', 'plan', 'outcomes', 'validation', 'examination', 'history'])(
  'schema %s prints it',
  async (name) => {
    const run = await runInProcess(['schema', name], { folder: makeFolder() });
    const file = join(root, 'schemas', `${name}.schema.json`);
    expect(JSON.parse(run.stdout)).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  },
);
