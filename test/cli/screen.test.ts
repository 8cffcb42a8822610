import { expect, test } from 'vitest';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

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

test('the line of a file and the caret under it fit 80 columns', async () => {
  const long = `fullyQualifiedName: shop.sales.orders
description: ok
schema: [{ name: id, dataType: INT }, { name: second, dataType: INT }, { nmae: third }]
`;
  const world = { folder: makeFolder({ 'contracts/orders.yaml': long }) };
  const { stdout } = await runInProcess(['validate'], world);
  const [line = '', caret = ''] = stdout.split('\n').filter((each) => / \| /u.test(each));
  expect(line.length).toBeLessThanOrEqual(80);
  expect(line.slice(caret.indexOf('^'))).toMatch(/^\{ nmae/u);
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
