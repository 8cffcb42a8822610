import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import type { Fault } from '../../src/catalog/fault.ts';
import { retryPolicy, waitBeforeRetry } from '../../src/catalog/send.ts';
import type { Effects } from '../../src/core/effects.ts';
import { deadUrl } from '../support/workspace.ts';
import {
  collect,
  connectTo,
  contractDocument,
  failureOf,
  idOf,
  sendJson,
  serve,
  stillEffects,
  type TestServer,
} from '../support/server.ts';

const passing: Fault = {
  code: 'server-error',
  message: 'No.',
  transient: true,
  mayHaveLanded: true,
};
const tries = fc.integer({ min: 1, max: retryPolicy.attempts - 1 });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the wait before a further attempt', () => {
  test('is never shorter than `Retry-After`, and jitter comes on top', () => {
    fc.assert(
      fc.property(tries, chance, fc.nat(retryPolicy.longestAsked), (attempts, random, asked) => {
        const fault = { ...passing, retryAfterMs: asked };
        expect(waitBeforeRetry('GET', fault, attempts, () => random)).toBeGreaterThanOrEqual(asked);
      }),
    );
  });

  test('is never for a change that may have landed', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), (transient, mayHaveLanded) => {
        const wait = waitBeforeRetry('PATCH', { ...passing, transient, mayHaveLanded }, 1, () => 0);
        expect(wait !== undefined).toBe(transient && !mayHaveLanded);
      }),
    );
  });

  test('is not taken after the last attempt, nor for a `Retry-After` that is too long', () => {
    expect(waitBeforeRetry('GET', passing, retryPolicy.attempts, () => 0)).toBeUndefined();
    const retryAfterMs = retryPolicy.longestAsked + 1;
    expect(waitBeforeRetry('GET', { ...passing, retryAfterMs }, 1, () => 0)).toBeUndefined();
  });
});

describe('a client', () => {
  test('waits for the time of `Retry-After`, and the verbose log shows it without the token', async () => {
    const { effects, waits } = stillEffects();
    const lines: string[] = [];
    const server = await serve(({ number }, response) => {
      response.setHeader('retry-after', number === 1 ? '7' : 'Tue, 14 Nov 2023 22:13:29 GMT');
      sendJson(response, { data: [] }, number < 3 ? 504 : 200);
    });
    const connection = connectTo(server.url, { effects, log: (line) => lines.push(line) });
    await collect(createReader(connection).list());
    expect(waits).toEqual([7250, 9500]);
    expect(lines[0]).toMatch(/^GET http:.*limit=100: 504, 0\.0 kB in 0 ms$/u);
    expect(lines[1]).toMatch(/^GET http:.*limit=100: .* Trying again in 7\.3 s \(2 of 5\)\.$/u);
    expect(lines.join('\n')).not.toContain('signature');
  });

  test('stops trying again when the retries of the run are used up', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 503));
    const reader = createReader(connectTo(server.url));
    for (let calls = 0; calls < 40; calls += 1) await failureOf(reader.versions('a'));
    expect(server.received).toHaveLength(40 + retryPolicy.budget);
  });

  test.each([
    [429, {}],
    [503, { 'retry-after': '1' }],
  ])('uses up no attempt where the server is only busy: %i %j', async (status, headers) => {
    const requests = retryPolicy.budget;
    const server = await serve(({ number }, response) => {
      response.setHeaders(new Map(Object.entries(headers)));
      sendJson(response, { versions: [] }, number % 3 > 0 ? status : 200);
    });
    const reader = createReader(connectTo(server.url));
    for (let calls = 0; calls < requests; calls += 1) await reader.versions('a');
    expect(server.received).toHaveLength(3 * requests);
  });

  test('does not try to patch again once the run is interrupted, and ends its wait', async () => {
    const interruption = new AbortController();
    const waits: number[] = [];
    const sleep: Effects['sleep'] = async (milliseconds, signal) => {
      waits.push(milliseconds);
      interruption.abort();
      signal?.throwIfAborted();
    };
    const writer = createWriter(connectTo(new URL(await deadUrl()), { effects: { sleep } }));
    const failure = failureOf(writer.patch('a', [], { lastTry: interruption.signal }));
    expect(await failure).toMatchObject({ code: 'unreachable', attempts: 1 });
    expect(waits).toHaveLength(1);
    expect(await failureOf(writer.patch('b', [], { lastTry: interruption.signal }))).toMatchObject({
      code: 'interrupted',
      attempts: 0,
    });
    expect(waits).toHaveLength(1);
  });

  test('earns retries by successes', async () => {
    const server = await serve(({ path }, response) => {
      sendJson(response, { versions: [] }, path.includes('bad') ? 503 : 200);
    });
    const reader = createReader(connectTo(server.url));
    for (let calls = 0; calls < 15; calls += 1) await failureOf(reader.versions('bad'));
    for (let calls = 0; calls < 8; calls += 1) await reader.versions('good');
    const before = server.received.length;
    await failureOf(reader.versions('bad'));
    expect(server.received.length - before).toBe(5);
  });

  test('has the number of attempts', async () => {
    const server = await serve((_, response) => sendJson(response, {}, 502));
    const failure = await failureOf(createReader(connectTo(server.url)).versions('a'));
    expect(failure).toMatchObject({ attempts: 5, status: 502 });
    expect(String(failure)).toContain('5 attempts');
  });

  test('sends what the catalog holds for approval once, for it may land', async () => {
    const server = await serve((_, response) => sendJson(response, { id: 'task-1' }, 202));
    const writer = createWriter(connectTo(server.url));
    const held = { code: 'held', transient: false, outcome: 'unknown', attempts: 1 };
    expect(await failureOf(writer.patch(idOf(1), []))).toMatchObject(held);
    expect(await failureOf(writer.create({}))).toMatchObject(held);
    expect(server.received.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
  });

  test('sends a patch again where no connection was made', async () => {
    const server = await serve((_, response) => sendJson(response, contractDocument(1)));
    let attempts = 0;
    const refusedOnce: typeof fetch = async (input, init) => {
      attempts += 1;
      return fetch(attempts === 1 ? 'http://127.0.0.1:65535' : input, init);
    };
    const effects = { ...stillEffects().effects, fetch: refusedOnce };
    const patched = await createWriter(connectTo(server.url, { effects })).patch(idOf(1), []);
    expect(patched.id).toBe(idOf(1));
    expect(server.received).toHaveLength(1);
  });
});

