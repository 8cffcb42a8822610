import { expect, test } from 'vitest';
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
  type Received,
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

type PageOf = (request: Received, isFirst: boolean) => JsonObject;

/** A server whose pages a test makes up. */
const servePages = async (page: PageOf) =>
  serve((request, response) => sendJson(response, page(request, isAfter(request, null))));

test.each<[string, PageOf, number[]]>([
  ['without paging', () => ({ data: rows(1, 2) }), [1]],
  ['without a cursor', () => ({ data: rows(1, 2), paging: { total: 1 } }), [1]],
  ['with a null cursor', () => ({ data: rows(1, 2), paging: { total: 1, after: null } }), [1]],
  ['with an empty cursor', () => ({ data: rows(1, 2), paging: { total: 1, after: '' } }), [1]],
  [
    'with empty data, though they have a cursor',
    ({ number }, isFirst) => ({
      data: isFirst ? rows(1, 2) : [],
      paging: { after: `more ${number}` },
    }),
    [1],
  ],
  ['at once in an empty catalog', () => ({ data: [], paging: { total: 0 } }), []],
])('a list ends %s', async (_, page, ids) => {
  expect(await listIds(await servePages(page))).toEqual(ids.map(idOf));
});

const refusal = { code: 'incomplete-read', outcome: 'none' };

test.each<[string, PageOf, string, number]>([
  [
    'when a cursor comes twice, naming a request that was sent',
    ({ number }) => ({ data: rows(number, number + 1), paging: { after: 'again' } }),
    'dataContracts?limit=100)',
    9,
  ],
  [
    'when it holds fewer contracts than its total, after one fresh attempt',
    () => ({ data: rows(1, 3), paging: { total: 3 } }),
    'counts 3 and returned 2',
    2,
  ],
  [
    'when its pages do not get on, although their cursors differ',
    ({ number }) => ({ data: rows(1, 3), paging: { after: String(number) } }),
    '3 pages in a row only repeat earlier ones',
    9,
  ],
  [
    'when a full page has no paging, however large the requested page',
    ({ query }) => ({ data: rows(0, Math.min(3000, Number(query.get('limit')))) }),
    'a full page has no paging',
    2,
  ],
  [
    'when it goes on far beyond its total',
    ({ query }) => {
      const from = Number(query.get('after') ?? '0');
      const to = from + Number(query.get('limit'));
      return { data: rows(from, to), paging: { total: 700, after: String(to) } };
    },
    'counts 700 and has returned 2100',
    9,
  ],
])('a list is refused %s', async (_, page, says, most) => {
  const server = await servePages(page);
  const failure = await failureOf(listIds(server));
  expect(failure).toMatchObject(refusal);
  expect(String(failure)).toContain(says);
  expect(server.received.length).toBeLessThanOrEqual(most);
});

test('a list is refused when it gives a contract twice with different content, after one fresh attempt', async () => {
  const server = await servePages(({ number }, isFirst) => {
    const data = [contractDocument(1, { description: isFirst ? 'one' : 'two' })];
    const paging = isFirst ? { after: '1' } : {};
    return { data: [...data, ...rows(number + 1, number + 2)], paging };
  });
  const says = `contract ${idOf(1)} came twice`;
  expect(String(await failureOf(listIds(server)))).toContain(says);
  // Also where the caller keeps nothing of what differs.
  const reduced = await failureOf(listIds(server, { reduce: withoutDocument }));
  expect(reduced).toMatchObject(refusal);
  expect(String(reduced)).toContain(says);
});

test.each([
  ['is text', '"3"'],
  ['is negative', '-1'],
  ['is a fraction', '3.5'],
  ['is a list', '[3]'],
  ['is nothing but 0', '0'],
  ['is below the rows that came', '2'],
  ['is beyond all numbers', '1e999'],
])('a list is refused when its total %s, after one fresh attempt', async (_, total) => {
  const data = JSON.stringify(rows(1, 4));
  const server = await serve((_request, response) => {
    response.end(`{"data":${data},"paging":{"total":${total}}}`);
  });
  expect(await failureOf(listIds(server))).toMatchObject(refusal);
  expect(server.received).toHaveLength(2);
});

test.each<[string, JsonObject]>([
  ['with the same total', { total: 3, after: 'more' }],
  ['with another total', { total: 0, after: 'more' }],
  ['without a total', { after: 'more' }],
])(
  'a list is refused when an empty page %s has a cursor while rows are missing',
  async (_, paging) => {
    const first = { data: rows(1, 3), paging: { total: 3, after: '2' } };
    const server = await servePages((_request, isFirst) =>
      isFirst ? first : { data: [], paging },
    );
    expect(await failureOf(listIds(server))).toMatchObject(refusal);
    expect(server.received).toHaveLength(4);
  },
);

