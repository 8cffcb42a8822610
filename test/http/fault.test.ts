import { expect, test } from 'vitest';
import { DeadlineError, LargeBodyError } from '../../src/http/body.ts';
import { toNetworkFault } from '../../src/http/fault.ts';

/** As `fetch` wraps what happened. */
function failedFetch(facts: { readonly message?: string; readonly code?: string }): TypeError {
  const { message = '', ...others } = facts;
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), others) });
}

test.each([
  [failedFetch({ code: 'ENOTFOUND' }), 'unknown-host'],
  [failedFetch({ message: 'bad port' }), 'forbidden-port'],
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

test('many addresses of one host fail without a message: then the code is told', () => {
  const all = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  expect(toNetworkFault(new TypeError('fetch failed', { cause: all }))).toMatchObject({
    kind: 'unreachable',
    code: 'ECONNREFUSED',
    message: 'ECONNREFUSED',
  });
});
