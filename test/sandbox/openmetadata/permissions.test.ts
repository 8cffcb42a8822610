import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../src/core/json.ts';
import { idOf, makeContract, request, serve } from './served.ts';

const set = (field: string, value: JsonValue = 'x'): JsonValue => [
  { op: 'add', path: `/${field}`, value },
];

const editDescription = set('description');
const editStatus = set('entityStatus', 'Approved');

describe('a user without a role', () => {
  test.each<[string, JsonValue, string]>([
    ['name', set('displayName'), 'EditDisplayName'],
    ['status', editStatus, 'EditAll'],
    ['reviewers', set('reviewers', []), 'EditReviewers'],
    ['custom properties', set('extension', {}), 'EditCustomFields'],
    ['nothing at all', [{ op: 'test', path: '/updatedAt', value: 1 }], 'EditAll'],
    ['much at once', [...(set('displayName') as []), ...(editStatus as [])], 'EditAll'],
  ])('cannot patch the %s', async (_, operations, missing) => {
    const contract = await makeContract(await serve());
    expect(await contract.patch(operations, 'zoe')).toMatchObject({
      status: 403,
      body: {
        message: `Principal: CatalogPrincipal{name='zoe'} operations [${missing}] not allowed`,
      },
    });
  });

  test('may patch the description, and owners while there are none', async () => {
    const served = await serve();
    const contract = await makeContract(served);
    const owners = set('owners', [{ type: 'user', id: await idOf(served, 'users', 'ada') }]);
    expect((await contract.patch(editDescription, 'zoe')).status).toBe(200);
    expect((await contract.patch([], 'zoe')).status).toBe(200);
    expect((await contract.patch(owners, 'zoe')).status).toBe(200);
    expect((await contract.patch(owners, 'zoe')).body.message).toContain('[EditOwners]');
  });

  test.each([
    ['POST', '', 'Create'],
    ['PUT', '', 'Create'],
  ])('cannot create by %s', async (method, path, missing) => {
    const served = await serve();
    const body = await request(served);
    const answer = await served.ask(method, `/dataContracts${path}`, { body }, 'zoe');
    expect(answer).toMatchObject({ status: 403 });
    expect(answer.body.message).toContain(`[${missing}]`);
  });

  test('cannot delete, validate, replace or restore', async () => {
    const served = await serve();
    const { path, id } = await makeContract(served);
    const asked = [
      served.ask('DELETE', path, {}, 'zoe'),
      served.ask('POST', `${path}/validate`, {}, 'zoe'),
      served.ask('PUT', '/dataContracts', { body: await request(served) }, 'zoe'),
      served.ask('PUT', '/dataContracts/restore', { body: { id } }, 'zoe'),
    ];
    const messages = (await Promise.all(asked)).map(({ body }) => body.message);
    expect(messages.map((message) => /\[(\w+)\]/u.exec(message)?.[1])).toEqual([
      'Delete',
      'EditAll',
      'EditAll',
      'EditAll',
    ]);
  });

  test('is refused before the contract is looked for', async () => {
    const served = await serve();
    const path = '/dataContracts/00000000-0000-4000-8000-000000000000';
    expect((await served.ask('PATCH', path, { body: editStatus }, 'zoe')).status).toBe(403);
    expect((await served.ask('PATCH', path, { body: editDescription }, 'zoe')).status).toBe(404);
  });
});

test('an owner may do everything, also as one of a team', async () => {
  const served = await serve();
  const owners = [{ type: 'team', id: await idOf(served, 'teams', 'crew') }];
  const contract = await makeContract(served, { owners });
  expect((await contract.patch(editStatus, 'ada')).status).toBe(200);
  expect((await contract.patch(editStatus, 'mira')).status).toBe(403);
  expect((await served.ask('DELETE', contract.path, {}, 'ada')).status).toBe(200);
});

const reviewers = (type: string, id: string): JsonValue => set('reviewers', [{ type, id }]);

test('a reviewer may edit, by name and not by team, and not delete', async () => {
  const served = await serve();
  const contract = await makeContract(served);
  await contract.patch(reviewers('user', await idOf(served, 'users', 'mira')));
  expect((await contract.patch(editStatus, 'mira')).status).toBe(200);
  expect((await served.ask('DELETE', contract.path, {}, 'mira')).status).toBe(403);
  await contract.patch(reviewers('team', await idOf(served, 'teams', 'crew')));
  expect((await contract.patch(editStatus, 'ada')).status).toBe(403);
});

test('a member of the reviewing team may approve, if the rest allows it', async () => {
  const seed = {
    users: [{ name: 'ada' }],
    teams: [{ name: 'crew', users: ['admin'] }],
    tables: [{ fullyQualifiedName: 'shop.sales.web.orders' }],
  };
  const served = await serve({ seed });
  const crew = { type: 'team', id: await idOf(served, 'teams', 'crew') };
  const inReview = { reviewers: [crew], entityStatus: 'In Review' };
  const contract = await makeContract(served, inReview);
  expect((await contract.patch(editStatus)).status).toBe(200);
});

test('a role gives its permissions, and what a policy denies nobody gives back', async () => {
  const users = [
    { name: 'stella', roles: ['DataSteward'] },
    { name: 'bert', isBot: true, roles: ['IngestionBotRole'] },
  ];
  const tables = [{ fullyQualifiedName: 'shop.sales.web.orders' }];
  const contract = await makeContract(await serve({ seed: { users, tables } }));
  expect((await contract.patch(set('displayName'), 'stella')).status).toBe(200);
  expect((await contract.patch(editStatus, 'stella')).status).toBe(403);
  expect((await contract.patch(editStatus, 'bert')).status).toBe(200);
  expect((await contract.patch(set('displayName'), 'bert')).body.message).toContain(
    'operation EditDisplayName denied by role IngestionBotRole',
  );
});
