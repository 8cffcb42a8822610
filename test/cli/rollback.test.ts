import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { managedFields } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { sealPlan } from '../../src/plan/seal.ts';
import { expectGolden } from '../support/golden.ts';
import {
  openPast,
  ordersFile,
  type Past,
  type PastDialect,
  pastDialects,
  withoutIds,
} from '../support/past.ts';
import { expectValid } from '../support/schema.ts';

const file = 'contracts/orders.yaml';
const day = 24 * 60;

const schema = [
  { name: 'id', dataType: 'BIGINT' },
  { name: 'amount', dataType: 'DECIMAL' },
  { name: 'city', dataType: 'VARCHAR' },
];

/** Versions 0.1 to 0.3: made by ada, described by mira, and a column dropped by zoe. */
async function openVersions(dialect: PastDialect): Promise<Past> {
  const past = await openPast(dialect);
  past.pass(day);
  await past.edit('mira', { description: 'Orders of the shop.', displayName: 'Orders' });
  past.pass(day);
  await past.edit('zoe', { schema: schema.slice(0, 2), description: 'Mine.' });
  past.pass(day);
  return past;
}

function managedOf(document: JsonObject): JsonObject {
  const fields = managedFields.filter((field) => Object.hasOwn(document, field));
  return Object.fromEntries(fields.map((field) => [field, document[field] ?? null]));
}

function shown(stdout: string, past: Past): string {
  return withoutIds(stdout, past)
    .replaceAll(past.environment['CONTRACT_SYNC_URL'] ?? '', 'CATALOG')
    .replaceAll(/sha256:[\da-f]{64}/gu, 'sha256:HASH');
}

