import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { idOf, makeContract } from '../sandbox/openmetadata/served.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';
import { openWorld, resultsOf } from './world.ts';

const head = 'fullyQualifiedName: shop.sales.web.orders.dataContract_orders\n';

describe('of an owner who has left, whom the list alone still shows,', () => {
  test('the plan is empty where the file names the others', async () => {
    const world = await openWorld();
    const owners = await Promise.all(
      ['ada', 'mira'].map(async (name) => ({ type: 'user', id: await idOf(world, 'users', name) })),
    );
    await makeContract(world, { description: 'Before.', owners });
    await world.ask('DELETE', `/users/${owners[0]?.id}`);
    const text = `${head}description: Before.\nowners: [{ type: user, name: mira }]\n`;
    expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
  });

  test('another change of the owners is applied, and leaves nothing to do', async () => {
    const world = await openWorld();
    const owners = [{ type: 'user', id: await idOf(world, 'users', 'ada') }];
    await makeContract(world, { description: 'Before.', owners });
    await world.ask('DELETE', `/users/${owners[0]?.id}`);
    const text = `${head}description: After.\nowners: [{ type: user, name: zoe }]\n`;
    expect(resultsOf(await world.apply(await world.plan([text])))).toEqual(['applied']);
    expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
  });
});

test('a tag named by its FQN alone converges: the server adds the rest', async () => {
  const world = await openWorld();
  const contract = await makeContract(world, {
    description: 'Before.',
    schema: [{ name: 'id', dataType: 'BIGINT', tags: [{ tagFQN: 'PII.Sensitive' }] }],
  });
  const text = `${head}description: After.
schema:
  - name: id
    dataType: BIGINT
    tags: [{ tagFQN: PII.Sensitive }, { tagFQN: PersonalData.Personal }]
`;
  expect(resultsOf(await world.apply(await world.plan([text])))).toEqual(['applied']);
  expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
  const stored = await contract.read();
  expect(stored.schema[0].tags).toMatchObject([
    { tagFQN: 'PII.Sensitive', source: 'Classification' },
    { tagFQN: 'PersonalData.Personal', source: 'Classification' },
  ]);
});

test('a column renamed only in case is carried along, for the server takes it for the same', async () => {
  const world = await openWorld();
  const contract = await makeContract(world, { schema: [{ name: 'id', dataType: 'BIGINT' }] });
  const table = await idOf(world, 'tables', 'shop.sales.web.orders');
  const column = { name: 'ID', dataType: 'BIGINT' };
  await world.ask('PATCH', `/tables/${table}`, {
    body: [{ op: 'add', path: '/columns/-', value: column }],
  });
  const text = `${head}schema: [{ name: ID, dataType: BIGINT }]\n`;
  expect(resultsOf(await world.apply(await world.plan([text])))).toEqual(['applied']);
  expect((await contract.read()).schema).toMatchObject([column]);
  expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
});

test('a display name that is the name may go and come: it carries what needs another change', async () => {
  const world = await openWorld();
  const schema = [{ name: 'id', dataType: 'BIGINT', description: 'Before.' }];
  const contract = await makeContract(world, { displayName: 'orders', schema });
  for (const description of ['One.', 'Two.']) {
    const text = `${head}name: orders
displayName: orders
schema: [{ name: id, dataType: BIGINT, description: ${description} }]
`;
    expect(resultsOf(await world.apply(await world.plan([text])))).toEqual(['applied']);
    expect((await contract.read()).schema).toMatchObject([{ description }]);
    expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
  }
});

test('a display name that is the name is not imported, and the imported file can be edited', async () => {
  const world = await openWorld();
  const schema = [{ name: 'id', dataType: 'BIGINT', description: 'Before.' }];
  const contract = await makeContract(world, { displayName: 'orders', schema });
  const folder = makeFolder({ 'contract-sync.yaml': 'catalog: { dialect: openmetadata }\n' });
  const options = { folder, environment: accessTo(world) };
  const imported = await runInProcess(['import', '--into', 'contracts/{name}.yaml'], options);
  expect(imported).toMatchObject({ code: 0 });
  const text = readFileSync(join(folder, 'contracts/orders.yaml'), 'utf8');
  expect(text).not.toContain('displayName');
  expect((await world.plan([text])).summary).toMatchObject({ unchanged: 1, update: 0 });
  const edited = text.replace('Before.', 'After.');
  expect(resultsOf(await world.apply(await world.plan([edited])))).toEqual(['applied']);
  expect((await contract.read()).schema).toMatchObject([{ description: 'After.' }]);
});
