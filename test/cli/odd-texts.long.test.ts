import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { contractDocument, sendJson, serve } from '../support/server.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';

const odd = Array.from('\u0000\u001b\u007f\u0080\u0085\u009f\u2028\ufeff\ufffe').flatMap(
  (character): JsonObject[] => [
    { description: `a${character}b` },
    { description: `a${character}b\nline ${character}\n` },
    { description: `${'word '.repeat(40)}${character} end` },
    { schema: [{ name: `n${character}`, dataType: 'INT' }], extension: { [character]: character } },
  ],
);
const unwritable: readonly JsonObject[] = [
  { description: 'x'.repeat(2_000_000) },
  { description: 'a word '.repeat(300_000) },
  { description: 'half of a \ud800 character' },
];

async function openCatalog(contracts: readonly JsonObject[]) {
  const live = contracts.map((fields, index) =>
    contractDocument(index, {
      fullyQualifiedName: `shop.sales.web.c${index}`,
      entity: { id: `e${index}`, type: 'table', fullyQualifiedName: `shop.sales.web.t${index}` },
      entityStatus: 'Active',
      name: `c${index}`,
      ...fields,
    }),
  );
  const { url } = await serve((_request, response) => {
    sendJson(response, { data: live, paging: { total: live.length } });
  });
  return accessTo({ url: url.href, token: 'a.b.c' });
}

test.for(['native', 'odcs'])('what an import writes as %s, the next run takes', async (format) => {
  const world = { folder: makeFolder(), environment: await openCatalog([...odd, ...unwritable]) };
  const imported = await runInProcess(['import', '--format', format], world);
  const refused = unwritable.map(
    (_, index) => `Can't import shop.sales.web.c${odd.length + index}:`,
  );
  expect(imported.stderr.match(/Can't import \S+/gu)).toEqual(refused);
  expect(imported.stdout).toContain(`Imported: ${odd.length} contracts in ${odd.length} files.`);
  const planned = await runInProcess(['plan'], world);
  expect(planned).toMatchObject({ code: 0, stderr: '' });
  expect(planned.stdout).toContain(`No changes. ${odd.length} unchanged, ${unwritable.length} unm`);
});

test('what a pull writes, the next run takes', async () => {
  const plain = { description: 'd', schema: [{ name: 'a', dataType: 'INT' }], extension: { a: 1 } };
  const all = [...odd, ...unwritable].map((fields) => ({ ...plain, ...fields }));
  const fields = Object.entries(plain).map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`);
  const files = all.map((_, index) => [
    `contracts/c${index}.yaml`,
    `fullyQualifiedName: shop.sales.web.c${index}\n${fields.join('')}`,
  ]);
  const folder = makeFolder(Object.fromEntries(files));
  const world = { folder, environment: await openCatalog(all) };
  const pulled = await runInProcess(['pull'], world);
  expect(pulled.stderr.match(/\S+ can't be pulled|Not pulled, as/gu)).toHaveLength(
    unwritable.length,
  );
  const planned = await runInProcess(['plan'], world);
  expect(planned.stdout).toContain(`${unwritable.length} to update, ${odd.length} unchanged.`);
});

test('names of any length become names of files', async () => {
  const names = ['n'.repeat(300), 'é'.repeat(200), '漢'.repeat(100), '😀𝒳'.repeat(90)];
  const contracts = names.map((name) => ({ name, fullyQualifiedName: `shop.${name}.web.${name}` }));
  const environment = await openCatalog(contracts);
  for (const into of ['contracts/{name}.yaml', 'contracts/{domain}-{service}-{name}.yaml']) {
    const world = { folder: makeFolder(), environment };
    const imported = await runInProcess(['import', '--into', into], world);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    const { code, stdout } = await runInProcess(['plan'], world);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No changes. 4 unchanged.'),
    });
  }
});
