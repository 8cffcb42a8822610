import type { AnswerHeaders } from '../core/effects.ts';
import { SyncError } from '../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import { oneLine } from '../http/send.ts';
import { parseRetryAfter } from '../http/retry.ts';
import { type IssuerErrorCode, readRefusal, readAssertion } from './refusal.ts';
import type { Client } from './settings.ts';
import { instant } from './token.ts';

export class IssuerError extends SyncError {
  override readonly name = 'IssuerError';
  declare readonly code: IssuerErrorCode;
  /** The same request may succeed a little later. */
  readonly transient: boolean;
  /** The pause that the issuer asks for. */
  readonly retryAfterMs: number | undefined;
  /** The issuer's `error` (RFC 6749 §5.2). */
  readonly reason: string | undefined;
  /** The issuer's `error` with its description. */
  readonly detail: string | undefined;

  constructor(code: IssuerErrorCode, message: string, facts: IssuerErrorFacts = {}) {
    super(code, message, facts);
    this.transient = facts.transient ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.reason = facts.reason;
    this.detail = facts.detail;
  }
}

export type IssuerErrorFacts = {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly reason?: string;
  readonly detail?: string;
};

type BadAnswer = {
  readonly url: URL;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  readonly form: URLSearchParams;
};

export function toIssuerError(answer: BadAnswer, client: Client, now: number): IssuerError {
  if (answer.status >= 500 || answer.status === 429) return failed(answer, client, now);
  const body = parseJson(answer.text);
  const { error: reason, error_description: description }: JsonObject = isObject(body) ? body : {};
  if (answer.url.pathname.includes('/.well-known/')) return noIssuer(answer, client, reason);
  if (typeof reason !== 'string') {
    const message = `The issuer ${client.issuer} answered with status ${answer.status} and gave no reason (${answer.url.pathname}).`;
    return new IssuerError('issuer-unexpected', message, { hint: issuerHint });
  }
  const words = typeof description === 'string' ? description : '';
  const assertion = readAssertion(answer.form, client);
  const isMachine = machineGrants.has(answer.form.get('grant_type'));
  const { clock, doubt } = assertion?.isOwn ? suspectClock(answer, words, now) : noDoubt;
  const refusal = { ...client, words, isMachine, assertion, doubt };
  const { code, complaint, hint, isSure } = readRefusal(reason, refusal);
  const reply = [reason, words].filter(Boolean).join(': ');
  const detail = oneLine(reply.trimEnd().replace(/\.$/u, ''));
  const facts = { hint: (!isSure && clock) || hint, reason, detail };
  return new IssuerError(code, `${complaint} (${detail}).`, facts);
}

const machineGrants: ReadonlySet<string | null> = new Set([
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]);

// Milliseconds of clock difference worth a hint; fewer where the issuer complains of times.
const noticeableSkew = 60_000;
const suspectSkew = 10_000;

const aboutTime =
  /not (?:yet )?(?:active|valid)|expired|\b(?:exp|nbf|iat)\b|in the (?:past|future)/iu;

const noDoubt = { clock: undefined, doubt: '' };

// An assertion is valid for minutes, so an issuer refuses those of a machine whose clock is wrong.
// `doubt` is for an issuer that sends no time to compare with.
function suspectClock({ headers }: BadAnswer, words: string, now: number) {
  const isAboutTime = aboutTime.test(words);
  // Epoch milliseconds, in whole seconds (RFC 9110 §6.6.1); NaN where the server sends no date.
  const date = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(date)) {
    const own = `This machine's clock says ${instant(now)}`;
    const clock = `${own}. A wrong clock is the likely cause: correct it. If it is right, check that the client's credentials haven't expired.`;
    return isAboutTime
      ? { clock, doubt: '' }
      : { ...noDoubt, doubt: ` ${own}: a wrong clock may be the cause.` };
  }
  const skew = date - now;
  if (Math.abs(skew) < (isAboutTime ? suspectSkew : noticeableSkew)) return noDoubt;
  const seconds = Math.round(Math.abs(skew) / 1000);
  const direction = skew > 0 ? 'behind' : 'ahead of';
  const clock = `This machine's clock is ${seconds} seconds ${direction} the issuer's: correct it. Signed credentials are valid for minutes only.`;
  return { clock, doubt: '' };
}

function failed({ status, headers, url }: BadAnswer, { issuer }: Client, now: number): IssuerError {
  const message = `The issuer ${issuer} failed (${url.pathname}, status ${status}).`;
  return new IssuerError('issuer-failed', message, {
    hint: "Try again later. If it keeps failing, ask the issuer's operators.",
    transient: true,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
}

const issuerHint =
  'Check the issuer: it must equal "issuer" in the discovery document, path included.';

function noIssuer({ url, status }: BadAnswer, { issuer }: Client, reason: JsonValue | undefined) {
  const detail = typeof reason === 'string' ? ` (${oneLine(reason.replace(/\.$/u, ''))})` : '';
  const message = `No OpenID issuer at ${issuer}: ${url.href} answered with status ${status}${detail}.`;
  const hint = `${issuerHint}${realmHint(issuer)}`;
  return new IssuerError('issuer-unexpected', message, { hint });
}

// Keycloak's addresses began with `/auth` up to version 16.
function realmHint(issuer: string): string {
  if (issuer.includes('/auth/realms/'))
    return ` Since version 17, Keycloak has no /auth in its path: ${issuer.replace('/auth/realms/', '/realms/')}`;
  return issuer.includes('/realms/') ? ' Check the realm name too.' : '';
}

export function otherIssuer({ issuer }: Client, cause: unknown): IssuerError {
  const body = cause instanceof Object && 'body' in cause ? cause.body : undefined;
  const other = oneLine(body instanceof Object && 'issuer' in body ? String(body.issuer) : '');
  const message = `The discovery document of ${issuer} belongs to another issuer: ${other}.`;
  const hint = `If you mean that one, set the issuer to exactly ${other}`;
  return new IssuerError('invalid-issuer', message, { hint });
}
