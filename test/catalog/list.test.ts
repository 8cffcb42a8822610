import { describe, expect, test } from 'vitest';
import type { ListQuery } from '../../src/catalog/catalog.ts';
import { createReader } from '../../src/catalog/client.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { catalogOf, isAfter, rows } from './lists.ts';
import {
  collect,
  connectTo,
  contractDocument,
  failureOf,
  idOf,
  sendJson,
  serve,
  type Answering,
  type TestServer,
} from '../support/server.ts';

const withoutDocument = (live: LiveContract): LiveContract => ({ ...live, document: {} });

const limits = ({ received }: TestServer): (string | null)[] =>
  received.map(({ query }) => query.get('limit'));

/** One contract per asset, whose number is 100 more; the server may know the filter or not. */
function assets(count: number, knowsFilter: boolean): Answering {
  const all = Array.from({ length: count }, (_, number) =>
    contractDocument(number, { entity: { id: idOf(100 + number) }, entityStatus: 'Draft' }),
  );
  return ({ query }, response) => {
    const entity = knowsFilter ? query.get('entity') : null;
    const data = entity === null ? all : all.filter((_, number) => idOf(100 + number) === entity);
    const from = Number(query.get('after') ?? '0');
    const to = Math.min(data.length, from + 10);
    const paging = { total: data.length, ...(to < data.length && { after: String(to) }) };
    sendJson(response, { data: data.slice(from, to), paging });
  };
}

async function listIds(
  server: TestServer,
  { pageSize = 'auto', ...query }: ListQuery & { pageSize?: number | 'auto' } = {},
): Promise<string[]> {
  const pages = await collect(createReader(connectTo(server.url, { pageSize })).list(query));
  return pages.flatMap(({ contracts }) => contracts.map(({ id }) => id));
}

describe('a list ends', () => {
  test.each<[string, JsonObject]>([
    ['without paging', { data: rows(1, 2) }],
    ['without a cursor', { data: rows(1, 2), paging: { total: 1 } }],
    ['with a null cursor', { data: rows(1, 2), paging: { total: 1, after: null } }],
    ['with an empty cursor', { data: rows(1, 2), paging: { total: 1, after: '' } }],
  ])('%s', async (_, page) => {
    const server = await serve((_request, response) => sendJson(response, page));
    expect(await listIds(server)).toEqual([idOf(1)]);
    expect(server.received).toHaveLength(1);
  });

  test('with empty data, with or without a cursor', async () => {
    const server = await serve((request, response) => {
      const data = isAfter(request, null) ? rows(1, 2) : [];
      sendJson(response, { data, paging: { after: `more ${request.number}` } });
    });
    expect(await listIds(server)).toEqual([idOf(1)]);
  });

  test('at once in an empty catalog', async () => {
    const server = await serve((_, response) =>
      sendJson(response, { data: [], paging: { total: 0 } }),
    );
    expect(await listIds(server)).toEqual([]);
  });
});

