import { describe, expect, test } from 'vitest';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import {
  collect,
  connectTo,
  failureOf,
  idOf,
  sendJson,
  serve,
  type TestServer,
} from '../support/server.ts';
import { deadUrl } from '../support/workspace.ts';

async function redirecting(location: string, status = 307): Promise<TestServer> {
  return serve((_, response) => response.writeHead(status, { location }).end());
}

describe('a redirect', () => {
  test.each([301, 302, 303, 307, 308])('%i within the origin keeps the token', async (status) => {
    const server = await serve(({ path }, response) => {
      if (path.startsWith('/api/v1'))
        response.writeHead(status, { location: '../v2/list?x=1' }).end();
      else sendJson(response, { data: [] });
    });
    await collect(createReader(connectTo(server.url)).list());
    expect(server.received.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/api/v1/dataContracts?limit=100', 'Bearer header.payload.signature'],
      ['/api/v2/list?x=1', 'Bearer header.payload.signature'],
    ]);
  });

  test('to a host that is down fails with the name of that host', async () => {
    const dead = await deadUrl();
    const server = await redirecting(dead);
    const failure = await failureOf(collect(createReader(connectTo(server.url)).list()));
    expect(failure).toMatchObject({ code: 'unreachable' });
    expect(String(failure)).toContain(`Can't connect to ${new URL(dead).host}: `);
  });

  test('to another origin leaves the token behind', async () => {
    const other = await serve((_, response) => sendJson(response, { data: [] }));
    const server = await redirecting(other.url.href);
    await collect(createReader(connectTo(server.url)).list());
    expect(other.received).toHaveLength(1);
    expect(other.received[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['{}', 401],
    ['{}', 404],
    ['<html>Log in</html>', 200],
  ])(
    'to another origin that answers %s with %i is not blamed on the token',
    async (text, status) => {
      const other = await serve((_, response) => response.writeHead(status).end(text));
      const server = await redirecting(other.url.href);
      const failure = await failureOf(collect(createReader(connectTo(server.url)).list()));
      expect(failure).toMatchObject({ code: 'redirected', attempts: 1 });
      expect(String(failure)).toContain(
        `to ${other.url.origin}, which doesn't get the access token`,
      );
      expect(other.received).toHaveLength(1);
    },
  );

  test('that leads away and back does not bring the token back', async () => {
    const away = await serve((_, response) => {
      response.writeHead(307, { location: `${server.url.href}/back` }).end();
    });
    const server = await serve(({ path }, response) => {
      if (path.endsWith('/back')) sendJson(response, { data: [] });
      else response.writeHead(307, { location: away.url.href }).end();
    });
    await collect(createReader(connectTo(server.url)).list());
    expect(server.received[1]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['http://catalog.example.com/', 'unencrypted'],
    ['ftp://127.0.0.1/', 'ftp:'],
    ['http://', 'without a location'],
  ])('to %s is not followed', async (location, complaint) => {
    const server = await redirecting(location);
    const failure = await failureOf(collect(createReader(connectTo(server.url)).list()));
    expect(failure).toMatchObject({ code: 'redirected', attempts: 1 });
    expect(String(failure)).toContain(complaint);
  });

  test('without an end is given up', async () => {
    const server = await redirecting('/api/v1/dataContracts');
    const failure = await failureOf(collect(createReader(connectTo(server.url)).list()));
    expect(failure).toMatchObject({ code: 'redirected' });
    expect(server.received).toHaveLength(6);
  });

  test.each([301, 302, 307, 308])(
    '%i of a patch is not followed: it is sent once',
    async (status) => {
      const server = await redirecting('/moved', status);
      const failure = await failureOf(createWriter(connectTo(server.url)).patch(idOf(1), []));
      expect(failure).toMatchObject({ code: 'redirected', status, outcome: 'none' });
      expect(String(failure)).toContain('a change to http://127.0.0.1');
      expect(server.received).toHaveLength(1);
    },
  );

  test('303 of a patch is not followed: the change may have been made', async () => {
    const server = await redirecting('/result', 303);
    const failure = await failureOf(createWriter(connectTo(server.url)).patch(idOf(1), []));
    expect(failure).toMatchObject({ code: 'redirected', outcome: 'unknown' });
    expect(server.received).toHaveLength(1);
  });
});
