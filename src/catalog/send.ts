import { instant, parseBearerToken, parseClaims } from '../auth/token.ts';
import type { Effects } from '../core/effects.ts';
import { createRedactor } from '../core/redact.ts';
import { count, quote } from '../core/text.ts';
import { displayUrl } from '../http/address.ts';
import { type Closed, createGate, type Gate, type Pause, type Reception } from '../http/gate.ts';
import { againIn, type Answer, backOff, sendRequest } from '../http/send.ts';
import type { CatalogConnection, CatalogRequest } from './catalog.ts';
import { ApiError, type Attempt, type Fault, networkFault, statusFault } from './fault.ts';

/** Times in milliseconds. */
export const retryPolicy = {
  attempts: 5,
  /** Until the first answer of the run: the address is more likely wrong than the server down. */
  firstContact: 2,
  /** A longer `Retry-After` of a failing server ends the retries. */
  longestAsked: 120_000,
  /** Retries of a run, without those after rate limits; a success earns back half of one. */
  budget: 60,
  earned: 0.5,
} as const;

type OpenConnection = CatalogConnection & { readonly effects: Effects };

export type Send = <T>(request: CatalogRequest, read: (answer: Answer) => Attempt<T>) => Promise<T>;

// One budget of retries for all requests, so that a dead catalog ends the run, and one gate, so
// that a busy one gets the time it asks for. Requests that the gate repeats are no retries.
export function createSender(connection: OpenConnection): Send {
  const { effects } = connection;
  const gate = openGate(connection);
  let budget: number = retryPolicy.budget;
  let firstContact: number = retryPolicy.firstContact;
  return async (asked, read) => {
    const request = { ...asked, signal: eitherOf(asked.signal, connection.signal) };
    let failure: ApiError | undefined;
    for (let attempts = 1; ; attempts += 1) {
      const sent = await passGate(gate, request, connection, failure);
      const result = 'fault' in sent ? sent : read(sent.value);
      if ('value' in result) {
        firstContact = retryPolicy.attempts;
        budget = Math.min(retryPolicy.budget, budget + retryPolicy.earned);
        return result.value;
      }
      const { fault } = result;
      const hasAnswered = fault.status !== undefined || fault.mayHaveLanded;
      if (hasAnswered) firstContact = retryPolicy.attempts;
      request.signal?.throwIfAborted();
      failure = new ApiError(request, fault, attempts);
      const wait = waitBeforeRetry(request.method, fault, attempts, effects.random);
      const price = fault.retryAfterMs === undefined ? 1 : 0;
      const most = Math.min(firstContact, request.mostAttempts ?? firstContact);
      if (wait === undefined || budget < price || attempts >= most) throw failure;
      budget -= price;
      const again = `${fault.message} ${againIn(wait, attempts + 1, most)}`;
      await waitToRetry(wait, request, connection, { failure, again });
    }
  };
}

function eitherOf(a: AbortSignal | undefined, b: AbortSignal | undefined): AbortSignal | undefined {
  return a && b ? AbortSignal.any([a, b]) : (a ?? b);
}

async function waitToRetry(
  wait: number,
  { method, url, signal, lastTry }: CatalogRequest,
  { effects, log, onRetry = log }: OpenConnection,
  { failure, again }: { readonly failure: ApiError; readonly again: string },
): Promise<void> {
  if (lastTry?.aborted) throw failure;
  onRetry?.(`${method} ${displayUrl(url)}: ${again}`);
  try {
    await effects.sleep(wait, eitherOf(signal, lastTry));
  } catch (error) {
    throw lastTry?.aborted ? failure : error;
  }
  if (lastTry?.aborted) throw failure;
}

export function waitBeforeRetry(
  method: CatalogRequest['method'],
  { transient, mayHaveLanded, retryAfterMs = 0 }: Fault,
  attempts: number,
  random: () => number,
): number | undefined {
  const isSafe = method === 'GET' || !mayHaveLanded;
  if (!isSafe || !transient || attempts >= retryPolicy.attempts) return undefined;
  return retryAfterMs > retryPolicy.longestAsked
    ? undefined
    : backOff(attempts, random, retryAfterMs);
}

async function passGate(
  gate: Gate<Fault>,
  request: CatalogRequest,
  connection: OpenConnection,
  failure: ApiError | undefined,
): Promise<Attempt<Answer>> {
  const { method, signal, lastTry, repeats = method === 'GET', endsWithPause } = request;
  const mostRefusals = repeats ? (request.mostRefusals ?? Infinity) : 1;
  const wish = { method, ends: eitherOf(signal, lastTry), mostRefusals, endsWithPause };
  const sent = await gate(wish, async () => attemptRequest(connection, request));
  if ('value' in sent) return sent;
  // A refused request may have been carried out: a gateway answers so for its own second try.
  const isSecondTry = method !== 'GET' && sent.refusals > 0;
  const doubt = isSecondTry ? ({ isSecondTry, mayHaveLanded: true } as const) : {};
  if ('fault' in sent) {
    const isRefused = receptionOf(sent.fault).kind === 'refused';
    const isGivenUp = isRefused && repeats && sent.refusals + 1 >= mostRefusals;
    return { fault: { ...sent.fault, ...doubt, ...(isGivenUp && { transient: false }) } };
  }
  signal?.throwIfAborted();
  const { closed } = sent;
  if (closed.kind === 'ended' && !isSecondTry && failure) throw failure;
  throw new ApiError(request, { ...unsentFault(closed), ...doubt }, 0);
}

