/**
 * Learns how far apart requests must start where a server counts them, from what it lets through:
 * no header says it, and asking at once after each pause loses a part of what is allowed.
 * All times in milliseconds.
 */
export type Pace = {
  /** From the start of one request to the next; 0 while nothing shows that the server counts. */
  readonly interval: () => number;
  /** A request got through that started after the last refusal. */
  readonly passed: () => void;
  /** One that started after the last refusal was refused as well. */
  readonly refused: (now: number) => void;
};

export function createPace(): Pace {
  let measure: Measure | undefined;
  let learnt: Learnt | undefined;
  let timesInVain = 0;
  const interval = (): number =>
    learnt && measure && timesInVain < oftenInVain ? intervalAfter(measure.passed, learnt) : 0;
  return {
    interval,
    passed: () => {
      if (measure) measure.passed += 1;
    },
    refused: (now) => {
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

/** What got through since a refusal, pauses included. */
type Measure = { readonly from: number; passed: number };

type Learnt = {
  readonly interval: number;
  /** A longer interval than this is never needed. */
  readonly longest: number;
  /** Once so many have got through, the pace is tried twice as fast. */
  readonly trust: number;
};

/** Where so few get through at the slowest pace, and so often, they are refused for another reason. */
const fewest = 2;
const oftenInVain = 4;

/** Before that, requests start as soon as they may: what gets through then is the measure. */
const firstMeasure = 1000;

/** Pauses that were asked for, in whole seconds, may have held up far more than was needed. */
const hope = 3;

/** A refusal that has nothing to do with the pace must not make it slower and slower. */
const slowest = 1.25;

function learnFirst(apart: number, { passed }: Measure): Learnt {
  return { interval: apart / hope, longest: apart * slowest, trust: trustIn(passed) };
}

/** Part of the speed that is left unused, as requests do not arrive as evenly as they start. */
const margin = 0.98;

/** The pace at the refusal was too fast; what got through since the one before may be too little. */
function learnMore(
  { longest }: Learnt,
  { apart, last, passed }: Measure & { readonly apart: number; readonly last: number },
): Learnt {
  const between = Math.max(last, Math.sqrt(last * apart));
  return { interval: Math.min(longest, between / margin), longest, trust: trustIn(passed) };
}

/** A pace that held for long is trusted for longer: each refusal may cost a pause. */
function trustIn(passed: number): number {
  return Math.min(400, Math.max(8, 8 * passed));
}

/** Faster and faster, but at first hardly so. */
function intervalAfter(passed: number, { interval, trust }: Learnt): number {
  return interval / (1 + (passed / trust) ** 3);
}
