import { createPace } from './pace.ts';
import { createPauses, type Refusal } from './pauses.ts';

/** When the requests to one server may start. All times in milliseconds, by the caller's clock. */
export type Turns = {
  readonly take: (now: number) => Turn;
  /** Whether no pause has begun since the turn was given. */
  readonly stands: (turn: Turn) => boolean;
  /** A request that started at its turn got through; tells whether that is news. */
  readonly passed: (method: string, turn: Turn) => boolean;
  /** It was one too many; gives the length of the pause, if one begins. */
  readonly refused: (
    method: string,
    turn: Turn,
    refusal: Refusal & { readonly now: number },
  ) => number | undefined;
  /** When the last pause is over. */
  readonly resumeAt: () => number;
  /** Whether that is later than anybody is ready to wait for. */
  readonly areTooLate: (method: string, now: number) => boolean;
};

export type Turn = { readonly start: number; readonly pause: number };

/**
 * After a refusal all requests pause; then they start no closer together than the server is seen to
 * let them through. What started before a pause says nothing about the time after it.
 */
export function createTurns(patience: number): Turns {
  const pauses = createPauses(patience);
  const pace = createPace();
  let nextStart = 0;
  const stands: Turns['stands'] = ({ pause }) => pause === pauses.count();
  return {
    take: (now) => {
      const start = Math.max(now, nextStart, pauses.end());
      nextStart = start + pace.interval();
      return { start, pause: pauses.count() };
    },
    stands,
    passed: (method, turn) => {
      pauses.passed(method);
      if (stands(turn)) pace.passed();
      return stands(turn);
    },
    refused: (method, turn, { now, ...refusal }) => {
      if (!stands(turn)) {
        // On its way when the pause began, it says nothing new but how long that is to be.
        if (pauses.prolong(now, refusal.asked)) nextStart = 0;
        return undefined;
      }
      pace.refused(now);
      nextStart = 0;
      return pauses.begin(method, now, refusal);
    },
    resumeAt: pauses.end,
    areTooLate: pauses.areTooLong,
  };
}
