import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { staticToken } from '../../src/auth/token.ts';
import { ApiError, type Fault, networkFault, statusFault } from '../../src/catalog/fault.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import { DeadlineError, toNetworkFault } from '../../src/http/send.ts';
import {
  collect,
  connectTo,
  failureOf,
  idOf,
  sendJson,
  serve,
  stillEffects,
} from '../support/server.ts';
import { listen } from '../support/listen.ts';

function faultOf(status: number, operation: 'list' | 'patch' = 'list'): Fault {
  const headers = new Headers({ 'x-request-id': 'r-7' });
  return statusFault({ status, headers, text: '', bytes: 0 }, operation, 0);
}

test.each([
  [401, ' The token is for "account", issued by "https://id.test"; the catalog at'],
  [403, undefined],
  [404, undefined],
])('%i names the audience and the issuer of the token: %s', async (status, words) => {
  const { url } = await serve((_, response) => sendJson(response, { message: 'No' }, status));
  const token = new UnsecuredJWT({ iss: 'https://id.test', aud: 'account' });
  const connection = connectTo(url, { token: staticToken(token.encode()) });
  const error = String(await failureOf(collect(createReader(connection).list())));
  expect(error).toContain(
    words === undefined ? 'No. (GET' : `No.${words} ${url.origin} may expect`,
  );
});

test('a 401 says when the token has expired', async () => {
  const { url } = await serve((_, response) => sendJson(response, { message: 'No' }, 401));
  const token = staticToken(new UnsecuredJWT({ exp: 1_800_000_000 }).encode());
  const effects = { now: () => 1_800_000_060_000 };
  const failure = await failureOf(collect(createReader(connectTo(url, { token, effects })).list()));
  expect(String(failure)).toContain(
    "No. The token expired at 2027-01-15T08:00:00Z; this machine's clock says 2027-01-15T08:01:00Z. (GET",
  );
});

describe('a status becomes a sentence and a hint', () => {
  test.each([
    [400, 'refused to list', '`page-size`'],
    [401, 'rejected the access token', 'renew it'],
    [403, 'permission to list data contracts', 'administrator'],
    [404, 'No data contract service at this URL', 'ends in /api'],
    [408, 'refused to list', 'Try again later'],
    [422, 'refused to list', 'doctor'],
    [429, 'is rate-limiting requests', '`concurrency`'],
    [500, 'failed to list', 'operators'],
  ])('%i of a list', (status, message, hint) => {
    const fault = faultOf(status);
    expect(fault.message).toContain(message);
    expect(fault.hint).toContain(hint);
    expect(fault).toMatchObject({ status, requestId: 'r-7' });
  });

  test.each([
    [400, 'refused this change', 'in the file'],
    [403, 'permission to update data contracts', 'administrator'],
    [404, 'no such data contract', 'plan again'],
    [409, 'refused this change', 'plan again'],
    [412, 'refused this change', 'plan again'],
    [413, 'refused this change', 'size'],
    [415, 'refused this change', 'media type of a JSON Patch'],
  ])('%i of a patch', (status, message, hint) => {
    const fault = faultOf(status, 'patch');
    expect(fault.message).toContain(message);
    expect(fault.hint).toContain(hint);
  });

  test.each([
    ['Not yours', ': Not yours.'],
    ['Not yours.', ': Not yours.'],
    ['Really?', ': Really?'],
  ])('which ends with one full stop after %j', (said, end) => {
    const answer = { status: 403, headers: new Headers(), text: said, bytes: 0 };
    expect(statusFault(answer, 'list', 0).message.endsWith(`contracts${end}`)).toBe(true);
  });
});

