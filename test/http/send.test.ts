import { describe, expect, test } from 'vitest';
import { type HttpRequest, sendRequest } from '../../src/http/send.ts';
import { fetchDirectly } from '../../src/http/fetch.ts';
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
