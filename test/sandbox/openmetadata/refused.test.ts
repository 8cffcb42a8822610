import { describe, expect, test } from 'vitest';
import type { JsonArray, JsonObject } from '../../../src/core/json.ts';
import { create, idOf, makeContract, serve } from './served.ts';

const seed = {
  users: [{ name: 'ada' }, { name: 'mira' }, { name: 'zoe' }],
  teams: [{ name: 'crew', users: ['ada'] }],
  tables: [{ fullyQualifiedName: 'shop.sales.web.orders', columns: [] }],
  properties: [{ name: 'costCenter', description: '', type: 'integer' }],
};

const user = (id = '') => ({ type: 'user', id });

/** A contract in review that ada owns and mira reviews, and a patch that gives it to zoe. */
async function openOwned() {
  const served = await serve({ seed });
  const [ada, mira, zoe] = await Promise.all(
    ['ada', 'mira', 'zoe'].map((name) => idOf(served, 'users', name)),
  );
  const crew = { type: 'team', id: await idOf(served, 'teams', 'crew') };
  const contract = await makeContract(served, {
    entityStatus: 'In Review',
    owners: [user(ada)],
    reviewers: [user(mira)],
  });
  return { contract, crew, zoe: user(zoe) };
}

type Owned = Awaited<ReturnType<typeof openOwned>>;

type Row = {
  readonly beside: string;
  readonly patch: (owned: Owned) => JsonArray;
  readonly withoutOwners?: true;
  readonly answer: readonly [status: number, message: string];
  readonly left?: JsonObject;
};

const set = (path: string, value: JsonObject | JsonArray | string) => ({ op: 'add', path, value });
const toZoe = { owners: ['zoe'], reviewers: ['mira'], rows: [0.1] };
const nothing = { owners: ['ada'], reviewers: ['mira'], rows: [0.1] };

const wrongType = [
  400,
  'Custom field costCenter has invalid JSON [: string found, integer expected]',
] as const;

const rows: readonly Row[] = [
  {
    beside: 'an extension with a value of a wrong type',
    patch: () => [set('/extension', { costCenter: 'x' })],
    answer: wrongType,
    left: toZoe,
  },
  {
    beside: 'an extension with an unknown property',
    patch: () => [set('/extension', { nosuch: 'x' })],
    answer: [400, 'Unknown custom field nosuch'],
    left: toZoe,
  },
  {
    beside: 'a user beside a team as reviewers',
    patch: ({ zoe, crew }) => [set('/reviewers', [zoe, crew])],
    answer: [
      400,
      'Invalid Reviewer Type. Only one team or multiple users can be assigned as reviewer.',
    ],
    left: toZoe,
  },
  {
    beside: 'reviewers and a NUL in a text',
    patch: ({ zoe }) => [set('/reviewers', [zoe]), set('/description', 'a\0b')],
    answer: [500, expect.stringContaining('PSQLException')],
    left: { owners: ['zoe'], reviewers: ['zoe'], rows: [0.1, 0.1] },
  },
  {
    beside: 'reviewers and a wrong extension, without owners',
    patch: ({ zoe }) => [set('/reviewers', [zoe]), set('/extension', { costCenter: 'x' })],
    withoutOwners: true,
    answer: wrongType,
  },
  {
    beside: 'an unknown test case',
    patch: ({ zoe }) => [set('/qualityExpectations', [{ id: zoe.id, type: 'testCase' }])],
    answer: [404, expect.stringMatching(/^testCase instance for .* not found$/u)],
  },
  {
    beside: 'an unknown column',
    patch: () => [set('/schema', [{ name: 'b', dataType: 'INT' }])],
    answer: [400, expect.stringContaining('do not exist in the table: b')],
  },
  {
    beside: 'a status that only a reviewer may set',
    patch: () => [set('/entityStatus', 'Approved')],
    answer: [403, "User 'admin' is not a reviewer"],
  },
];

const namesOf = (people: readonly { readonly name: string }[]) => people.map(({ name }) => name);

describe('a refused patch of owners leaves the owners that were written before the refusal', () => {
  test.each(rows)('$beside', async ({ patch, withoutOwners, answer, left = nothing }) => {
    const owned = await openOwned();
    const { contract, zoe } = owned;
    const before = await contract.read();
    const owners = withoutOwners ? [] : [set('/owners', [zoe])];
    const operations = [...patch(owned), ...owners];
    const { status, body } = await contract.patch(operations);
    expect([status, body.message]).toEqual(answer);
    const after = await contract.read();
    const versions = await contract.versions();
    expect({
      owners: namesOf(after.owners),
      reviewers: namesOf(after.reviewers),
      rows: versions.map(({ version }) => version),
    }).toEqual(left);
    // No version, no time and no account of a change tells of it.
    const { owners: _o, reviewers: _r, ...rest } = before;
    expect(after).toMatchObject(rest);
  });

  test('also where it names the tag of what it changes', async () => {
    const { contract, zoe } = await openOwned();
    const refused = [set('/owners', [zoe]), set('/extension', { nosuch: 'x' })];
    await contract.patch(refused, 'admin', { 'if-match': '*' });
    expect(namesOf((await contract.read()).owners)).toEqual(['zoe']);
  });
});

test('after the next edit the earlier version shows the owners that a refusal left', async () => {
  const { contract, zoe } = await openOwned();
  await contract.patch([set('/owners', [zoe]), set('/extension', { nosuch: 'x' })]);
  await contract.patch([set('/description', 'New.')], 'mira');
  const versions = await contract.versions();
  expect(versions.map(({ version, owners }) => [version, namesOf(owners)])).toEqual([
    [0.2, ['zoe']],
    [0.1, ['zoe']],
  ]);
  const [latest] = versions;
  expect(JSON.stringify(latest.changeDescription)).not.toContain('owners');
});

test('a refused creation leaves nothing behind', async () => {
  const served = await serve({ seed });
  const ada = { type: 'user', id: await idOf(served, 'users', 'ada') };
  const content = { owners: [ada], extension: { nosuch: 'x' } };
  expect((await create(served, content)).status).toBe(400);
  expect((await served.ask('GET', '/dataContracts?include=all')).body.data).toEqual([]);
});
