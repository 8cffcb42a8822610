import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import { updates } from '../../src/plan/plan.ts';
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { commitFirst } from '../support/git-folder.ts';
import { expectGolden } from '../support/golden.ts';
import { runInProcess } from '../support/run-program.ts';
import { serve as serveOpenMetadata } from '../sandbox/openmetadata/served.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';
import { planIn } from '../support/world.ts';

const config = `odcs:
  entity: "warehouse.{server.database}.{server.schema}.{object.physicalName}"
compatibility: { mode: none }
lifecycle:
  transitions:
    - { from: "*", to: "*" }
`;

/** As a team writes it: comments, flow and block, words of its own. */
const file = `# The shop's orders.
apiVersion: v3.1.0
kind: DataContract
id: urn:x:orders
version: 1.0.0
status: active # since May
description:
  purpose: 'Orders of the shop.'   # in one sentence
  limitations: Orders of the last hour may be missing.
servers: [{ server: prod, type: postgres, database: shop, schema: sales }]
schema:
  - name: orders
    properties:
      # Counts up.
      - name: order_id
        logicalType: integer
        primaryKey: true

      - name: amount
        physicalType: decimal(12,2) # in euro
        quality:
          - { metric: nullValues, mustBe: 0 }
      - { name: reference, logicalType: string, logicalTypeOptions: { maxLength: 18 }, required: true }
      - name: gone
        logicalType: date
      - name: labels
        logicalType: array
        items: { logicalType: string }
      - name: address
        logicalType: object
        properties:
          - { name: street, physicalType: text, description: With its number. }
slaProperties:
  - { property: retention, value: P3Y } # by law
  - property: latency
    value: "30"
    unit: m
support:
  - { channel: "#orders" }
`;

const id = '0a000000-0000-4000-8000-000000000001';
const live: JsonObject = {
  id,
  name: 'Orders contract',
  fullyQualifiedName: 'warehouse.shop.sales.orders.Orders contract',
  entity: {
    id: '0b000000-0000-4000-8000-000000000001',
    type: 'table',
    fullyQualifiedName: 'warehouse.shop.sales.orders',
  },
  description: 'Orders of the shop.\n\n**Limitations:**\nOrders of the last hour may be missing.',
  entityStatus: 'Active',
  sla: {
    retention: { period: 3, unit: 'year' },
    maxLatency: { value: 30, unit: 'minute' },
    timezone: 'GMT+00:00 (Europe/London)',
  },
  schema: [
    { name: 'order_id', dataType: 'BIGINT', constraint: 'PRIMARY_KEY', description: 'Counts up.' },
    { name: 'amount', dataType: 'DECIMAL', precision: 12, scale: 2, displayName: 'Amount' },
    { name: 'reference', dataType: 'VARCHAR', dataLength: 18, constraint: 'NOT_NULL', tags: [] },
    { name: 'gone', dataType: 'DATE' },
    { name: 'labels', dataType: 'ARRAY', arrayDataType: 'STRING' },
    {
      name: 'address',
      dataType: 'STRUCT',
      children: [{ name: 'street', dataType: 'TEXT', description: 'With its number.' }],
    },
  ],
};

const columns = 'order_id amount reference gone labels address added'.split(' ');
const tables = [
  {
    fullyQualifiedName: 'warehouse.shop.sales.orders',
    columns: columns.map((name) => ({ name, dataType: 'INT' })),
  },
];

/** Without a file: what tells a standard catalog. */
const evidence = {
  name: 'evidence',
  fullyQualifiedName: 'zz.evidence',
  entityStatus: 'Active',
};

const inStandard = async (seed: readonly JsonObject[] = [live]) =>
  accessTo(await serveCatalog({ seed: parseSeed(JSON.stringify([...seed, evidence]), '') }));

async function inOpenMetadata() {
  const { fullyQualifiedName: _, ...rest } = live;
  const contracts = [{ ...rest, entityStatus: 'Approved' }];
  const served = await serveOpenMetadata({ seed: { tables, contracts } });
  return accessTo({ url: served.url, token: await served.tokenOf('admin') });
}

/** Of each dialect: a catalog that holds the contract. */
const dialects = [
  ['standard', inStandard],
  ['openmetadata', inOpenMetadata],
] as const;

type Access = ReturnType<typeof accessTo>;

