/** What a server answers to `GET /v1/system/version`, and what kind of catalog that makes it. */

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { createServerReader } from '../../src/catalog/client.ts';
import type { Claims } from '../../src/auth/token.ts';
import { askKind, noticesOfBot, refuseContradiction } from '../../src/catalog/kind.ts';
import { productOf } from '../../src/catalog/products/products.ts';
import { SyncError } from '../../src/core/diagnostic.ts';
import { connectTo, failureOf, sendJson, serve } from '../support/server.ts';
import { liveOf } from '../support/contracts.ts';

type Reply = (response: ServerResponse) => void;

/** Each reply in turn, the last one for good. */
async function ask(replies: readonly Reply[], timeoutMs = 2000) {
  let asked = 0;
  const server = await serve(({ path }, response) => {
    if (path !== '/api/v1/system/version') return sendJson(response, {}, 404);
    replies[Math.min(asked, replies.length - 1)]?.(response);
    asked += 1;
  });
  const { kind } = createServerReader(connectTo(server.url, { timeoutMs }));
  return { answer: kind(), asked: () => asked };
}

const says =
  (body: string, type = 'application/json', status = 200): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body);
const answers =
  (status: number, body = ''): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
const release = (version: unknown, revision: unknown = 'abc') =>
  JSON.stringify({ version, revision, timestamp: 1 });
const page = '<!doctype html><title>Log in</title>';

test.each([
  '1.10.0',
  '1.11.8',
  '1.12.6',
  '1.12.6.0',
  '1.13.0-SNAPSHOT',
  '2.0',
  '2.1.0-SNAPSHOT',
  '2.1.0+build.5',
])('release %s of OpenMetadata is OpenMetadata of that release', async (version) => {
  const { answer, asked } = await ask([says(release(version))]);
  const kind = await answer;
  expect([kind.product.name, kind.release, kind.notices]).toEqual(['openmetadata', version, []]);
  expect(asked()).toBe(1);
});

test.for<[version: string, from: string, problem: string | undefined]>([
  ['1.12.6', 'Draft', 'OpenMetadata 1.12.6 has no status "Archived": it comes with 1.13.0.'],
  ['1.12.6', 'Archived', undefined],
  ['1.13.0', 'Draft', undefined],
  ['1.13.0-rc1', 'Draft', undefined],
  ['2.0', 'Draft', undefined],
])(
  'the status Archived in release %s, of a contract that is %s',
  async ([version, from, problem]) => {
    const { product } = await askKind(async () => ({ version, revision: 'abc' }));
    const moveTo = (entityStatus: string) =>
      product.checkChange({ entityStatus: from }, { entityStatus });
    expect(moveTo('Archived')[0]?.message).toBe(problem);
    expect(moveTo('Deprecated')).toEqual([]);
  },
);

const told = "ingestion-bot is a bot: the catalog's own approvals don't hold its changes.";
const bot = { isBot: true, subject: 'ingestion-bot' } as const;

type BotRow = [known: string, claims: Claims, isBot: boolean, asked: string, told: string[]];

test.each<BotRow>([
  ['2.1.0', {}, true, 'caller', [told]],
  ['2.1.0', {}, false, 'caller', []],
  ['2.1.0', bot, true, '', [told]],
  ['2.0.7', bot, true, '', []],
  ['', {}, true, '', []],
  ['', bot, true, '2.1.0', [told]],
  ['', bot, true, '2.0.7', []],
  ['', bot, true, 'failure', []],
])(
  'with release "%s" and the claims %j, of a bot: %s, the message names "%s": %j',
  async (known, claims, isBot, asked, messages) => {
    const requests: string[] = [];
    const server = {
      kind: async () => {
        requests.push(asked);
        if (asked === 'failure') throw new SyncError('dialect-unknown', 'No answer.');
        return (await ask([says(release(asked))])).answer;
      },
      caller: async () => {
        requests.push('caller');
        return { name: 'ingestion-bot', isAdmin: false, isBot, teams: [] };
      },
    };
    const kind = { product: productOf('openmetadata'), release: known || undefined };
    const notices = await noticesOfBot(kind, claims, server);
    expect(requests).toEqual(asked === '' ? [] : [asked]);
    const rest = ' Their review is that of the pull request.';
    expect(notices.map(({ message }) => message)).toEqual(messages.map((text) => text + rest));
  },
);

test.each<[string, Reply]>([
  ['as text', says(release('1.12.6'), 'text/plain')],
  ['as a web page', says(release('1.12.6'), 'text/html')],
  ['behind a byte order mark', says(`\ufeff${release('1.12.6')}`)],
  [
    'zipped',
    (response) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      response.writeHead(200, headers).end(gzipSync(release('1.12.6')));
    },
  ],
])('a release that comes %s is read all the same', async (_, reply) => {
  expect((await (await ask([reply])).answer).release).toBe('1.12.6');
});

test.each<[string, Reply]>([
  ...[400, 401, 403, 404, 405, 406, 410, 422, 501].map((status): [string, Reply] => [
    `status ${status}`,
    answers(status),
  ]),
  ['404 with a page', says(page, 'text/html', 404)],
  ['a page', says(page, 'text/html')],
  ['a text', says('pong', 'text/plain')],
  ['an empty body', says('')],
  ['no content', answers(204)],
  ['null', says('null')],
  ['a list', says('["1.12.6", "abc"]')],
  ['a version without a revision', says('{"version":"1.12.6"}')],
  ['an empty revision', says(release('1.12.6', ''))],
  ['a version that is a number', says(release(1.12))],
  ['deep JSON', says('['.repeat(100_000) + ']'.repeat(100_000))],
])('%s is the answer of a standard catalog, after one request', async (_, reply) => {
  const { answer, asked } = await ask([reply]);
  const { product, release: known, notices } = await answer;
  expect([product.name, known, notices]).toEqual(['standard', undefined, []]);
  expect(asked()).toBe(1);
});

