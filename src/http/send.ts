import type { AnswerHeaders, Effects, Fetch, Fetched } from '../core/effects.ts';
import { isObject, type JsonValue, parseJson } from '../core/json.ts';
import { isProtected } from './address.ts';

export type HttpRequest = {
  readonly method: string;
  readonly url: URL;
  /** By names in lower case. `authorization` is for the origin of `url` alone. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | null;
  /** `manual`: a redirect is an answer like any other. `refuse`: it is a fault. */
  readonly redirect?: 'follow' | 'manual' | 'refuse';
  readonly signal?: AbortSignal | undefined;
};

export type Answer = {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The whole body as UTF-8, which JSON is (RFC 8259 §8.1); of an error, its start. */
  readonly text: string;
  readonly bytes: number;
};

type Reply = { readonly answer: Answer } | { readonly fault: NetworkFault };

// `timeoutMs`: for the start of an answer, and again for its end.
type Wire = { readonly fetch: Fetch; readonly timeoutMs: number };

export async function sendRequest(request: HttpRequest, wire: Wire): Promise<Reply> {
  const deadline = startDeadline(wire.timeoutMs, request.signal);
  const asked = { at: request.url };
  try {
    return await follow(request, wire, deadline, asked);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    return { fault: { ...toNetworkFault(error), host: asked.at.host } };
  } finally {
    deadline.end();
  }
}

// A server needs one or two: from http to https, to another path.
const maxRedirects = 5;

async function follow(
  request: HttpRequest,
  { fetch }: Wire,
  deadline: Deadline,
  asked: { at: URL },
): Promise<Reply> {
  const { method, headers, body = null, redirect: policy } = request;
  const { authorization, ...others } = headers;
  let isHome = true;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const { at } = asked;
    deadline.begin('headers');
    const response = await fetch(at, {
      method,
      headers: isHome ? headers : others,
      body,
      redirect: 'manual',
      signal: deadline.signal,
    });
    deadline.begin('body');
    if (policy === 'manual' || ![301, 302, 303, 307, 308].includes(response.status)) {
      const answer = await readAnswer(response);
      const isWithoutToken = !isHome && authorization !== undefined;
      if (!isWithoutToken || !isLogin(answer)) return { answer };
      return redirected(answer.status, `to ${at.origin}, which doesn't get the access token`);
    }
    await response.body?.cancel();
    const redirect = followRedirect(request, at, response);
    if ('fault' in redirect) return redirect;
    // A dropped token stays dropped, even if a redirect leads back: another origin chose that way.
    isHome &&= redirect.to.origin === at.origin;
    asked.at = redirect.to;
  }
  return redirected(302, 'too many times');
}

// Reads are followed anywhere but to an unencrypted address; changes only within their origin, and
// not by 303, which points at the result of something done.
function followRedirect(
  { method, redirect }: HttpRequest,
  at: URL,
  { status, headers }: Fetched,
): { readonly to: URL } | { readonly fault: NetworkFault } {
  const location = headers.get('location');
  const to = location === null ? null : URL.parse(location, at.href);
  if (to === null) return redirected(status, 'without a location');
  if (to.protocol !== 'https:' && to.protocol !== 'http:')
    return redirected(status, `to ${to.protocol}, which is neither http nor https`);
  if (to.username !== '' || to.password !== '')
    return redirected(status, `to ${to.origin} with a user name or a password in the address`);
  if (!isProtected(to) && isProtected(at))
    return redirected(status, `to ${to.origin}, which is unencrypted`);
  const isUnsafe = method !== 'GET' && (to.origin !== at.origin || status === 303);
  if (isUnsafe || redirect === 'refuse')
    return redirected(status, `a change to ${to.origin}, which is not followed`);
  return { to };
}

// An answer of another origin that is hardly the catalog's.
function isLogin({ status, text }: Answer): boolean {
  return (status >= 400 && status < 500) || text.trimStart().startsWith('<');
}

function redirected(status: number, message: string): { readonly fault: NetworkFault } {
  return { fault: { kind: 'redirected', code: '', message, status } };
}

/** Bytes: a page of contracts has some thousand for each. */
export const largestBody = 64 * 2 ** 20;

const longestComplaint = 64 * 2 ** 10;

export class LargeBodyError extends Error {}

