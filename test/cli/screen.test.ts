import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { compatibilityRules } from '../../src/compatibility/rule.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, deadUrl, makeFolder, serveCatalog } from '../support/workspace.ts';

const columns = ['id', 'amount'].map((name) => ({ name, dataType: 'INT' }));
const seed = [
  {
    name: 'orders',
    fullyQualifiedName: 'shop.sales.orders',
    description: 'Old.',
    entityStatus: 'Active',
    version: 0.1,
    schema: columns,
  },
];
const file = `fullyQualifiedName: shop.sales.orders
description: ${'Each order that was paid for. '.repeat(6)}
schema: [{ name: id, dataType: INT }]
`;

async function arrange(files: Readonly<Record<string, string>> = {}) {
  const catalog = await serveCatalog({ seed });
  const folder = makeFolder({ 'contracts/orders.yaml': file, ...files });
  return { folder, environment: accessTo(catalog) };
}

const words = (text: string) => text.split(/\s+/u);

test.for([40, 60, 80])('on %i columns a plan breaks between words alone', async (columns) => {
  const world = await arrange();
  const piped = await runInProcess(['plan', '--verbose'], world);
  const shown = await runInProcess(['plan', '--verbose'], { ...world, columns });
  const long = shown.stdout.split('\n').filter((line) => line.length > columns);
  // What is copied into a file stays whole.
  const told = long.filter((line) => !line.includes('- { contract: '));
  expect(told.filter((line) => line.trim().includes(' '))).toEqual([]);
  expect(shown.stdout).toContain('[column-removed]');
  expect(words(shown.stdout.replace(/\nSigns:[^!]*!\s+blocked\s+\?\s+missing\n/u, ''))).toEqual(
    words(piped.stdout),
  );
});

test('a screen shows the plan hash and the dialect with --verbose alone, a pipe always', async () => {
  const world = await arrange();
  const told = async (args: readonly string[], columns?: number) => {
    const { stdout } = await runInProcess(['plan', ...args], {
      ...world,
      ...(columns !== undefined && { columns }),
    });
    return [stdout.includes('Plan hash: sha256:'), stdout.includes('Dialect: ')];
  };
  expect(await told([], 100)).toEqual([false, false]);
  expect(await told(['--verbose'], 100)).toEqual([true, true]);
  expect(await told([])).toEqual([true, true]);
});

test('errors and their hints are wrapped too, with their codes whole', async () => {
  const environment = { CONTRACT_SYNC_URL: await deadUrl(), CONTRACT_SYNC_TOKEN: 'a.b.c' };
  const { stderr } = await runInProcess(['history', 'orders'], {
    folder: makeFolder(),
    environment,
    columns: 50,
  });
  expect(stderr).toContain('[dialect-unknown]');
  const rows = stripVTControlCharacters(stderr.slice(stderr.indexOf('error:'))).split('\n');
  expect(rows.filter((row) => row.length > 50 && /\S \S/u.test(row))).toEqual([]);
});

test('the line of a file and the caret under it fit the screen', async () => {
  const long = `fullyQualifiedName: shop.sales.orders
description: ok
schema: [{ name: id, dataType: INT }, { name: second, dataType: INT }, { nmae: third }]
`;
  const world = { folder: makeFolder({ 'contracts/orders.yaml': long }), columns: 60 };
  const { stdout } = await runInProcess(['validate'], world);
  const [line = '', caret = ''] = stdout.split('\n').filter((each) => / \| /u.test(each));
  expect(line.length).toBeLessThanOrEqual(60);
  expect(line.slice(caret.indexOf('^'))).toMatch(/^\{ nmae/u);
});

test('the rules keep their columns at 80', async () => {
  const { stdout } = await runInProcess(['rules'], { folder: makeFolder(), columns: 80 });
  const [head = '', ...lines] = stdout.trimEnd().split('\n');
  const last = head.indexOf('what happened');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  const further = lines.filter((line) => line.startsWith(' '));
  expect(further.every((line) => line.search(/\S/u) === last)).toBe(true);
  expect(lines.length - further.length).toBe(Object.keys(compatibilityRules).length);
});

test('the summary of a plan counts errors that block no contract', async () => {
  const world = await arrange({
    'contract-sync.yaml': 'limits: { from: 1 }\ncompatibility: { mode: none }\n',
  });
  const { stdout } = await runInProcess(['plan', '--quiet'], world);
  expect(stdout).toContain('[limit-exceeded]');
  expect(stdout).toMatch(/^Plan: 1 to update, .*0 unchanged, 1 error\.$/mu);
});

test.skipIf(process.platform !== 'linux')(
  'a report on a full disk is not the folder’s fault',
  async () => {
    const run = await runInProcess(['apply', '--yes', '--report', '/dev/full'], await arrange());
    expect(run.stderr).toContain("can't be written to /dev/full: no space left on device");
    expect(run.stderr).toContain('the space on its disk');
  },
);