test.each<[string, JsonObject]>([
  ['it has no data', { items: [] }],
  ['its data is no list', { data: {} }],
  ['a contract has no id', { data: [{ name: 'orders' }] }],
  ['a contract is no object', { data: ['orders'] }],
  ['its cursor is no text', { data: rows(1, 2), paging: { after: 7 } }],
])("a list is refused when an answer isn't a page: %s", async (_, page) => {
  const server = await servePages(() => page);
  expect(await failureOf(listIds(server))).toMatchObject({ code: 'unexpected-answer' });
  expect(server.received).toHaveLength(1);
});

// Rows that come and go while they are listed.
test.each<[string, PageOf, number[], requests: number]>([
  [
    'a list whose pages repeat others and then get on is read whole',
    ({ query }) => {
      const at = Number(query.get('after') ?? '0');
      const paging = at < 4 ? { after: String(at + 1) } : {};
      return { data: at < 3 ? rows(1, 3) : rows(at, at + 1), paging };
    },
    [1, 2, 3, 4],
    8,
  ],
  [
    'a row created behind the cursor is found by listing afresh, and no row comes twice',
    ({ number }, isFirst) => {
      const missed = number > 2 && isFirst ? [contractDocument(0)] : [];
      const paging = { total: number === 1 ? 2 : 3, ...(isFirst && { after: '1' }) };
      return { data: [...missed, contractDocument(isFirst ? 1 : 2)], paging };
    },
    [1, 2, 0],
    4,
  ],
  [
    'a row that vanishes ahead of the cursor is not an error',
    ({ number }, isFirst) => ({
      data: isFirst ? rows(1, 2) : rows(2, 3),
      paging: { total: number === 1 ? 3 : 2, ...(isFirst && { after: '1' }) },
    }),
    [1, 2],
    4,
  ],
  [
    'a row that slips past the cursor as another vanishes is found by listing afresh',
    ({ number }, isFirst) => {
      const late = number > 2 && !isFirst ? rows(3, 4) : [];
      const data = isFirst ? rows(number === 1 ? 1 : 2, 3) : rows(4, 5);
      const paging = { total: number === 1 ? 4 : 3, ...(isFirst && { after: '2' }) };
      return { data: [...late, ...data], paging };
    },
    [1, 2, 4, 3],
    4,
  ],
  [
    'a row that slides onto the next page comes once',
    ({ number }, isFirst) => ({
      data: isFirst ? rows(1, 3) : rows(number === 2 ? 2 : 3, 4),
      paging: { total: 3, ...(isFirst && { after: '2' }) },
    }),
    [1, 2, 3],
    4,
  ],
  [
    'rows that vanish after they have come are not an error, though the total falls below them',
    (_, isFirst) => ({
      data: isFirst ? rows(1, 3) : rows(3, 5),
      paging: isFirst ? { total: 4, after: '2' } : { total: 3 },
    }),
    [1, 2, 3, 4],
    2,
  ],
  [
    'a page whose total was wrong for a moment is listed afresh',
    ({ number }) => ({ data: rows(1, 4), paging: { total: number === 1 ? 0 : 3 } }),
    [1, 2, 3],
    2,
  ],
])('%s', async (_, page, ids, requests) => {
  const server = await servePages(page);
  expect(await listIds(server)).toEqual(ids.map(idOf));
  expect(server.received).toHaveLength(requests);
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

type Walk = readonly (readonly [number[], total: number, end?: 'end'])[];

/** Lists a catalog whose cursors are keys, and which answers with these rows and totals, page by page. */
async function walked(pages: Walk) {
  const server = await servePages(({ number }) => {
    const [numbers = [], total = 0, end] = pages[number - 1] ?? [];
    const data = numbers.flatMap((each) => rows(each, each + 1));
    return { data, paging: { total, ...(end === undefined && { after: String(number) }) } };
  });
  const reader = createReader(connectTo(server.url), openmetadata);
  const read = (async () => (await collect(reader.list())).flatMap((page) => page.contracts))();
  return { server, read };
}

test.each<[string, Walk, ids: number[], limits: string[]]>([
  [
    'lacks a row that was created before the cursor',
    [
      [[1], 2],
      [[2], 3, 'end'],
    ],
    [1, 2],
    ['100', '100'],
  ],
  [
    'lacks a row that was created before the cursor, beside one behind it',
    [
      [[1], 2],
      [[2, 3], 4, 'end'],
    ],
    [1, 2, 3],
    ['100', '100'],
  ],
  [
    'takes no second walk for a row that vanishes',
    [
      [[1], 3],
      [[3], 2, 'end'],
    ],
    [1, 3],
    ['100', '100'],
  ],
  [
    'that lacks more is requested in one page, above the total',
    [
      [[1], 3],
      [[3], 3, 'end'],
      [[1, 2, 3], 3, 'end'],
    ],
    [1, 3, 2],
    ['100', '100', '1003'],
  ],
  [
    'of more than 5000 contracts is walked again in pages',
    [
      [[1], 5001],
      [[2], 3, 'end'],
      [[1, 2], 3],
      [[4], 4, 'end'],
    ],
    [1, 2, 4],
    ['100', '1000', '1000', '1000'],
  ],
])('where a cursor is the key of a row, a list %s', async (_, pages, ids, expected) => {
  const { server, read } = await walked(pages);
  expect((await read).map(({ id }) => id)).toEqual(ids.map(idOf));
  expect(limits(server)).toEqual(expected);
});

test('where a cursor is the key of a row, a list that goes on lacking a contract is refused', async () => {
  const { read } = await walked([
    [[1], 3],
    [[3], 3, 'end'],
    [[1, 3], 3, 'end'],
  ]);
  expect(await failureOf(read)).toMatchObject({ code: 'incomplete-read' });
});

/** Refuses pages beyond a size. */
const upTo =
  (most: number, usual: Answering, refuse?: Answering): Answering =>
  (request, response) => {
    if (Number(request.query.get('limit')) <= most) usual(request, response);
    else if (refuse) refuse(request, response);
    else sendJson(response, { code: 400 }, 400);
  };

/** Its pages depend on their size, as where a cursor counts in pages. */
const countedInPages: Answering = ({ query }, response) => {
  const limit = Number(query.get('limit'));
  const number = Number(query.get('after') ?? '0');
  const hasMore = (number + 1) * limit < 1500;
  const data = rows(number * limit, Math.min(1500, (number + 1) * limit));
  sendJson(response, { data, paging: { total: 1500, ...(hasMore && { after: `${number + 1}` }) } });
};

const tooLarge: Answering = (_, response) => {
  response.end(`{"data":[${'[],'.repeat(3_000_000)}[]]}`);
};

test.each<[string, number | 'auto', Answering, count: number, limits: number[]]>([
  [
    'grows to 1000 when many are still to come',
    'auto',
    catalogOf(2500),
    2500,
    [100, 1000, 1000, 1000],
  ],
  ['stays at 100 when few are still to come', 'auto', catalogOf(200), 200, [100, 100]],
  [
    'steps back when the server refuses the larger one',
    'auto',
    upTo(100, catalogOf(450)),
    450,
    [100, 1000, 100, 100, 100, 100],
  ],
  [
    'grows where a server gives fewer than requested',
    'auto',
    catalogOf(1300, 500),
    1300,
    [100, 1000, 1000, 1000],
  ],
  [
    'is the same throughout a fresh attempt, as some cursors count in pages',
    'auto',
    countedInPages,
    1500,
    [100, 1000, 1000, 1000],
  ],
  ['that is set is kept', 20, catalogOf(45), 45, [20, 20, 20]],
  [
    'beyond the smaller documented maximum steps back to it when refused',
    5000,
    upTo(1000, catalogOf(1500)),
    1500,
    [5000, 1000, 1000],
  ],
  [
    'falls to a tenth for a page that is too large',
    'auto',
    upTo(10, catalogOf(25), tooLarge),
    25,
    [100, 10, 10, 10],
  ],
])('the page size %s: %s', async (_, pageSize, answering, count, expected) => {
  const server = await serve(answering);
  expect(new Set(await listIds(server, { pageSize })).size).toBe(count);
  expect(limits(server)).toEqual(expected.map(String));
});

test('a refusal that is not about the size ends the list', async () => {
  const server = await serve((_, response) => sendJson(response, { message: 'No.' }, 400));
  expect(await failureOf(listIds(server))).toMatchObject({ code: 'bad-request' });
  expect(server.received).toHaveLength(1);
});

const known = (count: number) => assets(count, true);
const withoutFilter = (status: number): Answering => {
  const usual = known(95);
  return (request, response) => {
    if (request.query.has('entity')) sendJson(response, { message: 'No.' }, status);
    else usual(request, response);
  };
};

test('a filter is applied again, as servers ignore those that they do not know', async () => {
  const server = await serve(assets(3, false));
  expect(await listIds(server, { entity: idOf(101) })).toEqual([idOf(1)]);
});

test.each<[string, Answering, wanted: number[], count: number, requests: number]>([
  ['one asset takes one request', known(30), [7], 1, 1],
  ['few assets of many are requested one by one', known(95), [10, 50, 90], 13, 4],
  ['many assets of few are listed', known(25), [0, 1, 2, 3, 4, 5, 6, 7, 8], 25, 3],
  // The first page, then the list that the first filter brings, all of it.
  ['a server that ignores the filter is listed once', assets(95, false), [1, 2, 3], 95, 1 + 10],
  ['a contract that the first page holds does not come twice', known(95), [3, 90], 11, 3],
  ['a filter that is answered with 400 is done without', withoutFilter(400), [10, 90], 95, 12],
  ['a filter that is answered with 500 is done without', withoutFilter(500), [10, 90], 95, 16],
  ['no assets take no request', known(25), [], 0, 0],
])('of wanted assets, %s', async (_, answering, wanted, count, requests) => {
  const server = await serve(answering);
  const entities = wanted.map((number) => idOf(100 + number));
  const ids = await listIds(server, { entities, pageSize: wanted.length === 1 ? 'auto' : 10 });
  expect(new Set(ids).size).toBe(count);
  for (const number of wanted) expect(ids.filter((id) => id === idOf(number))).toHaveLength(1);
  expect(server.received).toHaveLength(requests);
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
