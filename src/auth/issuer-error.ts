import { SyncError } from '../core/errors.ts';
import { isObject, type JsonObject, parseJson } from '../core/json.ts';
import { oneLine } from '../http/reason.ts';
import { parseRetryAfter } from '../http/retry.ts';
import type { Client } from './choose.ts';

/** Stable names of what can go wrong with an issuer. */
type IssuerErrorCode =
  | 'issuer-unreachable'
  | 'issuer-timeout'
  | 'issuer-failed'
  | 'issuer-mismatch'
  | 'issuer-unexpected'
  | 'insecure-endpoint'
  | 'client-refused'
  | 'scope-refused'
  | 'target-refused'
  | 'token-refused'
  | 'login-pending'
  | 'login-refused'
  | 'login-expired';

/** A token that an issuer could not or would not give. */
export class IssuerError extends SyncError {
  override readonly name = 'IssuerError';
  declare readonly code: IssuerErrorCode;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  /** How long the issuer asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** The issuer's own name for it (RFC 6749 §5.2). */
  readonly reason: string | undefined;

  constructor(code: IssuerErrorCode, message: string, facts: Facts = {}) {
    super(code, message, facts);
    this.transient = facts.transient ?? false;
    this.retryAfterMs = facts.retryAfterMs;
    this.reason = facts.reason;
  }
}

type Facts = {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly reason?: string;
};

/** An answer that is no success, its body read to the end. */
type BadAnswer = {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
};

/** What an answer means, in a message that names the issuer and the client, and no secret. */
export function toIssuerError(answer: BadAnswer, client: Client, now: number): IssuerError {
  if (answer.status >= 500 || answer.status === 429) return failed(answer, client, now);
  const body = parseJson(answer.text);
  const { error: reason, error_description: words }: JsonObject = isObject(body) ? body : {};
  if (typeof reason !== 'string') return unexpected(answer, client);
  const { code, complaint, hint } = meaningOf(reason, client);
  const detail = typeof words === 'string' ? `${reason}: ${words}` : reason;
  return new IssuerError(code, `${complaint} (${oneLine(detail.trimEnd().replace(/\.$/u, ''))}).`, {
    hint: skewHint(answer, now) ?? hint,
    reason,
  });
}

type Meaning = {
  readonly code: IssuerErrorCode;
  readonly complaint: string;
  readonly hint: string;
};

/** RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 8693 §2.2.2. */
function meaningOf(reason: string, { issuer, clientId, access }: Client): Meaning {
  const who = `the client ${clientId}`;
  switch (reason) {
    case 'invalid_client':
      return {
        code: 'client-refused',
        complaint: `The issuer ${issuer} does not accept ${who} with what proves it`,
        hint: 'Check the client id, the secret or key, and whether the client is registered for auth.method.',
      };
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      return {
        code: 'client-refused',
        complaint: `The issuer ${issuer} does not let ${who} ask for a token in this way`,
        hint: 'Allow the grant type for the client at the issuer, or choose another auth.method.',
      };
    case 'invalid_scope':
      return {
        code: 'scope-refused',
        complaint: `The issuer ${issuer} does not give ${who} the scope ${JSON.stringify(access['scope'] ?? '')}`,
        hint: 'Check auth.scope, and the scopes that the client may ask for.',
      };
    case 'invalid_target':
      return {
        code: 'target-refused',
        complaint: `The issuer ${issuer} does not give ${who} a token for this resource or audience`,
        hint: 'Check auth.resource and auth.audience.',
      };
    case 'authorization_pending':
    case 'slow_down':
      return { code: 'login-pending', complaint: 'The login is not finished', hint: 'Finish it.' };
    case 'access_denied':
      return {
        code: 'login-refused',
        complaint: `The issuer ${issuer} refused the login of ${who}`,
        hint: 'Run contract-sync login again, and allow it.',
      };
    case 'expired_token':
      return loginExpired;
    default:
      return {
        code: 'token-refused',
        complaint: `The issuer ${issuer} refuses a token to ${who}`,
        hint: 'Check the auth settings against how the client is registered at the issuer.',
      };
  }
}

/** A person has not done in time what was asked. */
export const loginExpired: Meaning = {
  code: 'login-expired',
  complaint: 'The login was not finished in time',
  hint: 'Run contract-sync login again.',
};

/** From here on a difference of clocks is worth a word; in milliseconds. */
const noticeableSkew = 60_000;

/** Assertions and ID tokens are valid for minutes: a wrong clock makes good ones bad. */
function skewHint({ headers }: BadAnswer, now: number): string | undefined {
  // RFC 9110 §6.6.1: of whole seconds.
  const skew = Date.parse(headers.get('date') ?? '') - now;
  if (!(Math.abs(skew) >= noticeableSkew)) return undefined;
  const seconds = Math.round(Math.abs(skew) / 1000);
  const direction = skew > 0 ? 'behind' : 'ahead of';
  return `The clock of this machine is ${seconds} seconds ${direction} that of the issuer: set it, since what is signed here is valid for minutes.`;
}

function failed({ status, headers, url }: BadAnswer, { issuer }: Client, now: number): IssuerError {
  const message = `The issuer ${issuer} failed (${url.pathname}, status ${status}).`;
  return new IssuerError('issuer-failed', message, {
    hint: 'Try again later; if it stays so, ask its operators.',
    transient: true,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
}

function unexpected({ url, status }: BadAnswer, { issuer }: Client): IssuerError {
  const isDiscovery = url.pathname.includes('/.well-known/');
  return new IssuerError(
    'issuer-unexpected',
    isDiscovery
      ? `There is no OpenID issuer at ${issuer}: ${url.href} answers with status ${status}.`
      : `The issuer ${issuer} answers with status ${status} and no reason (${url.pathname}).`,
    { hint: 'Check the issuer: it is what the discovery document calls "issuer", path included.' },
  );
}
