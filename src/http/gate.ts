import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Clock } from '../core/effects.ts';

export type Gate<Fault> = ReturnType<typeof createGate<Fault>>;

type Wish = {
  readonly method: string;
  readonly ends: AbortSignal | undefined;
  /** It is given up after so many; 1 for a change that may not land twice: a refusal may be late. */
  readonly mostRefusals: number;
  /** Whether a long pause ends its wait: what it builds on may have changed meanwhile. */
  readonly endsWithPause?: boolean | undefined;
};

type Reply<T, Fault> = { readonly value: T } | { readonly fault: Fault };

export type Closed<Fault> =
  | { readonly kind: 'ended' }
  | { readonly kind: 'paused'; readonly fault: Fault }
  | {
      readonly kind: 'too-late';
      readonly fault: Fault;
      /** Milliseconds. */
      readonly resumesIn: number;
      readonly patience: number;
    };

export type Pause<Fault> = {
  readonly milliseconds: number;
  readonly atOnce: number;
  readonly fault: Fault;
};

export type Reception =
  | { readonly kind: 'passed' }
  | { readonly kind: 'unclear' }
  | {
      readonly kind: 'refused';
      /** Milliseconds. */
      readonly asked: number | undefined;
      /** Otherwise the server may be down. */
      readonly isCertain: boolean;
    };

// Milliseconds: a shorter pause ends no wait, since a patch may take as long to arrive.
const longPause = 1000;

/**
 * After a refusal all requests pause, for the longest time that the server asks for. Then they
 * start again one by one and fewer at once.
 */
export function createGate<Fault>(options: {
  readonly most: number;
  /** Milliseconds to wait for one success: by method, as servers may count writes apart. */
  readonly patience: number;
  readonly receptionOf: (fault: Fault) => Reception;
  readonly onPause: (pause: Pause<Fault>) => void;
  readonly effects: Clock;
}) {
  const { most, patience, receptionOf, onPause, effects } = options;
  const inFlight = pLimit(most);
  let allowed = most;
  let successes = 0;
  const streaks = new Map<string, Streak>();
  let lastFault: Fault | undefined;
  let pauses = 0;
  let longPauses = 0;
  let resumeAt = 0;

  const streakOf = (method: string): Streak => streaks.get(method) ?? { refusals: 0, waited: 0 };
  const isTooLate = (method: string): boolean =>
    resumeAt - effects.now() > patience || streakOf(method).waited > patience;

  function closedTo(
    { method, ends, endsWithPause }: Wish,
    pausesBefore: number,
  ): Closed<Fault> | undefined {
    if (ends?.aborted) return { kind: 'ended' };
    if (lastFault === undefined) return undefined;
    const fault = lastFault;
    const resumesIn = resumeAt - effects.now();
    if (isTooLate(method)) return { kind: 'too-late', fault, resumesIn, patience };
    const isPaused = resumesIn >= longPause || longPauses > pausesBefore;
    return endsWithPause && isPaused ? { kind: 'paused', fault } : undefined;
  }

  async function waitForPause({ method, ends }: Wish): Promise<void> {
    const wait = resumeAt - effects.now();
    if (wait > 0) {
      await effects.sleep(Math.ceil(wait), ends).catch((error: unknown) => {
        if (!ends?.aborted) throw error;
      });
    }
    // If an answer and a signal come together, the event loop may take the answer first: this
    // waits for the end of this turn of the loop, and for the whole next one.
    if (ends && method !== 'GET') for (let turns = 0; turns < 2; turns += 1) await setImmediate();
  }

  // A request that was in flight when the pause began only shows how long the pause has to be.
  function pause(method: string, fault: Fault, isLate: boolean, refusal: Refusal): void {
    const { asked, isCertain } = refusal;
    lastFault = fault;
    const now = effects.now();
    if (isLate && now + (asked ?? 0) <= Math.max(now, resumeAt)) return;
    const { refusals, waited } = streakOf(method);
    const own = isCertain ? ownPause(refusals + 1, asked) : pauseInDoubt;
    const milliseconds = isLate ? (asked ?? 0) : Math.max(Math.min(own, patience), asked ?? 0);
    pauses += 1;
    resumeAt = now + milliseconds;
    if (milliseconds >= longPause) longPauses += 1;
    if (isLate) return;
    if (isCertain) streaks.set(method, { refusals: refusals + 1, waited: waited + milliseconds });
    allowed = Math.max(1, Math.floor(Math.min(allowed, inFlight.activeCount) / 2));
    successes = 0;
    inFlight.concurrency = 1;
    if (!isTooLate(method)) onPause({ milliseconds, atOnce: allowed, fault });
  }

  function grow(): void {
    successes += 1;
    if (successes % successesForOneMore === 0) allowed = Math.min(most, allowed + 1);
    if (inFlight.concurrency < allowed) inFlight.concurrency += 1;
  }

  function note(method: string, reply: Reply<unknown, Fault>, isLate: boolean): boolean {
    const reception: Reception = 'value' in reply ? { kind: 'passed' } : receptionOf(reply.fault);
    if (reception.kind === 'passed') {
      streaks.delete(method);
      if (!isLate) grow();
    }
    if (reception.kind !== 'refused' || 'value' in reply) return false;
    pause(method, reply.fault, isLate, reception);
    return reception.isCertain;
  }

  /** Undefined where a pause began before it was sent. */
  async function attempt<T>(
    wish: Wish,
    send: Send<T, Fault>,
    pausesBefore: number,
  ): Promise<Tried<T, Fault> | undefined> {
    const before = pauses;
    const closed = closedTo(wish, pausesBefore);
    if (closed) return { closed };
    await waitForPause(wish);
    if (wish.ends?.aborted) return { closed: { kind: 'ended' } };
    if (pauses > before) return undefined;
    const reply = await send();
    return { reply, isRefused: note(wish.method, reply, pauses > before) };
  }

  return async <T>(wish: Wish, send: Send<T, Fault>) => {
    const pausesBefore = longPauses;
    for (let refusals = 0; ;) {
      // Behind all others each time: a request that is always refused must not hold them up.
      const tried = await inFlight(async () => attempt(wish, send, pausesBefore));
      if (!tried) continue;
      if ('closed' in tried) return { ...tried, refusals };
      const { reply, isRefused } = tried;
      if (!isRefused || refusals + 1 >= wish.mostRefusals) return { ...reply, refusals };
      refusals += 1;
    }
  };
}

type Send<T, Fault> = () => Promise<Reply<T, Fault>>;

type Tried<T, Fault> =
  | { readonly closed: Closed<Fault> }
  | { readonly reply: Reply<T, Fault>; readonly isRefused: boolean };

type Refusal = Extract<Reception, { readonly kind: 'refused' }>;

/** Since the last success of a method. */
type Streak = { readonly refusals: number; readonly waited: number };

const successesForOneMore = 10;

// All in milliseconds: where the server may be down, the first pause where it gives no length, and
// the longest one to which these grow.
const pauseInDoubt = 500;
const shortest = 250;
const longest = 20_000;
const growth = 1.5;

// How many times a too short Retry-After is honoured before the pauses grow.
const honoured = 3;

// Without jitter: the requests of this one client start again one by one.
function ownPause(refusals: number, asked: number | undefined): number {
  const doubts = asked === undefined ? refusals : refusals - honoured;
  return doubts > 0 ? Math.min(longest, shortest * growth ** (doubts - 1)) : 0;
}
