import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGolden } from '../support/golden.ts';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
  withoutIds,
} from '../support/past.ts';
import { record } from '../support/recorder.ts';
import { expectValid } from '../support/schema.ts';

const file = 'contracts/orders.yaml';
const day = 24 * 60;

const schema = [
  { name: 'id', dataType: 'BIGINT' },
  { name: 'amount', dataType: 'DECIMAL' },
  { name: 'city', dataType: 'VARCHAR' },
];

function fileOf({ name }: Past, description: string): string {
  return ordersFile(
    name,
    `description: ${description}`,
    'schema:',
    ...schema.map(({ name: column, dataType }) => `  - { name: ${column}, dataType: ${dataType} }`),
  );
}

/** Git describes orders; then mira retypes a column in the catalog, and zoe drops one. */
async function openDrift(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.pass(day);
  past.commit({ [file]: fileOf(past, 'Orders of the shop.') });
  past.pass(5);
  await past.edit('zoe', { description: 'Orders of the shop.' });
  past.pass(day);
  const [id, amount] = schema;
  const retyped = { name: 'amount', dataType: 'FLOAT' };
  await past.edit('mira', { schema: [id ?? {}, retyped, schema[2] ?? {}] });
  past.pass(day);
  await past.edit('zoe', { schema: [id ?? {}, retyped], description: 'Mine.' });
  expect(amount).toBeDefined();
  return past;
}

describe.each(pastDialects)('in the dialect %s', (dialect) => {
  const golden = (what: string) => join(import.meta.dirname, 'golden', `blame-${dialect}-${what}`);

  test('a plan names who set each value that it changes', async () => {
    const past = await openDrift(dialect);
    for (const [what, ...flags] of [
      ['drift.txt', '--base', 'HEAD'],
      ['overwrite.txt', '--base', 'HEAD', '--drift', 'overwrite'],
      ['overwrite.md', '--base', 'HEAD', '--drift', 'overwrite', '--format', 'markdown'],
      ['drift.json', '--base', 'HEAD', '--format', 'json'],
      ['all.txt'],
    ] as const) {
      if (what === 'all.txt') past.configure('blame: all');
      const { stdout } = await past.run('plan', ...flags);
      const shown = withoutIds(stdout, past)
        .replaceAll(past.environment['CONTRACT_SYNC_URL'] ?? '', 'CATALOG')
        .replaceAll(/sha256:[\da-f]{64}/gu, 'sha256:HASH')
        .replaceAll(/"base": "[\da-f]{40}"/gu, '"base": "COMMIT"');
      expectGolden(golden(what), shown);
      if (what === 'drift.json') expectValid('plan', JSON.parse(stdout));
    }
  });

  test('a conflict names who has edited the place that the file changes too', async () => {
    const past = await openDrift(dialect);
    past.commit({ [file]: fileOf(past, 'Orders of all shops.') });
    const { stdout } = await past.run('plan', '--base', 'HEAD~1', '--format', 'json');
    const { contracts } = JSON.parse(stdout);
    expect(contracts[0].changes).toMatchObject([
      { path: '/description', cause: 'conflict', blame: { kind: 'set', user: 'zoe' } },
    ]);
  });
});

describe('a plan that names the authors of edits', () => {
  test('reads the history of each edited contract once, and no other', async () => {
    const past = await openDrift('standard');
    const recorder = await record(past.environment['CONTRACT_SYNC_URL'] ?? '');
    const environment = { ...past.environment, CONTRACT_SYNC_URL: recorder.url };
    const histories = async (...flags: string[]): Promise<number> => {
      const from = recorder.requests.length;
      await past.runWith(environment, 'plan', ...flags);
      return recorder.requests.slice(from).filter((line) => line.includes('/versions')).length;
    };
    expect(await histories()).toBe(0);
    expect(await histories('--base', 'HEAD')).toBe(1);
    past.configure('blame: all');
    expect(await histories()).toBe(1);
  });

  test('counts only selected contracts against its limit', async () => {
    const others = Array.from({ length: 51 }, (_, rank) => ({
      name: `other${rank}`,
      fullyQualifiedName: `shop.others.other${rank}`,
      description: 'By hand.',
      updatedAt: Date.UTC(2023, 11, 1),
    }));
    const past = await openPast('standard', others);
    const files = others.map(({ fullyQualifiedName: name }) => [
      `contracts/${name}.yaml`,
      ordersFile(name, 'description: From git.'),
    ]);
    past.commit(Object.fromEntries(files));
    const all = await past.run('plan', '--base', 'HEAD');
    expect(all.stdout).toContain('[blame-left-out]');
    const one = await past.run('plan', '--base', 'HEAD', '--only', 'shop.others.other7');
    expect(one.stdout).not.toContain('[blame-left-out]');
    expect(one.stdout).toContain('set by seed');
    const few = await past.run('plan', '--base', 'HEAD', '--exclude', 'shop.others.other7');
    expect(few.stdout).not.toContain('[blame-left-out]');
  });

  test('names no author where a history cannot be read, with a note', async () => {
    const past = await openDrift('standard');
    const refused = await past.withoutHistory();
    const { code, stdout } = await past.runWith(refused, 'plan', '--base', 'HEAD');
    expect(code).toBe(0);
    expect(stdout).toContain('[history-unreadable]');
    expect(stdout).not.toContain('set by');
  });

  test('blames no user for edits made after the contract was read', async () => {
    const past = await openDrift('standard');
    const late = await past.editBeforeHistory('ada', { description: 'Later.' });
    past.configure('blame: all');
    const { stdout } = await past.runWith(late, 'plan', '--format', 'json');
    const [contract] = JSON.parse(stdout).contracts;
    const description = contract.changes.find(
      ({ path }: { path: string }) => path === '/description',
    );
    expect(description).toMatchObject({ before: 'Mine.', blame: { user: 'zoe' } });
  });
});
