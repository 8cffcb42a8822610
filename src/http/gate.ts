import { setImmediate } from 'node:timers/promises';
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
  const { patience, receptionOf, onPause, effects } = options;
  const inFlight = createInFlight(options.most);
  const streaks = new Map<string, Streak>();
  let lastFault: Fault | undefined;
  let pauses = 0;
  let longPauses = 0;
  let resumeAt = 0;

  const streakOf = (method: string): Streak => streaks.get(method) ?? { refusals: 0, waited: 0 };
  const isTooLate = (method: string): boolean =>
    resumeAt - effects.now() > patience || streakOf(method).waited > patience;

  function closedTo({ method, ends, endsWithPause }: Wish, pausesBefore: number) {
    if (ends?.aborted) return { kind: 'ended' } as const;
    if (lastFault === undefined) return undefined;
    const fault = lastFault;
    const resumesIn = resumeAt - effects.now();
    if (isTooLate(method)) return { kind: 'too-late', fault, resumesIn, patience } as const;
    const isPaused = resumesIn >= longPause || longPauses > pausesBefore;
    return endsWithPause && isPaused ? ({ kind: 'paused', fault } as const) : undefined;
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
    const atOnce = inFlight.halve();
    if (!isTooLate(method)) onPause({ milliseconds, atOnce, fault });
  }

  function note(method: string, reply: Reply<unknown, Fault>, isLate: boolean): boolean {
    const reception: Reception = 'value' in reply ? { kind: 'passed' } : receptionOf(reply.fault);
    if (reception.kind === 'passed') {
      streaks.delete(method);
      if (!isLate) inFlight.grow();
    }
    if (reception.kind !== 'refused' || 'value' in reply) return false;
    pause(method, reply.fault, isLate, reception);
    return reception.isCertain;
  }

  let arrivals = 0;
  return async <T>(wish: Wish, send: () => Promise<Reply<T, Fault>>) => {
    const { method, mostRefusals } = wish;
    let place = (arrivals += 1);
    const pausesBefore = longPauses;
    let refusals = 0;
    await inFlight.enter(place);
    try {
      for (;;) {
        const before = pauses;
        const closed = closedTo(wish, pausesBefore);
        if (closed) return { closed, refusals };
        await waitForPause(wish);
        if (wish.ends?.aborted) return { closed: { kind: 'ended' } as const, refusals };
        const reply = pauses === before ? await send() : undefined;
        const isRefused = reply && note(method, reply, pauses > before);
        if (reply && (!isRefused || refusals + 1 >= mostRefusals)) return { ...reply, refusals };
        if (isRefused) refusals += 1;
        // A request that is always refused must not hold up the others.
        if (isRefused && refusals > refusalsInFront) place = arrivals += 1;
        inFlight.pass();
        await inFlight.enter(place);
      }
    } finally {
      inFlight.leave();
    }
  };
}

// After so many a request goes on behind all others.
const refusalsInFront = 3;

type Refusal = Extract<Reception, { readonly kind: 'refused' }>;

/** Since the last success of a method. */
type Streak = { readonly refusals: number; readonly waited: number };

const successesForOneMore = 10;

function createInFlight(most: number) {
  const waiting: { readonly place: number; readonly enter: () => void }[] = [];
  let active = 0;
  let slots = most;
  let allowed = most;
  let successes = 0;
  const admit = (): void => {
    while (active < slots && waiting.length > 0) {
      active += 1;
      waiting.shift()?.enter();
    }
  };
  return {
    enter: async (place: number): Promise<void> =>
      new Promise((resolve) => {
        const before = waiting.findLastIndex((each) => each.place < place);
        waiting.splice(before + 1, 0, { place, enter: resolve });
        admit();
      }),
    pass: () => {
      active -= 1;
    },
    leave: () => {
      active -= 1;
      admit();
    },
    grow: () => {
      successes += 1;
      if (successes % successesForOneMore === 0) allowed = Math.min(most, allowed + 1);
      if (slots < allowed) slots += 1;
    },
    halve: () => {
      allowed = Math.max(1, Math.floor(Math.min(allowed, active) / 2));
      successes = 0;
      slots = 1;
      return allowed;
    },
  };
}

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