describe.each(pastDialects)('in the dialect %s, a rollback', (dialect) => {
  const golden = (what: string) =>
    join(import.meta.dirname, 'golden', `rollback-${dialect}-${what}`);

  test('to a version is shown, applied, and leaves nothing to do', async () => {
    const past = await openVersions(dialect);
    const then = (await past.versions())[1] ?? {};
    const number = JSON.stringify(then['version']);
    const { code, stdout, stderr } = await past.run('rollback', past.name, '--to', number, '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectGolden(golden('version.txt'), shown(stdout, past));
    const live = await past.live();
    // A version tells people and an empty list of them otherwise than the list does.
    const { owners: _o, reviewers: _r, ...fields } = managedOf(live);
    const { owners: _p, reviewers: _q, ...wanted } = managedOf(then);
    expect(fields).toEqual(wanted);
    const again = await past.run('rollback', past.name, '--to', number, '--yes');
    expect(again.stdout).toContain('No changes.');
  });

  test('of a run takes back what the run did, and leaves what others did since', async () => {
    const past = await openVersions(dialect);
    past.commit({
      [file]: ordersFile(past.name, 'description: By git.', 'displayName: Shop orders'),
    });
    past.pass(day);
    const report = join(past.folder, 'outcomes.json');
    expect((await past.run('apply', '--yes', '--report', report)).code).toBe(0);
    expectValid('outcomes', JSON.parse(readFileSync(report, 'utf8')));
    past.pass(day);
    await past.edit('mira', { schema, description: 'By mira.' });
    past.pass(day);
    const { code, stdout, stderr } = await past.run('rollback', '--run', 'outcomes.json', '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expectGolden(golden('run.txt'), shown(stdout, past));
    expect(await past.live()).toMatchObject({
      description: 'By mira.',
      displayName: 'Orders',
      schema,
    });
  });
});

const tagged = { name: 'id', dataType: 'BIGINT', tags: [{ tagFQN: 'PII.Sensitive' }] };
const times = {
  effectiveFrom: '2026-01-01T10:20:30.123Z',
  effectiveUntil: '2027-01-01T10:20:30.100Z',
};

/** The dates, and a tag with a time of its own, come with 0.2; 0.3 is another description. */
async function openDated(): Promise<Past> {
  const past = await openPast('openmetadata');
  past.pass(day);
  const tags = [{ tagFQN: 'PII.Sensitive', appliedAt: '2026-01-02T03:04:05.678Z' }];
  const columns = [{ ...tagged, tags }, ...schema.slice(1)];
  await past.edit('mira', { description: 'Dated.', ...times, schema: columns });
  past.pass(day);
  await past.edit('mira', { description: 'Mine.' });
  past.pass(day);
  return past;
}

test.each([
  ['as it keeps versions', undefined],
  ['in a form of another release', '2026-01-01 10:20'],
])('a rollback leaves a time that the history writes otherwise than live: %s', async (_, text) => {
  const past = await openDated();
  const before = await past.live();
  const environment = await past.withVersions((version) => {
    if (text === undefined) return version;
    const tags = [{ tagFQN: 'PII.Sensitive', appliedAt: text }];
    const columns = { schema: [{ ...tagged, tags }, ...schema.slice(1)] };
    return { ...version, effectiveFrom: text, ...(version['version'] !== 0.1 && columns) };
  });
  const args = ['rollback', past.name, '--to', '0.2', '--yes', '--out', 'plan.json'];
  expect((await past.runWith(environment, ...args)).code).toBe(0);
  expect(past.read('plan.json')).toMatchObject({
    contracts: [{ changes: [{ path: '/description' }] }],
  });
  const { effectiveFrom, effectiveUntil, schema: found } = before;
  const after = { description: 'Dated.', effectiveFrom, effectiveUntil, schema: found };
  expect(await past.live()).toMatchObject(after);
});

const note = { name: 'note', dataType: 'INT' };

/** The admin's run adds a column: 0.2. */
async function openRun(...lines: readonly string[]): Promise<Past> {
  const past = await openPast('openmetadata');
  past.pass(day);
  const columns = [...schema, note].map((column) => JSON.stringify(column));
  const added = `schema: [${columns.join(', ')}]`;
  past.commit({ [file]: ordersFile(past.name, added, ...lines) });
  expect((await past.run('apply', '--yes', '--report', 'run.json')).code).toBe(0);
  expect((await past.live())['version']).toBe(0.2);
  past.pass(1);
  return past;
}

async function rollBackRun(past: Past) {
  const run = await past.run('rollback', '--run', 'run.json', '--yes', '--report', 'back.json');
  return { ...run, outcomes: past.read('back.json')['outcomes'], live: await past.live() };
}

/** An outcome that says something else of what the run changed. */
const changed = (parts: JsonObject) => (outcome: JsonObject) => ({
  ...outcome,
  changed: { ...(outcome['changed'] as JsonObject), ...parts },
});

const rule = { name: 'positive', rule: '{"!":[1]}', description: 'Amounts are positive.' };

const withoutChange = (outcome: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(outcome).filter(([name]) => name !== 'changed'));

describe('of a run in a catalog that merges edits, a rollback', () => {
  test('keeps a later edit that joined the version of the run', async () => {
    const past = await openRun();
    await past.edit('admin', { semantics: [rule] });
    past.pass(1);
    const { stdout, live } = await rollBackRun(past);
    expect(stdout).toContain('[merged-version]');
    expect(live).toMatchObject({ schema, semantics: [rule] });
  });

  test.each<[string, (outcome: JsonObject) => JsonObject, number, string]>([
    [
      'changed a place to another value is left out',
      changed({ after: { schema: [...schema, { ...note, dataType: 'BIGINT' }] } }),
      0,
      '[changed-since-run]',
    ],
    [
      'names places that no run changes is ignored',
      changed({ before: { entity: { id: 'mine' }, name: 'mine', version: 7 }, after: {} }),
      0,
      'No changes.',
    ],
    [
      "doesn't say what it changed is blocked",
      withoutChange,
      1,
      "the outcomes don't say what it changed",
    ],
    [
      'ended unverified is blocked',
      (outcome) => ({ ...withoutChange(outcome), result: 'unverified' }),
      1,
      'it did not learn whether its change landed. [unknown-run]',
    ],
    [
      'ended held is blocked',
      (outcome) => ({ ...withoutChange(outcome), result: 'held' }),
      1,
      'the catalog took its change and held it back, so it may have landed since. [unknown-run]',
    ],
  ])('by an outcome that %s', async (_, rewrite, exit, says) => {
    const past = await openRun();
    const { outcomes, ...run } = JSON.parse(readFileSync(join(past.folder, 'run.json'), 'utf8'));
    const text = JSON.stringify({ ...run, outcomes: outcomes.map(rewrite) });
    writeFileSync(join(past.folder, 'run.json'), text);
    const before = await past.live();
    const { code, stdout, live } = await rollBackRun(past);
    expect({ code, stdout, live }).toEqual({
      code: exit,
      stdout: expect.stringContaining(says),
      live: before,
    });
  });

  test('takes back the owners that a refused patch left, and no later edit', async () => {
    const past = await openPast('openmetadata');
    past.pass(day);
    await past.edit('ada', { owners: [person('ada')] });
    past.pass(day);
    const before = await past.live();
    const refused = { owners: [person('zoe')], extension: { nosuch: 'x' } };
    await expect(past.edit('admin', refused)).rejects.toThrow('400');
    const { owners = null, updatedAt = null } = await past.live();
    const changed = {
      before: { owners: before['owners'] },
      after: { owners },
      version: '0.2',
      updatedAt,
    };
    const outcome = { result: 'landed-in-part', id: past.id, changed, error: null };
    const report = JSON.stringify({ formatVersion: '1.0', outcomes: [outcome] });
    writeFileSync(join(past.folder, 'run.json'), report);
    past.pass(day);
    await past.edit('mira', { description: 'By mira.' });
    const { code, stdout, live } = await rollBackRun(past);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringContaining('~ owner user  zoe → ada'),
    });
    expect(live).toMatchObject({ owners: [{ name: 'ada' }], description: 'By mira.' });
  });

  test('of another contract than the run changed is blocked', async () => {
    const past = await openRun();
    const path = join(past.folder, 'run.json');
    const other = '00000000-0000-4000-8000-0000000000aa';
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(past.id, other));
    const before = await past.live();
    const named = await past.run('rollback', past.name, '--run', 'run.json', '--yes');
    expect(named.code).toBe(1);
    expect(named.stdout).toContain('[unknown-run]');
    const unnamed = await past.run('rollback', '--run', 'run.json', '--yes');
    expect(unnamed.code).toBe(1);
    expect(unnamed.stderr).toContain('[no-such-contract]');
    expect(await past.live()).toEqual(before);
  });
});