test("an error names method, URL, status, request id and the server's reason", async () => {
  const server = await serve((_, response) => {
    response.setHeader('X-Request-Id', 'r-42');
    sendJson(response, { code: 403, message: 'operations [ViewAll] not allowed' }, 403);
  });
  const failure = await failureOf(collect(createReader(connectTo(server.url)).list()));
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({
    code: 'forbidden',
    message: `The owner of the access token lacks the permission to list data contracts: operations [ViewAll] not allowed. (GET ${server.url.href}/v1/dataContracts?limit=100, status 403, request id r-42)`,
    method: 'GET',
    url: `${server.url.href}/v1/dataContracts?limit=100`,
    status: 403,
    requestId: 'r-42',
    attempts: 1,
    outcome: 'none',
  });
});

/** A server that lets one wait for its first byte; a real one might be late by itself. */
const untilGivenUp: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
  });

/** A body that begins and does not end. */
function endless(signal: AbortSignal | null | undefined): ReadableStream {
  return new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from('{"data":['));
      signal?.addEventListener('abort', () => controller.error(signal.reason));
    },
  });
}

/** What a catalog's reader makes of what `fetch` has thrown. */
function faultAfter(error: unknown, host: string): Fault {
  return networkFault(toNetworkFault(error), new URL(`https://${host}`));
}

async function listFailure(url: string): Promise<unknown> {
  return failureOf(collect(createReader(connectTo(new URL(url))).list()));
}

describe('a catalog that cannot be reached', () => {
  test('because nothing listens there', async () => {
    const failure = await listFailure('http://127.0.0.1:65535');
    expect(failure).toMatchObject({ code: 'unreachable', attempts: 2, outcome: 'none' });
    expect(String(failure)).toContain('ECONNREFUSED');
  });

  test('because it speaks no TLS', async () => {
    const server = await serve((_, response) => response.end());
    const failure = await listFailure(`https://127.0.0.1:${server.url.port}`);
    expect(failure).toMatchObject({ code: 'untrusted-certificate', attempts: 1 });
    expect(String(failure)).toContain("doesn't speak TLS");
  });

  test('because its certificate is not trusted, and no byte was sent', async () => {
    const { url, requests } = await serveTls();
    const failure = await listFailure(url);
    expect(failure).toMatchObject({ code: 'untrusted-certificate', attempts: 1 });
    expect(String(failure)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
    expect((failure as ApiError).hint).toContain('NODE_EXTRA_CA_CERTS');
    expect(requests()).toBe(0);
  });

  test.each<[string, typeof fetch, string]>([
    ['does not begin its answer', untilGivenUp, 'did not answer within 0.02 seconds'],
    [
      'does not finish its answer',
      async (_, init) => new Response(endless(init?.signal)),
      'did not finish its answer within 0.02 seconds',
    ],
  ])('in time, as it %s', async (_, fetch, complaint) => {
    const effects = { ...stillEffects().effects, fetch };
    const connection = connectTo(new URL('http://127.0.0.1'), { timeoutMs: 20, effects });
    const failure = await failureOf(collect(createReader(connection).list()));
    expect(failure).toMatchObject({ code: 'timeout' });
    expect(String(failure)).toContain(complaint);
    expect((failure as ApiError).hint).toContain('`timeoutSeconds`');
  });

  test('because its answer is too large, which is not read to its end', async () => {
    const chunk = new Uint8Array(2 ** 24);
    let sent = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      sent += 1;
      controller.enqueue(chunk);
    };
    const fetch: typeof globalThis.fetch = async () => new Response(new ReadableStream({ pull }));
    const effects = { ...stillEffects().effects, fetch };
    const connection = connectTo(new URL('http://127.0.0.1'), { effects });
    const failure = await failureOf(collect(createReader(connection).list()));
    expect(failure).toMatchObject({ code: 'unexpected-answer', attempts: 1 });
    expect(String(failure)).toContain('larger than 64 MB');
    expect((failure as ApiError).hint).toContain('`page-size`');
    expect(sent).toBeLessThan(20);
  });

  test('because its name does not exist: the run ends at once', () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const fault = faultAfter(new TypeError('fetch failed', { cause }), 'catalog.invalid');
    expect(fault).toMatchObject({ code: 'unreachable', transient: false, mayHaveLanded: false });
    expect(fault.message).toBe("Can't find the host catalog.invalid.");
  });

  test('because the connection broke, with a hint where to look', () => {
    const fault = faultAfter(new TypeError('terminated'), 'a.example');
    expect(fault).toMatchObject({ code: 'connection-lost', transient: true, mayHaveLanded: true });
    expect(fault.hint).toContain('`page-size`');
  });

  test('because its answer came too late: a change may have landed', () => {
    const fault = faultAfter(new DeadlineError('headers', 9000), 'a.example');
    expect(fault).toMatchObject({ code: 'timeout', transient: true, mayHaveLanded: true });
  });

  test('because a proxy refuses', () => {
    const origin = new Error('Proxy response (407) !== 200 when HTTP Tunneling');
    const cause = new Error('Request was cancelled.', {
      cause: Object.assign(origin, { code: 'UND_ERR_ABORTED' }),
    });
    const fault = faultAfter(new TypeError('fetch failed', { cause }), 'a.example');
    expect(fault).toMatchObject({ code: 'unreachable', transient: false, mayHaveLanded: false });
    expect(fault.hint).toContain('HTTPS_PROXY');
  });

  test.each([
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'is not trusted', 'the certificate names another'],
    ['CERT_HAS_EXPIRED', 'is not trusted', 'clock'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'is not trusted', 'NODE_EXTRA_CA_CERTS'],
    ['EPROTO', "doesn't speak TLS", 'plain http'],
  ])('because of TLS: %s', (code, complaint, hint) => {
    const cause = Object.assign(new Error(code), { code });
    const fault = faultAfter(new TypeError('fetch failed', { cause }), 'a.example');
    expect(fault).toMatchObject({ code: 'untrusted-certificate', mayHaveLanded: false });
    expect(fault.message).toContain(complaint);
    expect(fault.message).toMatch(new RegExp(`: ${code}\\.$`, 'u'));
    expect(fault.hint).toContain(hint);
  });

  test('however strange the reason, a change may have landed', () => {
    for (const reason of ['odd', undefined, new Error('odd'), { code: 'ODD' }]) {
      expect(faultAfter(reason, 'a.example')).toMatchObject({
        code: 'connection-lost',
        mayHaveLanded: true,
      });
    }
  });
});

