/** The pauses that a server's refusals ask of all requests. All times in milliseconds. */
export type Pauses = {
  /** How many there were: it tells what was sent before the last one. */
  readonly count: () => number;
  /** When the last one is over. */
  readonly end: () => number;
  /** Begins a pause, and tells how long it is. */
  readonly begin: (method: string, now: number, refusal: Refusal) => number;
  /** Makes the last pause as long as is asked for; tells whether it was shorter. */
  readonly prolong: (now: number, asked: number | undefined) => boolean;
  /** A request got through. */
  readonly passed: (method: string) => void;
  /** Whether requests of a method wait for longer than anybody is ready to. */
  readonly areTooLong: (method: string, now: number) => boolean;
};

export type Refusal = {
  /** How long the server asks to be left alone. */
  readonly asked: number | undefined;
  /** Whether it was one request too many for certain: else the server may be down as well. */
  readonly isCertain: boolean;
};

/** `patience` is how long may be waited for one success: by method, as writes may be counted apart. */
export function createPauses(patience: number): Pauses {
  const standings = new Map<string, Standing>();
  const standingOf = (method: string): Standing => standings.get(method) ?? good;
  let count = 0;
  let end = 0;
  return {
    count: () => count,
    end: () => end,
    begin: (method, now, { asked, isCertain }) => {
      const { refusals, waited } = standingOf(method);
      const own = isCertain ? ownPause(refusals + 1, asked) : uncertain;
      // Only a pause that the server asks for may be longer than anybody is ready to wait.
      const pause = Math.max(Math.min(own, patience), asked ?? 0);
      if (isCertain) standings.set(method, { refusals: refusals + 1, waited: waited + pause });
      count += 1;
      end = now + pause;
      return pause;
    },
    prolong: (now, asked = 0) => {
      if (asked <= Math.max(0, end - now)) return false;
      count += 1;
      end = now + asked;
      return true;
    },
    passed: (method) => standings.delete(method),
    areTooLong: (method, now) => end - now > patience || standingOf(method).waited > patience,
  };
}

/** How a method has fared since one of its requests last got through. */
type Standing = { readonly refusals: number; readonly waited: number };

const good: Standing = { refusals: 0, waited: 0 };

/** The first pause where nobody says how long, and how much longer each further one is. */
const shortest = 50;
const longest = 20_000;
const growth = 1.5;

/** Where the server may be down, each request is tried so often, and no oftener: pauses stay short. */
const uncertain = 500;

/** How many times a missing or too short Retry-After is honoured before the pauses grow. */
const believed = 3;

/** Without jitter: it is one client that starts again, and its requests do so one by one. */
function ownPause(refusals: number, asked: number | undefined): number {
  const doubts = asked === undefined ? refusals : refusals - believed;
  return doubts > 0 ? Math.min(longest, shortest * growth ** (doubts - 1)) : 0;
}
