import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type HttpRequest, sendRequest } from '../../src/http/send.ts';
import { fetchDirectly, programFetch, systemEffects } from '../../src/http/fetch.ts';
import type { Fetch } from '../../src/core/effects.ts';
import { run } from '../support/process.ts';
import { serve } from '../support/server.ts';
import { sourceUrl } from '../support/source-url.ts';

const wire = { fetch: fetchDirectly, timeoutMs: 5000 };

async function send(url: URL, more: Partial<HttpRequest> = {}) {
  const reply = await sendRequest({ method: 'GET', url, headers: {}, ...more }, wire);
  return 'fault' in reply ? reply : { ...reply.answer, text: reply.answer.text };
}

describe('a body is read as it was before it was compressed', () => {
  const text = 'ä'.repeat(100_000);

  test.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['identity', Buffer.from(text)],
  ])('by %s', async (coding, bytes) => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(bytes);
    });
    expect(await send(server.url)).toMatchObject({ status: 200, text });
    expect(server.received[0]?.headers['accept-encoding']).toBe('gzip');
  });

  test('and so is one that is empty', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end();
    });
    expect(await send(server.url)).toMatchObject({ status: 200, text: '' });
  });

  test('but for a byte order mark, and bytes outside of UTF-8', async () => {
    const server = await serve((_, response) => {
      response.end(Buffer.from([0xef, 0xbb, 0xbf, 0x7b, 0xff, 0x7d]));
    });
    expect(await send(server.url)).toMatchObject({ status: 200, text: '{\ufffd}' });
  });

  test('but not beyond its limit', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26 + 1));
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    });
    expect(await send(server.url)).toMatchObject({ fault: { kind: 'too-large' } });
  });

  test('unless it is not in its declared encoding', async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
    });
    expect(await send(server.url)).toMatchObject({ fault: { kind: 'connection-lost' } });
  });
});

test('a request body arrives, with its length', async () => {
  const server = await serve((_, response) => response.writeHead(204).end());
  const headers = { 'content-type': 'application/json', 'if-match': '"1"' };
  const change = { method: 'PATCH', headers, body: '["ü"]' };
  expect(await send(server.url, change)).toMatchObject({ status: 204, text: '' });
  expect(await send(server.url, { method: 'POST' })).toMatchObject({ status: 204 });
  expect(server.received).toMatchObject([
    { method: 'PATCH', body: '["ü"]', headers: { ...headers, 'content-length': '6' } },
    { method: 'POST', body: '', headers: { 'content-length': '0' } },
  ]);
});

test('headers are read by their names in lower case', async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { 'X-Request-Id': 'r-7', Link: ['<a>', '<b>'] }).end();
  });
  const reply = await sendRequest({ method: 'GET', url: server.url, headers: {} }, wire);
  const headers = 'answer' in reply ? reply.answer.headers : undefined;
  expect(headers?.get('x-request-id')).toBe('r-7');
  expect(headers?.get('link')).toBe('<a>, <b>');
  expect(headers?.has('etag')).toBe(false);
  expect(headers?.get('etag')).toBeNull();
  expect(new Headers([...(headers ?? [])]).get('link')).toBe('<a>, <b>');
});

test('one connection serves request after request, and does not keep the process', async () => {
  const sockets = new Set<Socket>();
  const server = await serve((_, response) => {
    if (response.socket) sockets.add(response.socket);
    response.end('{}');
  });
  const twice = `
    import { fetchDirectly } from '${sourceUrl('http/fetch.ts')}';
    import { sendRequest } from '${sourceUrl('http/send.ts')}';
    const request = { method: 'GET', url: new URL('${server.url.href}'), headers: {} };
    for (let time = 0; time < 2; time += 1)
      await sendRequest(request, { fetch: fetchDirectly, timeoutMs: 60_000 });`;
  await run(process.execPath, ['--input-type=module', '-e', twice]);
  expect(server.received).toHaveLength(2);
  expect(sockets.size).toBe(1);
}, 15_000);

test.each(['node:http', 'the global fetch'])(
  'a redirect is followed by %s though its body never comes',
  async (by) => {
    const server = await serve(({ number }, response) => {
      if (number > 1) response.end('there');
      else response.writeHead(302, { location: '/there', 'content-length': 100 }).flushHeaders();
    });
    const fetch: Fetch =
      by === 'node:http' ? fetchDirectly : async (url, init) => globalThis.fetch(url, init);
    const request = { method: 'GET', url: server.url, headers: {} };
    const reply = await sendRequest(request, { fetch, timeoutMs: 2000 });
    expect('answer' in reply && reply.answer.text).toBe('there');
  },
);

