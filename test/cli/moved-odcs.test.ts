import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { parseSeed } from '../../src/sandbox/sandbox.ts';
import { runInProcess } from '../support/run-program.ts';
import { serve as serveOpenMetadata } from '../sandbox/openmetadata/served.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const template = '{server.database}.{server.schema}.{object.physicalName}';

/** Retires what has no file, so that a move that is not seen would do harm. */
function config(...settings: readonly string[]): string {
  return `odcs:
  entity: "warehouse.${template}"
${settings.map((line) => `  ${line}\n`).join('')}scope: [warehouse.**, lake.**]
unmanaged: deprecate
limits: { from: 100 }
compatibility: { mode: none }
`;
}

const plain = config();

/** `customProperties` of orders, and of the document. */
function file({ own = '', all = '', refunds = true } = {}): string {
  return `apiVersion: v3.1.0
kind: DataContract
id: urn:x:shop
version: 1.0.0
status: draft
servers: [{ server: prod, type: postgres, database: shop, schema: sales }]
${all}schema:
  - name: orders
    description: Orders of the shop.
${own}    properties: [{ name: id, physicalType: bigint }]
${refunds ? '  - name: refunds\n    description: Refunds.\n' : ''}`;
}

const movedOrders = `    customProperties:
      - property: contractSync.movedFrom
        value: warehouse.shop.sales.bookings
`;

function live(entity: string, id: number): JsonObject {
  return {
    id: `0a000000-0000-4000-8000-00000000000${id}`,
    name: 'Contract',
    fullyQualifiedName: `${entity}.Contract`,
    entity: {
      id: `0b000000-0000-4000-8000-00000000000${id}`,
      type: 'table',
      fullyQualifiedName: entity,
    },
    description: 'Old.',
    entityStatus: 'Draft',
    schema: [{ name: 'id', dataType: 'BIGINT' }],
  };
}

const inStandard = async (contracts: readonly JsonObject[]) =>
  accessTo(await serveCatalog({ seed: parseSeed(JSON.stringify(contracts), '') }));

const inOpenMetadata = async (contracts: readonly JsonObject[]) => {
  const seed = { contracts: contracts.map(({ fullyQualifiedName: _name, ...rest }) => rest) };
  const served = await serveOpenMetadata({ seed });
  return accessTo({ url: served.url, token: await served.tokenOf('admin') });
};

describe.each([
  ['standard', inStandard],
  ['openmetadata', inOpenMetadata],
])('against a catalog that is %s', (_, serve) => {
  async function open(settings: string, text: string, ...entities: readonly string[]) {
    const environment = await serve(entities.map((entity, index) => live(entity, index + 1)));
    const folder = makeFolder({ 'contract-sync.yaml': settings, 'contracts/a.yaml': text });
    return (...args: readonly string[]) => runInProcess(args, { folder, environment });
  }

  test('an object keeps its contract if its file has the former name', async () => {
    const former = 'warehouse.shop.sales.bookings';
    const text = file({ own: movedOrders });
    const run = await open(plain, text, former, 'warehouse.shop.sales.refunds');
    const planned = await run('plan');
    expect(planned).toMatchObject({ code: 0, stderr: '' });
    expect(planned.stdout).toContain(
      'contracts/a.yaml:12:16: information: The catalog still calls',
    );
    expect(planned.stdout).toContain('~ description');
    expect(planned.stdout).toContain('Plan: 2 to update');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    const history = await run('history', 'warehouse.shop.sales.orders');
    expect(history).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(former) });
  });

  test('without a former name, a contract that may have moved is not retired', async () => {
    const entities = ['warehouse.shop.sales.order', 'warehouse.shop.sales.refunds'];
    const { code, stdout } = await (await open(plain, file(), ...entities))('plan');
    expect(code).toBe(1);
    expect(stdout).toContain('[retirement-doubtful]');
    expect(stdout).toContain('add the custom property `contractSync.movedFrom` with the value');
  });
});

/** A plan against a standard catalog. */
async function plan(settings: string, text: string, entities: readonly string[]) {
  const environment = await inStandard(entities.map((entity, index) => live(entity, index + 1)));
  const folder = makeFolder({ 'contract-sync.yaml': settings, 'contracts/a.yaml': text });
  return runInProcess(['plan', '--all'], { folder, environment });
}

const both = ['warehouse.shop.sales.orders', 'warehouse.shop.sales.refunds'];

test('where both names are live they are two contracts', async () => {
  const { stdout } = await plan(plain, file({ own: movedOrders }), [
    ...both,
    'warehouse.shop.sales.bookings',
  ]);
  expect(stdout).toContain('[moved-to-another]');
  expect(stdout).not.toContain('Deprecated');
});

const unnamed = movedOrders.replace('warehouse.shop.sales.bookings', '5');

test.for([
  [
    'is an error if it is not a name',
    file({ own: unnamed }),
    'contracts/a.yaml:12:16: error: The custom property "contractSync.movedFrom" must be',
  ],
  [
    'is a warning if it is misspelt',
    file({ own: movedOrders.replace('movedFrom', 'movedfrom') }),
    'contracts/a.yaml:11:19: warning: Unknown custom property "contractSync.movedfrom".',
  ],
  [
    'has to name one object of several',
    file({ all: movedOrders.replaceAll(/^ {4}/gmu, '') }),
    'contracts/a.yaml:9:12: error: The document has several objects',
  ],
  [
    'may not claim the name of another object',
    file({ own: movedOrders.replace('bookings', 'refunds') }),
    'warehouse.shop.sales.refunds is claimed by contracts/a.yaml:14 too.',
  ],
] as const)('a custom property that moves contracts %s', async ([, text, expected]) => {
  const { stdout, stderr } = await plan(plain, text, both);
  expect(stdout + stderr).toContain(expected);
});
