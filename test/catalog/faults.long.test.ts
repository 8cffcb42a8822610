import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/catalog/fault.ts';
import type { CatalogConnection, CatalogReader, Page } from '../../src/catalog/catalog.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import { retryPolicy } from '../../src/catalog/send.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { collect, connectTo, contractDocument, idOf, sendJson, serve } from '../support/server.ts';

/** As long as a request takes to arrive, but for that on a very busy machine. */
const shortMs = 150;

/** What a server can do to a request whose right answer is `body`. */
type Misbehaviour = {
  readonly fault: string;
  readonly answer: (response: ServerResponse, body: string) => void;
  /** Whether the server does the work of a patch before it misbehaves: the worst that can be. */
  readonly lands: boolean;
  /** What a read becomes if this happens once; it becomes `code`, or `readCode`, if it stays so. */
  readonly read: 'recovers' | 'fails';
  /** What a patch becomes if this happens once. */
  readonly patch: 'fails' | 'unknown';
  readonly code: string;
  /** Of a read that no count of attempts ends. */
  readonly readCode?: string;
  readonly listCode?: string;
  /** Short where silence is waited for in truth. */
  readonly timeoutMs?: number;
};

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void => {
    response.writeHead(code, headers);
    response.end(JSON.stringify({ code, message: `Status ${code}.` }));
  };

const passing = { read: 'recovers', patch: 'unknown', lands: true } as const;
const throttled = { ...passing, readCode: 'rate-limited' } as const;
const refused = { read: 'fails', patch: 'fails', lands: false } as const;

const misbehaviours: readonly Misbehaviour[] = [
  { fault: '400', answer: status(400), ...refused, code: 'bad-request' },
  { fault: '401', answer: status(401), ...refused, code: 'unauthorized' },
  { fault: '403', answer: status(403), ...refused, code: 'forbidden' },
  {
    fault: '404',
    answer: status(404),
    ...refused,
    code: 'contract-gone',
    listCode: 'bad-request',
  },
  { fault: '409', answer: status(409), ...refused, code: 'conflict' },
  { fault: '413', answer: status(413), ...refused, code: 'too-large' },
  { fault: '408', answer: status(408), ...passing, code: 'timeout' },
  { fault: '429', answer: status(429), ...throttled, code: 'rate-limited' },
  {
    fault: '429 with Retry-After',
    answer: status(429, { 'retry-after': '7' }),
    ...throttled,
    code: 'rate-limited',
  },
  {
    fault: '429 with a Retry-After beyond all patience',
    answer: status(429, { 'retry-after': '86400' }),
    ...throttled,
    read: 'fails',
    code: 'rate-limited',
  },
  { fault: '500', answer: status(500), ...passing, code: 'server-error' },
  { fault: '501', answer: status(501), ...passing, read: 'fails', code: 'server-error' },
  { fault: '502', answer: status(502), ...passing, code: 'server-error' },
  { fault: '503', answer: status(503), ...passing, code: 'server-error' },
  {
    fault: '503 with Retry-After',
    answer: status(503, { 'retry-after': 'Tue, 14 Nov 2023 22:14:00 GMT' }),
    ...throttled,
    code: 'server-error',
  },
  { fault: '504', answer: status(504), ...passing, code: 'server-error' },
  {
    fault: 'a page of a proxy',
    answer: (response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end('<html><head><title>Bad Gateway</title></head></html>');
    },
    ...passing,
    code: 'server-error',
  },
  {
    fault: 'a login page',
    answer: (response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>Log in</title>');
    },
    ...passing,
    read: 'fails',
    code: 'unexpected-answer',
  },
  {
    fault: 'a reset before the answer',
    answer: (response) => response.socket?.resetAndDestroy(),
    ...passing,
    code: 'connection-lost',
  },
  {
    fault: 'a reset within the body',
    answer: (response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body.slice(0, 9), () => response.socket?.resetAndDestroy());
    },
    ...passing,
    code: 'connection-lost',
  },
  {
    fault: 'a body shorter than its Content-Length',
    answer: (response, body) => {
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.slice(0, 9), () => response.socket?.end());
    },
    ...passing,
    code: 'connection-lost',
  },
  {
    fault: 'half the JSON',
    answer: (response, body) => response.end(body.slice(0, -1)),
    ...passing,
    code: 'unexpected-answer',
  },
  {
    fault: 'half the compressed JSON',
    answer: (response, body) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(gzipSync(body).subarray(0, -12));
    },
    ...passing,
    code: 'unexpected-answer',
  },
  {
    fault: 'an empty body',
    answer: (response) => response.end(),
    ...passing,
    code: 'unexpected-answer',
  },
  {
    fault: 'silence',
    answer: () => undefined,
    ...passing,
    code: 'timeout',
    timeoutMs: shortMs,
  },
  {
    fault: 'silence after the first bytes',
    answer: (response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(body.slice(0, 9));
    },
    ...passing,
    code: 'timeout',
    timeoutMs: shortMs,
  },
  {
    fault: 'something that is not HTTP',
    answer: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.9\r\n\r\n'),
    ...passing,
    code: 'connection-lost',
  },
];

const page = { data: [contractDocument(1)], paging: { total: 1 } };
const reads: readonly (readonly [
  string,
  JsonValue,
  (reader: CatalogReader) => Promise<unknown>,
])[] = [
  ['list', page, (reader) => collect(reader.list())],
  ['versions', { versions: ['{}'] }, (reader) => reader.versions('a')],
];