test.each([
  ['empty', '', {}],
  ['short', 'elsewhere', {}],
  ['longer than what is read', 'x'.repeat(1_000_000), {}],
  ['compressed', gzipSync('elsewhere'), { 'content-encoding': 'gzip' }],
  ['not compressed as it says', 'no gzip', { 'content-encoding': 'gzip' }],
])('a redirect is followed whose body is %s', async (_, body, headers) => {
  const server = await serve(({ number }, response) => {
    if (number > 1) response.end('there');
    else response.writeHead(302, { location: '/there', ...headers }).end(body);
  });
  expect(await send(server.url)).toMatchObject({ text: 'there' });
});

test.each([
  ['by node:http', {}, 'the server'],
  ['by `fetch` through a proxy', { HTTPS_PROXY: 'http://proxy.test' }, 'fetch'],
])('a program sends %s', async (_, environment, expected) => {
  answerAsFetch('fetch');
  const { url } = await serve((_request, response) => response.end('the server'));
  expect(await textBy(programFetch(environment), url)).toBe(expected);
});

test("a library's caller keeps the way that `fetch` has for the process", async () => {
  answerAsFetch('mine');
  expect(await textBy(systemEffects.fetch, new URL('https://catalog.test/'))).toBe('mine');
});

/** Stands for what a process may have made of the global `fetch`. */
function answerAsFetch(text: string): void {
  const usual = globalThis.fetch;
  onTestFinished(() => void (globalThis.fetch = usual));
  globalThis.fetch = async () => Promise.resolve(new Response(text));
}

async function textBy(fetch: Fetch, url: URL): Promise<string | false> {
  const reply = await sendRequest({ method: 'GET', url, headers: {} }, { fetch, timeoutMs: 5000 });
  return 'answer' in reply && reply.answer.text;
}

describe('it is a fault', () => {
  test('when a redirect leads to an address with a password, which is not sent', async () => {
    const server = await serve((request, response) => {
      const location = `http://me:s3cret@${request.headers.host}/there`;
      response.writeHead(302, { location }).end();
    });
    const refused = await send(server.url);
    expect(refused).toMatchObject({ fault: { kind: 'redirected', status: 302 } });
    expect(JSON.stringify(refused)).not.toContain('s3cret');
    expect(server.received).toHaveLength(1);
  });

  test('when no connection comes about in ten seconds, and nothing was sent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const server = createServer(() => void vi.advanceTimersByTimeAsync(10_000)).listen(0);
    onTestFinished(() => {
      vi.useRealTimers();
      server.close();
    });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const request = { method: 'PATCH', url: new URL(`https://127.0.0.1:${port}/`), headers: {} };
    expect(await sendRequest(request, { ...wire, timeoutMs: 30_000 })).toMatchObject({
      fault: { kind: 'unreachable', message: 'no connection within 10 seconds' },
    });
  });

  test('when the connection breaks before an answer, and in its middle', async () => {
    const server = await serve(({ number }, response) => {
      if (number > 1) response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    const lost = { fault: { kind: 'connection-lost', code: 'ECONNRESET' } };
    expect(await send(server.url)).toMatchObject(lost);
    expect(await send(server.url)).toMatchObject(lost);
  });

  test('when a server begins its answer and does not finish it', async () => {
    const server = await serve((_, response) => void response.writeHead(200).write('half'));
    const request = { method: 'GET', url: server.url, headers: {} };
    // The answer has begun before the clock runs: a busy machine may take longer than that for it.
    const ending = new AbortController();
    const begun = await fetchDirectly(server.url, {
      ...request,
      body: null,
      redirect: 'manual',
      signal: ending.signal,
    });
    const fetch: Fetch = async (_, { signal }) => {
      signal.addEventListener('abort', () => ending.abort(signal.reason));
      return begun;
    };
    expect(await sendRequest(request, { fetch, timeoutMs: 50 })).toMatchObject({
      fault: { kind: 'timeout', message: 'did not finish its answer within 0.05 seconds' },
    });
  });
});

test('a request that is given up while its answer comes throws the reason', async () => {
  const controller = new AbortController();
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const server = await serve((_, response) => {
    response.on('close', resolve);
    response.writeHead(200).write('half');
    setTimeout(() => controller.abort(new Error('no longer wanted')), 20);
  });
  await expect(send(server.url, { signal: controller.signal })).rejects.toThrow('no longer wanted');
  await closed;
});
