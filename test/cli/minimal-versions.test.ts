import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { openPast, ordersFile, type Past } from '../support/past.ts';
import { expectValid } from '../support/schema.ts';

const file = 'contracts/orders.yaml';
const day = 24 * 60;

/** What the interface promises of a version (§2.5). */
const promised = ['id', 'name', 'version', 'entityStatus'];

/** Versions that carry these fields beside the promised ones. */
const carrying =
  (...fields: readonly string[]) =>
  (version: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(version).filter(([field]) => [...promised, ...fields].includes(field)),
    );

const owners = [{ type: 'team', name: 'sales' }];
const sections = {
  owners,
  semantics: [{ name: 'positive', rule: 'amount > 0' }],
  sla: { retention: { period: 1, unit: 'year' } },
};

/** 0.1 by ada; then mira and zoe edit it, and zoe last: Active, with all sections. */
async function openEdited(): Promise<Past> {
  const past = await openPast('standard');
  past.pass(day);
  await past.edit('mira', { description: 'By mira.', entityStatus: 'Active' });
  past.pass(day);
  await past.edit('zoe', { description: 'By zoe.', ...sections, entityStatus: 'Deprecated' });
  past.pass(day);
  return past;
}

const fieldsOf = ({ description, owners, semantics, sla, schema }: JsonObject) => ({
  description,
  owners,
  semantics,
  sla,
  schema,
});

describe('a rollback leaves alone a field that no version carries, with a note:', () => {
  test.each<[string, readonly string[]]>([
    ['text', []],
    ['markdown', ['--format', 'markdown']],
  ])('in %s', async (_format, flags) => {
    const past = await openEdited();
    const environment = await past.withVersions(carrying());
    const before = await past.live();
    const args = ['rollback', past.name, '--to', '0.2', '--yes', ...flags];
    const { code, stdout } = await past.runWith(environment, ...args);
    expect(code).toBe(0);
    for (const field of Object.keys(fieldsOf(before))) expect(stdout).toContain(`\`${field}\``);
    expect(stdout).toContain('field-not-recorded');
    const after = await past.live();
    expect(after['entityStatus']).toBe('Active');
    expect(fieldsOf(after)).toEqual(fieldsOf(before));
  });

  test('in JSON, where there is nothing else to do either', async () => {
    const past = await openEdited();
    const environment = await past.withVersions(carrying());
    const args = ['rollback', past.name, '--to', '0.3', '--out', 'plan.json', '--format', 'json'];
    expect((await past.runWith(environment, ...args)).code).toBe(0);
    const plan = past.read('plan.json');
    expectValid('plan', plan);
    expect(plan).toMatchObject({
      contracts: [
        { action: 'unchanged', problems: [{ code: 'field-not-recorded', severity: 'warning' }] },
      ],
    });
  });
});

test('a field that some versions carry was absent from those that lack it', async () => {
  const past = await openEdited();
  const environment = await past.withVersions(carrying('description', 'sla'));
  const before = await past.live();
  const args = ['rollback', past.name, '--to', '0.2', '--yes'];
  const { code, stdout } = await past.runWith(environment, ...args);
  expect(code).toBe(0);
  expect(stdout).toContain('`semantics`, `schema`, `owners`');
  const { sla, description, ...rest } = fieldsOf(await past.live());
  expect({ sla, description }).toEqual({ sla: undefined, description: 'By mira.' });
  expect(rest).toMatchObject({ owners, semantics: sections.semantics, schema: before['schema'] });
});

/** A catalog that has kept whole versions only since a release of its own. */
const cutBefore =
  (newest: string) =>
  (version: JsonObject): JsonObject =>
    Number(version['version']) < Number(newest) ? carrying('updatedAt')(version) : version;

test('fields stay as they are where a version lacks what every contract has and other versions carry', async () => {
  const past = await openEdited();
  const environment = await past.withVersions(cutBefore('0.3'));
  const before = await past.live();
  const args = ['rollback', past.name, '--to', '0.2', '--yes'];
  const { code, stdout } = await past.runWith(environment, ...args);
  expect(code).toBe(0);
  expect(stdout).toContain('[field-not-recorded]');
  const after = await past.live();
  expect(after['entityStatus']).toBe('Active');
  expect(fieldsOf(after)).toEqual(fieldsOf(before));
});

/** 0.2 is an apply of the file, 0.3 and 0.4 are edits of the catalog. */
async function openApplied(...lines: readonly string[]): Promise<Past> {
  const past = await openPast('standard');
  past.pass(day);
  past.commit({ [file]: ordersFile(past.name, 'entityStatus: Active', ...lines) });
  past.pass(day);
  expect((await past.run('apply', '--yes')).code).toBe(0);
  past.pass(day);
  await past.edit('zoe', { description: 'By zoe.', entityStatus: 'Deprecated' });
  past.pass(day);
  await past.edit('mira', { description: 'By mira.' });
  return past;
}

describe('where no version carries a field that the file manages', () => {
  const dated = carrying('updatedAt', 'updatedBy');

  test('no version is reported as edited by hand, and the fields without a record are named', async () => {
    const past = await openApplied('description: By git.');
    const environment = await past.withVersions(dated);
    const text = await past.runWith(environment, 'history', past.name);
    expect(text.code).toBe(0);
    expect(text.stdout).not.toContain('not from a commit');
    expect(text.stdout).toContain('no field that the versions carry');
    const told = "The catalog's versions don't carry description, schema";
    expect(text.stdout).toContain(told);
    const markdown = await past.runWith(environment, 'history', past.name, '--format', 'markdown');
    expect(markdown.stdout).toContain('carry description, schema');
    const json = await past.runWith(environment, 'history', past.name, '--format', 'json');
    const history = JSON.parse(json.stdout);
    expectValid('history', history);
    expect(history).toMatchObject({
      unrecorded: ['description', 'schema'],
      versions: Array.from({ length: 4 }, () => ({ provenance: { kind: 'unknown' } })),
    });
    const place = await past.runWith(environment, 'history', past.name, 'description');
    expect(place.stderr).toContain(told);
  });
});
