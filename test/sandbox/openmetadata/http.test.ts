import { request as sendRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { create, makeContract, serve } from './served.ts';

describe('before any operation', () => {
  test.each([
    ['GET', '/nowhere', 404],
    ['POST', '/dataContracts/00000000-0000-4000-8000-000000000000', 405],
    ['DELETE', '/dataContracts', 405],
  ])('%s %s is answered with %d, token or not', async (method, path, status) => {
    const served = await serve();
    const answer = await served.ask(method, path, { headers: { authorization: null } });
    expect(answer.status).toBe(status);
  });

  test('an id that is none is looked at after the token', async () => {
    const served = await serve();
    expect((await served.ask('GET', '/dataContracts/x')).status).toBe(404);
    const headers = { authorization: null };
    expect((await served.ask('GET', '/dataContracts/x', { headers })).status).toBe(401);
  });

  test('the media types of a request are checked', async () => {
    const served = await serve();
    const contract = await makeContract(served);
    const accept = await served.ask('GET', contract.path, { headers: { accept: 'text/html' } });
    expect(accept.status).toBe(406);
    const patch = (type: string) => contract.patch([], 'admin', { 'content-type': type });
    expect((await patch('application/json')).status).toBe(415);
    expect((await served.ask('PATCH', contract.path)).status).toBe(415);
    expect((await patch('Application/JSON-Patch+JSON; charset=utf-8')).status).toBe(200);
  });

  test('OPTIONS tells the methods, HEAD the headers', async () => {
    const served = await serve();
    const { path } = await makeContract(served);
    const options = await served.ask('OPTIONS', path);
    expect(options.headers.allow?.split(',').toSorted()).toEqual([
      'DELETE',
      'GET',
      'OPTIONS',
      'PATCH',
    ]);
    const head = await served.ask('HEAD', path);
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers.etag).toMatch(/^"[\da-f]{16}"$/u);
  });
});

test('a body beyond the limit is refused', async () => {
  const served = await serve();
  const { status } = await create(served, { description: 'x'.repeat(10 * 1024 * 1024) });
  expect(status).toBe(413);
  expect((await create(served, { description: 'x'.repeat(200_000) })).status).toBe(201);
});

test('a request that breaks off does no harm', async () => {
  const served = await serve();
  await new Promise((resolve) => {
    const headers = { 'content-length': 100 };
    const request = sendRequest(`${served.url}/v1/dataContracts`, { method: 'POST', headers });
    request.on('error', resolve);
    request.write('{', () => request.destroy(new Error('gone')));
  });
  expect((await served.ask('GET', '/dataContracts')).status).toBe(200);
});

test('a body that unzips to more than the limit is refused', async () => {
  const served = await serve();
  const bodyBase64 = gzipSync(Buffer.alloc(11 * 1024 * 1024, ' ')).toString('base64');
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
  const { status } = await served.ask('POST', '/dataContracts', { bodyBase64, headers });
  expect(status).toBeGreaterThanOrEqual(400);
});

test('a version is written with its decimal', async () => {
  const seed = {
    contracts: [{ name: 'orders', entity: { fullyQualifiedName: 'a.b.c.orders' }, version: 1 }],
  };
  const served = await serve({ seed });
  expect((await served.ask('GET', '/dataContracts')).text).toContain('"version":1.0,');
  const { body } = await served.ask('GET', '/dataContracts');
  const guard = (value: string) =>
    served.ask('PATCH', `/dataContracts/${body.data[0].id}`, {
      bodyText: `[{"op":"test","path":"/version","value":${value}}]`,
      headers: { 'content-type': 'application/json-patch+json' },
    });
  expect((await guard('1')).status).toBe(500);
  expect((await guard('1.0')).status).toBe(200);
});

test('a token that has expired, or is of nobody known, is refused', async () => {
  const served = await serve();
  const ask = async (authorization: string) =>
    (await served.ask('GET', '/users/loggedInUser', { headers: { authorization } })).body;
  expect(await ask(`Bearer ${await served.tokenOf('ada', 0)}`)).toMatchObject({
    message: 'Expired token!',
  });
  expect(await ask(`Bearer ${await served.tokenOf('ada', 60)}`)).toMatchObject({ name: 'ada' });
  expect(await ask(`Bearer ${await served.tokenOf('nobody')}`)).toMatchObject({ code: 401 });
  expect(await ask('Bearer x')).toMatchObject({ message: 'Not Authorized! Invalid token.' });
  expect(await ask('bearer x')).toMatchObject({ message: 'Not Authorized! Token not present' });
});

describe('a list', () => {
  const contracts = ['Draft', 'Approved', 'Draft'].map((entityStatus, index) => ({
    name: `c${index}`,
    entityStatus,
    deleted: index === 2,
    entity: { fullyQualifiedName: `a.b.c.t${index}` },
  }));

  test.each([
    ['', ['c0', 'c1']],
    ['?status=Draft', ['c0']],
    ['?status=Draft,%20Approved', ['c0', 'c1']],
    ['?status=Active,Draft', ['c0']],
    ['?status=Active', ['c0', 'c1']],
    ['?status=', ['c0', 'c1']],
    ['?status=Draft&status=Approved', ['c0']],
    ['?include=all', ['c0', 'c1', 'c2']],
    ['?include=deleted', ['c2']],
    ['?entityStatus=Draft', ['c0', 'c1']],
    ['?after=&before=', ['c0', 'c1']],
    ['?fields=*', ['c0', 'c1']],
    ['?fields=owners,%20schema', ['c0', 'c1']],
  ])('with %s shows %j', async (query, names) => {
    const served = await serve({ seed: { contracts } });
    const { body } = await served.ask('GET', `/dataContracts${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
    expect(body.paging.total).toBe(names.length);
  });

  test.each([
    ['?include=some', 400],
    ['?fields=tags', 400],
    ['?after=YQ&before=YQ', 400],
    ['?after=garbage', 500],
  ])('with %s is answered with %d', async (query, status) => {
    const served = await serve({ seed: { contracts } });
    expect((await served.ask('GET', `/dataContracts${query}`)).status).toBe(status);
  });

  test('of namesakes is ordered by id, and misses none', async () => {
    const namesakes = [1, 2, 3, 4, 5].map((n) => ({
      name: 'same',
      entity: { fullyQualifiedName: `a.b.c.t${n}` },
    }));
    const served = await serve({ seed: { contracts: namesakes } });
    const seen: string[] = [];
    for (let after: string | undefined = ''; after !== undefined;) {
      const query = `?limit=2&after=${encodeURIComponent(after)}`;
      const { body } = await served.ask('GET', `/dataContracts${query}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      after = body.paging.after;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual([...new Set(seen)].toSorted());
  });
});
