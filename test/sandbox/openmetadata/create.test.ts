import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { create, idOf, makeContract, request, serve } from './served.ts';

describe('a create request is refused', () => {
  test.each<[string, JsonObject, string]>([
    ['without a name', { name: null }, '[query param name must not be null]'],
    ['without an asset', { entity: null }, '[query param entity must not be null]'],
    [
      'with an asset by name',
      { entity: { type: 'table', fullyQualifiedName: 'x' } },
      '[query param id must not be null]',
    ],
    [
      'for a user',
      { entity: { type: 'user', id: '00000000-0000-4000-8000-000000000000' } },
      "Data contract validation failed for user entity: Entity type 'user' is not supported for data contracts",
    ],
    [
      'with a rule that lacks its rule',
      { semantics: [{ name: 'r', description: 'd' }] },
      '[query param rule must not be null]',
    ],
    [
      'with a column that the table lacks',
      { schema: [{ name: 'Id', dataType: 'INT' }] },
      'Schema validation failed. The following fields specified in the data contract do not exist in the table: Id',
    ],
    [
      'with a column twice',
      {
        schema: [
          { name: 'id', dataType: 'INT' },
          { name: 'id', dataType: 'INT' },
        ],
      },
      'Schema validation failed. Duplicate column names in contract schema: id',
    ],
    [
      'with a custom property that is not defined',
      { extension: { colour: 'blue' } },
      'Unknown custom field colour',
    ],
  ])('%s', async (_, content, message) => {
    expect((await create(await serve(), content)).body).toEqual({ code: 400, message });
  });

  test.each<[string, JsonObject, RegExp]>([
    [
      'with an unknown member',
      { colour: 'blue' },
      /^Unrecognized field "colour" \(class .*CreateDataContract\)/u,
    ],
    [
      'with an unknown status',
      { entityStatus: 'Active' },
      /^Cannot construct instance of .*EntityStatus`, problem: Active\n at/u,
    ],
    [
      'with terms as an object',
      { termsOfUse: { content: 'x' } },
      /^Cannot deserialize value of type `java.lang.String` from Object value/u,
    ],
  ])('%s, in the words of the JSON library', async (_, content, message) => {
    const { status, body } = await create(await serve(), content);
    expect(status).toBe(400);
    expect(body.message).toMatch(message);
  });

  test('with an unknown asset by 404, with a quote in its name by 500', async () => {
    const served = await serve();
    const entity = { type: 'table', id: '00000000-0000-4000-8000-000000000000' };
    expect((await create(served, { entity })).status).toBe(404);
    expect((await create(served, { name: '"x"' })).status).toBe(500);
  });

  test.each([
    ['nothing', '', 500, 'application/json'],
    ['null', 'null', 500, 'application/json'],
    ['broken JSON', '{', 400, 'text/plain'],
  ])('with %s as its body', async (_, bodyText, status, type) => {
    const served = await serve();
    const headers = { 'content-type': 'application/json' };
    const answer = await served.ask('POST', '/dataContracts', { bodyText, headers });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe(type);
  });
});

test('nested columns count by their last name', async () => {
  const { status } = await create(await serve(), { schema: [{ name: 'city', dataType: 'INT' }] });
  expect(status).toBe(201);
});

test('values are bent into what the class wants', async () => {
  const { body } = await create(await serve(), {
    displayName: 7,
    sla: { maxLatency: { value: '5', unit: 'hour' }, retention: { period: 2.9, unit: 'day' } },
    semantics: [{ name: 'r', description: 'd', rule: '{}', enabled: 'false' }],
    effectiveFrom: '2026-01-01T02:00:00+02:00',
  });
  expect(body).toMatchObject({
    displayName: '7',
    sla: { maxLatency: { value: 5 }, retention: { period: 2 } },
    semantics: [{ enabled: false, provider: 'user', ignoredEntities: [], inherited: false }],
    effectiveFrom: Date.UTC(2026, 0, 1),
    entityStatus: 'Unprocessed',
  });
});

test('what stands behind the point of a patched date is a number of milliseconds', async () => {
  const contract = await makeContract(await serve(), { effectiveFrom: '2026-01-01' });
  const patchTo = (value: string) =>
    contract.patch([
      { op: 'add', path: '/effectiveFrom', value },
      { op: 'add', path: '/description', value },
    ]);
  await patchTo('2026-02-01T00:00:00.5Z');
  expect((await contract.read()).effectiveFrom).toBe(Date.UTC(2026, 1, 1) + 5);
  expect((await patchTo('2026-02-01T00:00:00Z')).status).toBe(500);
});

test('a PUT replaces all but owners, and one that changes nothing recorded stores nothing', async () => {
  const served = await serve();
  const owners = [{ type: 'user', id: await idOf(served, 'users', 'ada') }];
  const contract = await makeContract(served, { owners, displayName: 'D', entityStatus: 'Draft' });
  const put = async (content: JsonObject) =>
    served.ask('PUT', '/dataContracts', { body: await request(served, content) });
  const replaced = await put({ description: 'New.' });
  expect(replaced).toMatchObject({
    status: 200,
    headers: { 'x-openmetadata-change': 'entityUpdated' },
    body: { version: 0.2, entityStatus: 'Unprocessed', owners: [{ name: 'ada' }] },
  });
  expect(replaced.body).not.toHaveProperty('displayName');
  expect(replaced.headers).not.toHaveProperty('etag');
  const lost = await put({ description: 'New.', sourceUrl: 'http://example.com/' });
  expect(lost.headers['x-openmetadata-change']).toBe('entityNoChange');
  expect(lost.body.changeDescription).toEqual((await contract.read()).changeDescription);
  expect(await contract.read()).not.toHaveProperty('sourceUrl');
});

test('a contract moves to another asset by a patch that also changes something recorded', async () => {
  const tables = ['orders', 'refunds'].map((name) => ({
    fullyQualifiedName: `shop.sales.web.${name}`,
    columns: [{ name: 'id', dataType: 'INT' }],
  }));
  const served = await serve({ seed: { tables } });
  const contract = await makeContract(served);
  const id = await idOf(served, 'tables', 'shop.sales.web.refunds');
  const moving = { op: 'add', path: '/entity', value: { id, type: 'table' } };
  const alone = await contract.patch([moving]);
  expect(alone.headers['x-openmetadata-change']).toBe('entityNoChange');
  expect((await contract.read()).entity.id).not.toBe(id);
  await contract.patch([moving, { op: 'add', path: '/description', value: 'x' }]);
  expect(await contract.read()).toMatchObject({
    entity: { id },
    fullyQualifiedName: 'shop.sales.web.orders.dataContract_orders',
  });
});

test('a NUL is more than the database can keep, and a lone surrogate becomes a question mark', async () => {
  const served = await serve();
  expect((await create(served, { description: 'a\0b' })).status).toBe(500);
  expect((await create(served, { description: 'a\ud800b' })).body.description).toBe('a?b');
});

describe('custom properties', () => {
  test('are defined on the type of contracts, and then of their type', async () => {
    const served = await serve();
    const type = async (name: string): Promise<string> =>
      (await served.ask('GET', `/metadata/types/name/${name}`)).body.id;
    const definition = {
      name: 'tier',
      description: 'How much it matters.',
      propertyType: { id: await type('integer'), type: 'type' },
    };
    const path = `/metadata/types/${await type('dataContract')}`;
    const { body } = await served.ask('PUT', path, { body: definition });
    expect(body.customProperties).toMatchObject([{ name: 'tier' }]);

    const contract = await makeContract(served);
    const give = (value: JsonObject) => contract.patch([{ op: 'add', path: '/extension', value }]);
    expect((await give({ tier: 'one' })).status).toBe(400);
    const added = await give({ tier: 1 });
    expect(added.body.changeDescription.fieldsAdded).toEqual([
      { name: 'extension', newValue: '[{"tier":1}]' },
    ]);
    const changed = await give({ tier: 2 });
    expect(changed.body.changeDescription.fieldsUpdated).toMatchObject([
      { name: 'extension.tier' },
    ]);
    expect(await contract.read()).toMatchObject({ extension: { tier: 2 } });
    expect((await served.ask('GET', contract.path)).body).not.toHaveProperty('extension');
  });
});
