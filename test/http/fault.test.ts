import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { DeadlineError, LargeBodyError, toNetworkFault } from '../../src/http/send.ts';
import { fetchDirectly, systemEffects } from '../../src/http/fetch.ts';

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