async function attemptRequest(connection: OpenConnection, request: CatalogRequest) {
  const token = parseBearerToken(await connection.token());
  const first = await attemptWith(token, connection, request);
  if (!('fault' in first) || first.fault.denied !== 'token') return first;
  // 401 says that nothing was done, so even a change may be sent again with a better token.
  const renewed = parseBearerToken(await connection.token(token));
  return renewed === token ? first : attemptWith(renewed, connection, request);
}

async function attemptWith(
  token: string,
  { effects, timeoutMs, version, log }: OpenConnection,
  { operation, method, url, body, ifMatch, signal, ...request }: CatalogRequest,
): Promise<Attempt<Answer>> {
  const started = effects.now();
  const headers = {
    accept: 'application/json',
    'user-agent': `contract-sync/${version}`,
    authorization: `Bearer ${token}`,
    ...(body && { 'content-type': body.type }),
    ...(ifMatch !== undefined && { 'if-match': ifMatch }),
  };
  // Following would send the patch twice: a server that redirects it may have passed it on as well.
  const redirect = method === 'GET' ? 'follow' : 'refuse';
  const sent = { method, url, headers, body: body?.text ?? null, redirect, signal } as const;
  const takes = Math.min(timeoutMs, request.timeoutMs ?? timeoutMs);
  const reply = await sendRequest(sent, { fetch: effects.fetch, timeoutMs: takes });
  if ('fault' in reply) return { fault: networkFault(reply.fault, url) };
  const { answer } = reply;
  const ended = effects.now();
  log?.(
    `${method} ${displayUrl(url)}: ${answer.status}, ${(answer.bytes / 1000).toFixed(1)} kB in ${ended - started} ms`,
  );
  if (answer.status >= 200 && answer.status < 300) return { value: answer };
  // A server may quote the request in its errors, and with it the token.
  const { hide, redact } = createRedactor();
  hide(token);
  const fault = statusFault({ ...answer, text: redact(answer.text) }, operation, ended);
  return { fault: describeToken(fault, token, url, ended) };
}

// The token may be for another catalog: `localhost` is not `127.0.0.1`.
function describeToken(fault: Fault, token: string, { origin }: URL, now: number): Fault {
  if (fault.denied !== 'token') return fault;
  const { issuedBy, audience, expiresAt = Infinity } = parseClaims(token);
  if (expiresAt <= now) {
    const words = `The token expired at ${instant(expiresAt)}; this machine's clock says ${instant(now)}.`;
    return { ...fault, message: `${fault.message} ${words}` };
  }
  const facts = [audience && `for ${quote(audience)}`, issuedBy && `issued by ${quote(issuedBy)}`];
  const target = facts.filter(Boolean).join(', ');
  if (target === '') return fault;
  const words = `The token is ${target}; the catalog at ${origin} may expect another.`;
  return { ...fault, message: `${fault.message} ${words}` };
}

const defaultPatience = 600_000;
const reportEvery = 5000;

function openGate(connection: OpenConnection): Gate<Fault> {
  const { concurrency = Infinity, timeoutThrottledMs, effects, log, onRetry = log } = connection;
  let reportedAt = -Infinity;
  return createGate({
    most: concurrency,
    patience: timeoutThrottledMs ?? defaultPatience,
    receptionOf,
    onPause: (pause) => {
      connection.onPause?.(pause.milliseconds);
      if (pause.milliseconds < reportEvery && effects.now() - reportedAt < reportEvery) return;
      reportedAt = effects.now();
      onRetry?.(describePause(pause));
    },
    effects,
  });
}

// 429, and 503 with Retry-After: the catalog works, and wants fewer requests.
function receptionOf({ status, retryAfterMs: asked }: Fault): Reception {
  if (status === 429 || status === 503)
    return { kind: 'refused', asked, isCertain: status === 429 || asked !== undefined };
  return { kind: status !== undefined && status < 500 ? 'passed' : 'unclear' };
}

function describePause({ milliseconds, atOnce, fault }: Pause<Fault>): string {
  const reason =
    fault.status === 503 ? 'The catalog is too busy' : 'The catalog is rate-limiting requests';
  const seconds = Number((milliseconds / 1000).toFixed(1));
  const speed = atOnce === 1 ? 'one at a time' : `${atOnce} at once`;
  return `${reason}: ${seconds > 0 ? `waiting ${seconds} s, then ` : ''}${speed}.`;
}

// Without a status: that belongs to the answer to an earlier sending.
function unsentFault(closed: Closed<Fault>): Fault {
  const unsent = { transient: false, mayHaveLanded: false };
  if (closed.kind === 'ended') {
    const message = 'The run was interrupted before this request was sent.';
    return { ...unsent, code: 'interrupted', message };
  }
  if (closed.kind === 'paused')
    return { ...closed.fault, ...unsent, transient: true, status: undefined, isPaused: true };
  const { fault, resumesIn, patience } = closed;
  const complaint =
    resumesIn > patience
      ? `It asks for a pause of ${inSeconds(resumesIn)}, longer than the ${inSeconds(patience)} allowed.`
      : `No request succeeded for ${inSeconds(patience)}.`;
  const message = `${fault.message} ${complaint}`;
  const hint = 'Run again later, lower `concurrency`, or increase `timeoutThrottledSeconds`.';
  return { ...unsent, code: 'rate-limited', message, hint };
}

function inSeconds(milliseconds: number): string {
  return count(Number((milliseconds / 1000).toFixed(1)), 'second', 'seconds');
}
