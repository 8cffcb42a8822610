import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Effects } from '../core/effects.ts';
import type { Refusal } from './pauses.ts';
import { createTurns, type Turn } from './turns.ts';

/** The one way to a server, for all requests: each is sent when its turn has come. */
export type Gate<Fault> = <T>(
  wish: Wish,
  send: () => Promise<Reply<T, Fault>>,
) => Promise<Reply<T, Fault> | { readonly closed: Closed<Fault> }>;

/** A request that wants to be sent; `ends` ends its wait. */
type Wish = { readonly method: string; readonly ends: AbortSignal | undefined };

type Reply<T, Fault> = { readonly value: T } | { readonly fault: Fault };

/** Why a request is not sent. */
export type Closed<Fault> =
  | { readonly kind: 'ended' }
  /** It would wait for longer than anybody is ready to. */
  | {
      readonly kind: 'too-late';
      /** Of the last request that was one too many. */
      readonly fault: Fault;
      /** Milliseconds until the server may be asked again. */
      readonly resumesIn: number;
      readonly patience: number;
    };

/** A pause of all requests, as it begins. */
export type Pause<Fault> = {
  readonly milliseconds: number;
  /** How many requests may be in flight afterwards. */
  readonly atOnce: number;
  readonly fault: Fault;
};

/** What a fault says about the server's readiness to be asked. */
export type Reception =
  | { readonly kind: 'passed' }
  | ({ readonly kind: 'refused' } & Refusal)
  | { readonly kind: 'unclear' };

type GateOptions<Fault> = {
  /** How many requests may be in flight at once. */
  readonly most: number;
  /** Milliseconds to wait for one success. */
  readonly patience: number;
  readonly receptionOf: (fault: Fault) => Reception;
  readonly onPause: (pause: Pause<Fault>) => void;
  readonly effects: Pick<Effects, 'sleep' | 'now'>;
};

/**
 * After a refusal all requests pause, for as long as any of them is asked to. Then they start again
 * one by one, fewer at once than before, and no faster than the server is seen to let them through.
 */
export function createGate<Fault>(options: GateOptions<Fault>): Gate<Fault> {
  const { patience, receptionOf, onPause, effects } = options;
  const turns = createTurns(patience);
  const inFlight = createInFlight(options.most);
  let lastFault: Fault | undefined;

  async function takeTurn({ method, ends }: Wish): Promise<Turn | Closed<Fault>> {
    for (;;) {
      if (ends?.aborted) return { kind: 'ended' };
      const now = effects.now();
      const fault = turns.areTooLate(method, now) ? lastFault : undefined;
      const resumesIn = turns.resumeAt() - now;
      if (fault !== undefined) return { kind: 'too-late', fault, resumesIn, patience };
      const turn = turns.take(now);
      if (turn.start > now) await sleepOrEnd(turn.start - now, ends, effects);
      // A change that has left can't be called back.
      if (ends && method !== 'GET') await hearSignals();
      if (turns.stands(turn) && !ends?.aborted) return turn;
    }
  }

  function note(method: string, turn: Turn, reply: Reply<unknown, Fault>): void {
    const reception: Reception = 'value' in reply ? passed : receptionOf(reply.fault);
    if (reception.kind === 'passed' && turns.passed(method, turn)) inFlight.grow();
    if (reception.kind !== 'refused' || 'value' in reply) return;
    const { fault } = reply;
    lastFault = fault;
    const now = effects.now();
    const milliseconds = turns.refused(method, turn, { now, ...reception });
    if (milliseconds === undefined) return;
    const atOnce = inFlight.halve();
    if (!turns.areTooLate(method, now)) onPause({ milliseconds, atOnce, fault });
  }

  return async (wish, send) =>
    inFlight.slots(async () => {
      const turn = await takeTurn(wish);
      if ('kind' in turn) return { closed: turn };
      const reply = await send();
      note(wish.method, turn, reply);
      return reply;
    });
}

/** Sleeps, but no longer than until the signal aborts. */
async function sleepOrEnd(
  milliseconds: number,
  ends: Wish['ends'],
  { sleep }: Pick<Effects, 'sleep'>,
): Promise<void> {
  await sleep(Math.ceil(milliseconds), ends).catch((error: unknown) => {
    if (!ends?.aborted) throw error;
  });
}

/**
 * Until this process has heard every signal that was sent to it before: of an answer and a signal
 * that come together, the event loop may take the answer first.
 */
async function hearSignals(): Promise<void> {
  // To the end of this turn of the loop, and through the whole next one.
  for (let turn = 0; turn < 2; turn += 1) await setImmediate();
}

const passed: Reception = { kind: 'passed' };

/** So many successes let one more request be in flight. */
const successesForOneMore = 10;

/** After a refusal half as many, and first of all one; then slowly more. */
function createInFlight(most: number) {
  const slots = pLimit(most);
  let allowed = most;
  let successes = 0;
  return {
    slots,
    grow: () => {
      successes += 1;
      if (successes % successesForOneMore === 0) allowed = Math.min(most, allowed + 1);
      if (slots.concurrency < allowed) slots.concurrency += 1;
    },
    /** Gives how many are allowed from now on. */
    halve: () => {
      allowed = Math.max(1, Math.floor(Math.min(allowed, slots.activeCount) / 2));
      successes = 0;
      slots.concurrency = 1;
      return allowed;
    },
  };
}
