/** When the requests to one server may start. All times in milliseconds, by the caller's clock. */

export type Refusal = {
  readonly asked: number | undefined;
  readonly isCertain: boolean;
};

export type Turn = {
  readonly start: number;
  readonly pause: number;
};

export type Turns = {
  readonly take: (now: number) => Turn;
  readonly isCurrent: (turn: Turn) => boolean;
  readonly passed: (method: string, turn: Turn) => void;
  readonly refused: (
    method: string,
    turn: Turn,
    refusal: Refusal & { readonly now: number },
  ) => number | undefined;
  readonly resumeAt: () => number;
  readonly isTooLate: (method: string, now: number) => boolean;
};

/**
 * After a refusal all requests pause; then they start no closer together than the server is seen to
 * let them through. A request that started before a pause says nothing about the time after it.
 * `patience` is how long to wait for one success: by method, as servers may count writes apart.
 */
export function createTurns(patience: number): Turns {
  const pace = createPace();
  const standings = new Map<string, Standing>();
  let pauses = 0;
  let resumeAt = 0;
  let nextStart = 0;
  const isCurrent: Turns['isCurrent'] = ({ pause }) => pause === pauses;
  const pauseUntil = (end: number): void => {
    pauses += 1;
    resumeAt = end;
    nextStart = 0;
  };
  return {
    take: (now) => {
      const start = Math.max(now, nextStart, resumeAt);
      nextStart = start + pace.interval();
      return { start, pause: pauses };
    },
    isCurrent,
    passed: (method, turn) => {
      standings.delete(method);
      if (isCurrent(turn)) pace.passed();
    },
    refused: (method, turn, { now, asked, isCertain }) => {
      if (!isCurrent(turn)) {
        // A request in flight when the pause began only shows how long the pause has to be.
        if (asked !== undefined && now + asked > Math.max(now, resumeAt)) pauseUntil(now + asked);
        return undefined;
      }
      pace.refused(now);
      const { refusals, waited } = standings.get(method) ?? good;
      const own = isCertain ? ownPause(refusals + 1, asked) : uncertain;
      const pause = Math.max(Math.min(own, patience), asked ?? 0);
      if (isCertain) standings.set(method, { refusals: refusals + 1, waited: waited + pause });
      pauseUntil(now + pause);
      return pause;
    },
    resumeAt: () => resumeAt,
    isTooLate: (method, now) =>
      resumeAt - now > patience || (standings.get(method) ?? good).waited > patience,
  };
}

type Standing = { readonly refusals: number; readonly waited: number };

const good: Standing = { refusals: 0, waited: 0 };

// The first pause where the server gives no length, and the growth of each further one.
const shortest = 50;
const longest = 20_000;
const growth = 1.5;

const uncertain = 500;

// How many times a missing or too short Retry-After is honoured before the pauses grow.
const believed = 3;

// Without jitter: the requests of this one client start again one by one.
function ownPause(refusals: number, asked: number | undefined): number {
  const doubts = asked === undefined ? refusals : refusals - believed;
  return doubts > 0 ? Math.min(longest, shortest * growth ** (doubts - 1)) : 0;
}

// No header gives the interval of a server that counts requests, and a request at once after each
// pause loses a part of what is allowed.
function createPace() {
  let measure: Measure | undefined;
  let learnt: Learnt | undefined;
  let timesInVain = 0;
  const interval = (): number =>
    learnt && measure && timesInVain < oftenInVain ? intervalAfter(measure.passed, learnt) : 0;
  return {
    interval,
    passed: (): void => {
      if (measure) measure.passed += 1;
    },
    refused: (now: number): void => {
      const passed = measure?.passed ?? 0;
      const isSlowest = learnt !== undefined && learnt.interval >= learnt.longest;
      timesInVain = isSlowest && passed <= fewest ? timesInVain + 1 : 0;
      const apart = measure && measure.passed > 0 ? (now - measure.from) / measure.passed : 0;
      if (measure && apart > 0) {
        if (learnt) learnt = learnMore(learnt, { apart, last: interval(), ...measure });
        else if (now - measure.from >= firstMeasure) learnt = learnFirst(apart, measure);
        else return;
      }
      measure = { from: now, passed: 0 };
    },
  };
}

type Measure = { readonly from: number; passed: number };

type Learnt = {
  readonly interval: number;
  readonly longest: number;
  readonly trust: number;
};

// When so few get through at the slowest pace, so often, the refusals have another reason.
const fewest = 2;
const oftenInVain = 4;

const firstMeasure = 1000;

// Pauses in whole seconds may have held up far more than was needed.
const hope = 3;

const slowest = 1.25;

function learnFirst(apart: number, { passed }: Measure): Learnt {
  return { interval: apart / hope, longest: apart * slowest, trust: trustIn(passed) };
}

// Part of the speed that is left unused, as requests do not arrive as evenly as they start.
const margin = 0.98;

function learnMore(
  { longest }: Learnt,
  { apart, last, passed }: Measure & { readonly apart: number; readonly last: number },
): Learnt {
  const between = Math.max(last, Math.sqrt(last * apart));
  return { interval: Math.min(longest, between / margin), longest, trust: trustIn(passed) };
}

function trustIn(passed: number): number {
  return Math.min(400, Math.max(8, 8 * passed));
}

function intervalAfter(passed: number, { interval, trust }: Learnt): number {
  return interval / (1 + (passed / trust) ** 3);
}
