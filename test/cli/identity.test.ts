import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { record } from '../support/recorder.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';
import { outcomesIn, planIn } from '../support/world.ts';

const token = 'header.payload.signature';
const idOf = (digit: string) => `0a00000${digit}-00cd-4000-8000-0000000000ef`;
const assetOf = (digit: string) => `0b00000${digit}-00cd-4000-8000-0000000000ef`;

function live(name: string, digit: string, more: JsonObject = {}): JsonObject {
  return {
    id: idOf(digit),
    name,
    fullyQualifiedName: `shop.sales.${name}.contract`,
    entity: { id: assetOf(digit), type: 'table', name, fullyQualifiedName: `shop.sales.${name}` },
    description: 'Old.',
    entityStatus: 'Active',
    version: 1.2,
    updatedAt: 1_700_000_000_000,
    updatedBy: 'ada',
    ...more,
  };
}

/** Of `leads` no file says anything. */
const contracts = [live('orders', '1'), live('refunds', '2'), live('leads', '3')];
const withDeleted = [...contracts, live('orders_2023', '4', { deleted: true })];

type World = {
  readonly settings?: string;
  readonly seed?: readonly JsonObject[];
  /** What stands in the catalog once `replace` was called. */
  readonly later?: readonly JsonObject[];
};

async function open(orders: string, { settings = '', seed = contracts, later }: World = {}) {
  const first = await serveCatalog({ seed, token });
  const second = later && (await serveCatalog({ seed: later, token }));
  let catalog = first;
  const { url, requests } = await record(first.url, undefined, () => catalog.url);
  const folder = makeFolder({
    'contract-sync.yaml': `scope: ["shop.**"]\nlimits: { from: 100 }\nunmanaged: deprecate\n${settings}`,
    'contracts/orders.yaml': `# The contract of orders.\n${orders}description: Old.\n`,
    'contracts/refunds.yaml':
      'fullyQualifiedName: shop.sales.refunds.contract\ndescription: New.\n',
  });
  const world = { folder, environment: accessTo({ url, token }) };
  return {
    folder,
    requests,
    replace: () => (catalog = second ?? first),
    run: (...args: string[]) => runInProcess(args, world),
    statuses: async (): Promise<JsonObject> => {
      const headers = { authorization: `Bearer ${token}` };
      const answer = await fetch(`${catalog.url}/v1/dataContracts`, { headers });
      const { data }: ReturnType<typeof JSON.parse> = await answer.json();
      return Object.fromEntries(
        data.map((each: JsonObject) => [each['name'], each['entityStatus'] ?? null]),
      );
    },
  };
}

const capital = (id: string) => id.toUpperCase();
const retiresLeads = { orders: 'Active', refunds: 'Active', leads: 'Deprecated' };

test.each<[string, string]>([
  ['the id', `id: ${capital(idOf('1'))}\n`],
  ['the id of the asset', `name: orders\nentity: { id: ${capital(assetOf('1'))} }\n`],
  [
    'the id of the asset, beside a name',
    `fullyQualifiedName: shop.sales.orders.contract\nentity: { id: ${capital(assetOf('1'))} }\n`,
  ],
])('a UUID in capital letters is the same UUID: %s', async (_which, identity) => {
  const { run, statuses } = await open(identity);
  const { code, stdout, stderr } = await run('apply', '--yes');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).not.toContain('warning');
  expect(await statuses()).toEqual(retiresLeads);
});

test('requests spell a UUID as the catalog does, and a saved plan holds for both spellings', async () => {
  const later = contracts.map((each, index) => ({ ...each, id: capital(idOf(`${index + 1}`)) }));
  const { run, requests, replace, statuses } = await open(`id: ${idOf('1')}\n`, { later });
  expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
  replace();
  const applied = await run('apply', '--yes', '--plan', 'plan.json');
  expect(applied).toMatchObject({ code: 0, stderr: '' });
  expect(await statuses()).toEqual(retiresLeads);
  expect(new Set(requests.filter((line) => line.startsWith('PATCH')))).toEqual(
    new Set(['2', '3'].map((digit) => `PATCH /api/v1/dataContracts/${capital(idOf(digit))}`)),
  );
});