// Reused: a page of a list has megabytes, and what each answer allocates waits for the collector.
// Over 100 pages that is a tenth of the memory and of the processor's time.
let spare: Uint8Array | undefined;

async function readAnswer({ status, headers, body }: Fetched): Promise<Answer> {
  const ok = status >= 200 && status < 300;
  const most = ok ? largestBody : longestComplaint;
  let buffer = spare ?? new Uint8Array(2 ** 16);
  spare = undefined;
  let bytes = 0;
  for await (const chunk of body ?? []) {
    const part = chunk.subarray(0, most - bytes);
    if (bytes + part.length > buffer.length) {
      const longer = new Uint8Array(2 * (bytes + part.length));
      longer.set(buffer);
      buffer = longer;
    }
    buffer.set(part, bytes);
    bytes += part.length;
    if (part.length === chunk.length) continue;
    if (ok) throw new LargeBodyError(`the answer is larger than ${most / 2 ** 20} MB`);
    break;
  }
  // Takes a fifth of a TextDecoder's time, but keeps a byte order mark.
  const text = Buffer.from(buffer.buffer, 0, bytes)
    .toString()
    .replace(/^\ufeff/u, '');
  if (buffer.length <= largestSpare) spare = buffer;
  return { status, headers, text, bytes };
}

const largestSpare = 16 * 2 ** 20;

/**
 * Servers answer `{code, message}`, `{error: {message}}`, `{error, error_description}`, a proxy's
 * page, or text.
 */
export function serverReason(text: string): string | undefined {
  const body = parseJson(text);
  // Without `<` among its attributes: else each `<title` would look through all that follow it.
  const title = text.trimStart().startsWith('<') ? /<title[^<>]*>([^<]*)/iu.exec(text)?.[1] : text;
  const reason = body === undefined ? title : jsonReason(body);
  return reason === undefined ? undefined : oneLine(reason) || undefined;
}

// UTF-16 code units: enough for a sentence, not for a stack trace.
const longestReason = 300;

export function oneLine(words: string): string {
  const line = words.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > longestReason ? `${line.slice(0, longestReason)}…` : line;
}

function jsonReason(body: JsonValue): string | undefined {
  if (typeof body === 'string') return body;
  if (!isObject(body)) return undefined;
  for (const member of ['message', 'error_description', 'detail', 'error', 'errorType', 'title']) {
    const value = body[member];
    if (value !== undefined && value !== null) return jsonReason(value);
  }
  return undefined;
}

type Phase = 'headers' | 'body';

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError';

  constructor(phase: Phase, milliseconds: number) {
    const missed = phase === 'headers' ? 'did not answer' : 'did not finish its answer';
    super(`${missed} within ${milliseconds / 1000} seconds`);
  }
}

type Deadline = Readonly<ReturnType<typeof startDeadline>>;

function startDeadline(milliseconds: number, parent?: AbortSignal) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => clearTimeout(timer);
  return {
    signal: parent ? AbortSignal.any([late.signal, parent]) : late.signal,
    begin: (phase: Phase): void => {
      end();
      timer = setTimeout(() => late.abort(new DeadlineError(phase, milliseconds)), milliseconds);
    },
    end,
  };
}

export type NetworkFault = {
  readonly kind: Kind;
  /** Given by the system, OpenSSL or undici (the global `fetch`); else empty. */
  readonly code: string;
  /** Without a full stop: it goes into a sentence. */
  readonly message: string;
  readonly status?: number;
  /** Of the last request: a redirect may lead to another. */
  readonly host?: string;
  readonly cause?: unknown;
};

type Kind =
  | 'timeout'
  | 'too-large'
  | 'redirected'
  | 'unknown-host'
  | 'refused-by-proxy'
  | 'no-tls'
  | 'untrusted'
  | 'unreachable'
  | 'connection-lost';

export function toNetworkFault(error: unknown): NetworkFault {
  const origin = originOf(error);
  return { kind: kindOf(error, origin), code: origin.code, message: origin.message, cause: error };
}

