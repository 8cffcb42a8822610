import pLimit from 'p-limit';
import { describe, expect, test } from 'vitest';
import { type Closed, createGate, type Pause } from '../../src/http/gate.ts';
import { type Clock, startClock } from '../support/clock.ts';
import { atRandom, bucket, everyNth, type Limit, seconds, slidingSecond } from './limits.ts';

/** A refusal: what it asks for in milliseconds, and whether the server may as well be down. */
type Refused = { readonly asked?: number | undefined; readonly isDown?: boolean };

type World = {
  readonly clock: Clock;
  readonly most?: number;
  readonly patience?: number;
  readonly onPause?: (pause: Pause<Refused>) => void;
};

function openGate({ clock, most = 8, patience = 600_000, onPause = () => undefined }: World) {
  return createGate<Refused>({
    most,
    patience,
    receptionOf: ({ asked, isDown = false }) => ({ kind: 'refused', asked, isCertain: !isDown }),
    onPause,
    effects: clock,
  });
}

/** The same numbers in every run, from 0 to 1. */
function seededRandom(): () => number {
  let seed = 7;
  return () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
}

const patching = { method: 'PATCH', ends: undefined, mostRefusals: 1 };
const landing = async (): Promise<{ value: string }> => ({ value: 'done' });
const refusing = (fault: Refused) => async (): Promise<{ fault: Refused }> => ({ fault });

type Server = {
  readonly limit: Limit;
  /** `whole seconds` is what `Retry-After` can say. */
  readonly asks: 'nothing' | 'zero' | 'whole seconds';
  /** Milliseconds from sending to answer, in the mean. */
  readonly latency: number;
};

/** Brings so many requests through the gate, each as often as it takes. */
async function bringThrough(amount: number, { limit, asks, latency }: Server) {
  const clock = startClock();
  const random = seededRandom();
  let refusals = 0;
  let mostInFlight = 0;
  let inFlight = 0;
  const travel = async (): Promise<void> => clock.sleep(latency * (0.25 + 0.5 * random()));
  const send = async () => {
    mostInFlight = Math.max(mostInFlight, (inFlight += 1));
    await travel();
    const wait = limit(clock.now());
    await travel();
    inFlight -= 1;
    if (wait === 0) return { value: 'done' };
    refusals += 1;
    const asked = { nothing: undefined, zero: 0, 'whole seconds': Math.ceil(wait / 1000) * 1000 };
    return { fault: { asked: asked[asks] } };
  };
  const gate = openGate({ clock });
  const requests = Array.from({ length: amount }, (_, number) => number);
  await pLimit(8).map(requests, async () => {
    for (;;) if ('value' in (await gate(patching, send))) return;
  });
  return { seconds: clock.now() / 1000, refusals, mostInFlight };
}

test('a request that is always refused lets the others pass', async () => {
  const clock = startClock();
  const gate = openGate({ clock, most: 2, patience: 60_000 });
  const reading = { method: 'GET', ends: undefined, mostRefusals: Infinity };
  const refused = gate(reading, refusing({ asked: 1000 }));
  const others = Array.from({ length: 20 }, async () => gate(reading, landing));
  expect(await Promise.all(others)).toEqual(others.map(() => ({ value: 'done', refusals: 0 })));
  expect(clock.now()).toBeLessThan(60_000);
  expect(await refused).toMatchObject({ closed: { kind: 'too-late' } });
});

test.each<readonly [string, () => Limit, Server['asks'], number]>([
  ['five a second, two at once', () => bucket(5, 2), 'nothing', 65],
  ['five a second, five at once', () => bucket(5, 5), 'whole seconds', 65],
  ['five a second, fifty at once', () => bucket(5, 50), 'nothing', 55],
  ['five in each second', () => seconds(5), 'whole seconds', 65],
  ['five in any second', () => slidingSecond(5), 'nothing', 80],
  ['twenty a second', () => bucket(20, 20), 'whole seconds', 16],
  ['every second one refused', () => everyNth(2), 'zero', 10],
  ['half of them refused', () => atRandom(0.5, seededRandom()), 'zero', 30],
])(
  '300 requests to a server with %s and a Retry-After of %3$s take %4$i seconds at most',
  async (...row) => {
    const [, limit, asks, most] = row;
    const run = await bringThrough(300, { limit: limit(), asks, latency: 5 });
    expect(run.seconds).toBeLessThan(most);
    expect(run.refusals).toBeLessThanOrEqual(300);
  },
);

test('without a refusal all allowed requests are in flight at once, and no request waits', async () => {
  const free = await bringThrough(80, { limit: () => 0, asks: 'nothing', latency: 10 });
  expect(free.mostInFlight).toBe(8);
  expect(free.seconds).toBeLessThan(0.15);
});

test('a change is not sent where its end comes together with the answer before it', async () => {
  const gate = openGate({ clock: startClock() });
  const ending = new AbortController();
  const sent: string[] = [];
  const ask = async (method: string) =>
    gate({ method, ends: ending.signal, mostRefusals: 1 }, async () => {
      sent.push(method);
      return landing();
    });
  setImmediate(() => ending.abort());
  const [change, read] = await Promise.all([ask('PATCH'), ask('GET')]);
  expect(change).toMatchObject({ closed: { kind: 'ended' } });
  expect(read).toMatchObject({ value: 'done' });
  expect(sent).toEqual(['GET']);
});

