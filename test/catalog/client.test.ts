import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogConnection, ListQuery, Page } from '../../src/catalog/catalog.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import type { Effects } from '../../src/core/effects.ts';
import {
  collect,
  connectTo,
  contractDocument,
  idOf,
  sendJson,
  serve,
  stillEffects,
  type TestServer,
} from '../support/server.ts';

const table = { id: '11111111-1111-4111-8111-111111111111', type: 'table', name: 'orders' };

async function listAll(connection: CatalogConnection, query?: ListQuery): Promise<Page[]> {
  return collect(createReader(connection).list(query));
}

describe('requests', () => {
  test('carry the token, the media types and the program version, and no body when reading', async () => {
    const server = await serve(({ method }, response) => {
      sendJson(response, method === 'GET' ? { data: [] } : contractDocument(1));
    });
    await listAll(connectTo(server.url));
    await createWriter(connectTo(server.url)).patch(idOf(1), []);
    const [read, write] = server.received;
    expect(read?.headers).toMatchObject({
      authorization: 'Bearer header.payload.signature',
      accept: 'application/json',
      'user-agent': 'contract-sync/1.2.3',
    });
    expect(read?.body).toBe('');
    expect(write).toMatchObject({ method: 'PATCH', body: '[]' });
    expect(write?.headers['content-type']).toBe('application/json-patch+json');
  });

  test('of a reader are all GET', async () => {
    const server = await serve((_, response) => sendJson(response, { data: [], versions: [] }));
    const reader = createReader(connectTo(server.url));
    await collect(reader.list());
    await reader.versions('a');
    await reader.fetchContract({ by: 'id', id: idOf(0) }, { fields: [] }).catch(() => undefined);
    await reader.fetchEntity({ type: 'user', name: 'ada' });
    await reader.fetchCaller();
    const orders = { type: 'table', id: '1' };
    await reader.fetchOwners(orders);
    await reader.fetchLineage(orders);
    const names =
      'fetchCaller fetchContract fetchEntity fetchLineage fetchOwners list versions'.split(' ');
    expect(Object.keys(reader).toSorted()).toEqual(names);
    expect(server.received.map(({ method }) => method)).toEqual(names.map(() => 'GET'));
  });

  test('lineage is requested three steps down and no step up', async () => {
    const server = await serve((_, response) => sendJson(response, {}));
    await createReader(connectTo(server.url)).fetchLineage({ id: 'a b', type: 'table' });
    expect(server.received.map(({ path }) => path)).toEqual([
      '/api/v1/lineage/table/a%20b?upstreamDepth=0&downstreamDepth=3',
    ]);
  });

  test('what a plan does without has 5 seconds, and one try', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asset = { id: '1', type: 'table' };
    for (const method of ['fetchLineage', 'fetchOwners'] as const) {
      const hanging = vi.fn<Effects['fetch']>(
        async (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      );
      const effects = { ...stillEffects().effects, fetch: hanging };
      const connection = connectTo(new URL('http://127.0.0.1/api'), { timeoutMs: 60_000, effects });
      const failed = vi.fn<(error: { message: string }) => void>();
      void createReader(connection)[method](asset).catch(failed);
      await vi.advanceTimersByTimeAsync(4999);
      expect(failed).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      const message = expect.stringContaining('did not answer within 5 seconds');
      expect(failed.mock.calls).toMatchObject([[{ message, transient: true }]]);
      expect(hanging).toHaveBeenCalledOnce();
    }
  });

  test('keep the path of the base URL, whether it ends in a slash or not', async () => {
    const server = await serve((_, response) => sendJson(response, { data: [] }));
    for (const base of ['', '/', '/api', '/api/', '/a/b//']) {
      await listAll(connectTo(new URL(base, server.url.origin)));
    }
    expect(server.received.map(({ path }) => path.split('?')[0])).toEqual([
      '/v1/dataContracts',
      '/v1/dataContracts',
      '/api/v1/dataContracts',
      '/api/v1/dataContracts',
      '/a/b/v1/dataContracts',
    ]);
  });

  test('name every parameter as the interface does, and send cursors as they came', async () => {
    const cursor = 'eyJ+/=& ü';
    const server = await serve(({ query }, response) => {
      sendJson(response, {
        data: [contractDocument(query.has('after') ? 2 : 1)],
        paging: query.has('after') ? {} : { after: cursor },
      });
    });
    await listAll(connectTo(server.url, { pageSize: 7 }), {
      fields: ['owners', 'extension'],
      include: 'all',
      entity: table.id,
    });
    const expected = { fields: 'owners,extension', limit: '7', include: 'all' };
    expect(server.received.map(({ query }) => Object.fromEntries(query))).toEqual([
      { ...expected, entity: table.id },
      { ...expected, entity: table.id, after: cursor },
    ]);
  });

  test('an id cannot lead to another path', async () => {
    const server = await serve((_, response) => sendJson(response, { versions: [] }));
    const reader = createReader(connectTo(server.url));
    await reader.versions('a/../b?c#d');
    expect(server.received[0]?.path).toBe('/api/v1/dataContracts/a%2F..%2Fb%3Fc%23d/versions');
    for (const id of ['', '.', '..']) {
      await expect(reader.versions(id)).rejects.toMatchObject({ code: 'no-such-contract' });
    }
  });
});

describe('the media type of a patch', () => {
  const id = idOf(1);

  test('is application/json from the next patch on, once the other is refused', async () => {
    const server = await refusing(['application/json-patch+json']);
    const writer = createWriter(connectTo(server.url));
    // Whoever sends again looks first: a patch that is refused so may have landed.
    await expect(writer.patch(id, [])).rejects.toMatchObject({ code: 'unsupported-media-type' });
    await writer.patch(id, []);
    await writer.patch(id, []);
    expect(server.received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json-patch+json',
      'application/json',
      'application/json',
    ]);
  });

  test('a server that takes neither is an error', async () => {
    const server = await refusing(['application/json-patch+json', 'application/json']);
    const writer = createWriter(connectTo(server.url));
    const failure = { code: 'unsupported-media-type', outcome: 'none' };
    for (const sent of [1, 2, 3]) {
      await expect(writer.patch(id, [])).rejects.toMatchObject(failure);
      expect(server.received).toHaveLength(sent);
    }
  });
});

describe('the base URL', () => {
  test.each([
    ['http://catalog.example.com/api', 'unencrypted to catalog.example.com'],
    ['https://user:secret@catalog.example.com', 'user name or password'],
    ['https://catalog.example.com/api?key=1', 'query'],
    ['ftp://catalog.example.com', 'https://'],
  ])('%s is refused', (url, complaint) => {
    const connect = (): unknown => createReader(connectTo(new URL(url)));
    expect(connect).toThrow(complaint);
    expect(connect).not.toThrow('secret');
  });

  test.each(['http://localhost:1', 'http://127.0.0.2', 'http://[::1]:8585', 'https://a.example'])(
    '%s is accepted',
    (url) => {
      expect(() => createReader(connectTo(new URL(url)))).not.toThrow();
    },
  );

  test('plain http to another host is accepted where it is allowed', () => {
    const connection = connectTo(new URL('http://catalog.internal'), { allowHttp: true });
    expect(() => createWriter(connection)).not.toThrow();
  });
});

/** A server that does not take some media types. */
async function refusing(refused: readonly string[]): Promise<TestServer> {
  return serve(({ headers }, response) => {
    const isRefused = refused.includes(headers['content-type'] ?? '');
    sendJson(response, isRefused ? {} : contractDocument(1), isRefused ? 415 : 200);
  });
}