function kindOf(error: unknown, { code, message, syscall }: Origin): Kind {
  if (error instanceof DeadlineError) return 'timeout';
  if (error instanceof LargeBodyError) return 'too-large';
  const [kind] = kindsByCode.find(([, codes]) => codes.test(code)) ?? [];
  if (kind) return kind;
  if (message.startsWith('Proxy response')) return 'refused-by-proxy';
  // `bad port`: the global `fetch` refuses some ports.
  const isUnsent = syscall === 'connect' || message.startsWith(beforeTls) || message === 'bad port';
  return isUnsent ? 'unreachable' : 'connection-lost';
}

// Node's tls gives this with the code ECONNRESET and without a syscall.
const beforeTls = 'Client network socket disconnected before secure TLS connection';

const kindsByCode: readonly (readonly [Kind, RegExp])[] = [
  ['unknown-host', /^ENOTFOUND$/u],
  ['no-tls', /^(?:ERR_SSL_|EPROTO$)/u],
  // OpenSSL's verification gives these, and Node's.
  ['untrusted', /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH$)/u],
  ['unreachable', /^(?:ECONNREFUSED|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u],
];

type Origin = { readonly code: string; readonly message: string; readonly syscall?: string };

// `fetch` wraps the root cause in a TypeError; an AggregateError of many addresses has no message.
function originOf(error: unknown): Origin {
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  const { code, syscall, message, cause } = error as NodeJS.ErrnoException;
  if (typeof code !== 'string')
    return cause === undefined ? { code: '', message } : originOf(cause);
  return { code, message: message || code, ...(syscall !== undefined && { syscall }) };
}

/** Milliseconds that a `Retry-After` asks to wait (RFC 9110 §10.2.3): seconds, or an HTTP date. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null) return undefined;
  const text = value.trim();
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  // Date.parse takes much that is no HTTP date, "-1" among it: all three forms name the day first.
  const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Milliseconds: the first pause is somewhere below `base`, each further one below twice as much. */
export const pauses = { base: 500, longest: 20_000 } as const;

export function backOff(attempts: number, random: () => number, asked = 0): number {
  // Full jitter, so that many clients do not come back as one.
  return Math.round(asked + random() * Math.min(pauses.longest, pauses.base * 2 ** (attempts - 1)));
}

/**
 * `once`: a single try. `short`: a few, while somebody waits for a first answer. `limits`:
 * `short`, but outlasts a limit per minute. `long`: for a minute, in which a server can restart,
 * where a run would end in its middle.
 */
export type Patience = 'once' | 'short' | 'limits' | 'long';

// A `Retry-After` of more milliseconds than `longestAsked` ends the retries; pauses grow no more
// after so many `doublings`.
const patiences = {
  once: { most: 1, longestAsked: 0, doublings: 1 },
  short: { most: 4, longestAsked: 30_000, doublings: Infinity },
  limits: { most: 4, longestAsked: 90_000, doublings: Infinity },
  long: { most: Infinity, longestAsked: 30_000, doublings: 4 },
} as const;

// Milliseconds.
const longPatience = 60_000;

export async function retry<
  T,
  Fault extends { message: string; transient?: boolean; retryAfterMs?: number | undefined },
>(
  attempt: () => Promise<{ readonly value: T } | { readonly fault: Fault }>,
  { sleep, random, now }: Omit<Effects, 'fetch'>,
  log: (line: string) => void,
  patience: Patience = 'short',
): Promise<{ readonly value: T } | { readonly fault: Fault }> {
  const { most, longestAsked, doublings } = patiences[patience];
  const end = now() + longPatience;
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt();
    if ('value' in result) return result;
    const { transient = false, retryAfterMs = 0, message } = result.fault;
    if (!transient || attempts >= most || retryAfterMs > longestAsked) return result;
    if (patience === 'long' && now() + retryAfterMs >= end) return result;
    const wait = backOff(Math.min(attempts, doublings), random, retryAfterMs);
    log(`${message} ${againIn(wait, attempts + 1, most)}`);
    await sleep(wait);
  }
}

export function againIn(milliseconds: number, attempt: number, mostAttempts: number): string {
  const bound =
    mostAttempts === Infinity
      ? `for up to ${longPatience / 1000} s`
      : `${attempt} of ${mostAttempts}`;
  const seconds = (milliseconds / 1000).toFixed(1);
  return `Trying again ${seconds === '0.0' ? 'now' : `in ${seconds} s`} (${bound}).`;
}
