import { displayUrl } from '../http/address.ts';
import type { Answer } from '../http/body.ts';
import type { Gate } from '../http/gate.ts';
import { againIn, backOff } from '../http/retry.ts';
import { ApiError } from './api-error.ts';
import { attemptRequest } from './attempt.ts';
import type { OpenConnection } from './connection.ts';
import type { Attempt, CatalogRequest, Fault } from './request.ts';
import { notSent, openGate } from './throttling.ts';

/** How often to try, and for how long; times in milliseconds. */
export const retryPolicy = {
  attempts: 5,
  /** Until the first answer of the run: the address is more likely wrong than the server down. */
  firstContact: 2,
  /** A failing server that asks for more than this is not waited for. */
  longestAsked: 120_000,
  /** Retries of a run, but for those that a busy server asks for; a success earns half of one back. */
  budget: 60,
  earned: 0.5,
} as const;

type Read<T> = (answer: Answer) => Attempt<T> | Promise<Attempt<T>>;

/**
 * Sends a request, again where that can help, and reads its answer. An answer that is here already
 * counts as that of the first attempt.
 */
export type Send = <T>(request: CatalogRequest, read: Read<T>, first?: Answer) => Promise<T>;

/**
 * A sender with one budget of retries for all its requests, so that a dead catalog is not asked for
 * ever, and one gate, so that a busy one is given the time it asks for. What may be sent again is,
 * where it was one request too many, by the gate: that is no retry.
 */
export function createSender(connection: OpenConnection): Send {
  let budget: number = retryPolicy.budget;
  let mostAttempts: number = retryPolicy.firstContact;
  const gate = openGate(connection);
  const attempt = async <T>(
    request: CatalogRequest,
    read: Read<T>,
    failure?: ApiError,
  ): Promise<Attempt<T>> => {
    const sent = await passGate(gate, request, { connection, failure });
    const result = 'fault' in sent ? sent : await read(sent.value);
    if (isAnswered(result)) mostAttempts = retryPolicy.attempts;
    return result;
  };
  const waitForRetry = async (request: CatalogRequest, fault: Fault, failure: ApiError) => {
    const { attempts } = failure;
    const wait = waitBeforeRetry(request.method, fault, attempts, connection.effects.random);
    const price = fault.retryAfterMs === undefined ? 1 : 0;
    const most = Math.min(mostAttempts, request.mostAttempts ?? mostAttempts);
    if (wait === undefined || budget < price || attempts >= most) throw failure;
    budget -= price;
    const again = `${fault.message} ${againIn(wait, attempts + 1, most)}`;
    await waitToRetry(wait, request, connection, { failure, again });
  };
  return async (asked, read, first) => {
    const request = withSignal(asked, connection.signal);
    let attempts = 1;
    let result = first ? await read(first) : await attempt(request, read);
    while ('fault' in result) {
      request.signal?.throwIfAborted();
      const failure = new ApiError(request, result.fault, attempts);
      await waitForRetry(request, result.fault, failure);
      attempts += 1;
      result = await attempt(request, read, failure);
    }
    budget = Math.min(retryPolicy.budget, budget + retryPolicy.earned);
    return result.value;
  };
}

function withSignal(request: CatalogRequest, signal: AbortSignal | undefined): CatalogRequest {
  if (!signal) return request;
  return {
    ...request,
    signal: request.signal ? AbortSignal.any([signal, request.signal]) : signal,
  };
}

/** Sends a request once when its turn has come; an error where it is given up before. */
async function passGate(
  gate: Gate<Fault>,
  request: CatalogRequest,
  { connection, failure }: { connection: OpenConnection; failure: ApiError | undefined },
): Promise<Attempt<Answer>> {
  const { method, repeats = method === 'GET' } = request;
  const wish = { method, ends: endOf(request), repeats };
  const sent = await gate(wish, async () => attemptRequest(connection, request));
  // One too many may have been carried out all the same: a gateway says so of its own second try.
  const isSecondTry = method !== 'GET' && sent.refusals > 0;
  const doubt = isSecondTry ? ({ isSecondTry, mayHaveLanded: true } as const) : {};
  if ('value' in sent) return sent;
  if ('fault' in sent) return { fault: { ...sent.fault, ...doubt } };
  request.signal?.throwIfAborted();
  const { closed } = sent;
  throw (closed.kind === 'ended' && !isSecondTry && failure) || notSent(request, closed, doubt);
}

/** What ends every wait of a request. */
function endOf({ signal, lastTry }: CatalogRequest): AbortSignal | undefined {
  return signal && lastTry ? AbortSignal.any([signal, lastTry]) : (signal ?? lastTry);
}

/** Ends early with an error where the request is given up, or is not to be tried again. */
async function waitToRetry(
  wait: number,
  request: CatalogRequest,
  { effects, log, onRetry = log }: OpenConnection,
  { failure, again }: { readonly failure: ApiError; readonly again: string },
): Promise<void> {
  const { method, url, lastTry } = request;
  if (lastTry?.aborted) throw failure;
  onRetry?.(`${method} ${displayUrl(url)}: ${again}`);
  try {
    await effects.sleep(wait, endOf(request));
  } catch (error) {
    throw lastTry?.aborted ? failure : error;
  }
  if (lastTry?.aborted) throw failure;
}

/** Whether somebody is there, however displeased. */
function isAnswered(result: Attempt<unknown>): boolean {
  return 'value' in result || result.fault.code !== 'unreachable';
}

/** Milliseconds to wait, or undefined where the request is not to be sent again. */
export function waitBeforeRetry(
  method: CatalogRequest['method'],
  fault: Fault,
  attempts: number,
  random: () => number,
): number | undefined {
  const isSafe = method === 'GET' || !fault.mayHaveLanded;
  if (!isSafe || !fault.transient || attempts >= retryPolicy.attempts) return undefined;
  return waitAfter(attempts, random, fault.retryAfterMs);
}

/** Milliseconds to wait after so many attempts, or undefined where the server asks for too many. */
export function waitAfter(attempts: number, random: () => number, asked = 0): number | undefined {
  return asked > retryPolicy.longestAsked ? undefined : backOff(attempts, random, asked);
}
