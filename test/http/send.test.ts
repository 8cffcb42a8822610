import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { fetchDirectly, systemEffects } from '../../src/http/fetch.ts';
import {
  DeadlineError,
  type HttpRequest,
  LargeBodyError,
  sendRequest,
  serverReason,
  toNetworkFault,
} from '../../src/http/send.ts';
import { failureOf, serve } from '../support/server.ts';
import { deadUrl } from '../support/workspace.ts';

function requestTo(url: URL, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: { authorization: 'Bearer token' }, ...more };
}

describe.each([
  ['node:http', fetchDirectly],
  ['the global fetch', globalThis.fetch],
])('by %s', (_name, fetch) => {
  const wire = { fetch, timeoutMs: 5000 };

  test('an answer of any status is read to its end', async () => {
    const server = await serve((_, response) => {
      response.writeHead(503, { 'content-type': 'text/plain' }).end('Later, bitte: ü');
    });
    const reply = await sendRequest(requestTo(server.url), wire);
    expect(reply).toMatchObject({ answer: { status: 503 } });
    expect('answer' in reply && reply.answer.headers.get('content-type')).toBe('text/plain');
    expect('answer' in reply && reply.answer.text).toBe('Later, bitte: ü');
  });

  test('of an error the first 64 kB are read, and the rest is not waited for', async () => {
    const { promise: givenUp, resolve } = Promise.withResolvers<void>();
    const server = await serve((_, response) => {
      response.on('close', resolve);
      response.writeHead(500).write('é'.repeat(50_000));
    });
    const reply = await sendRequest(requestTo(server.url), wire);
    expect(reply).toMatchObject({ answer: { status: 500 } });
    expect('answer' in reply && reply.answer.bytes).toBe(65_536);
    await givenUp;
  });

  test('a redirect is an answer like any other where it is not to be followed', async () => {
    const server = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    const reply = await sendRequest(requestTo(server.url, { redirect: 'manual' }), wire);
    expect(reply).toMatchObject({ answer: { status: 302 } });
    expect(server.received).toHaveLength(1);
  });

  test.each([
    ['POST', 307, 'a change to'],
    ['DELETE', 308, 'a change to'],
  ])('a %s is not taken to another origin by a %i', async (method, status, whither) => {
    const other = await serve((_, response) => response.end());
    const server = await serve((_, response) => {
      response.writeHead(status, { location: other.url.href }).end();
    });
    const reply = await sendRequest(requestTo(server.url, { method }), wire);
    expect(reply).toMatchObject({
      fault: { kind: 'redirected', status, message: expect.stringContaining(whither) },
    });
    expect(other.received).toHaveLength(0);
  });

  test('what goes wrong on the network is a value', async () => {
    const url = new URL(await deadUrl());
    expect(await sendRequest(requestTo(url), wire)).toMatchObject({
      fault: { kind: 'unreachable', code: 'ECONNREFUSED' },
    });
  });

  test('a server that is silent for too long is left', async () => {
    const server = await serve(() => undefined);
    expect(await sendRequest(requestTo(server.url), { ...wire, timeoutMs: 20 })).toMatchObject({
      fault: { kind: 'timeout', message: 'did not answer within 0.02 seconds' },
    });
  });

  test('a request that is given up throws', async () => {
    const controller = new AbortController();
    const server = await serve(() => controller.abort(new Error('no longer wanted')));
    const sent = sendRequest(requestTo(server.url, { signal: controller.signal }), wire);
    expect(await failureOf(sent)).toMatchObject({ message: 'no longer wanted' });
  });
});

/** As `fetch` wraps what happened. */
function failedFetch(facts: { readonly message?: string; readonly code?: string }): TypeError {
  const { message = '', ...others } = facts;
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), others) });
}

test.each([
  [failedFetch({ code: 'ENOTFOUND' }), 'unknown-host'],
  [
    failedFetch({ message: 'Proxy response (407) !== 200', code: 'UND_ERR_ABORTED' }),
    'refused-by-proxy',
  ],
  [failedFetch({ code: 'EPROTO' }), 'no-tls'],
  [failedFetch({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'no-tls'],
  [failedFetch({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'untrusted'],
  [failedFetch({ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }), 'untrusted'],
  [failedFetch({ code: 'HOSTNAME_MISMATCH' }), 'untrusted'],
  [failedFetch({ code: 'ECONNREFUSED' }), 'unreachable'],
  [failedFetch({ code: 'EAI_AGAIN' }), 'unreachable'],
  [failedFetch({ code: 'UND_ERR_CONNECT_TIMEOUT' }), 'unreachable'],
  [failedFetch({ code: 'ECONNRESET' }), 'connection-lost'],
  [new TypeError('terminated'), 'connection-lost'],
  [new DeadlineError('body', 1000), 'timeout'],
  [new LargeBodyError('too much'), 'too-large'],
  ['odd', 'connection-lost'],
  [undefined, 'connection-lost'],
])('%s is of the kind %s', (error, kind) => {
  expect(toNetworkFault(error)).toMatchObject({ kind, cause: error });
});

test('a reset while connecting has sent nothing, one after that may have', () => {
  const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET', syscall: 'connect' });
  expect(toNetworkFault(reset).kind).toBe('unreachable');
  expect(toNetworkFault(Object.assign(new Error('reset'), { code: 'ECONNRESET' })).kind).toBe(
    'connection-lost',
  );
});

test.each([fetchDirectly, systemEffects.fetch])(
  'a server that hangs up before TLS is set up has been sent nothing',
  async (fetch) => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = new URL(`https://127.0.0.1:${port}`);
    const { signal } = new AbortController();
    const asked = { method: 'POST', headers: {}, body: 'x', redirect: 'manual', signal } as const;
    const error = await fetch(url, asked).catch((thrown: unknown) => thrown);
    expect(toNetworkFault(error).kind).toBe('unreachable');
  },
);

test('an error of many addresses, which has no message, is named by its code', () => {
  const all = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(toNetworkFault(new TypeError('fetch failed', { cause: all }))).toMatchObject({
    kind: 'unreachable',
    code: 'ECONNREFUSED',
    message: 'ECONNREFUSED',
  });
});

describe("the server's own words are found", () => {
  test.each([
    ['{"code":400,"message":"Bad pointer."}', 'Bad pointer.'],
    ['{"error":{"code":"E1","message":"Bad pointer."}}', 'Bad pointer.'],
    ['{"error":"invalid_token","error_description":"It expired."}', 'It expired.'],
    ['{"errorType":"UNAUTHORIZED"}', 'UNAUTHORIZED'],
    ['{"type":"about:blank","title":"Forbidden","detail":"Not yours."}', 'Not yours.'],
    ['"Bad pointer."', 'Bad pointer.'],
    ['<html>\n<head><TITLE>502 Bad Gateway</TITLE></head>', '502 Bad Gateway'],
    ['upstream connect error', 'upstream connect error'],
    ['{"message":"one\\n\\u001b[31mtwo"}', 'one [31mtwo'],
    ['<title <title lang="en">Down</title>', 'Down'],
    ['<html><body>Nothing</body></html>', undefined],
    ['{}', undefined],
    ['[1,2]', undefined],
    ['null', undefined],
    ['{"message":""}', undefined],
    ['', undefined],
  ])('in %s', (text, reason) => {
    expect(serverReason(text)).toBe(reason);
  });

  test('and are cut where they do not end', () => {
    expect(serverReason('x'.repeat(5000))).toHaveLength(301);
  });
});
