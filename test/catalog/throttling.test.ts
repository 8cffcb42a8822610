import { describe, expect, test } from 'vitest';
import { ApiError } from '../../src/catalog/fault.ts';
import type { CatalogConnection } from '../../src/catalog/catalog.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import { type Clock, startClock } from '../support/clock.ts';
import { bucket, type Limit } from '../http/limits.ts';
import {
  type Answering,
  connectTo,
  contractDocument,
  failureOf,
  idOf,
  sendJson,
  serve,
  type TestServer,
} from '../support/server.ts';

type World = TestServer & {
  readonly connection: CatalogConnection;
  readonly clock: Clock;
  /** What a person is told. */
  readonly lines: readonly string[];
};

/** A catalog and a connection to it, both by one clock that nobody waits for. */
async function openWorld(
  answering: (clock: Clock) => Answering,
  changes: Partial<CatalogConnection> = {},
): Promise<World> {
  const clock = startClock();
  const lines: string[] = [];
  const server = await serve(answering(clock));
  const connection = connectTo(server.url, {
    effects: { ...clock, random: () => 0.5 },
    concurrency: 8,
    onRetry: (line) => lines.push(line),
    ...changes,
  });
  return { ...server, connection, clock, lines };
}

type Asks = 'nothing' | 'zero' | 'whole seconds';

/** Answers well, but for what is too much. */
function limited(limit: Limit, asks: Asks): (clock: Clock) => Answering {
  const seconds = (wait: number) => (asks === 'zero' ? 0 : Math.ceil(wait / 1000));
  return (clock) =>
    ({ method, path }, response) => {
      const wait = limit(clock.now());
      if (wait > 0 && asks !== 'nothing') response.setHeader('retry-after', seconds(wait));
      if (wait > 0) sendJson(response, {}, 429);
      else if (method === 'GET') sendJson(response, { versions: [] });
      else sendJson(response, { ...contractDocument(1), id: path.split('/').at(-1) ?? '' });
    };
}

/** As an apply does: a patch that was one too many is sent again, for it has not landed. */
async function patchUntilLanded(connection: CatalogConnection, id: string): Promise<string> {
  for (;;) {
    try {
      return (await createWriter(connection).patch(id, [])).id;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
    }
  }
}

/** Asks for another pause, or for none, before it answers well. */
function refusing(times: number, status: number, retryAfter?: string): () => Answering {
  return () =>
    ({ number, method }, response) => {
      if (retryAfter !== undefined && number <= times)
        response.setHeader('retry-after', retryAfter);
      const body = method === 'GET' ? { versions: [] } : contractDocument(1);
      sendJson(response, number <= times ? {} : body, number <= times ? status : 200);
    };
}

describe('a request that was one too many', () => {
  test('is sent again where it reads, as often as it takes, and no attempt is counted', async () => {
    const { connection, received, clock } = await openWorld(refusing(20, 429, '1'));
    await createReader(connection).versions('a');
    expect(received).toHaveLength(21);
    expect(clock.now()).toBeGreaterThanOrEqual(20_000);
  });

  test.each([
    [429, undefined, 'rate-limited', undefined],
    [429, '7', 'rate-limited', 7000],
    [503, '7', 'server-error', 7000],
    [503, undefined, 'server-error', undefined],
  ])(
    'fails where it patches, for it may have landed: %i asking for %s',
    async (status, retryAfter, code, retryAfterMs) => {
      const { connection, received } = await openWorld(refusing(1, status, retryAfter));
      const failure = await failureOf(createWriter(connection).patch('a', []));
      expect(failure).toMatchObject({ code, status, retryAfterMs, outcome: 'unknown' });
      expect(received).toHaveLength(1);
    },
  );

  test.each([
    [429, '7', 7000],
    [503, '7', 7000],
    [503, undefined, 500],
  ])('holds the whole run up: %i asking for %s', async (status, retryAfter, pause) => {
    const { connection, clock } = await openWorld(refusing(1, status, retryAfter));
    await failureOf(createWriter(connection).patch('a', []));
    expect(clock.now()).toBe(0);
    await createReader(connection).versions('a');
    expect(clock.now()).toBe(pause);
  });
});

