import pLimit from 'p-limit';
import { displayUrl } from '../http/address.ts';
import type { Answer } from '../http/body.ts';
import { againIn, backOff } from '../http/retry.ts';
import { ApiError } from './api-error.ts';
import { attemptRequest } from './attempt.ts';
import type { OpenConnection } from './connection.ts';
import type { Attempt, CatalogRequest, Fault } from './request.ts';

/** How often to try, and for how long; times in milliseconds. */
export const retryPolicy = {
  attempts: 5,
  /** While nobody has ever answered in this run: the address is more likely wrong than the time. */
  firstContact: 2,
  /** A server that asks for more than this is not waited for. */
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

/** A sender with one budget of retries for all its requests: a dead catalog is not asked for ever. */
export function createSender(connection: OpenConnection): Send {
  let budget: number = retryPolicy.budget;
  let mostAttempts: number = retryPolicy.firstContact;
  const inFlight = pLimit(connection.concurrency ?? Infinity);
  const attempt = async <T>(request: CatalogRequest, read: Read<T>): Promise<Attempt<T>> => {
    const sent = await inFlight(async () => attemptRequest(connection, request));
    const result = 'fault' in sent ? sent : await read(sent.value);
    if (isAnswered(result)) mostAttempts = retryPolicy.attempts;
    return result;
  };
  return async (request, read, first) => {
    let result = first ? await read(first) : await attempt(request, read);
    for (let attempts = 1; 'fault' in result; attempts += 1) {
      request.signal?.throwIfAborted();
      const { fault } = result;
      const failure = new ApiError(request, fault, attempts);
      const wait = waitBeforeRetry(request.method, fault, attempts, connection.effects.random);
      const price = isBusy(fault) ? 0 : 1;
      if (wait === undefined || budget < price || attempts >= mostAttempts) throw failure;
      budget -= price;
      const again = `${fault.message} ${againIn(wait, attempts + 1, mostAttempts)}`;
      await waitToRetry(wait, request, connection, { failure, again });
      result = await attempt(request, read);
    }
    budget = Math.min(retryPolicy.budget, budget + retryPolicy.earned);
    return result.value;
  };
}

/** Ends early with an error where the request is given up, or is not to be tried again. */
async function waitToRetry(
  wait: number,
  { method, url, signal, lastTry }: CatalogRequest,
  { effects, log, onRetry = log }: OpenConnection,
  { failure, again }: { readonly failure: ApiError; readonly again: string },
): Promise<void> {
  if (lastTry?.aborted) throw failure;
  onRetry?.(`${method} ${displayUrl(url)}: ${again}`);
  const ends = [signal, lastTry].filter((end) => end !== undefined);
  try {
    await effects.sleep(wait, ends.length > 0 ? AbortSignal.any(ends) : undefined);
  } catch (error) {
    throw lastTry?.aborted ? failure : error;
  }
  if (lastTry?.aborted) throw failure;
}

/** Whether somebody is there, however displeased. */
function isAnswered(result: Attempt<unknown>): boolean {
  return 'value' in result || result.fault.code !== 'unreachable';
}

/** Whether the server is well and wants no more than to be asked less often. */
function isBusy({ code, retryAfterMs }: Fault): boolean {
  return code === 'rate-limited' || retryAfterMs !== undefined;
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