describe.each(misbehaviours)('$fault', ({ answer, lands, code, timeoutMs = 9000, ...expected }) => {
  const { readCode: versionsCode = code, listCode = versionsCode } = expected;

  describe.each(reads)('to %s', (what, body, read) => {
    const readCode = what === 'list' ? listCode : versionsCode;

    test(`once: the read ${expected.read}`, async () => {
      const server = await misbehaving(body, (number) => number === 1);
      const result = await resultOf(read(createReader(server.connection)));
      expect(result).toBe(expected.read === 'recovers' ? 'done' : `${readCode}, none`);
      // Where lateness is the fault, a busy machine may be late once more.
      if (timeoutMs === shortMs) expect(server.received.length).toBeGreaterThanOrEqual(2);
      else expect(server.received.length).toBe(expected.read === 'recovers' ? 2 : 1);
    });

    test('for ever: the read ends with one clear error', async () => {
      const server = await misbehaving(body, () => true);
      const result = await resultOf(read(createReader(server.connection)));
      expect(result).toBe(`${readCode}, none`);
      if (expected.read === 'fails') expect(server.received.length).toBe(1);
      else if (readCode === 'rate-limited')
        expect(server.received.length).toBeGreaterThan(retryPolicy.attempts);
      else expect(server.received.length).toBe(retryPolicy.attempts);
    });
  });

  test('to the second page of a list: no contract is lost or doubled', async () => {
    const server = await misbehavingPages((number) => number === 2);
    const ids: string[] = [];
    const result = await resultOf(readIds(createReader(server.connection).list(), ids));
    // An old server answers 500 where the remaining rows have vanished: that too is listed afresh.
    expect(result).toBe(expected.read === 'recovers' ? 'done' : `${listCode}, none`);
    expect(ids).toEqual(expected.read === 'recovers' ? [1, 2, 3].map(idOf) : [idOf(1)]);
  });

  test('to the fifth page of a long list: no contract is lost or doubled', async () => {
    const server = await misbehavingPages((number) => number === 5, { pages: 120, pageSize: 100 });
    const ids: string[] = [];
    const result = await resultOf(readIds(createReader(server.connection).list(), ids));
    expect(result).toBe(expected.read === 'recovers' ? 'done' : `${listCode}, none`);
    const read = expected.read === 'recovers' ? 12_000 : 400;
    expect(ids).toEqual(Array.from({ length: read }, (_, index) => idOf(index + 1)));
  });

  test(`once to patch: it ${expected.patch}`, async () => {
    const server = await misbehaving(contractDocument(1), (number) => number === 1);
    const result = await resultOf(patchOnce(server.connection));
    expect(result).toBe(`${code}, ${expected.patch === 'unknown' ? 'unknown' : 'none'}`);
    // "none" means not at all; "unknown" is not sent a second time.
    expectLandings(server.landed(), expected.patch === 'fails' ? 0 : 1);
  });

  test('for ever to patch: it never lands twice', async () => {
    const server = await misbehaving(contractDocument(1), () => true);
    const result = await resultOf(patchOnce(server.connection));
    expect(result).toBe(`${code}, ${expected.patch === 'unknown' ? 'unknown' : 'none'}`);
    expectLandings(server.landed(), lands ? 1 : 0);
  });

  /** Where lateness is the fault, a busy machine may give up before it has sent anything. */
  function expectLandings(landed: number, most: number): void {
    if (timeoutMs === shortMs) expect(landed).toBeLessThanOrEqual(most);
    else expect(landed).toBe(most);
  }

  async function misbehaving(body: JsonValue, isBad: (number: number) => boolean) {
    let landed = 0;
    const server = await serve(({ number }, response) => {
      const bad = isBad(number);
      if (!bad || lands) landed += 1;
      if (bad) answer(response, JSON.stringify(body));
      else sendJson(response, body);
    });
    const connection = connectTo(server.url, { timeoutMs });
    return { connection, received: server.received, landed: () => landed };
  }

  async function misbehavingPages(
    isBad: (number: number) => boolean,
    { pages, pageSize } = { pages: 3, pageSize: 1 },
  ) {
    const total = pages * pageSize;
    const server = await serve(({ number, query }, response) => {
      const text = pageText(Number(query.get('after') ?? '1'), pageSize, total);
      if (isBad(number)) answer(response, text);
      else response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    return { connection: connectTo(server.url, { timeoutMs, pageSize }) };
  }
});

const pageTexts = new Map<string, string>();

/** Made once: each fault meets the same pages. */
function pageText(at: number, pageSize: number, total: number): string {
  const key = `${at} ${pageSize} ${total}`;
  const known = pageTexts.get(key);
  if (known !== undefined) return known;
  const after = at + pageSize;
  const paging = { total, ...(after <= total && { after: String(after) }) };
  const data = Array.from({ length: pageSize }, (_, index) => contractDocument(at + index));
  const text = JSON.stringify({ data, paging });
  pageTexts.set(key, text);
  return text;
}

async function patchOnce(connection: CatalogConnection): Promise<unknown> {
  return createWriter(connection).patch(idOf(1), [{ op: 'add', path: '/semantics/-', value: {} }]);
}

async function readIds(pages: AsyncIterable<Page>, ids: string[]): Promise<void> {
  for await (const { contracts } of pages) ids.push(...contracts.map(({ id }) => id));
}

async function resultOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'done';
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return `${error.code}, ${error.outcome}`;
  }
}
