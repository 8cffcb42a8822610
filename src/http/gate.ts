import { setImmediate } from 'node:timers/promises';
import type { Effects } from '../core/effects.ts';
import { createTurns, type Refusal, type Turn } from './pace.ts';

export type Gate<Fault> = <T>(
  wish: Wish,
  send: () => Promise<Reply<T, Fault>>,
) => Promise<
  (Reply<T, Fault> | { readonly closed: Closed<Fault> }) & {
    readonly refusals: number;
  }
>;

type Wish = {
  readonly method: string;
  readonly ends: AbortSignal | undefined;
  readonly repeats: boolean;
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
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'unclear' };

type GateOptions<Fault> = {
  readonly most: number;
  /** Milliseconds to wait for one success. */
  readonly patience: number;
  readonly receptionOf: (fault: Fault) => Reception;
  readonly onPause: (pause: Pause<Fault>) => void;
  readonly effects: Pick<Effects, 'sleep' | 'now'>;
};

type Arrival = { readonly longPauses: number };

// Milliseconds: a shorter pause ends no wait, as a patch may travel as long.
const longPause = 1000;

/**
 * After a refusal all requests pause, for the longest time that the server asks for. Then they
 * start again one by one, fewer at once than before, and no faster than the server lets them
 * through.
 */
export function createGate<Fault>(options: GateOptions<Fault>): Gate<Fault> {
  const { patience, receptionOf, onPause, effects } = options;
  const turns = createTurns(patience);
  const inFlight = createInFlight(options.most);
  let lastFault: Fault | undefined;
  let longPauses = 0;

  function closedTo({ method, ends, endsWithPause }: Wish, arrival: Arrival, now: number) {
    if (ends?.aborted) return { kind: 'ended' } as const;
    if (lastFault === undefined) return undefined;
    const fault = lastFault;
    const resumesIn = turns.resumeAt() - now;
    if (turns.isTooLate(method, now)) {
      return { kind: 'too-late', fault, resumesIn, patience } as const;
    }
    const isPaused = resumesIn >= longPause || longPauses > arrival.longPauses;
    return endsWithPause && isPaused ? ({ kind: 'paused', fault } as const) : undefined;
  }

  async function takeTurn(wish: Wish, arrival: Arrival): Promise<Turn | Closed<Fault> | undefined> {
    const { method, ends } = wish;
    const now = effects.now();
    const closed = closedTo(wish, arrival, now);
    if (closed) return closed;
    const turn = turns.take(now);
    if (turn.start > now) {
      await effects.sleep(Math.ceil(turn.start - now), ends).catch((error: unknown) => {
        if (!ends?.aborted) throw error;
      });
    }
    if (ends && method !== 'GET') await hearSignals();
    if (ends?.aborted) return { kind: 'ended' };
    return turns.isCurrent(turn) ? turn : undefined;
  }

  function note(method: string, turn: Turn, reply: Reply<unknown, Fault>): boolean {
    const reception: Reception = 'value' in reply ? { kind: 'passed' } : receptionOf(reply.fault);
    if (reception.kind === 'passed') {
      turns.passed(method, turn);
      if (turns.isCurrent(turn)) inFlight.grow();
    }
    if (reception.kind !== 'refused' || 'value' in reply) return false;
    const { fault } = reply;
    lastFault = fault;
    const now = effects.now();
    const milliseconds = turns.refused(method, turn, { now, ...reception });
    if (turns.resumeAt() - now >= longPause) longPauses += 1;
    if (milliseconds !== undefined) {
      const atOnce = inFlight.halve();
      if (!turns.isTooLate(method, now)) onPause({ milliseconds, atOnce, fault });
    }
    return reception.isCertain;
  }

  let arrivals = 0;
  return async (wish, send) => {
    const place = (arrivals += 1);
    const arrival = { longPauses };
    let refusals = 0;
    await inFlight.enter(place);
    try {
      for (;;) {
        const turn = await takeTurn(wish, arrival);
        if (turn && 'kind' in turn) return { closed: turn, refusals };
        const reply = turn && (await send());
        const isRefused = turn && reply && note(wish.method, turn, reply);
        if (reply && !(isRefused && wish.repeats)) return { ...reply, refusals };
        if (isRefused) refusals += 1;
        inFlight.pass();
        await inFlight.enter(place);
      }
    } finally {
      inFlight.leave();
    }
  };
}

// Where an answer and a signal come together, the event loop may take the answer first.
async function hearSignals(): Promise<void> {
  // To the end of this turn of the loop, and through the whole next one.
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
}

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
