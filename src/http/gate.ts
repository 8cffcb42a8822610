import { setImmediate } from 'node:timers/promises';
import type { Effects } from '../core/effects.ts';

export type Gate<Fault> = ReturnType<typeof createGate<Fault>>;

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

// Milliseconds: a shorter pause ends no wait, since a patch may take as long to arrive.
const longPause = 1000;

/**
 * After a refusal all requests pause, for the longest time that the server asks for. Then they
 * start again one by one, fewer at once than before, and no faster than the server lets them
 * through; together, where that makes no difference to it.
 */
export function createGate<Fault>(options: {
  readonly most: number;
  /** Milliseconds to wait for one success. */
  readonly patience: number;
  readonly receptionOf: (fault: Fault) => Reception;
  readonly onPause: (pause: Pause<Fault>) => void;
  readonly effects: Pick<Effects, 'sleep' | 'now'>;
}) {
  const { patience, receptionOf, onPause, effects } = options;
  const turns = createTurns(patience);
  const inFlight = createInFlight(options.most);
  let lastFault: Fault | undefined;
  let longPauses = 0;

  function closedTo({ method, ends, endsWithPause }: Wish, pausesBefore: number, now: number) {
    if (ends?.aborted) return { kind: 'ended' } as const;
    if (lastFault === undefined) return undefined;
    const fault = lastFault;
    const resumesIn = turns.resumeAt() - now;
    if (turns.isTooLate(method, now))
      return { kind: 'too-late', fault, resumesIn, patience } as const;
    const isPaused = resumesIn >= longPause || longPauses > pausesBefore;
    return endsWithPause && isPaused ? ({ kind: 'paused', fault } as const) : undefined;
  }

  async function takeTurn(wish: Wish, pausesBefore: number) {
    const { method, ends } = wish;
    const now = effects.now();
    const closed = closedTo(wish, pausesBefore, now);
    if (closed) return closed;
    const turn = turns.take(now);
    if (turn.start > now) {
      await effects.sleep(Math.ceil(turn.start - now), ends).catch((error: unknown) => {
        if (!ends?.aborted) throw error;
      });
    }
    // Where an answer and a signal come together, the event loop may take the answer first: this
    // waits for the end of this turn of the loop, and for the whole next one.
    if (ends && method !== 'GET') for (let turns = 0; turns < 2; turns += 1) await setImmediate();
    if (ends?.aborted) return { kind: 'ended' } as const;
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
      const atOnce = turns.isPaceInVain() ? inFlight.double() : inFlight.halve();
      if (!turns.isTooLate(method, now)) onPause({ milliseconds, atOnce, fault });
    }
    return reception.isCertain;
  }

  let arrivals = 0;
  return async <T>(wish: Wish, send: () => Promise<Reply<T, Fault>>) => {
    const place = (arrivals += 1);
    const pausesBefore = longPauses;
    let refusals = 0;
    await inFlight.enter(place);
    try {
      for (;;) {
        const turn = await takeTurn(wish, pausesBefore);
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
    double: () => {
      allowed = Math.min(most, 2 * allowed);
      slots = allowed;
      return allowed;
    },
    halve: () => {
      allowed = Math.max(1, Math.floor(Math.min(allowed, active) / 2));
      successes = 0;
      slots = 1;
      return allowed;
    },
  };
}

type Refusal = { readonly asked: number | undefined; readonly isCertain: boolean };

type Turn = { readonly start: number; readonly pause: number };

// When requests may start, in milliseconds by the caller's clock. After a refusal all pause; then
// they start no closer together than the server is seen to let them through. A request that started
// before a pause says nothing about the time after it. `patience` is how long to wait for one
// success: by method, as servers may count writes apart.
function createTurns(patience: number) {
  const pace = createPace();
  const streaks = new Map<string, Streak>();
  let pauses = 0;
  let resumeAt = 0;
  let nextStart = 0;
  const isCurrent = ({ pause }: Turn): boolean => pause === pauses;
  const pauseUntil = (end: number): void => {
    pauses += 1;
    resumeAt = end;
    nextStart = 0;
  };
  return {
    take: (now: number): Turn => {
      const start = Math.max(now, nextStart, resumeAt);
      nextStart = start + pace.interval();
      return { start, pause: pauses };
    },
    isCurrent,
    passed: (method: string, turn: Turn): void => {
      streaks.delete(method);
      pace.heard(true);
      if (isCurrent(turn)) pace.passed();
    },
    refused: (method: string, turn: Turn, refusal: Refusal & { readonly now: number }) => {
      const { now, asked, isCertain } = refusal;
      pace.heard(false);
      if (!isCurrent(turn)) {
        // A request in flight when the pause began only shows how long the pause has to be.
        if (asked !== undefined && now + asked > Math.max(now, resumeAt)) pauseUntil(now + asked);
        return undefined;
      }
      pace.refused(now, asked);
      const { refusals, waited } = streaks.get(method) ?? noStreak;
      const own = isCertain ? ownPause(refusals + 1, asked) : uncertain;
      const pause = Math.max(Math.min(own, patience), asked ?? 0);
      if (isCertain) streaks.set(method, { refusals: refusals + 1, waited: waited + pause });
      pauseUntil(now + pause);
      return pause;
    },
    resumeAt: () => resumeAt,
    isPaceInVain: pace.isInVain,
    isTooLate: (method: string, now: number): boolean =>
      resumeAt - now > patience || (streaks.get(method) ?? noStreak).waited > patience,
  };
}

type Streak = { readonly refusals: number; readonly waited: number };

const noStreak: Streak = { refusals: 0, waited: 0 };

// The first pause where the server gives no length, and the growth of each further one.
const shortest = 50;
const longest = 20_000;
const growth = 1.5;

const uncertain = 500;

// How many times a missing or too short Retry-After is honoured before the pauses grow.
const honoured = 3;

// Without jitter: the requests of this one client start again one by one.
function ownPause(refusals: number, asked: number | undefined): number {
  const doubts = asked === undefined ? refusals : refusals - honoured;
  return doubts > 0 ? Math.min(longest, shortest * growth ** (doubts - 1)) : 0;
}

// No header gives the interval of a server that counts requests, and a request at once after each
// pause loses a part of what is allowed.
function createPace() {
  let measure: { readonly from: number; passed: number } | undefined;
  let learnt: Readonly<Record<'interval' | 'longest' | 'trust', number>> | undefined;
  let answers = { passed: 0, all: 0 };
  let timesInVain = 0;
  let oftenInVain = 3;
  const isInVain = (): boolean => timesInVain >= oftenInVain;
  const interval = (): number =>
    learnt && measure && !isInVain()
      ? learnt.interval / (1 + (measure.passed / learnt.trust) ** 3)
      : 0;
  const doubtPace = (passed: number, asked = 0): void => {
    const isFair = answers.passed >= fairShare * answers.all;
    answers = { passed: answers.passed / 2, all: answers.all / 2 };
    const isSlowest = learnt !== undefined && learnt.interval >= learnt.longest;
    if (!isInVain()) {
      const isDoubtful = passed <= fewest && (isSlowest || (asked > 0 && isFair));
      timesInVain = isDoubtful ? timesInVain + 1 : 0;
    } else if (!isFair) {
      timesInVain = 0;
      oftenInVain *= 2;
    }
  };
  return {
    interval,
    isInVain,
    heard: (hasPassed: boolean): void => {
      answers = { passed: answers.passed + Number(hasPassed), all: answers.all + 1 };
    },
    passed: (): void => {
      if (measure) measure.passed += 1;
    },
    refused: (now: number, asked: number | undefined): void => {
      const passed = measure?.passed ?? 0;
      const trust = Math.min(400, Math.max(8, 8 * passed));
      doubtPace(passed, asked);
      const apart = measure && measure.passed > 0 ? (now - measure.from) / measure.passed : 0;
      if (measure && apart > 0 && !isInVain()) {
        if (learnt) {
          const last = interval();
          const between = Math.max(last, Math.sqrt(last * apart));
          const slower = Math.min(learnt.longest, between / margin);
          learnt = { ...learnt, interval: slower, trust };
        } else if (now - measure.from >= firstMeasure)
          learnt = { interval: apart / hope, longest: apart * slowest, trust };
        else return;
      }
      measure = { from: now, passed: 0 };
    },
  };
}

// When no more get through at the slowest pace, or after the pauses that the server asks for, although
// such a part of all requests does, the refusals have another reason: fewer requests, or slower ones,
// would be refused as often.
const fewest = 2;
const fairShare = 0.3;

const firstMeasure = 1000;

// Pauses in whole seconds may have held up far more than was needed.
const hope = 3;

const slowest = 1.25;

// Part of the speed that is left unused, as requests do not arrive as evenly as they start.
const margin = 0.98;