function person(name: string): JsonObject {
  return { type: 'user', fullyQualifiedName: name };
}

/** Owned by zoe and reviewed by mira in 0.2, by ada alone now; zoe or mira has been deleted. */
async function openWithout(gone: string): Promise<Past> {
  const past = await openPast('openmetadata');
  past.pass(day);
  const then = { owners: [person('zoe')], reviewers: [person('mira')] };
  await past.edit('ada', { description: 'Owned by zoe.', ...then });
  past.pass(day);
  await past.edit('ada', { owners: [person('ada')], reviewers: [], description: 'Mine.' });
  past.pass(day);
  await past.deleteUser(gone);
  return past;
}

async function rollBackMany(past: Past, ...flags: readonly string[]) {
  const run = await past.run('rollback', '--before', '2023-11-15T08:00Z', ...flags, '--yes');
  const updated = [...run.stdout.matchAll(/^✓ (\S+) {2}applied/gmu)].map(([, name]) => name);
  return { ...run, updated };
}

describe('a rollback of many', () => {
  const made = Date.UTC(2023, 10, 14);
  const contractOf = (table: string, more: JsonObject = {}): JsonObject => ({
    name: table.split('.').at(-1) ?? '',
    entity: { type: 'table', fullyQualifiedName: table },
    fullyQualifiedName: table,
    description: 'Right.',
    entityStatus: 'Draft',
    updatedBy: 'ada',
    updatedAt: made,
    ...more,
  });
  const tables = ['shop.sales.refunds', 'shop.sales.unfiled', 'shop.sales.newer', 'shop.hr.staff'];

  /** A wrong merge has changed them all, but for one that was made since. */
  async function openWrong() {
    const later = { updatedAt: Date.UTC(2023, 11, 1) };
    const others = tables.map((table) => contractOf(table, table.endsWith('newer') ? later : {}));
    const past = await openPast('standard', others);
    past.commit({
      [file]: ordersFile(past.name, 'description: Wrong.'),
      'contracts/sales/refunds.yaml': ordersFile('shop.sales.refunds', 'description: Wrong.'),
      'contracts/sales/newer.yaml': ordersFile('shop.sales.newer', 'description: Wrong.'),
      'contracts/hr/staff.yaml': ordersFile('shop.hr.staff', 'description: Wrong.'),
    });
    past.pass(day);
    for (const name of ['orders', 'refunds', 'unfiled', 'staff'])
      await past.edit('ada', { description: 'Wrong.' }, name);
    past.pass(day);
    return past;
  }

  test.for<[flags: readonly string[], updated: readonly string[]]>([
    [['--only', 'shop.sales.**', '--exclude', '**.orders'], ['shop.sales.refunds']],
    [['--only', 'contracts/hr/**'], ['shop.hr.staff']],
    [
      ['--team', 'sales'],
      ['shop.sales.refunds', 'shop.sales.unfiled'],
    ],
  ])('with %j returns those of this repository to a time', async ([flags, updated]) => {
    const past = await openWrong();
    if (flags.includes('--team'))
      past.configure(
        "teams: { sales: { include: contracts/sales, scope: ['shop.sales.*'] }, hr: { include: contracts/hr, scope: ['shop.hr.*'] } }",
      );
    const run = await rollBackMany(past, ...flags);
    expect(run).toMatchObject({ code: 0, stderr: '', updated });
  });

  test.each([
    ['behind', 0],
    ['ahead of', 20 * 365 * day],
  ])('to a span before now counts by the clock of the catalog, here %s ours', async (is, later) => {
    const past = await openPast('standard');
    past.pass(later);
    for (const description of ['Right.', 'Wrong.']) {
      past.pass(60);
      await past.edit('ada', { description });
    }
    past.pass(60);
    const { code, stdout } = await past.run('rollback', past.name, '--before', '90m', '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(
        `^information: The catalog's clock is \\d+ s ${is} this machine's: a span before now counts by the catalog's\\. \\[clock-differs\\]$`,
        'mu',
      ),
    );
    expect(await past.live()).toMatchObject({ description: 'Right.' });
  });

  test('leaves contracts that were made since, with a notice', async () => {
    const past = await openWrong();
    const { stdout } = await rollBackMany(past, '--only', 'shop.sales.**', '--all');
    expect(stdout).toContain(
      'It has no version from before 2023-11-15T08:00:00.000Z: it stays as it is. [no-such-version]',
    );
  });

  test('undoes a wrong merge of a dozen by one reviewed run, and a pull brings git in step', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `shop.sales.t${index}`);
    const past = await openPast(
      'standard',
      names.map((name) => contractOf(name)),
    );
    const files = (description: string) =>
      Object.fromEntries(
        names.map((name) => [
          `contracts/sales/${name}.yaml`,
          `# Of ${name}\n${ordersFile(name, `description: ${description}`)}`,
        ]),
      );
    past.commit(files('Right.'));
    past.commit(files('Wrong.'));
    past.pass(day);
    expect((await past.run('apply', '--yes', '--report', 'run.json')).code).toBe(0);
    const undo = ['--only', 'shop.sales.t*', '--reason', 'wrong merge', '--out', 'back.json'];
    const plan = await past.run('rollback', '--run', 'run.json', ...undo);
    expect(
      plan.stdout.match(/differs: with a base, an apply leaves this rollback alone/gu),
    ).toHaveLength(3);
    expect(plan.stdout).toContain('information: 9 more are as these. [git-differs]');
    const sent = await past.run('rollback', '--plan', 'back.json', '--yes');
    expect(sent.stdout).toContain('Apply: 12 applied.');
    expect((await past.run('pull', 'contracts/sales')).code).toBe(0);
    const first = 'contracts/sales/shop.sales.t0.yaml';
    expect(readFileSync(join(past.folder, first), 'utf8')).toBe(files('Right.')[first]);
    expect((await past.run('plan', 'contracts/sales')).stdout).toContain('No changes.');
  });

  test('of a run takes those that are selected, and is taken back like any run', async () => {
    const past = await openWrong();
    expect((await past.run('apply', '--yes', '--report', 'run.json')).stdout).toContain(
      'Apply: 1 applied.',
    );
    const run = (...flags: readonly string[]) =>
      past.run('rollback', '--run', 'run.json', ...flags, '--yes');
    expect((await run('--only', 'contracts/hr/**')).stdout).toContain('No changes.');
    const only = ['--only', 'contracts/sales/**'];
    expect((await run(...only, '--report', 'back.json')).stdout).toContain('Apply: 1 applied.');
    expect((await past.run('plan')).stdout).toContain('Plan: 1 to update');
    const again = await past.run('rollback', '--run', 'back.json', '--yes');
    expect(again.stdout).toContain('Apply: 1 applied.');
    expect((await past.run('plan')).stdout).toContain('No changes.');
  });

  test.each([
    [['--only', 'shop.nosuch.**'], 'nothing-selected'],
    [['--only', 'shop.sales.unfiled'], 'nothing-selected'],
    [['--team', 'nosuch'], 'invalid-command-line'],
    [[], 'invalid-command-line'],
  ])('with %j is refused', async (flags, code) => {
    const run = await rollBackMany(await openWrong(), ...flags);
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining(`[${code}]`)]);
  });
});

