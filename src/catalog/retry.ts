import pLimit from 'p-limit';
import { ApiError } from './api-error.ts';
import { exchange, type Wire } from './exchange.ts';
import type { Attempt, Fault } from '../http/fault.ts';
import { type CatalogRequest } from './request.ts';
import { displayUrl } from '../http/address.ts';
import type { Answer } from '../http/body.ts';

/** How often and how long to try; times in milliseconds. */
export const retryPolicy = {
  attempts: 5,
  /** While nobody has ever answered in this run: the address is more likely wrong than the time. */
  firstContact: 2,
  /** The first wait is somewhere below this, each further one below twice as much. */
  base: 500,
  longest: 20_000,
  /** A server that asks for more than this is not waited for. */
  longestAsked: 120_000,
  /** Retries of a run, but for those that a busy server asks for; a success earns half of one back. */
  budget: 60,
  earned: 0.5,
} as const;

/**
 * Sends a request, again where that can help, and reads its answer. An answer that is here already
 * counts as that of the first attempt.
 */
export type Send = <T>(
  request: CatalogRequest,
  read: (answer: Answer) => Attempt<T> | Promise<Attempt<T>>,
  first?: Answer,
) => Promise<T>;

/** A sender with one budget of retries for all its requests: a dead catalog is not asked for ever. */
export function createSender(wire: Wire): Send {
  let budget: number = retryPolicy.budget;
  let mostAttempts: number = retryPolicy.firstContact;
  const inFlight = pLimit(wire.concurrency ?? Infinity);
  const attempt = async <T>(
    request: CatalogRequest,
    read: (answer: Answer) => Attempt<T> | Promise<Attempt<T>>,
  ): Promise<Attempt<T>> => {
    const sent = await inFlight(async () => exchange(wire, request));
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
      const wait = waitBeforeRetry(request.method, fault, attempts, wire.transport.random);
      const price = isBusy(fault) ? 0 : 1;
      if (wait === undefined || budget < price || attempts >= mostAttempts) throw failure;
      budget -= price;
      const next = `${attempts + 1} of ${mostAttempts}`;
      await waitToRetry(wire, wait, request, {
        failure,
        line: retryLine(request, fault, next, wait),
      });
      result = await attempt(request, read);
    }
    budget = Math.min(retryPolicy.budget, budget + retryPolicy.earned);
    return result.value;
  };
}

/** Ends early with an error where the request is given up, or is not to be tried again. */
async function waitToRetry(
  { transport, onRetry, log }: Wire,
  wait: number,
  { signal, lastTry }: CatalogRequest,
  { failure, line }: { readonly failure: ApiError; readonly line: string },
): Promise<void> {
  if (lastTry?.aborted) throw failure;
  const tell = onRetry ?? log;
  tell?.(line);
  const ends = [signal, lastTry].filter((end) => end !== undefined);
  try {
    await transport.sleep(wait, ends.length > 0 ? AbortSignal.any(ends) : undefined);
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
  return backOff(attempts, random, fault.retryAfterMs);
}

/** Milliseconds to wait after so many attempts, or undefined where the server asks for too many. */
export function backOff(attempts: number, random: () => number, asked = 0): number | undefined {
  if (asked > retryPolicy.longestAsked) return undefined;
  // Full jitter, on top of what is asked, so that many clients do not come back as one.
  const ceiling = Math.min(retryPolicy.longest, retryPolicy.base * 2 ** (attempts - 1));
  return Math.round(asked + random() * ceiling);
}

function retryLine(
  { method, url }: CatalogRequest,
  fault: Fault,
  next: string,
  wait: number,
): string {
  const seconds = (wait / 1000).toFixed(1);
  return `${method} ${displayUrl(url)}: ${fault.message} Trying again in ${seconds} s (${next}).`;
}