describe('the log has a line', () => {
  test('once for each pause, and not for each request', async () => {
    const { connection, lines } = await openWorld(refusing(8, 429, '2'));
    const ids = Array.from({ length: 20 }, (_, number) => idOf(number));
    const reader = createReader(connection);
    await Promise.all(ids.map(async (id) => reader.versions(id)));
    expect(lines).toEqual(['The catalog is rate-limiting requests: waiting 2 s, then 4 at once.']);
  });

  test('of many short pauses once in five seconds', async () => {
    const server = limited(bucket(5, 5), 'whole seconds');
    const { connection, lines, clock } = await openWorld(server);
    const ids = Array.from({ length: 100 }, (_, number) => idOf(number));
    const reader = createReader(connection);
    await Promise.all(ids.map(async (id) => reader.versions(id)));
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(1 + clock.now() / 5000);
  });

  test('that a server is too busy, and of a pause too short to name', async () => {
    const busy = await openWorld(refusing(1, 503, '30'));
    await createReader(busy.connection).versions('a');
    expect(busy.lines).toEqual(['The catalog is too busy: waiting 30 s, then one at a time.']);
    const hasty = await openWorld(refusing(1, 429, '0'));
    await createReader(hasty.connection).versions('a');
    expect(hasty.lines).toEqual(['The catalog is rate-limiting requests: one at a time.']);
  });

  test('in the verbose log where there is nothing else, and never of the token', async () => {
    const logged: string[] = [];
    const log = (line: string): number => logged.push(line);
    const { connection } = await openWorld(refusing(1, 429, '2'), { log });
    const { onRetry: _, ...quiet } = connection;
    await createReader(quiet).versions('a');
    expect(logged[1]).toBe(
      'The catalog is rate-limiting requests: waiting 2 s, then one at a time.',
    );
    expect(logged.join('\n')).not.toContain('signature');
  });
});

describe('without one success', () => {
  test('a read ends after ten minutes, or after the configured time', async () => {
    const endless = await openWorld(refusing(Infinity, 429, '10'));
    const failure = await failureOf(createReader(endless.connection).versions('a'));
    expect(failure).toMatchObject({ code: 'rate-limited', outcome: 'none' });
    expect(String(failure)).toContain('No request succeeded for 600 seconds.');
    expect(endless.clock.now()).toBeGreaterThan(575_000);
    expect(endless.clock.now()).toBeLessThan(601_000);
    const short = await openWorld(refusing(Infinity, 429, '10'), { timeoutThrottledMs: 30_000 });
    await failureOf(createReader(short.connection).versions('a'));
    expect(short.clock.now()).toBe(30_000);
  });

  test('a patch ends unsent, with a hint', async () => {
    const { connection, received } = await openWorld(refusing(Infinity, 429), {
      timeoutThrottledMs: 1000,
    });
    const failure = await failureOf(patchUntilLanded(connection, 'a'));
    expect(failure).toMatchObject({
      code: 'rate-limited',
      outcome: 'none',
      status: undefined,
      attempts: 0,
    });
    expect(failure).toHaveProperty('hint', expect.stringContaining('timeoutThrottledSeconds'));
    const sent = received.length;
    await failureOf(createWriter(connection).patch('b', []));
    expect(received).toHaveLength(sent);
  });

  test('a `Retry-After` beyond the time of the run ends it at once', async () => {
    const { connection, clock, received, lines } = await openWorld(refusing(9, 429, '3600'));
    const failure = await failureOf(createReader(connection).versions('a'));
    expect(failure).toMatchObject({ code: 'rate-limited' });
    expect(String(failure)).toContain(
      'It asks for a pause of 3600 seconds, longer than the 600 seconds allowed.',
    );
    expect([clock.now(), received.length, lines.length]).toEqual([0, 1, 0]);
  });
});

/** Somebody else's request was refused, and a minute's pause is on. */
async function pausedWorld(): Promise<World> {
  const world = await openWorld(refusing(1, 429, '60'));
  await failureOf(createWriter(world.connection).patch('a', []));
  return world;
}

describe('an interruption ends the pause at once', () => {
  test('of a patch, which is not sent', async () => {
    const { connection, clock, received } = await pausedWorld();
    const interruption = new AbortController();
    const failure = failureOf(
      createWriter(connection).patch('b', [], { lastTry: interruption.signal }),
    );
    interruption.abort();
    expect(await failure).toMatchObject({ code: 'interrupted', outcome: 'none', attempts: 0 });
    expect([clock.now(), received.length]).toEqual([0, 1]);
  });

  test('of a list', async () => {
    const { connection, clock, received } = await pausedWorld();
    const interruption = new AbortController();
    const pages = createReader(connection).list({}, interruption.signal)[Symbol.asyncIterator]();
    const failure = failureOf(pages.next());
    interruption.abort(new Error('Interrupted.'));
    expect(String(await failure)).toContain('Interrupted.');
    expect([clock.now(), received.length]).toEqual([0, 1]);
  });
});