test.each<[string, Reply, string]>([
  ...[500, 505, 507, 520].map((status): [string, Reply, string] => [
    `status ${status}`,
    answers(status),
    `fails to say what kind it is (status ${status})`,
  ]),
  ['a version that is none', says(release('latest')), "names a release that can't be read"],
  ['markup behind a version', says(release('1.12.6 <b>')), "names a release that can't be read"],
])('%s counts as a standard catalog, with a note', async (_, reply, words) => {
  const { product, notices } = await (await ask([reply])).answer;
  expect(product.name).toBe('standard');
  expect(notices).toMatchObject([
    {
      code: 'dialect-assumed',
      severity: 'information',
      message: expect.stringContaining(words),
      hint: expect.stringContaining('`catalog: { dialect: openmetadata }`'),
    },
  ]);
});

test.each(['1.9.14', '0.13.3'])('release %s is too old, with a warning', async (version) => {
  const { product, release: known, notices } = await (await ask([says(release(version))])).answer;
  expect([product.name, known]).toEqual(['standard', undefined]);
  expect(notices).toMatchObject([
    { code: 'release-unsupported', severity: 'warning', message: expect.stringContaining(version) },
  ]);
});

const redirects =
  (to: string): Reply =>
  (response) =>
    response.writeHead(302, { location: to }).end();

test.each<[string, Reply]>([
  ...[408, 429, 502, 503, 504].map((status): [string, Reply] => [
    `status ${status}`,
    answers(status),
  ]),
  ['a connection that is cut', (response) => response.destroy()],
  [
    'a body that is cut',
    (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"version": "1.12.6"');
      setImmediate(() => response.destroy());
    },
  ],
  ['JSON that is cut', says('{"version": "1.12.6", "revisi')],
  [
    'zipped bytes that are none',
    (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('{"version": "1.12.6"}');
    },
  ],
  ['redirects in a circle', redirects('/api/v1/system/version')],
  ['a redirect to nowhere', redirects('ftp://elsewhere.test/')],
])('after %s the kind is unknown, which is an error', async (_, reply) => {
  const error = await failureOf((await ask([reply])).answer);
  expect(error).toBeInstanceOf(SyncError);
  expect(error).toMatchObject({
    code: 'dialect-unknown',
    message: expect.stringMatching(
      /\/v1\/system\/version.*\) So the kind of the catalog is unknown\.$/u,
    ),
    hint: expect.stringContaining(
      'add `catalog: { dialect: openmetadata }` or `catalog: { dialect: standard }` to the configuration',
    ),
  });
});

test('no answer in time, no server and a rate limit without end are errors too', async () => {
  const silent = await ask([() => undefined], 20);
  expect(await failureOf(silent.answer)).toMatchObject({ code: 'dialect-unknown' });
  const closed = createServerReader(connectTo(new URL('http://127.0.0.1:1/api')));
  expect(await failureOf(closed.kind())).toMatchObject({ code: 'dialect-unknown' });
  const limited = await serve((_, response) => {
    response.writeHead(429, { 'retry-after': '60' }).end();
  });
  const patience = { timeoutThrottledMs: 100 };
  const { kind } = createServerReader(connectTo(limited.url, patience));
  expect(await failureOf(kind())).toMatchObject({ code: 'dialect-unknown' });
});

test.each([429, 503])(
  'a server that always answers %i gets ten requests at most',
  async (status) => {
    const { answer, asked } = await ask([
      (response) => response.writeHead(status, { 'retry-after': '0' }).end(),
    ]);
    expect(await failureOf(answer)).toMatchObject({ code: 'dialect-unknown', cause: { status } });
    expect(asked()).toBe(10);
  },
);

const cut: Reply = (response) => response.destroy();

test('a lost answer is requested again', async () => {
  const { answer, asked } = await ask([cut, answers(502), answers(503), says(release('1.12.6'))]);
  expect((await answer).product.name).toBe('openmetadata');
  expect(asked()).toBe(4);
});

test('redirects are followed, without the token to another origin', async () => {
  const other = await serve((_, response) => says(release('1.12.6'))(response));
  const { answer } = await ask([redirects(`${other.url.href}/v1/system/version`)]);
  expect((await answer).product.name).toBe('openmetadata');
  expect(other.received.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test.each<[status: string, name: string, configured: string | undefined, isRefused: boolean]>([
  ['Active', 'openmetadata', undefined, true],
  ['Approved', 'standard', undefined, true],
  ['In Review', 'standard', undefined, true],
  ['Archived', 'standard', undefined, true],
  ['In Review', 'standard', 'In Review', false],
  ['Draft', 'openmetadata', undefined, false],
  ['Deprecated', 'standard', undefined, false],
  ['Live', 'standard', undefined, false],
  ['approved', 'standard', undefined, false],
])(
  'a listed contract that is %s in a catalog of the kind %s',
  (status, name, configured, isRefused) => {
    const statuses = configured === undefined ? [] : [configured];
    const check = () =>
      refuseContradiction(liveOf({ entityStatus: status }), productOf(name), statuses);
    if (isRefused) expect(check).toThrow(`is ${status}, a status that`);
    else expect(check).not.toThrow();
  },
);
