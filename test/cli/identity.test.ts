import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { record } from '../support/recorder.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const token = 'header.payload.signature';
const idOf = (digit: string) => `0a00000${digit}-00cd-4000-8000-0000000000ef`;
const assetOf = (digit: string) => `0b00000${digit}-00cd-4000-8000-0000000000ef`;

function live(name: string, digit: string, more: JsonObject = {}): JsonObject {
  return {
    id: idOf(digit),
    name,
    fullyQualifiedName: `shop.sales.${name}.contract`,
    entity: {
      id: assetOf(digit),
      type: 'table',
      name,
      fullyQualifiedName: `shop.sales.${name}`,
    },
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
const refunds = 'fullyQualifiedName: shop.sales.refunds.contract\ndescription: New.\n';
const config = 'scope: ["shop.**"]\nlimits: { from: 100 }\n';

type World = {
  readonly rule?: 'deprecate' | 'ignore';
  readonly settings?: string;
  readonly seed?: readonly JsonObject[];
  readonly later?: readonly JsonObject[];
};

/** `later`: what stands in the catalog once `replace` was called. */
async function open(
  orders: string,
  { rule = 'deprecate', settings = '', seed = contracts, later }: World = {},
) {
  const first = await serveCatalog({ seed, token });
  const second = later && (await serveCatalog({ seed: later, token }));
  let catalog = first;
  const recorder = await record(first.url, undefined, () => catalog.url);
  const folder = makeFolder({
    'contract-sync.yaml': `${config}unmanaged: ${rule}\n${settings}`,
    'contracts/orders.yaml': `# The contract of orders.\n${orders}description: Old.\n`,
    'contracts/refunds.yaml': refunds,
  });
  const world = { folder, environment: accessTo({ url: recorder.url, token }) };
  return {
    folder,
    requests: recorder.requests,
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

describe('a UUID in capital letters is the same UUID:', () => {
  test.each<[string, string]>([
    ['the id', `id: ${capital(idOf('1'))}\n`],
    ['the id of the asset', `name: orders\nentity: { id: ${capital(assetOf('1'))} }\n`],
    [
      'the id of the asset, beside a name',
      `fullyQualifiedName: shop.sales.orders.contract\nentity: { id: ${capital(assetOf('1'))} }\n`,
    ],
  ])('%s', async (_which, identity) => {
    const { run, statuses } = await open(identity);
    const { code, stdout, stderr } = await run('apply', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('warning');
    expect(await statuses()).toEqual(retiresLeads);
  });

  test('requests spell a UUID as the catalog does, and a saved plan holds for both spellings', async () => {
    const later = contracts.map((contract, index) => ({
      ...contract,
      id: capital(idOf(String(index + 1))),
    }));
    const { run, requests, replace, statuses } = await open(`id: ${idOf('1')}\n`, { later });
    const saved = await run('plan', '--out', 'plan.json');
    expect(saved.code).toBe(0);
    replace();
    const applied = await run('apply', '--yes', '--plan', 'plan.json');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    expect(await statuses()).toEqual(retiresLeads);
    const patched = requests.filter((line) => line.startsWith('PATCH'));
    expect(new Set(patched)).toEqual(
      new Set(['2', '3'].map((digit) => `PATCH /api/v1/dataContracts/${capital(idOf(digit))}`)),
    );
  });
});

/** Each is the file of `orders`, and wrong. */
const incomparable: readonly [string, string, string][] = [
  ['one digit of the id is wrong', `id: ${idOf('9')}\n`, 'orders.yaml:2'],
  [
    "one digit of the asset's id is wrong",
    `name: orders\nentity: { id: ${assetOf('9')} }\n`,
    'orders.yaml:3',
  ],
  [
    "the asset's names are no qualified ones",
    `id: ${idOf('9')}\nentity: { id: ${assetOf('1')}, name: orders, type: table }\n`,
    'orders.yaml:2',
  ],
  ['its id is that of a deleted contract', `id: ${idOf('4')}\n`, 'orders.yaml:2'],
];

test.each(incomparable)(
  'with `missing: report`, nothing is retired while %s',
  async (_case, identity, place) => {
    const seed = [...contracts, live('orders_2023', '4', { deleted: true })];
    const { run, statuses } = await open(identity, {
      settings: 'missing: report\n',
      seed,
    });
    const plan = await run('plan', '--detailed-exitcode', '--format', 'json', '--out', 'plan.json');
    expect(plan.code).toBe(1);
    const made = JSON.parse(plan.stdout);
    expectValid('plan', made);
    const held = ['leads', 'orders'].map((name) => ({
      action: 'blocked',
      name,
      problems: [{ code: 'retirement-doubtful', source: { file: 'contracts/orders.yaml' } }],
    }));
    const blocked = made.contracts.filter(({ action }: JsonObject) => action === 'blocked');
    expect(blocked).toMatchObject(held);
    for (const { problems } of blocked) expect(problems[0].message).toContain(place);
    const applied = await run('apply', '--yes', '--plan', 'plan.json');
    expect(applied.code).toBe(1);
    expect(applied.stdout).toContain('1 applied');
    expect(await statuses()).toEqual({ orders: 'Active', refunds: 'Active', leads: 'Active' });
  },
);

describe('a missing file whose names can be compared holds its own contract alone:', () => {
  const own = 'fullyQualifiedName: shop.sales.orders.contract\n';
  test.each<[string, string]>([
    ['the id is wrong, the name is right', `id: ${idOf('9')}\n${own}`],
    ['the id is that of a deleted contract', `id: ${idOf('4')}\n${own}`],
    [
      "the asset's id is wrong, its name is right",
      `name: orders\nentity: { id: ${assetOf('9')}, fullyQualifiedName: shop.sales.orders }\n`,
    ],
    ['a letter of the name is wrong', 'fullyQualifiedName: shop.sales.orderz.contract\n'],
  ])('%s', async (_case, identity) => {
    const seed = [...contracts, live('orders_2023', '4', { deleted: true })];
    const { run, statuses } = await open(identity, { settings: 'missing: report\n', seed });
    const { code, stdout } = await run('apply', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('[retirement-doubtful]');
    expect(await statuses()).toMatchObject(retiresLeads);
  });

  test('each contract that it may be', async () => {
    const twin = live('orders_b', '6');
    const seed = [...contracts.slice(1), live('orders_a', '1'), twin];
    const { run, statuses } = await open('fullyQualifiedName: shop.sales.orders_c.contract\n', {
      seed,
    });
    expect((await run('apply', '--yes')).code).toBe(1);
    expect(await statuses()).toMatchObject({ orders_a: 'Active', orders_b: 'Active' });
  });
});

test('a run that is narrowed by --only holds its retirements too', async () => {
  const flags = ['--only', 'shop.sales.leads'];
  const { run, statuses } = await open(`id: ${idOf('9')}\n`, { settings: 'missing: report\n' });
  expect((await run('apply', '--yes', ...flags)).code).toBe(1);
  expect(await statuses()).toMatchObject({ leads: 'Active' });
});

describe('a file that is no longer read because of its ending holds back what it declares:', () => {
  const own = 'fullyQualifiedName: shop.sales.orders.contract\n';
  test.each([
    ['orders.YAML', own],
    ['orders.yaml.broken', `${own}descripton: Old.\n`],
    ['orders.yaml.disabled', `id: ${idOf('1')}\ndescription: Old.\n`],
  ])('%s', async (name, text) => {
    const { run, folder, statuses } = await open(own);
    const path = join(folder, 'contracts/orders.yaml');
    renameSync(path, join(folder, 'contracts', name));
    writeFileSync(join(folder, 'contracts', name), text);
    writeFileSync(join(folder, 'contracts/picture.png'), Buffer.from([0x89, 0x50, 0, 0xff]));
    const held = await run('apply', '--yes');
    expect(held.code).toBe(1);
    expect(held.stdout).toContain(`contracts/${name}:1:1: error: `);
    expect(held.stdout).toContain('[retirement-doubtful]');
    expect(await statuses()).toEqual(retiresLeads);
    rmSync(join(folder, 'contracts', name));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await statuses()).toMatchObject({ orders: 'Deprecated' });
  });
});

const copied = `id: ${idOf('1')}\nfullyQualifiedName: shop.sales.leads.contract\n`;

test.each([['plan'], ['pull'], ['rollback', 'contracts/orders.yaml', '--to', '1.1', '--yes']])(
  'a file that names two live contracts, as a copied one does, ends %s',
  async (...args) => {
    const { run, requests, statuses } = await open(copied);
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    const output = stdout + stderr;
    expect(output).toContain('[ambiguous-identity]');
    expect(output).toContain(
      `shop.sales.orders.contract (${idOf('1')}) by its \`id\`, and shop.sales.leads.contract (${idOf('3')}) by its \`fullyQualifiedName\``,
    );
    expect(output).toContain('contracts/orders.yaml:3');
    expect(requests.filter((line) => !line.startsWith('GET'))).toEqual([]);
    expect(await statuses()).toMatchObject({ leads: 'Active' });
  },
);

test('the outcomes of an apply carry what its plan warned of', async () => {
  const identity = `id: ${idOf('1')}\nfullyQualifiedName: shop.sales.order\ndisplayName: Orders\n`;
  const { run } = await open(identity);
  const { code, stdout } = await run('apply', '--yes', '--format', 'json');
  expect(code).toBe(0);
  const outcomes = JSON.parse(stdout);
  expectValid('outcomes', outcomes);
  const warned = outcomes.outcomes.find(({ warnings }: JsonObject) => warnings);
  expect(warned).toMatchObject({
    result: 'applied',
    id: idOf('1'),
    warnings: [{ code: 'identity-differs', source: { file: 'contracts/orders.yaml', line: 3 } }],
  });
});