test.each([['zoe'], ['mira']])(
  'a rollback to owners or reviewers that were deleted is an error before anything is sent: %s',
  async (gone) => {
    const past = await openWithout(gone);
    const before = await past.live();
    const { code, stdout } = await past.run('rollback', past.name, '--to', '0.2', '--yes');
    expect(code).toBe(1);
    expect(stdout).toContain('[unknown-reference]');
    expect(stdout).toContain(`The catalog has no user ${JSON.stringify(gone)} with the id`);
    expect(stdout).toContain('Return to another version');
    expect(await past.live()).toEqual(before);
  },
);

/** The plan and the outcomes have the reason for what a rule forbids. */
function expectKept(past: Past, override: JsonObject): void {
  for (const kind of ['plan', 'outcomes'] as const) {
    const document = past.read(`${kind}.json`);
    expectValid(kind, document);
    expect(document).toMatchObject({ overrides: [override] });
  }
}

describe('a rollback', () => {
  test('that the lifecycle forbids goes with a reason, which is kept', async () => {
    const past = await openVersions('standard');
    past.commit({ [file]: ordersFile(past.name, 'entityStatus: Deprecated') });
    const run = ['apply', '--yes', '--report', 'run.json'];
    expect((await past.run(...run)).code).toBe(0);
    const back = ['rollback', '--run', 'run.json', '--yes'];
    const blocked = await past.run(...back);
    expect(blocked.code).toBe(1);
    expect(blocked.stdout).toContain('roll back again with --reason "…"');
    expect((await past.run(...back, '--reason', 'x')).stderr).toContain('[reason-needed]');
    expect(await past.live()).toMatchObject({ entityStatus: 'Deprecated' });
    const reason = 'retired by mistake, DATA-812';
    const kept = ['--reason', reason, '--out', 'plan.json', '--report', 'outcomes.json'];
    const markdown = await past.run(...back, ...kept, '--format', 'markdown');
    expect(markdown).toMatchObject({ code: 0, stdout: expect.stringContaining(reason) });
    expect(await past.live()).toMatchObject({ entityStatus: 'Draft' });
    expectKept(past, { rule: 'transition-blocked', reason });
    expect(past.read('plan.json')).toMatchObject({
      contracts: [{ action: 'update', problems: [{ severity: 'warning', allowed: { reason } }] }],
    });
    const onward = ['rollback', past.name, '--to', '0.1', '--yes', '--reason', reason];
    expect((await past.run(...onward)).stdout).not.toContain(reason);
    await past.edit('ada', { entityStatus: 'Deprecated' });
    const text = await past.run(...onward, '--quiet');
    expect(text.stdout).toContain(`Allowed against the lifecycle: ${reason}`);
  });

  test("keeps to the limits of the contract's team", async () => {
    const past = await openVersions('standard');
    const limits = 'limits: { updates: 0, from: 1 }';
    past.commit({
      [file]: ordersFile(past.name, 'description: Mine.'),
      'contract-sync.yaml': `teams: { shop: { include: contracts, scope: ['**'], ${limits} } }\n`,
    });
    const number = JSON.stringify((await past.versions())[1]?.['version']);
    const run = await past.run('rollback', past.name, '--to', number, '--yes');
    expect(run.code).toBe(1);
    expect(run.stdout).toContain('The plan updates 1 of 1 contracts of shop (100%)');
  });

  test('that breaks consumers goes with a reason, which is kept; protection stays', async () => {
    const past = await openVersions('standard');
    const hourly = { refreshFrequency: { interval: 1, unit: 'hour' } };
    await past.edit('ada', { entityStatus: 'Active', sla: hourly });
    const to = JSON.stringify((await past.versions())[0]?.['version']);
    past.pass(day);
    const faster = 'sla: { refreshFrequency: { interval: 15, unit: minute } }';
    past.commit({ [file]: ordersFile(past.name, faster) });
    expect((await past.run('apply', '--yes')).code).toBe(0);
    const back = ['rollback', past.name, '--to', to, '--yes'];
    const blocked = await past.run(...back);
    expect(blocked.code).toBe(1);
    expect(blocked.stdout).toContain('[sla-worsened]');
    expect(blocked.stdout).toContain('roll back again with --reason "…"');
    expect(blocked.stdout).not.toMatch(/agree it with consumers|allow:/u);
    const reason = 'INC-77';
    const kept = [...back, '--reason', reason, '--out', 'plan.json', '--report', 'outcomes.json'];
    const config = readFileSync(join(past.folder, 'contract-sync.yaml'), 'utf8');
    past.configure('protected: ["**"]');
    const blockedStill = expect.stringContaining('[contract-protected]');
    expect(await past.run(...kept)).toMatchObject({ code: 1, stdout: blockedStill });
    writeFileSync(join(past.folder, 'contract-sync.yaml'), config);
    const done = await past.run(...kept);
    expect(done.code).toBe(0);
    expect(done.stdout).toContain(`Allowed although it breaks consumers (sla-worsened): ${reason}`);
    expect(await past.live()).toMatchObject({ sla: hourly });
    expectKept(past, { rule: 'sla-worsened', reason });
  });

  test.for<[flag: string, asked: string]>([
    ['--before', '2023-11-16T00:00Z'],
    ['--run', '../outcomes.json'],
  ])('that was kept names its target for any folder: %s', async ([flag, asked]) => {
    const past = await openVersions('standard');
    past.commit({
      'notes/README.md': 'Words.\n',
      [file]: ordersFile(past.name, 'description: By git.'),
    });
    const report = ['--report', join(past.folder, 'outcomes.json')];
    expect((await past.run('apply', '--yes', ...report)).code).toBe(0);
    const named = flag === '--run' ? [] : [past.name];
    const keep = [...named, flag, asked, '--out', join(past.folder, 'plan.json')];
    const kept = await past.runIn(join(past.folder, 'notes'), 'rollback', ...keep);
    expect(kept).toMatchObject({ code: 0, stderr: '' });
    const plan = past.read('plan.json');
    expectValid('plan', plan);
    const { rollback } = plan;
    const contracts = [past.id];
    expect(rollback).toEqual(
      flag === '--run'
        ? { run: 'outcomes.json', contracts }
        : { before: '2023-11-16T00:00:00.000Z', contracts },
    );
    const refused = await past.run('apply', '--plan', 'plan.json', '--yes');
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('Run `contract-sync rollback --plan plan.json`.');
    const applied = await past.run('rollback', '--plan', 'plan.json', '--yes');
    expect(applied).toMatchObject({ code: 0, stderr: '' });
    const description = flag === '--run' ? 'Mine.' : 'Orders of the shop.';
    expect(await past.live()).toMatchObject({ description });
  });

  test('from a forged plan, or one of files, or beside another target sends nothing', async () => {
    const past = await openVersions('standard');
    await past.run('rollback', past.name, '--to', '0.2', '--out', 'plan.json');
    const path = join(past.folder, 'plan.json');
    const { checksum: _, ...saved } = JSON.parse(readFileSync(path, 'utf8'));
    const before = await past.live();
    const refused = async (plan: object, code: string, ...args: string[]) => {
      writeFileSync(path, JSON.stringify(plan));
      const run = await past.run('rollback', '--plan', 'plan.json', '--yes', ...args);
      expect(run.code).toBe(1);
      expect(run.stdout + run.stderr).toContain(code);
      expect(await past.live()).toEqual(before);
    };
    const { rollback, ...ofFiles } = saved;
    await refused(sealPlan(ofFiles), '[not-a-plan]');
    await refused(sealPlan(saved), '[invalid-command-line]', '--to', '0.1');
    await refused(sealPlan({ ...saved, rollback: { ...rollback, to: '0.1' } }), 'not-reviewed');
    const nowhere = sealPlan({ ...saved, rollback: { ...rollback, to: 'x' } });
    await refused(nowhere, '[invalid-command-line]');
    await refused({ ...sealPlan(saved), note: 'x' }, '[plan-edited]');
  });

  test('names what an apply does now that git differs, with the command that pulls it', async () => {
    const past = await openVersions('standard');
    past.commit({ [file]: ordersFile(past.name, 'description: Mine.') });
    const { stdout } = await past.run('rollback', past.name, '--to', '0.2', '--yes');
    expect(stdout).toContain(
      `The file of ${past.name} differs: with a base, an apply leaves this rollback alone, as drift; without one, it undoes it. [git-differs]\n  Then update the file: contract-sync pull contracts/orders.yaml\n`,
    );
    const plan = await past.run('plan', '--base', 'HEAD', '--quiet');
    expect(plan.stdout).toContain('No changes. 1 unchanged, 1 edited in the catalog.\n');
  });

  test('that fails before it sends leaves no report of an earlier run behind', async () => {
    const past = await openVersions('standard');
    const report = join(past.folder, 'back.json');
    writeFileSync(report, 'An earlier run.');
    const args = ['rollback', past.name, '--to', '7.5', '--report', report];
    expect((await past.run(...args)).code).toBe(1);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      outcomes: [],
      diagnostics: [{ code: 'no-such-version' }],
    });
  });

  test('that names no state of the contract is refused', async () => {
    const past = await openVersions('standard');
    for (const [name, text] of [
      ['newer.json', '{ "formatVersion": "2.0", "outcomes": [] }'],
      ['torn.json', '{ "formatVersion": "1.0", "outcomes": [{ "res'],
      [
        'other.json',
        '{ "formatVersion": "1.0", "catalogUrl": "https://other.example/api", "outcomes": [] }',
      ],
    ] as const)
      writeFileSync(join(past.folder, name), text);
    for (const [flags, says] of [
      [['--to', '7.5'], '[no-such-version]'],
      [['--before', '2020-01-01'], '[no-such-version]'],
      [['--before', 'lately'], '[invalid-command-line]'],
      [['--before', '2999-01-01'], '[invalid-command-line]'],
      [['--to', 'x'], '[invalid-command-line]'],
      [[], '[invalid-command-line]'],
      [['--to', '0.1', '--before', '3d'], '[invalid-command-line]'],
      [['--run', 'missing.json'], '[unreadable-file]'],
      [['--run', 'contract-sync.yaml'], '[unreadable-file]'],
      [['--run', 'newer.json'], '[unreadable-file]'],
      [['--run', 'other.json'], '[other-catalog]'],
      [
        ['--run', 'torn.json'],
        'error: "torn.json" is no whole JSON. [unreadable-file]\n  Take a whole copy of it, or return to a time: --before 30m.\n',
      ],
    ] as const) {
      const { code, stderr } = await past.run('rollback', past.name, ...flags, '--yes');
      expect([flags, code, stderr]).toEqual([flags, 1, expect.stringContaining(says)]);
    }
  });

  test('of a run that sent nothing has nothing to undo, in an environment too', async () => {
    const past = await openVersions('standard');
    past.configure(`environments: { staging: { catalog: { dialect: standard } } }`);
    const back = ['rollback', '--env', 'staging', '--yes'];
    const [first, second] = ['nothing.json', 'again.json'];
    writeFileSync(join(past.folder, first), '{ "formatVersion": "1.0", "outcomes": [] }');
    for (const run of [first, second]) {
      const { code, stdout } = await past.run(...back, '--run', run, '--report', second);
      expect(code).toBe(0);
      expect(stdout).toContain('[nothing-to-undo]');
    }
    expect(past.read(second)).toMatchObject({ environment: 'staging', outcomes: [] });
  });
});