test.each<[string, string, string]>([
  [
    "one digit of the asset's id is wrong",
    `name: orders\nentity: { id: ${assetOf('9')} }\n`,
    'orders.yaml:3',
  ],
  ['its id is that of a deleted contract', `id: ${idOf('4')}\n`, 'orders.yaml:2'],
])('with `missing: report`, no contract is retired where %s', async (_case, identity, place) => {
  const settings = 'missing: report\n';
  const { run, statuses } = await open(identity, { settings, seed: withDeleted });
  const plan = await run('plan', '--format', 'json', '--out', 'plan.json');
  expect(plan.code).toBe(1);
  const blocked = planIn(plan.stdout).contracts.filter(({ action }) => action === 'blocked');
  const code = 'retirement-doubtful';
  const problem = { code, message: expect.stringContaining(place) };
  const source = { file: 'contracts/orders.yaml' };
  expect(blocked).toMatchObject(
    ['leads', 'orders'].map((name) => ({ name, problems: [{ ...problem, source }] })),
  );
  const applied = await run('apply', '--yes', '--plan', 'plan.json');
  expect(applied).toMatchObject({ code: 1, stdout: expect.stringContaining('1 applied') });
  expect(await statuses()).toEqual({ orders: 'Active', refunds: 'Active', leads: 'Active' });
});

const own = 'fullyQualifiedName: shop.sales.orders.contract\n';

test.each<[string, string]>([
  ['the id is wrong, the name is right', `id: ${idOf('9')}\n${own}`],
  ['a letter of the name is wrong', 'fullyQualifiedName: shop.sales.orderz.contract\n'],
])(
  'a missing file with a comparable name holds its own contract alone: %s',
  async (_, identity) => {
    const settings = 'missing: report\n';
    const { run, statuses } = await open(identity, { settings, seed: withDeleted });
    const { code, stdout } = await run('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('[retirement-doubtful]');
    expect(await statuses()).toMatchObject(retiresLeads);
  },
);

test('a missing file holds each contract that it may be', async () => {
  const seed = [...contracts.slice(1), live('orders_a', '1'), live('orders_b', '6')];
  const { run, statuses } = await open('fullyQualifiedName: shop.sales.orders_c.contract\n', {
    seed,
  });
  expect((await run('apply', '--yes')).code).toBe(1);
  expect(await statuses()).toMatchObject({ orders_a: 'Active', orders_b: 'Active' });
});

test('a run that is narrowed by --only holds its retirements too', async () => {
  const { run, statuses } = await open(`id: ${idOf('9')}\n`, { settings: 'missing: report\n' });
  expect((await run('apply', '--yes', '--only', 'shop.sales.leads')).code).toBe(1);
  expect(await statuses()).toMatchObject({ leads: 'Active' });
});

test.each([
  ['orders.yaml.broken', `${own}descripton: Old.\n`],
  ['orders.yaml.disabled', `id: ${idOf('1')}\ndescription: Old.\n`],
])('a file that its ending keeps from being read holds its contract: %s', async (name, text) => {
  const { run, folder, statuses } = await open(own);
  const renamed = join(folder, 'contracts', name);
  renameSync(join(folder, 'contracts/orders.yaml'), renamed);
  writeFileSync(renamed, text);
  writeFileSync(join(folder, 'contracts/picture.png'), Buffer.from([0x89, 0x50, 0, 0xff]));
  const held = await run('apply', '--yes');
  expect(held.code).toBe(1);
  expect(held.stdout).toContain(`contracts/${name}:1:1: error: `);
  expect(held.stdout).toContain('[retirement-doubtful]');
  expect(await statuses()).toEqual(retiresLeads);
  rmSync(renamed);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(await statuses()).toMatchObject({ orders: 'Deprecated' });
});

test.each([['plan'], ['pull'], ['rollback', 'contracts/orders.yaml', '--to', '1.1', '--yes']])(
  'a file that names two live contracts, as a copied one does, ends %s',
  async (...args) => {
    const copied = `id: ${idOf('1')}\nfullyQualifiedName: shop.sales.leads.contract\n`;
    const { run, requests } = await open(copied);
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    const output = stdout + stderr;
    expect(output).toContain('[ambiguous-identity]');
    expect(output).toContain(
      `shop.sales.orders.contract (${idOf('1')}) by its \`id\`, and shop.sales.leads.contract (${idOf('3')}) by its \`fullyQualifiedName\``,
    );
    expect(output).toContain('contracts/orders.yaml:3');
    expect(requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
  },
);

test('the outcomes of an apply carry what its plan warned of', async () => {
  const identity = `id: ${idOf('1')}\nfullyQualifiedName: shop.sales.order\ndisplayName: Orders\n`;
  const { run } = await open(identity);
  const { code, stdout } = await run('apply', '--yes', '--format', 'json');
  expect(code).toBe(0);
  expect(outcomesIn(stdout).outcomes.find(({ warnings }) => warnings)).toMatchObject({
    result: 'applied',
    id: idOf('1'),
    warnings: [{ code: 'identity-differs', source: { file: 'contracts/orders.yaml', line: 3 } }],
  });
});
