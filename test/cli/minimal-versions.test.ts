import { expect, test } from 'vitest';
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

/** A catalog that has kept whole versions only since a release of its own. */
const cutBefore =
  (newest: string) =>
  (version: JsonObject): JsonObject =>
    Number(version['version']) < Number(newest) ? carrying('updatedAt')(version) : version;

test.each([
  ['that no version carries', carrying(), []],
  ['that no version carries, with a note on a page', carrying(), ['--format', 'markdown']],
  ['of a version that lacks what every contract has, and others carry', cutBefore('0.3'), []],
])('a rollback leaves alone fields %s', async (_, leave, flags) => {
  const past = await openEdited();
  const environment = await past.withVersions(leave);
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

test('a field that some versions carry was absent from those that lack it', async () => {
  const past = await openEdited();
  const environment = await past.withVersions(carrying('description', 'sla'));
  const before = await past.live();
  const args = ['rollback', past.name, '--to', '0.2', '--yes'];
  const { code, stdout } = await past.runWith(environment, ...args);
  expect(code).toBe(0);
  expect(stdout).toContain('`semantics`, `schema`, `owners`');
  const wanted = { ...fieldsOf(before), sla: undefined, description: 'By mira.' };
  expect(fieldsOf(await past.live())).toEqual(wanted);
});

test('a history names the fields without a record, and judges no version by them', async () => {
  const past = await openPast('standard');
  past.pass(day);
  past.commit({ [file]: ordersFile(past.name, 'entityStatus: Active', 'description: By git.') });
  past.pass(day);
  expect((await past.run('apply', '--yes')).code).toBe(0);
  past.pass(day);
  await past.edit('zoe', { description: 'By zoe.', entityStatus: 'Deprecated' });
  past.pass(day);
  await past.edit('mira', { description: 'By mira.' });
  const environment = await past.withVersions(carrying('updatedAt', 'updatedBy'));
  const history = (...args: readonly string[]) =>
    past.runWith(environment, 'history', past.name, ...args);
  const { code, stdout } = await history();
  expect(code).toBe(0);
  expect(stdout).not.toContain('not from a commit');
  expect(stdout).toContain('no field that the versions carry');
  const note = "The catalog's versions don't carry description, schema";
  expect(stdout).toContain(note);
  expect((await history('description')).stderr).toContain(note);
  expect((await history('--format', 'markdown')).stdout).toContain('carry description, schema');
  const document = JSON.parse((await history('--format', 'json')).stdout);
  expectValid('history', document);
  expect(document).toMatchObject({
    unrecorded: ['description', 'schema'],
    versions: Array.from({ length: 4 }, () => ({ provenance: { kind: 'unknown' } })),
  });
});
