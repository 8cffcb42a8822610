import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { expectGolden } from '../support/golden.ts';
import {
  openPast,
  type Past,
  type PastDialect,
  pastDialects,
  withoutIds,
} from '../support/past.ts';
import { withoutPlace } from '../support/workspace.ts';

const file = 'contracts/shop.odcs.yaml';
const day = 24 * 60;

const config = `odcs: { entity: "shop.{server.database}.{server.schema}.{object.physicalName}" }
contracts: { include: [contracts] }
limits: { from: 100 }
compatibility: { mode: none }
`;

/** Two objects: what is said of orders leaves the length of a city to the catalog. */
const shop = `apiVersion: v3.1.0
kind: DataContract
id: urn:x:shop
version: 1.0.0
status: draft
servers: [{ server: prod, type: postgres, database: sales, schema: web }]
schema:
  - name: orders
    description: Orders of the shop.
    properties:
      - { name: id, physicalType: bigint, primaryKey: true }
      - { name: amount, physicalType: "decimal(12,2)" }
      - { name: city, logicalType: string }
  - name: items
    description: Items of an order.
    properties:
      - { name: id, physicalType: bigint }
`;

const items: JsonObject = {
  name: 'items',
  entity: { type: 'table', fullyQualifiedName: 'shop.sales.web.items' },
  description: 'One row per item.',
  entityStatus: 'Draft',
  schema: [{ name: 'id', dataType: 'BIGINT' }],
  updatedBy: 'ada',
  updatedAt: Date.UTC(2023, 10, 14, 8, 0),
};

/**
 * Orders as git has it, with these members of its last two columns; and a rule, since OpenMetadata
 * keeps no change of columns alone.
 */
function columns(amount: JsonObject, city: JsonObject, rule = 'Ask first.'): JsonObject {
  return {
    semantics: [{ name: 'asked', description: rule, rule: '{"==":[1,1]}', enabled: true }],
    schema: [
      { name: 'id', dataType: 'BIGINT', constraint: 'PRIMARY_KEY' },
      { name: 'amount', dataType: 'DECIMAL', scale: 2, ...amount },
      { name: 'city', dataType: 'VARCHAR', ...city },
    ],
  };
}

/**
 * Git takes both contracts over; mira says what the file leaves open, zoe what it does not; git
 * takes that back while it changes the other object; and mira sends it to review.
 */
async function openStory(dialect: PastDialect): Promise<Past> {
  const more = dialect === 'standard' ? { fullyQualifiedName: 'shop.sales.web.items' } : {};
  const past = await openPast(dialect, [{ ...items, ...more }]);
  const { commit, edit, pass, run } = past;
  const apply = async () => expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  pass(day);
  commit({
    'contract-sync.yaml': `${config}${dialect === 'standard' ? 'catalog: { dialect: standard }\n' : ''}`,
    [file]: shop,
  });
  pass(5);
  await apply();
  pass(day);
  await edit('mira', columns({ precision: 12 }, { displayName: 'City' }));
  pass(day);
  const named = { displayName: 'City', dataLength: 40 };
  await edit('mira', columns({ precision: 12 }, named, 'Ask twice.'));
  pass(day);
  await edit('zoe', columns({ precision: 14 }, named, 'Ask her.'));
  pass(day);
  commit({ [file]: shop.replace('Items of an order.', 'What an order has.') }, 'Grace Hopper');
  pass(5);
  await apply();
  pass(day);
  return past;
}

describe.each(pastDialects)('of ODCS files, in the dialect %s', (dialect) => {
  const golden = (what: string) => join(import.meta.dirname, 'golden', `odcs-${dialect}-${what}`);

  test('a history shows which versions came from one object of the file', async () => {
    const past = await openStory(dialect);
    const told: string[] = [];
    for (const args of [[past.name], ['items'], [past.name, 'schema.city']]) {
      const { code, stdout, stderr } = await past.run('history', ...args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      told.push(`$ contract-sync history ${args.join(' ')}\n${stdout}`);
    }
    expectGolden(golden('history.txt'), withoutIds(told.join('\n'), past));
  });

  test("a file with several contracts can't stand for one of them", async () => {
    const past = await openStory(dialect);
    const { code, stderr } = await past.run('history', file);
    expect(code).toBe(1);
    expect(stderr).toContain(`"${file}" matches several contracts.`);
    expect(stderr).toContain('shop.sales.web.items');
  });

  test('a plan names the author of what it overwrites, and the commit of an older value', async () => {
    const past = await openStory(dialect);
    await past.edit('zoe', columns({ precision: 14 }, { displayName: 'City', dataLength: 40 }));
    past.configure('blame: all');
    const { code, stdout, stderr } = await past.run('plan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectGolden(golden('blame.txt'), withoutIds(withoutPlace(stdout), past));
  });

  test('a rollback reports that git differs only where it does', async () => {
    const past = await openStory(dialect);
    const numbers = (await past.versions()).map(({ version }) => JSON.stringify(version));
    const [, byZoe = '', lengthened = '', named = ''] = numbers;
    const differing = await past.run('rollback', past.name, '--to', byZoe, '--yes');
    expect(differing.stdout).toContain('[git-differs]');
    expect(differing.stdout).toContain(`contract-sync pull ${file}`);
    const agreeing = await past.run('rollback', past.name, '--to', named, '--yes');
    expect(agreeing).toMatchObject({ code: 0, stderr: '' });
    expect(agreeing.stdout).not.toContain('[git-differs]');
    expect(await past.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    const coarse = await past.run('rollback', past.name, '--to', lengthened, '--yes');
    expect(coarse.stdout).toContain('dataLength');
    expect(coarse.stdout).not.toContain('[git-differs]');
    expect(await past.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });
});