async function edit({ CONTRACT_SYNC_URL: url, CONTRACT_SYNC_TOKEN: token }: Access, patch: Patch) {
  const response = await fetch(`${url}/v1/dataContracts/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json-patch+json' },
    body: JSON.stringify(patch),
  });
  expect(response.status).toBe(200);
}

function open(environment: Access, text = file) {
  const folder = makeFolder({ 'contract-sync.yaml': config, 'contracts/a.odcs.yaml': text });
  const run = (...args: readonly string[]) => runInProcess(args, { folder, environment });
  return {
    folder,
    run,
    plan: async (...args: readonly string[]) =>
      planIn((await run('plan', '--format', 'json', ...args)).stdout),
    read: () => readFileSync(join(folder, 'contracts/a.odcs.yaml'), 'utf8'),
  };
}

/** As people made it: of this the file has a say in the description, a length and a retention alone. */
const asMade: Patch = [
  { op: 'replace', path: '/description', value: 'As made.' },
  { op: 'replace', path: '/schema/0/dataType', value: 'INT' },
  { op: 'replace', path: '/schema/2/dataLength', value: 12 },
  { op: 'add', path: '/schema/2/displayName', value: 'Reference' },
  { op: 'replace', path: '/sla/retention', value: { period: 12, unit: 'month' } },
  { op: 'replace', path: '/sla/timezone', value: 'GMT+01:00 (Europe/Paris)' },
];

const edits: Patch = [
  { op: 'replace', path: '/entityStatus', value: 'Deprecated' },
  {
    op: 'replace',
    path: '/description',
    value:
      'All orders.\n\n**Limitations:**\nOrders of today may be missing.\n\n**Usage:**\nReports.',
  },
  { op: 'replace', path: '/sla/retention', value: { period: 4, unit: 'year' } },
  { op: 'replace', path: '/sla/maxLatency', value: { value: 2, unit: 'hour' } },
  { op: 'add', path: '/sla/refreshFrequency', value: { interval: 1, unit: 'day' } },
  {
    op: 'add',
    path: '/schema/5/children/0/constraint',
    value: 'NOT_NULL',
  },
  { op: 'remove', path: '/schema/3' },
  { op: 'replace', path: '/schema/2/dataLength', value: 20 },
  { op: 'remove', path: '/schema/2/constraint' },
  { op: 'replace', path: '/schema/1/precision', value: 14 },
  { op: 'add', path: '/schema/1/description', value: 'What was paid.' },
  {
    op: 'add',
    path: '/schema/1',
    value: { name: 'added', dataType: 'VARCHAR', dataLength: 40, constraint: 'UNIQUE' },
  },
];

test.each(dialects)(
  'edits of a catalog that is %s go back into the file, and the plan is empty',
  async (_, serve) => {
    const environment = await serve();
    const { run, plan, read } = open(environment);
    await edit(environment, asMade);
    const changes = updates(await plan()).flatMap((update) => update.changes);
    const own = changes.filter(({ carrier }) => carrier === undefined);
    expect(own.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'replace description',
      'replace schema[2 reference].dataLength',
      'replace sla.retention',
    ]);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stderr: '' });
    await edit(environment, edits);
    const pulled = await run('pull', '--force');
    expect(pulled).toMatchObject({ code: 0, stderr: '' });
    const golden = join(import.meta.dirname, 'golden', 'pull-odcs.txt');
    expectGolden(golden, `$ contract-sync pull\n${pulled.stdout}`);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, stderr: '' });
    const after = read();
    expect((await run('pull', '--force')).stdout).toBe('Nothing to pull: 1 compared.\n');
    expect(read()).toBe(after);
  },
);

/** A catalog after these edits, and a folder with this file. */
async function edited(patch: Patch, text = file, seed?: readonly JsonObject[]) {
  const environment = await inStandard(seed);
  if (patch.length > 0) await edit(environment, patch);
  return open(environment, text);
}

const closed: Patch = [{ op: 'replace', path: '/entityStatus', value: 'Deprecated' }];

test("a value that ODCS can't express stays with a warning, and the rest is pulled", async () => {
  const { run, read } = await edited([
    ...closed,
    { op: 'replace', path: '/schema/0/constraint', value: 'SORT_KEY' },
    { op: 'replace', path: '/schema/1/precision', value: 14 },
  ]);
  const { code, stderr } = await run('pull', '--force');
  expect(code).toBe(0);
  expect(stderr).toContain('contracts/a.odcs.yaml:15:');
  expect(stderr).toContain('`schema[order_id].constraint` of warehouse');
  expect(stderr).toContain('[not-pulled]');
  expect(read()).toBe(
    file.replace('status: active', 'status: deprecated').replace('(12,2)', '(14,2)'),
  );
});

describe('a value that several objects share', () => {
  const other: JsonObject = {
    ...live,
    id: '0a000000-0000-4000-8000-000000000002',
    fullyQualifiedName: 'warehouse.shop.sales.items.Items contract',
    name: 'Items contract',
    entity: { type: 'table', fullyQualifiedName: 'warehouse.shop.sales.items' },
    schema: [{ name: 'sku', dataType: 'TEXT' }],
  };
  const both = file.replace(
    'slaProperties:',
    '  - name: items\n    properties:\n      - { name: sku, physicalType: text }\nslaProperties:',
  );

  test('stays where the catalog differs among them, also beside --only', async () => {
    const { run, read } = await edited(closed, both, [live, other]);
    for (const args of [[], ['--only', '**.orders.*']]) {
      const { code, stderr } = await run('pull', '--force', ...args);
      expect(code).toBe(1);
      expect(stderr).toContain('several objects share it');
      expect(read()).toBe(both);
    }
  });
});

test('--drift keeps the changes of the branch', async () => {
  const environment = await inStandard();
  const { run, plan, read, folder } = open(environment, file);
  commitFirst(folder);
  await edit(environment, [{ op: 'replace', path: '/schema/1/precision', value: 14 }]);
  const own = file.replace('logicalType: date', 'logicalType: date\n        required: true');
  writeFileSync(join(folder, 'contracts/a.odcs.yaml'), own);
  expect(await plan('--base', 'HEAD')).toMatchObject({
    summary: { drift: 1 },
    contracts: [{ changes: [{ cause: 'file', path: '/schema/3/constraint' }] }],
  });
  const pulled = await run('pull', '--drift', '--base', 'HEAD', '--force');
  expect(pulled).toMatchObject({ code: 0, stderr: '' });
  expect(read()).toBe(own.replace('(12,2)', '(14,2)'));
  expect((await plan('--base', 'HEAD')).summary).toMatchObject({ drift: 0, update: 1 });
});

/** An import of ODCS documents into a folder that has this configuration alone. */
async function imported(environment: Access, settings: string, ...args: readonly string[]) {
  const folder = makeFolder({ 'contract-sync.yaml': `${settings}scope: ["warehouse.**"]\n` });
  const world = { folder, environment };
  const run = await runInProcess(['import', '--format', 'odcs', ...args], world);
  return { ...run, folder, plan: () => runInProcess(['plan', '--detailed-exitcode'], world) };
}

const rich: JsonObject = {
  ...live,
  displayName: 'Orders',
  semantics: [{ name: 'paid', rule: '{}' }],
};

describe.each(dialects)('an import of ODCS files from a catalog that is %s', (_, serve) => {
  test('writes documents that the next plan finds nothing to change by', async () => {
    const { code, stdout, stderr, folder, plan } = await imported(await serve(), config);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [name = ''] = /contracts\S+/u.exec(stdout) ?? [];
    const golden = join(import.meta.dirname, 'golden', 'import-odcs.yaml');
    expectGolden(golden, readFileSync(join(folder, name), 'utf8'));
    expect(await plan()).toMatchObject({ code: 0, stderr: '' });
    expect((await imported(await serve(), config, '--check')).code).toBe(2);
  });

  test('binds contracts by their ids where no template is configured', async () => {
    const bound = await imported(await serve(), 'compatibility: { mode: none }\n');
    expect(bound.code).toBe(0);
    const [name = ''] = /contracts\S+/u.exec(bound.stdout) ?? [];
    expect(readFileSync(join(bound.folder, name), 'utf8')).toContain(`id: ${id}\n`);
    expect(await bound.plan()).toMatchObject({ code: 0 });
  });
});

async function importedFrom(seed: readonly JsonObject[], settings = config, ...args: string[]) {
  const catalog = await serveCatalog({ seed: parseSeed(JSON.stringify(seed), '') });
  return imported(accessTo(catalog), settings, ...args);
}

test("fields that ODCS can't hold stay with the catalog, in one notice", async () => {
  const { code, stderr, plan } = await importedFrom([rich]);
  expect(code).toBe(0);
  expect(stderr).toBe(
    `information: Left to the catalog, as ODCS can't say it: displayName of 1 contract, semantics of 1 contract. [field-left-out]\n  Import without \`--format odcs\` to have all fields in files.\n`,
  );
  expect(await plan()).toMatchObject({ code: 0 });
});

test('a contract that no ODCS file can hold is refused, with the setting to add', async () => {
  const twin = {
    ...live,
    id: '0a000000-0000-4000-8000-000000000002',
    name: 'Twin',
    fullyQualifiedName: 'x.twin',
  };
  const ambiguous = await importedFrom([live, twin]);
  expect(ambiguous.code).toBe(1);
  expect(ambiguous.stderr).toContain('Set `odcs.name`');
  const named = await importedFrom(
    [live, twin],
    config.replace('odcs:', 'odcs:\n  name: "{contract.name}"'),
  );
  expect(named.code).toBe(0);
  expect(await named.plan()).toMatchObject({ code: 0 });
  const elsewhere = await importedFrom([live], config.replace('"warehouse.', '"lake.'));
  expect(elsewhere.stderr).toContain('matches its entity');
  const crowded = await importedFrom(
    [live, twin],
    config.replace('odcs:', 'odcs:\n  name: "{contract.name}"'),
    '--into',
    'contracts/all.yaml',
  );
  expect(crowded.stderr).toContain('an ODCS file holds one document');
});