describe('after a refusal', () => {
  test('all requests pause as long as the longest Retry-After of those in flight', async () => {
    const clock = startClock();
    const gate = openGate({ clock });
    const starts: number[] = [];
    const refusedAfter = (travel: number, asked: number) => async () => {
      await clock.sleep(travel);
      return { fault: { asked } };
    };
    await Promise.all([
      gate(patching, refusedAfter(10, 1000)),
      gate(patching, refusedAfter(20, 3000)),
      gate(patching, refusedAfter(30, 0)),
    ]);
    const next = async () => {
      starts.push(clock.now());
      return landing();
    };
    await Promise.all(['GET', 'PATCH'].map(async (method) => gate({ ...patching, method }, next)));
    expect(starts).toEqual([3020, 3020]);
  });

  test('they start again one by one, half as many at once as were in flight, then one more for ten successes', async () => {
    const clock = startClock();
    const pauses: Pause<Refused>[] = [];
    const gate = openGate({ clock, onPause: (pause) => pauses.push(pause) });
    let inFlight = 0;
    const atOnce: number[] = [];
    const send = async () => {
      inFlight += 1;
      await clock.sleep(10);
      atOnce.push(inFlight);
      inFlight -= 1;
      return landing();
    };
    const refused = async () => {
      await clock.sleep(10);
      return { fault: { asked: 100 } };
    };
    await Promise.all(Array.from({ length: 8 }, () => gate(patching, refused)));
    await Promise.all(Array.from({ length: 60 }, () => gate(patching, send)));
    expect(pauses).toEqual([{ milliseconds: 100, atOnce: 4, fault: { asked: 100 } }]);
    expect(atOnce.slice(0, 2)).toEqual([1, 2]);
    expect(Math.max(...atOnce.slice(0, 9))).toBe(4);
    expect(Math.max(...atOnce.slice(0, 19))).toBe(5);
    expect(Math.max(...atOnce.slice(0, 60))).toBe(8);
  });

  test('pauses without a Retry-After grow longer, up to 20 seconds, until a request gets through', async () => {
    const clock = startClock();
    const pauses: number[] = [];
    const onPause = ({ milliseconds }: Pause<Refused>): number => pauses.push(milliseconds);
    const gate = openGate({ clock, onPause });
    for (let tries = 0; tries < 20; tries += 1) await gate(patching, refusing({}));
    expect(pauses.slice(0, 3)).toEqual([250, 375, 562.5]);
    expect(pauses.at(-1)).toBe(20_000);
    await gate(patching, landing);
    await gate(patching, refusing({}));
    expect(pauses.at(-1)).toBe(250);
  });

  test('a server that may be down is left alone for half a second, each time', async () => {
    const clock = startClock();
    const pauses: number[] = [];
    const onPause = ({ milliseconds }: Pause<Refused>): number => pauses.push(milliseconds);
    const gate = openGate({ clock, onPause });
    for (let tries = 0; tries < 3; tries += 1) await gate(patching, refusing({ isDown: true }));
    expect(pauses).toEqual([500, 500, 500]);
  });
});

/** Asks again and again, as long as it is sent at all. */
async function askUntilClosed(world: World, fault: Refused): Promise<Closed<Refused>> {
  const gate = openGate(world);
  for (;;) {
    const reply = await gate(patching, refusing(fault));
    if ('closed' in reply) return reply.closed;
  }
}

describe('a request is given up', () => {
  test.each([[0], [undefined], [7000]])(
    'once refusals that ask for %s ms have taken all patience',
    async (asked) => {
      const clock = startClock();
      const closed = await askUntilClosed({ clock, patience: 600_000 }, { asked });
      expect(closed).toMatchObject({ kind: 'too-late', patience: 600_000, fault: { asked } });
      expect(clock.now()).toBeGreaterThan(575_000);
      expect(clock.now()).toBeLessThan(601_000);
    },
  );

  test('at once where the server wants a longer pause than any request would wait', async () => {
    const clock = startClock();
    const told: unknown[] = [];
    const world = { clock, patience: 60_000, onPause: (pause: unknown) => told.push(pause) };
    const closed = await askUntilClosed(world, { asked: 61_000 });
    expect(closed).toMatchObject({ kind: 'too-late', resumesIn: 61_000 });
    expect([clock.now(), told]).toEqual([0, []]);
  });

  test('by its own method: reads that get through do not make up for patches that never do', async () => {
    const clock = startClock();
    const gate = openGate({ clock, patience: 10_000 });
    for (;;) {
      const reply = await gate(patching, refusing({ asked: 1000 }));
      if ('closed' in reply) break;
      expect(await gate({ ...patching, method: 'GET' }, landing)).toMatchObject({ value: 'done' });
    }
    expect(clock.now()).toBeGreaterThan(5000);
    // Beside its own pauses a request waits for its turn among those that get through.
    expect(clock.now()).toBeLessThan(30_000);
  });

  test('when its signal aborts, at once and unsent', async () => {
    const clock = startClock();
    const gate = openGate({ clock });
    await gate(patching, refusing({ asked: 60_000 }));
    const ending = new AbortController();
    const sent: string[] = [];
    const waiting = gate({ ...patching, ends: ending.signal }, async () => {
      sent.push('sent');
      return landing();
    });
    ending.abort();
    expect(await waiting).toMatchObject({ closed: { kind: 'ended' } });
    expect([clock.now(), sent]).toEqual([0, []]);
  });
});
