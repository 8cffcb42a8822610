import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectGolden } from '../golden.ts';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
  withoutIds,
} from '../past.ts';
import { record } from '../recorder.ts';

const file = 'contracts/orders.yaml';
const day = 24 * 60;

const id = { name: 'id', dataType: 'BIGINT' };
const amount = { name: 'amount', dataType: 'DECIMAL' };
const city = { name: 'city', dataType: 'VARCHAR' };

/** The catalog's clock stands in 2023, so a short term is over, and a long one never ends. */
const short = '90d';
const long = '99999d';

function configure({ folder }: Past, compatibility: string): void {
  const config = `contracts: { include: [contracts] }\ncompatibility: ${compatibility}\n`;
  writeFileSync(join(folder, 'contract-sync.yaml'), config);
}

function write({ folder, name }: Past, ...lines: readonly string[]): void {
  writeFileSync(join(folder, file), ordersFile(name, ...lines));
}

const columns = (...all: readonly (typeof id)[]): string =>
  `schema: [${all.map(({ name, dataType }) => `{ name: ${name}, dataType: ${dataType} }`).join(', ')}]`;

function shown(stdout: string, past: Past): string {
  return withoutIds(stdout, past)
    .replaceAll(past.environment['CONTRACT_SYNC_URL'] ?? '', 'CATALOG')
    .replaceAll(/sha256:[\da-f]{64}/gu, 'sha256:HASH');
}

function golden(dialect: PastDialect, what: string): string {
  return join(import.meta.dirname, 'golden', `promises-${dialect}-${what}.txt`);
}

const activeIn: Readonly<Record<PastDialect, string>> = {
  standard: 'Active',
  openmetadata: 'Approved',
};

/** Active, then Deprecated by mira, then described anew; its file drops a column. */
async function openDeprecated(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.commit({ [file]: ordersFile(past.name, columns(id, amount)) });
  past.pass(day);
  await past.edit('ada', { entityStatus: activeIn[dialect] });
  past.pass(day);
  await past.edit('mira', { entityStatus: 'Deprecated' });
  past.pass(day);
  await past.edit('zoe', { description: 'Do not use.' });
  past.pass(day);
  return past;
}

/** Active with a city, which zoe drops; mira has the contract described anew since. */
async function openDropped(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.commit({ [file]: ordersFile(past.name, columns(id, amount)) });
  past.pass(day);
  await past.edit('ada', { entityStatus: activeIn[dialect] });
  past.pass(day);
  await past.edit('zoe', { schema: [id, amount] });
  past.pass(day);
  await past.edit('mira', { description: 'No city any more.' });
  past.pass(day);
  return past;
}

describe.each(pastDialects)('in the dialect %s', (dialect) => {
  test('what breaks a Deprecated contract is an error until it has been so for the term', async () => {
    const past = await openDeprecated(dialect);
    configure(past, `{ deprecated: { mode: warn, after: ${long} } }`);
    const { code, stdout } = await past.run('plan', '--no-blame');
    expect(code).toBe(1);
    expectGolden(golden(dialect, 'waiting'), shown(stdout, past));
  });

  test('what breaks a Deprecated contract is a warning after the term', async () => {
    const past = await openDeprecated(dialect);
    configure(past, `{ deprecated: { mode: warn, after: ${short} } }`);
    const { code, stdout } = await past.run('plan', '--no-blame');
    expect(code).toBe(0);
    expectGolden(golden(dialect, 'over'), shown(stdout, past));
  });

  test('a column that was dropped does not come back with another type', async () => {
    const past = await openDropped(dialect);
    write(past, columns(id, amount, { ...city, dataType: 'INT' }));
    configure(past, `{ against: all-active, window: ${long} }`);
    const { code, stdout } = await past.run('plan', '--no-blame');
    expect(code).toBe(1);
    expectGolden(golden(dialect, 'back'), shown(stdout, past));
  });

  test('a contract made a draft meanwhile is held to what it promised before', async () => {
    const past = await openDropped(dialect);
    await past.edit('zoe', { entityStatus: 'Draft' });
    write(past, columns(id, amount, { ...city, dataType: 'INT' }));
    configure(past, `{ against: all-active, window: ${long} }`);
    const { code, stdout } = await past.run('plan', '--no-blame');
    expect(code).toBe(1);
    expect(stdout).toContain('[type-changed]');
  });
});

