import { join } from 'node:path';
import fc from 'fast-check';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { Wanted } from '../../src/ahead/heads.ts';
import { createPageParser, type PageParser } from '../../src/ahead/page-parser.ts';
import { cursorAtEnd, pagesAhead } from '../../src/ahead/pages.ts';
import type { CatalogReader } from '../../src/catalog/catalog.ts';
import { createReader } from '../../src/catalog/client.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import { catalogOf, isAfter, rows } from '../catalog/lists.ts';
import {
  collect,
  connectTo,
  contractDocument,
  idOf,
  sendJson,
  serve,
  type TestServer,
} from '../catalog/server.ts';

const program = join(import.meta.dirname, '../../src/ahead/pages-worker.ts');

/** However many cores there are. */
function openThreaded(wanted: Wanted): PageParser {
  return createPageParser(wanted, program);
}

type Settings = Parameters<typeof connectTo>[1];

function readerOf(
  server: TestServer,
  settings: Settings,
  identities: string[] = [],
): CatalogReader {
  const wanted: Wanted = { identities: new Set(identities), names: [] };
  return createReader(connectTo(server.url, settings), pagesAhead(wanted, openThreaded));
}

async function listIds(server: TestServer, settings: Settings): Promise<string[]> {
  const pages = await collect(readerOf(server, settings).list());
  return pages.flatMap(({ contracts }) => contracts.map(({ id }) => id));
}

test('the cursor at the end of a page is the one that parsing finds, spaced as it may be', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.nat(2),
      fc.nat(60),
      (after, isFirst, indent, cut) => {
        const paging = isFirst ? { after, total: 3 } : { before: '"after":"x"', total: 3, after };
        const page = JSON.stringify(
          { data: [{ id: 'a', paging: { after: 'x' } }], paging },
          null,
          indent,
        );
        const bytes = new TextEncoder().encode(page);
        const chunks = [
          bytes.subarray(0, cut),
          bytes.subarray(cut, 2 * cut),
          bytes.subarray(2 * cut),
        ];
        expect(cursorAtEnd(chunks)).toBe(after === '' ? undefined : after);
      },
    ),
  );
});

test.each([
  '{"data":[]}',
  '{"data":[],"paging":{"total":3}}',
  '{"data":[],"paging":{"after":null}}',
  '{"paging":{"after":"x"},"data":[]}',
  '{"data":[{"paging":{"after":"x"}}]}',
  '{"data":[],"paging":{"after":"\\q"}}',
  '{"data":[],"paging":{"after":"x"',
  '',
])('nothing is guessed from %s', (page) => {
  expect(cursorAtEnd([new TextEncoder().encode(page)])).toBeUndefined();
});

test('only the end is looked at, so that no page is slow to look through', () => {
  for (const part of ['"paging":{', '"paging":{"after":"', '"after":"\\\\', ' ', '{']) {
    expect(cursorAtEnd([new TextEncoder().encode(part.repeat(400_000))])).toBeUndefined();
  }
});

describe('the next page', () => {
  test('is asked for while the caller works on the current one, and no further', async () => {
    const server = await serve(catalogOf(5));
    const list = readerOf(server, { pageSize: 1 }).list();
    const pages = list[Symbol.asyncIterator]();
    await pages.next();
    while (server.received.length < 2) await setImmediate();
    // As long as the caller does not ask on, nothing but the page ahead may come.
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    expect(server.received).toHaveLength(2);
    await pages.next();
    while (server.received.length < 3) await setImmediate();
    await pages.return?.();
    expect(server.received).toHaveLength(3);
  });

  test.each([[400, 30] as const, ['auto', 13] as const])(
    'of a long list is asked for once, and two of them ahead (page size %s)',
    async (pageSize, requests) => {
      const server = await serve(catalogOf(12_000));
      const reader = readerOf(server, { pageSize }, [idOf(7)]);
      const contracts: LiveContract[] = [];
      for await (const page of reader.list()) {
        if (contracts.length === 0) {
          while (server.received.length < 3) await setImmediate();
          for (let turn = 0; turn < 200; turn += 1) await setImmediate();
          expect(server.received).toHaveLength(3);
        }
        contracts.push(...page.contracts);
      }
      expect(new Set(contracts.map(({ id }) => id)).size).toBe(12_000);
      expect(server.received).toHaveLength(requests);
    },
  );

  test('is not asked for any more once a list that was in doubt has been begun again', async () => {
    const server = await serve((request, response) => {
      // A contract comes twice, as where a row is deleted meanwhile.
      const isFirst = server.received.filter(({ path }) => path === request.path).length === 1;
      if (isFirst && isAfter(request, '2000'))
        return sendJson(response, {
          data: rows(1999, 2999),
          paging: { total: 30_000, after: '3000' },
        });
      return catalogOf(30_000)(request, response);
    });
    const reader = readerOf(server, { pageSize: 1000 });
    const ids = new Set<string>();
    for await (const page of reader.list()) for (const { id } of page.contracts) ids.add(id);
    expect(ids.size).toBe(30_000);
    expect(server.received.length).toBeLessThan(50);
  });

  test('is asked for alone: one request is in flight at a time', async () => {
    let inFlight = 0;
    let most = 0;
    const answer = catalogOf(900, 100);
    const server = await serve((request, response) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      response.on('finish', () => (inFlight -= 1));
      setTimeout(() => answer(request, response), 2);
    });
    expect(await listIds(server, { pageSize: 100 })).toHaveLength(900);
    expect(most).toBe(1);
  });

  test('is given up when the caller stops', async () => {
    const { promise: givenUp, resolve } = Promise.withResolvers<void>();
    const server = await serve((request, response) => {
      if (isAfter(request, null)) catalogOf(5)(request, response);
      else response.on('close', resolve);
    });
    for await (const page of readerOf(server, { pageSize: 1, timeoutMs: 600_000 }).list()) {
      expect(page.contracts).toHaveLength(1);
      while (server.received.length < 2) await setImmediate();
      break;
    }
    await givenUp;
  });

  test('is left on its way when the caller stops, and its failure harms nobody', async () => {
    const server = await serve((request, response) => {
      if (isAfter(request, null)) catalogOf(5)(request, response);
      else response.socket?.resetAndDestroy();
    });
    for await (const page of readerOf(server, { pageSize: 1 }).list()) {
      expect(page.contracts).toHaveLength(1);
      break;
    }
  });

  test('is asked for again where its cursor was guessed wrong', async () => {
    const server = await serve((request, response) => {
      const at = Number(request.query.get('after') ?? '1');
      // Of two members with one name, JSON.parse takes the last.
      const paging = at < 3 ? `{"after":"99","after":"${at + 1}"}` : '{}';
      response.end(`{"data":[${JSON.stringify(contractDocument(at))}],"paging":${paging}}`);
    });
    expect(await listIds(server, { pageSize: 1 })).toEqual([1, 2, 3].map(idOf));
  });

  test('is found by what the page says, not by what a contract in it says', async () => {
    const lure = { paging: { after: 'nowhere' } };
    const server = await serve((request, response) => {
      const at = Number(request.query.get('after') ?? '1');
      const page = {
        paging: at < 3 ? { after: String(at + 1) } : {},
        data: [contractDocument(at, lure)],
      };
      sendJson(response, page);
    });
    expect(await listIds(server, { pageSize: 1 })).toEqual([1, 2, 3].map(idOf));
    expect(server.received.map(({ query }) => query.get('after'))).toEqual([null, '2', '3']);
  });
});