test('a patch answered with another contract may have landed', async () => {
  const server = await serve((_, response) => sendJson(response, { id: idOf(2) }));
  const failure = await failureOf(createWriter(connectTo(server.url)).patch(idOf(1), []));
  expect(failure).toMatchObject({ code: 'unexpected-answer', outcome: 'unknown' });
});

test.each([
  ['{}', 'no list "versions"'],
  ['{"versions":[{}]}', 'serialised into a string'],
  ['{"versions":["{"]}', 'serialised into a string'],
  ['{"versions":["1"]}', 'serialised into a string'],
])('the history %s is refused', async (body, complaint) => {
  const server = await serve((_, response) => response.end(body));
  const failure = await failureOf(createReader(connectTo(server.url)).versions('a'));
  expect(failure).toMatchObject({ code: 'unexpected-answer' });
  expect(String(failure)).toContain(complaint);
});

function fixture(name: string): string {
  return readFileSync(new URL(`fixtures/self-signed.${name}.pem`, import.meta.url), 'utf8');
}

/** Serves with a certificate that nobody has signed. */
async function serveTls(): Promise<{ url: string; requests: () => number }> {
  let requests = 0;
  const server = createServer({ key: fixture('key'), cert: fixture('crt') }, (_, response) => {
    requests += 1;
    response.end('{"data":[]}');
  });
  const port = await listen(server);
  return { url: `https://127.0.0.1:${port}`, requests: () => requests };
}