describe('against every version in force', () => {
  test.for([
    ['it is compared with the live one alone, unless told otherwise', '{}'],
    ['a version that ended before the window counts no more', '{ against: all-active }'],
  ] as const)('%s', async ([, compatibility]) => {
    const past = await openDropped('standard');
    write(past, columns(id, amount, { ...city, dataType: 'INT' }));
    configure(past, compatibility);
    expect((await past.run('plan')).code).toBe(0);
  });

  test.for([
    ['a column comes back as it was', columns(id, amount, city)],
    ['another column is added', columns(id, amount, { name: 'zip', dataType: 'VARCHAR' })],
    ['a promise is added', 'sla: { retention: { period: 1, unit: year } }'],
  ] as const)('%s, and nothing that went before is told again', async ([, line]) => {
    const past = await openDropped('standard');
    write(past, line);
    configure(past, `{ against: all-active, window: ${long} }`);
    const { code, stdout } = await past.run('plan');
    expect(code).toBe(0);
    expect(stdout).not.toContain('Against version');
  });

  test('a break of the live contract is told once', async () => {
    const past = await openDropped('standard');
    write(past, columns(id, { ...amount, dataType: 'BOOLEAN' }));
    configure(past, `{ against: all-active, window: ${long} }`);
    const { stdout } = await past.run('plan', '--format', 'json', '--no-blame');
    const [contract] = JSON.parse(stdout).contracts;
    expect(contract.problems).toMatchObject([{ code: 'type-changed' }]);
  });

  test('an exception covers it', async () => {
    const past = await openDropped('standard');
    write(past, columns(id, amount, { ...city, dataType: 'INT' }));
    const allowed = `allow: [{ contract: ${past.name}, rule: type-changed, reason: nobody reads it }]`;
    configure(past, `{ against: all-active, window: ${long} }\n${allowed}`);
    expect((await past.run('plan')).code).toBe(0);
  });
});

describe('a history that decides', () => {
  test('and can not be read is told, and judged strictly', async () => {
    const past = await openDeprecated('standard');
    for (const setting of [
      `{ deprecated: { mode: warn, after: ${short} } }`,
      `{ deprecated: warn, against: all-active }`,
    ]) {
      configure(past, setting);
      const { code, stdout } = await past.runWith(await past.withoutHistory(), 'plan');
      expect(code).toBe(1);
      expect(stdout).toContain('[history-unreadable]');
      expect(stdout).toContain('blocked');
    }
  });

  test('counts from the last time that the contract was Deprecated', async () => {
    const past = await openDeprecated('standard');
    past.pass(day);
    await past.edit('zoe', { entityStatus: 'Active' });
    past.pass(day);
    await past.edit('zoe', { entityStatus: 'Deprecated' });
    configure(past, `{ deprecated: { mode: warn, after: ${short} } }`);
    const { stdout } = await past.run('plan');
    expect(stdout).toContain('Deprecated since 2023-11-20 (version');
  });

  test('is that of the contract that was planned, whoever edits meanwhile', async () => {
    const past = await openDeprecated('standard');
    configure(past, `{ deprecated: { mode: warn, after: ${short} } }`);
    const environment = await past.editBeforeHistory('zoe', { entityStatus: 'Active' });
    const { code, stdout } = await past.runWith(environment, 'plan', '--no-blame');
    expect(code).toBe(0);
    expect(stdout).toContain('Deprecated since 2023-11-16 (version');
  });

  test('is asked for once, and only of a contract that needs it', async () => {
    const past = await openDeprecated('standard');
    const recorder = await record(past.environment['CONTRACT_SYNC_URL'] ?? '');
    const environment = { ...past.environment, CONTRACT_SYNC_URL: recorder.url };
    const histories = async (compatibility: string, ...lines: string[]): Promise<number> => {
      configure(past, compatibility);
      write(past, ...lines);
      const from = recorder.requests.length;
      await past.runWith(environment, 'plan', '--no-blame');
      return recorder.requests.slice(from).filter((line) => line.includes('/versions')).length;
    };
    const term = `{ deprecated: { mode: warn, after: ${short} } }`;
    expect(await histories(term, columns(id, amount))).toBe(1);
    expect(await histories(term, 'description: Anew.')).toBe(0);
    expect(await histories('{}', columns(id, amount))).toBe(0);
    expect(await histories('{ against: all-active }', columns(id, amount))).toBe(1);
    expect(await histories('{ against: all-active }', 'description: Anew.')).toBe(0);
    expect(await histories('{ against: all-active }', columns(id, amount, city))).toBe(0);
  });

  test('judges a rollback too', async () => {
    const past = await openDeprecated('standard');
    await past.edit('zoe', { schema: [id, amount, city, { name: 'zip', dataType: 'INT' }] });
    const rollback = ['rollback', past.name, '--to', '1.0', '--out', 'plan.json'];
    configure(past, `{ deprecated: { mode: warn, after: ${long} } }`);
    const waiting = await past.run(...rollback);
    expect(waiting.code).toBe(1);
    expect(waiting.stdout).toContain('Deprecated since 2023-11-16 (version');
    configure(past, `{ deprecated: { mode: warn, after: ${short} } }`);
    expect((await past.run(...rollback)).stdout).toContain('allowed since 2024-02-15');
  });
});