describe('a list is refused', () => {
  const refusal = { code: 'incomplete-read', outcome: 'none' };

  test('when a cursor comes twice', async () => {
    const server = await serve(({ number }, response) => {
      sendJson(response, { data: rows(number, number + 1), paging: { after: 'again' } });
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject(refusal);
    // It quotes a request that was sent.
    expect(String(failure)).toContain('dataContracts?limit=100)');
  });

  test('when it holds fewer contracts than its total, after one fresh attempt', async () => {
    const server = await serve((_, response) => {
      sendJson(response, { data: rows(1, 3), paging: { total: 3 } });
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject(refusal);
    expect(String(failure)).toContain('counts 3 and returned 2');
    expect(server.received).toHaveLength(2);
  });

  test('when it gives a contract twice with different content, after one fresh attempt', async () => {
    const server = await serve((request, response) => {
      const isFirst = isAfter(request, null);
      const data = [contractDocument(1, { description: isFirst ? 'one' : 'two' })];
      sendJson(response, {
        data: [...data, ...rows(request.number + 1, request.number + 2)],
        paging: isFirst ? { after: '1' } : {},
      });
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject(refusal);
    expect(String(failure)).toContain(`contract ${idOf(1)} came twice`);
    // Also where the caller keeps nothing of what differs.
    const reduced = await failureOf(listIds(server, { reduce: withoutDocument }));
    expect(String(reduced)).toContain(`contract ${idOf(1)} came twice`);
  });

  test('when its pages do not get on, although their cursors differ', async () => {
    const server = await serve(({ number }, response) => {
      sendJson(response, { data: rows(1, 3), paging: { after: String(number) } });
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject(refusal);
    expect(String(failure)).toContain('3 pages in a row only repeat earlier ones');
    expect(server.received.length).toBeLessThan(9);
  });

  test.each<[string, JsonObject]>([
    ['is text', { total: '3' }],
    ['is negative', { total: -1 }],
    ['is a fraction', { total: 3.5 }],
    ['is a list', { total: [3] }],
    ['is nothing but 0', { total: 0 }],
    ['is below the rows that came', { total: 2 }],
  ])('when its total %s, after one fresh attempt', async (_, paging) => {
    const server = await serve((_request, response) => {
      sendJson(response, { data: rows(1, 4), paging });
    });
    expect(await failureOf(listIds(server))).toMatchObject(refusal);
    expect(server.received).toHaveLength(2);
  });

  test('when its total is beyond all numbers, after one fresh attempt', async () => {
    const server = await serve((_, response) => {
      response.end(`{"data":[],"paging":{"total":1e999}}`);
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject(refusal);
    expect(String(failure)).toContain('its total is not a count');
  });

  test('when a full page has no paging, however large the requested page', async () => {
    const server = await serve(({ query }, response) => {
      sendJson(response, { data: rows(0, Math.min(3000, Number(query.get('limit')))) });
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject(refusal);
    expect(String(failure)).toContain('a full page has no paging');
    expect(limits(server)).toEqual(['100', '1000']);
  });

  test.each<[string, JsonObject]>([
    ['with the same total', { total: 3, after: 'more' }],
    ['with another total', { total: 0, after: 'more' }],
    ['without a total', { after: 'more' }],
  ])('when an empty page has a cursor while rows are missing, %s', async (_, paging) => {
    const server = await serve((request, response) => {
      const isFirst = isAfter(request, null);
      const page = { data: rows(1, 3), paging: { total: 3, after: '2' } };
      sendJson(response, isFirst ? page : { data: [], paging });
    });
    expect(await failureOf(listIds(server))).toMatchObject(refusal);
    expect(server.received).toHaveLength(4);
  });

  test('when it goes on far beyond its total', async () => {
    const server = await serve(({ query, number }, response) => {
      const from = Number(query.get('after') ?? '0');
      const to = from + Number(query.get('limit'));
      sendJson(response, { data: rows(from, to), paging: { total: 700, after: String(to) } });
      if (number > 9) response.socket?.destroy();
    });
    const failure = await failureOf(listIds(server));
    expect(failure).toMatchObject({ code: 'incomplete-read', outcome: 'none' });
    expect(String(failure)).toContain('counts 700 and has returned 2100');
  });

  test.each<[string, JsonObject]>([
    ['it has no data', { items: [] }],
    ['its data is no list', { data: {} }],
    ['a contract has no id', { data: [{ name: 'orders' }] }],
    ['a contract is no object', { data: ['orders'] }],
    ['its cursor is no text', { data: rows(1, 2), paging: { after: 7 } }],
  ])("when an answer isn't a page: %s", async (_, page) => {
    const server = await serve((_request, response) => sendJson(response, page));
    expect(await failureOf(listIds(server))).toMatchObject({ code: 'unexpected-answer' });
    expect(server.received).toHaveLength(1);
  });
});

describe('rows that come and go while they are listed', () => {
  test('a list whose pages repeat others and then get on is read whole', async () => {
    const server = await serve((request, response) => {
      const at = Number(request.query.get('after') ?? '0');
      const paging = at < 4 ? { after: String(at + 1) } : {};
      sendJson(response, { data: at < 3 ? rows(1, 3) : rows(at, at + 1), paging });
    });
    expect(await listIds(server)).toEqual([1, 2, 3, 4].map(idOf));
  });

  test('a row created behind the cursor is found by listing afresh, and no row comes twice', async () => {
    const server = await serve((request, response) => {
      const isSecond = !isAfter(request, null);
      const missed = request.number > 2 && !isSecond ? [contractDocument(0)] : [];
      const data = [...missed, contractDocument(isSecond ? 2 : 1)];
      sendJson(response, {
        data,
        paging: { total: request.number === 1 ? 2 : 3, ...(!isSecond && { after: '1' }) },
      });
    });
    expect(await listIds(server)).toEqual([1, 2, 0].map(idOf));
    expect(server.received).toHaveLength(4);
  });

  test('a row that vanishes ahead of the cursor is not an error', async () => {
    const server = await serve((request, response) => {
      const isFirst = isAfter(request, null);
      const total = request.number === 1 ? 3 : 2;
      sendJson(response, {
        data: rows(isFirst ? 1 : 2, isFirst ? 2 : 3),
        paging: { total, ...(isFirst && { after: '1' }) },
      });
    });
    expect(await listIds(server)).toEqual([1, 2].map(idOf));
  });

  test('a row that slips past the cursor as another vanishes is found by listing afresh', async () => {
    const server = await serve((request, response) => {
      const isFirst = isAfter(request, null);
      const data = isFirst ? rows(request.number === 1 ? 1 : 2, 3) : rows(4, 5);
      const late = request.number > 2 && !isFirst ? rows(3, 4) : [];
      const paging = { total: request.number === 1 ? 4 : 3, ...(isFirst && { after: '2' }) };
      sendJson(response, { data: [...late, ...data], paging });
    });
    expect(await listIds(server)).toEqual([1, 2, 4, 3].map(idOf));
  });

  test('a row that slides onto the next page comes once', async () => {
    const server = await serve((request, response) => {
      const isFirst = isAfter(request, null);
      const data = isFirst ? rows(1, 3) : rows(request.number === 2 ? 2 : 3, 4);
      sendJson(response, { data, paging: { total: 3, ...(isFirst && { after: '2' }) } });
    });
    expect(await listIds(server)).toEqual([1, 2, 3].map(idOf));
  });

  test('rows that vanish after they have come are not an error, though the total falls below them', async () => {
    const server = await serve((request, response) => {
      const isFirst = isAfter(request, null);
      const paging = isFirst ? { total: 4, after: '2' } : { total: 3 };
      sendJson(response, { data: isFirst ? rows(1, 3) : rows(3, 5), paging });
    });
    expect(await listIds(server)).toEqual([1, 2, 3, 4].map(idOf));
    expect(server.received).toHaveLength(2);
  });

  test('a page whose total was wrong for a moment is listed afresh', async () => {
    const server = await serve(({ number }, response) => {
      sendJson(response, { data: rows(1, 4), paging: { total: number === 1 ? 0 : 3 } });
    });
    expect(await listIds(server)).toEqual([1, 2, 3].map(idOf));
    expect(server.received).toHaveLength(2);
  });

  test('a server that fails because all later rows have vanished is listed afresh', async () => {
    let hasVanished = false;
    const server = await serve((request, response) => {
      if (!isAfter(request, null)) hasVanished = true;
      if (!isAfter(request, null)) return sendJson(response, { code: 500 }, 500);
      const paging = hasVanished ? { total: 1 } : { total: 2, after: '1' };
      return sendJson(response, { data: rows(1, 2), paging });
    });
    expect(await listIds(server)).toEqual([idOf(1)]);
  });
});

/** Lists a catalog whose cursors are keys, and which answers with these rows and totals, page by page. */
async function walked(pages: readonly (readonly [number[], total: number, end?: 'end'])[]) {
  const server = await serve(({ number }, response) => {
    const [numbers = [], total = 0, end] = pages[number - 1] ?? [];
    const data = numbers.flatMap((each) => rows(each, each + 1));
    const paging = { total, ...(end === undefined && { after: String(number) }) };
    sendJson(response, { data, paging });
  });
  const reader = createReader(connectTo(server.url), openmetadata);
  const read = (async () => (await collect(reader.list())).flatMap((page) => page.contracts))();
  return { server, read };
}

describe('where a cursor is the key of a row', () => {
  test.each<[string, [number[], number, 'end'?][], number[]]>([
    [
      'before the cursor',
      [
        [[1], 2],
        [[2], 3, 'end'],
      ],
      [1, 2],
    ],
    [
      'before and behind the cursor',
      [
        [[1], 2],
        [[2, 3], 4, 'end'],
      ],
      [1, 2, 3],
    ],
  ])('a list lacks only rows that were created meanwhile: %s', async (_, pages, whole) => {
    const { server, read } = await walked(pages);
    expect((await read).map(({ id }) => id)).toEqual(whole.map(idOf));
    expect(limits(server)).toEqual(['100', '100']);
  });

  test('a row that vanishes takes no second walk', async () => {
    const { server, read } = await walked([
      [[1], 3],
      [[3], 2, 'end'],
    ]);
    expect((await read).map(({ id }) => id)).toEqual([1, 3].map(idOf));
    expect(server.received).toHaveLength(2);
  });

  test('a list that lacks more is requested in one page, above the total', async () => {
    const { server, read } = await walked([
      [[1], 3],
      [[3], 3, 'end'],
      [[1, 2, 3], 3, 'end'],
    ]);
    expect((await read).map(({ id }) => id)).toEqual([1, 3, 2].map(idOf));
    expect(limits(server)).toEqual(['100', '100', '1003']);
  });

  test('a catalog of more than 5000 contracts is walked again in pages', async () => {
    const { server, read } = await walked([
      [[1], 5001],
      [[2], 3, 'end'],
      [[1, 2], 3],
      [[4], 4, 'end'],
    ]);
    expect((await read).map(({ id }) => id)).toEqual([1, 2, 4].map(idOf));
    expect(limits(server)).toEqual(['100', '1000', '1000', '1000']);
  });

  test('a list that goes on lacking a contract is refused', async () => {
    const { read } = await walked([
      [[1], 3],
      [[3], 3, 'end'],
      [[1, 3], 3, 'end'],
    ]);
    expect(await failureOf(read)).toMatchObject({ code: 'incomplete-read' });
  });
});

describe('the page size', () => {
  test('auto grows to 1000 when many are still to come', async () => {
    const server = await serve(catalogOf(2500));
    expect(await listIds(server)).toHaveLength(2500);
    expect(limits(server)).toEqual(['100', '1000', '1000', '1000']);
  });

  test('auto stays at 100 when few are still to come', async () => {
    const server = await serve(catalogOf(200));
    expect(await listIds(server)).toHaveLength(200);
    expect(limits(server)).toEqual(['100', '100']);
  });

  test('auto steps back when the server refuses the larger one', async () => {
    const answer = catalogOf(450);
    const server = await serve((request, response) => {
      if (Number(request.query.get('limit')) > 100) sendJson(response, { code: 400 }, 400);
      else answer(request, response);
    });
    expect(await listIds(server)).toHaveLength(450);
    expect(limits(server)).toEqual(['100', '1000', '100', '100', '100', '100']);
  });

  test('auto lives with a server that gives fewer than requested', async () => {
    const server = await serve(catalogOf(1300, 500));
    expect(await listIds(server)).toHaveLength(1300);
    expect(limits(server)).toEqual(['100', '1000', '1000', '1000']);
  });

  test('is the same throughout a fresh attempt, as some cursors count in pages', async () => {
    const server = await serve(({ query }, response) => {
      const limit = Number(query.get('limit'));
      const number = Number(query.get('after') ?? '0');
      const data = rows(number * limit, Math.min(1500, (number + 1) * limit));
      const hasMore = (number + 1) * limit < 1500;
      sendJson(response, {
        data,
        paging: { total: 1500, ...(hasMore && { after: `${number + 1}` }) },
      });
    });
    expect(new Set(await listIds(server)).size).toBe(1500);
    expect(limits(server)).toEqual(['100', '1000', '1000', '1000']);
  });

  test('a fixed one is kept', async () => {
    const server = await serve(catalogOf(45));
    expect(await listIds(server, { pageSize: 20 })).toHaveLength(45);
    expect(limits(server)).toEqual(['20', '20', '20']);
  });

  test('one beyond the smaller documented maximum steps back to it when refused', async () => {
    const answer = catalogOf(1500);
    const server = await serve((request, response) => {
      if (Number(request.query.get('limit')) > 1000) sendJson(response, { code: 400 }, 400);
      else answer(request, response);
    });
    expect(await listIds(server, { pageSize: 5000 })).toHaveLength(1500);
    expect(limits(server)).toEqual(['5000', '1000', '1000']);
  });

  test('a page that is too large is requested again with a tenth of its size', async () => {
    const answer = catalogOf(25);
    const server = await serve((request, response) => {
      if (Number(request.query.get('limit')) > 10)
        response.end(`{"data":[${'[],'.repeat(3_000_000)}[]]}`);
      else answer(request, response);
    });
    expect(await listIds(server)).toHaveLength(25);
    expect(limits(server)).toEqual(['100', '10', '10', '10']);
  });

  test('a refusal that is not about the size ends the list', async () => {
    const server = await serve((_, response) => sendJson(response, { message: 'No.' }, 400));
    expect(await failureOf(listIds(server))).toMatchObject({ code: 'bad-request' });
    expect(server.received).toHaveLength(1);
  });
});

describe('filters', () => {
  test('are looked at again, as servers ignore those that they do not know', async () => {
    const server = await serve(assets(3, false));
    expect(await listIds(server, { entity: idOf(101) })).toEqual([idOf(1)]);
  });

  test('one wanted asset takes one request', async () => {
    const server = await serve(assets(30, true));
    expect(await listIds(server, { entities: [idOf(107)] })).toEqual([idOf(7)]);
    expect(server.received).toHaveLength(1);
  });

  test('few wanted assets of many are requested one by one', async () => {
    const server = await serve(assets(95, true));
    const ids = await listIds(server, { entities: [110, 150, 190].map(idOf), pageSize: 10 });
    expect(ids).toEqual(expect.arrayContaining([10, 50, 90].map(idOf)));
    expect(server.received).toHaveLength(4);
  });

  test('many wanted assets of few are listed', async () => {
    const server = await serve(assets(25, true));
    const entities = Array.from({ length: 9 }, (_, number) => idOf(100 + number));
    expect(await listIds(server, { entities, pageSize: 10 })).toHaveLength(25);
    expect(server.received).toHaveLength(3);
  });

  test('a server that ignores the filter is listed once', async () => {
    const server = await serve(assets(95, false));
    const entities = [101, 102, 103].map(idOf);
    const ids = await listIds(server, { entities, pageSize: 10 });
    expect(new Set(ids).size).toBe(95);
    // The first page, then the list that the first filter brings, all of it.
    expect(server.received).toHaveLength(1 + 10);
  });

  test('a wanted contract that the first page holds does not come twice', async () => {
    const server = await serve(assets(95, true));
    const ids = await listIds(server, { entities: [103, 190].map(idOf), pageSize: 10 });
    expect(ids.filter((id) => id === idOf(3))).toHaveLength(1);
    expect(server.received).toHaveLength(3);
  });

  test.each([400, 500])('a filter that is answered with %i is done without', async (status) => {
    const usual = assets(95, true);
    const server = await serve((request, response) => {
      if (request.query.has('entity')) sendJson(response, { message: 'No.' }, status);
      else usual(request, response);
    });
    const ids = await listIds(server, { entities: [110, 190].map(idOf), pageSize: 10 });
    expect(ids).toHaveLength(95);
    expect(new Set(ids).size).toBe(95);
  });

  test('no wanted assets take no request', async () => {
    const server = await serve(assets(25, true));
    expect(await listIds(server, { entities: [] })).toEqual([]);
    expect(server.received).toHaveLength(0);
  });
});

test('the next page travels while its caller works on one', async () => {
  const second = Promise.withResolvers<void>();
  const server = await serve((request, response) => {
    const isFirst = isAfter(request, null);
    if (!isFirst) second.resolve();
    const paging = { total: 2, ...(isFirst && { after: '1' }) };
    sendJson(response, { data: isFirst ? rows(1, 2) : rows(2, 3), paging });
  });
  let read = 0;
  for await (const { contracts } of createReader(connectTo(server.url, { pageSize: 1 })).list()) {
    read += contracts.length;
    // Without a page ahead this would never resolve.
    await second.promise;
  }
  expect(read).toBe(2);
});