/** A catalog that knows one token. */
async function accepting(good: string): Promise<TestServer> {
  return serve(({ headers, method }, response) => {
    const isGood = headers.authorization === `Bearer ${good}`;
    const body = method === 'GET' ? { versions: [] } : contractDocument(1);
    if (isGood) sendJson(response, body);
    else sendJson(response, { message: `Not ${headers.authorization}` }, 401);
  });
}

describe('a rejected token', () => {
  test('is renewed once, for reads and patches', async () => {
    const server = await accepting('fresh');
    const rejected: (string | undefined)[] = [];
    const token = async (old?: string): Promise<string> => {
      rejected.push(old);
      return old === undefined ? 'stale' : 'fresh';
    };
    await createReader(connectTo(server.url, { token })).versions('a');
    await createWriter(connectTo(server.url, { token })).patch(idOf(1), []);
    expect(rejected).toEqual([undefined, 'stale', undefined, 'stale']);
    expect(server.received).toHaveLength(4);
  });

  test('that cannot be renewed is final, and the server cannot make us print it', async () => {
    const server = await accepting('other');
    const failure = await failureOf(createReader(connectTo(server.url)).versions('a'));
    expect(failure).toMatchObject({ code: 'unauthorized', attempts: 1 });
    expect(String(failure)).toContain('Not Bearer ***');
    expect(JSON.stringify(failure)).not.toContain('signature');
    expect(server.received).toHaveLength(1);
  });

  test('that is renewed in vain is final', async () => {
    const server = await accepting('other');
    let made = 0;
    const token = async (): Promise<string> => `token-${(made += 1)}`;
    const failure = await failureOf(createReader(connectTo(server.url, { token })).versions('a'));
    expect(failure).toMatchObject({ code: 'unauthorized' });
    expect(server.received).toHaveLength(2);
  });

  test("that can't be a token is refused before anything is sent", async () => {
    const server = await accepting('any');
    const connection = connectTo(server.url, { token: async () => 'two words' });
    const failure = await failureOf(createReader(connection).versions('a'));
    expect(failure).toMatchObject({ code: 'invalid-token' });
    expect(server.received).toHaveLength(0);
  });
});

test('a short token is not cut out of messages', async () => {
  const server = await serve((_, response) => sendJson(response, { message: 'expired' }, 401));
  const connection = connectTo(server.url, { token: async () => 'x' });
  const failure = await failureOf(createReader(connection).versions('a'));
  expect(String(failure)).toContain('expired');
});

const deaf: typeof fetch = async () => fetch('http://127.0.0.1:65535');

describe('a host without an answer', () => {
  test('is tried once more, which the log shows at once', async () => {
    const told: string[] = [];
    const effects = { ...stillEffects().effects, fetch: deaf };
    const onRetry = (line: string): number => told.push(line);
    const connection = connectTo(new URL('http://127.0.0.1:65535'), { effects, onRetry });
    const failure = await failureOf(createReader(connection).versions('a'));
    expect(failure).toMatchObject({ code: 'unreachable', attempts: 2 });
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/ECONNREFUSED.*Trying again in 0\.3 s \(2 of 2\)\.$/u);
  });

  test('is tried more often once somebody has answered there, to a reader or a writer', async () => {
    const server = await serve((_, response) => sendJson(response, { versions: [] }));
    let isDown = false;
    const failing: typeof fetch = async (input, init) => (isDown ? deaf : fetch)(input, init);
    const effects = { ...stillEffects().effects, fetch: failing };
    const connection = connectTo(server.url, { effects });
    await createReader(connection).versions('a');
    isDown = true;
    const failure = await failureOf(createWriter(connection).patch(idOf(1), []));
    expect(failure).toMatchObject({ code: 'unreachable', attempts: retryPolicy.attempts });
  });
});
