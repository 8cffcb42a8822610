import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../src/core/json.ts';
import { parseWorldSeed } from '../src/sandbox/openmetadata/seed.ts';
import { parseSeed } from '../src/sandbox/sandbox.ts';
import { expectGolden } from './support/golden.ts';
import { root } from './support/root.ts';
import { runInProcess } from './support/run-program.ts';
import { serve as serveOpenMetadata } from './sandbox/openmetadata/served.ts';
import { accessTo, alone, makeFolder, serveCatalog, withoutPlace } from './support/workspace.ts';

const example = join(root, 'examples', 'odcs');

test('the example plans what its files say, applies it, and has nothing left to do', async () => {
  const seed = parseWorldSeed(readFileSync(join(example, 'catalog.json'), 'utf8'), 'catalog.json');
  const served = await serveOpenMetadata({ seed });
  const access = accessTo({ url: served.url, token: await served.tokenOf('admin') });
  const world = { folder: example, environment: { ...access, ...alone(example) } };

  const validated = await runInProcess(['validate'], world);
  const planned = await runInProcess(['plan', '--all'], world);
  const applied = await runInProcess(['apply', '--yes', '--quiet'], world);
  const again = await runInProcess(['plan', '--detailed-exitcode'], world);

  expect([validated.code, planned.code, applied.code, again.code]).toEqual([0, 0, 0, 0]);
  expectGolden(
    join(import.meta.dirname, 'golden', 'odcs-example.txt'),
    ['validate', validated, 'plan --all', planned, 'apply --yes --quiet', applied, 'plan', again]
      .map((part) =>
        typeof part === 'string' ? `$ contract-sync ${part}\n` : `${withoutPlace(part.stdout)}\n`,
      )
      .join(''),
  );
});

const file = `apiVersion: v3.1.0
kind: DataContract
id: urn:x:orders
version: 1.0.0
status: active
description: { purpose: Orders. }
servers: [{ server: prod, type: postgres, database: shop, schema: sales }]
schema:
  - name: orders
    properties:
      - { name: order_id, logicalType: integer, primaryKey: true }
      - { name: reference, logicalType: string }
      - name: note
        logicalType: string
        required: false
      - name: added
        physicalType: varchar(40)
slaProperties:
  - { property: retention, value: 3, unit: y }
`;

const config = `odcs: { entity: "warehouse.{server.database}.{server.schema}.{object.physicalName}" }
compatibility: { mode: none }
`;

/** As people leave it in the pages of a catalog: other order, sizes, display names, tags, a timezone. */
const live: JsonObject = {
  id: '0a000000-0000-4000-8000-000000000001',
  name: 'Orders contract',
  fullyQualifiedName: 'warehouse.shop.sales.orders.Orders contract',
  entity: {
    id: '0b000000-0000-4000-8000-000000000001',
    type: 'table',
    fullyQualifiedName: 'warehouse.shop.sales.orders',
  },
  description: 'Orders.',
  entityStatus: 'Active',
  sla: { retention: { period: 1, unit: 'year' }, timezone: 'GMT+00:00 (Europe/London)' },
  schema: [
    { name: 'reference', dataType: 'VARCHAR', dataLength: 18, displayName: 'Reference' },
    { name: 'gone', dataType: 'INT' },
    { name: 'order_id', dataType: 'BIGINT', constraint: 'PRIMARY_KEY', description: 'Counts up.' },
    { name: 'note', dataType: 'TEXT', constraint: 'NOT_NULL', tags: [] },
  ],
};

/** Runs a command on files against a standard catalog with these contracts. */
async function run(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
  {
    contracts = [live],
    environment = {},
  }: { contracts?: readonly JsonObject[]; environment?: Record<string, string> } = {},
) {
  const catalog = await serveCatalog({ seed: parseSeed(JSON.stringify(contracts), '') });
  const folder = makeFolder({ 'contract-sync.yaml': config, ...files });
  return runInProcess(args, { folder, environment: { ...accessTo(catalog), ...environment } });
}

const second: JsonObject = {
  ...live,
  id: '0a000000-0000-4000-8000-000000000002',
  name: 'Second',
  fullyQualifiedName: 'warehouse.shop.sales.orders.Second',
};

test('an entity with two contracts needs the name of one of them', async () => {
  const contracts = [live, second];
  const unnamed = await run(['plan'], { 'contracts/a.yaml': file }, { contracts });
  expect(unnamed.code).toBe(1);
  expect(unnamed.stdout).toContain('[ambiguous-identity]');
  expect(unnamed.stdout).toContain('Set `odcs.name`');

  const named = config.replace('odcs: { ', 'odcs: { name: "{contract.name}", ');
  const files = {
    'contract-sync.yaml': named,
    'contracts/a.yaml': file.replace('version:', 'name: Second\nversion:'),
  };
  const found = await run(['plan'], files, { contracts });
  expect(found).toMatchObject({ code: 0 });
  expect(found.stdout).toContain('~ warehouse.shop.sales.orders.Second');
});

test('a file may hold contracts of both formats, and documents of other kinds', async () => {
  const native = 'id: 0a000000-0000-4000-8000-000000000002\ndescription: Ours.\n';
  const product = 'apiVersion: v1.0.0\nkind: DataProduct\nid: p\n';
  const mixed = await run(['validate'], {
    'contracts/a.yaml': [file, native, product].join('---\n'),
  });
  expect(mixed.code).toBe(0);
  expect(mixed.stdout).toContain('contracts/a.yaml:25:7: information: This is a data product');
  expect(mixed.stdout).toContain('No problems: 2 contracts in 1 file.');
});

test('validate and plan --all list the fields that are not synced', async () => {
  const files = { 'contracts/a.yaml': `${file}roles: [{ role: reader }]\n` };
  const line = 'contracts/a.yaml:1:1: information: roles: not synced. [not-synced]';
  expect((await run(['validate'], files)).stdout).toContain(line);
  expect((await run(['plan'], files)).stdout).not.toContain('not-synced');
  expect((await run(['plan', '--all'], files)).stdout).toContain(line);
});

test('a variable has the value that the configuration gives it, and none of the environment', async () => {
  const text = file.replace('v3.1.0', 'v3.2.0').replace('Orders.', '"All of ${SHOP}."');
  const files = { 'contracts/a.yaml': text };
  const refused = await run(['plan'], files, { environment: { SHOP: 's3cret' } });
  expect(refused.stderr).toContain('The variable SHOP has no value.');
  expect(refused.stdout + refused.stderr).not.toContain('s3cret');
  const own = config.replace('odcs: { ', 'odcs: { variables: { SHOP: the shop }, ');
  const allowed = await run(['plan'], { ...files, 'contract-sync.yaml': own });
  expect(allowed.code).toBe(0);
  expect(allowed.stdout).toContain('All of the shop.');
});
