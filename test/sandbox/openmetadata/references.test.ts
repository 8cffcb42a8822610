import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import { create, idOf, makeContract, serve, type Served } from './served.ts';

const unknown = '00000000-0000-4000-8000-000000000000';

async function ids(served: Served) {
  return {
    ada: await idOf(served, 'users', 'ada'),
    mira: await idOf(served, 'users', 'mira'),
    crew: await idOf(served, 'teams', 'crew'),
    table: await idOf(served, 'tables', 'shop.sales.web.orders'),
  };
}

type Ids = Awaited<ReturnType<typeof ids>>;

/** A patch that gives a contract these owners, or reviewers. */
function giving(field: 'owners' | 'reviewers', value: JsonValue): JsonValue {
  return [{ op: 'add', path: `/${field}`, value }];
}

describe('a reference in a patch', () => {
  test.each<[string, (known: Ids) => JsonObject, readonly string[]]>([
    ['by id and type is found', ({ ada }) => ({ type: 'user', id: ada }), ['ada']],
    ['by qualified name is found', () => ({ type: 'user', fullyQualifiedName: 'ada' }), ['ada']],
    [
      'is what its id says, not its name',
      ({ ada }) => ({ type: 'user', id: ada, name: 'mira' }),
      ['ada'],
    ],
    ['by name is dropped', () => ({ type: 'user', name: 'ada' }), []],
    ['by nothing is dropped', () => ({}), []],
    ['by an unknown id is dropped', () => ({ type: 'user', id: unknown }), []],
    ['by an unknown name is dropped', () => ({ type: 'user', fullyQualifiedName: 'nobody' }), []],
    ['by an id of another type is dropped', ({ crew }) => ({ type: 'user', id: crew }), []],
    ['of an unknown type is dropped', ({ ada }) => ({ type: 'robot', id: ada }), []],
  ])('%s', async (_, reference, names) => {
    const served = await serve();
    const contract = await makeContract(served);
    for (const field of ['owners', 'reviewers'] as const) {
      const { status } = await contract.patch(giving(field, [reference(await ids(served))]));
      expect(status).toBe(200);
      const { [field]: found } = await contract.read();
      expect(found.map(({ name }: { name: string }) => name)).toEqual(names);
    }
  });

  test.each<[string, (known: Ids) => JsonObject]>([
    ['without a type', ({ ada }) => ({ id: ada })],
    ['with an id that is none', () => ({ type: 'user', id: '7' })],
    ['with an unknown member', ({ ada }) => ({ type: 'user', id: ada, colour: 'blue' })],
  ])('%s fails', async (_, reference) => {
    const served = await serve();
    const contract = await makeContract(served);
    const { status } = await contract.patch(giving('owners', [reference(await ids(served))]));
    expect(status).toBe(500);
  });

  test('of a table cannot be an owner or a reviewer', async () => {
    const served = await serve();
    const contract = await makeContract(served);
    const { table } = await ids(served);
    const owners = await contract.patch(giving('owners', [{ type: 'table', id: table }]));
    expect(owners.status).toBe(400);
    expect(owners.body.message).toMatch(/^Entity of type table can't be the owner/u);
    const reviewers = await contract.patch(giving('reviewers', [{ type: 'table', id: table }]));
    expect(reviewers.body.message).toMatch(/^Invalid Reviewer Type/u);
  });
});

test('a team stands alone: beside users it is a broken rule', async () => {
  const served = await serve();
  const contract = await makeContract(served);
  const { ada, crew } = await ids(served);
  const both = [
    { type: 'team', id: crew },
    { type: 'user', id: ada },
  ];
  const owners = await contract.patch(giving('owners', both));
  expect(owners).toMatchObject({ status: 400, body: { errorType: 'RULE_VIOLATION' } });
  const reviewers = await contract.patch(giving('reviewers', both));
  expect(reviewers.status).toBe(400);
  expect(reviewers.body).not.toHaveProperty('errorType');
});

test('answers sort by name, whatever was sent', async () => {
  const served = await serve();
  const { ada, mira } = await ids(served);
  const owners = [mira, ada].map((id) => ({ type: 'user', id }));
  const { body } = await create(served, { owners });
  expect(body.owners.map(({ name }: { name: string }) => name)).toEqual(['ada', 'mira']);
});

test('a create request needs ids, and drops those that are unknown', async () => {
  const served = await serve();
  const byName = await create(served, { owners: [{ type: 'user', fullyQualifiedName: 'ada' }] });
  expect(byName.body).toEqual({ code: 400, message: '[query param id must not be null]' });
  const byId = await create(served, { owners: [{ type: 'user', id: unknown }] });
  expect(byId).toMatchObject({ status: 201, body: { owners: [] } });
});
