import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { staticToken } from '../../src/auth/token.ts';
import type { CatalogConnection } from '../../src/catalog/catalog.ts';
import type { Effects } from '../../src/core/effects.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { listen } from './listen.ts';

/** A request as the server saw it. */
export type Received = {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Which request to this server it is, from 1. */
  readonly number: number;
};

export type Answering = (request: Received, response: ServerResponse) => void;

export type TestServer = { readonly url: URL; readonly received: readonly Received[] };

/** A real server that answers as it is told, until the test is over. */
export async function serve(answering: Answering): Promise<TestServer> {
  const received: Received[] = [];
  const server = createServer((message, response) => {
    void (async () => {
      const { method = '', url = '', headers } = message;
      const query = new URL(url, 'http://any').searchParams;
      const body = await text(message);
      const request = { method, path: url, query, headers, body, number: received.length + 1 };
      received.push(request);
      answering(request, response);
    })();
  });
  const port = await listen(server);
  return { url: new URL(`http://127.0.0.1:${port}/api`), received };
}

export function sendJson(response: ServerResponse, body: JsonValue, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

/** Waits that are noted and not waited for, and a clock that stands still. */
export function stillEffects(): { effects: Partial<Effects>; waits: number[] } {
  const waits: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
  };
  return { effects: { sleep, now: () => 1_700_000_000_000, random: () => 0.5 }, waits };
}

const token = 'header.payload.signature';

/** A connection that does not wait between attempts. */
export function connectTo(
  baseUrl: URL,
  changes: Partial<CatalogConnection> = {},
): CatalogConnection {
  return {
    baseUrl,
    token: staticToken(token),
    pageSize: 'auto',
    timeoutMs: 2000,
    version: '1.2.3',
    effects: stillEffects().effects,
    ...changes,
  };
}

/** A made-up UUID. */
export function idOf(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

export function contractDocument(number: number, more: JsonObject = {}): JsonObject {
  return { id: idOf(number), name: `contract ${number}`, version: 0.1, updatedAt: 1, ...more };
}

/** What a call throws. */
export async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    (value: unknown) => Promise.reject(new Error(`No failure, but ${JSON.stringify(value)}`)),
    (error: unknown) => error,
  );
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
