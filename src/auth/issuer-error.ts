import type { AnswerHeaders } from '../core/effects.ts';
import { SyncError } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import { oneLine } from '../http/send.ts';
import { parseRetryAfter } from '../http/retry.ts';
import type { Client } from './choose.ts';
import { instant } from './token.ts';

/** Stable names of what can go wrong with an issuer. */
export type IssuerErrorCode =
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
  /** The same, and what it says about it. */
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

/** An answer that is no success, its body read to the end. */
type BadAnswer = {
  readonly url: URL;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** What was sent. */
  readonly form: URLSearchParams;
};

/** What an answer means, in a message that names the issuer and the client, and no secret. */
export function toIssuerError(answer: BadAnswer, client: Client, now: number): IssuerError {
  if (answer.status >= 500 || answer.status === 429) return failed(answer, client, now);
  const body = parseJson(answer.text);
  const { error: reason, error_description: description }: JsonObject = isObject(body) ? body : {};
  if (isDiscovery(answer)) return noIssuer(answer, client, reason);
  if (typeof reason !== 'string') return unexpected(answer, client);
  const words = typeof description === 'string' ? description : '';
  const grant = answer.form.get('grant_type');
  const { code, complaint, hint } = meaningOf({ reason, words, grant }, client);
  const clock = clockHint(answer, words, now);
  const detail = oneLine((words ? `${reason}: ${words}` : reason).trimEnd().replace(/\.$/u, ''));
  return new IssuerError(code, `${complaint} (${detail}).`, {
    hint: clock ?? (code === 'client-refused' ? `${hint}${clockDoubt(answer, now)}` : hint),
    reason,
    detail,
  });
}

/** Milliseconds from which a difference of clocks is worth a word; fewer if times are the complaint. */
const noticeableSkew = 60_000;
const suspectSkew = 10_000;

/** What issuers say about a token or assertion whose time has not come, or is over. */
const aboutTime =
  /not (?:yet )?(?:active|valid)|expired|\b(?:exp|nbf|iat)\b|in the (?:past|future)/iu;

/** Assertions and ID tokens are valid for minutes: a wrong clock makes good ones bad. */
function clockHint(answer: BadAnswer, words: string, now: number): string | undefined {
  const isAboutTime = isTimed(answer) && aboutTime.test(words);
  const date = dateOf(answer);
  if (Number.isNaN(date)) {
    return isAboutTime
      ? `This machine's clock says ${instant(now)}. A wrong clock is the likely cause: correct it. If it is right, check that the client's credentials haven't expired.`
      : undefined;
  }
  const skew = date - now;
  if (Math.abs(skew) < (isAboutTime ? suspectSkew : noticeableSkew)) return undefined;
  const seconds = Math.round(Math.abs(skew) / 1000);
  const direction = skew > 0 ? 'behind' : 'ahead of';
  return `This machine's clock is ${seconds} seconds ${direction} the issuer's: correct it. Signed credentials are valid for minutes only.`;
}

/** An issuer that tells neither its time nor why it refuses what was signed leaves both open. */
function clockDoubt(answer: BadAnswer, now: number): string {
  return isTimed(answer) && Number.isNaN(dateOf(answer))
    ? ` This machine's clock says ${instant(now)}: a wrong clock may be the cause.`
    : '';
}

/** Whether something was sent that is valid for a time. */
function isTimed({ form }: BadAnswer): boolean {
  return form.has('client_assertion') || form.has('subject_token');
}

/** Epoch milliseconds, of whole seconds (RFC 9110 §6.6.1); NaN where the server does not say. */
function dateOf({ headers }: BadAnswer): number {
  return Date.parse(headers.get('date') ?? '');
}

function failed({ status, headers, url }: BadAnswer, { issuer }: Client, now: number): IssuerError {
  const message = `The issuer ${issuer} failed (${url.pathname}, status ${status}).`;
  return new IssuerError('issuer-failed', message, {
    hint: "Try again later. If it keeps failing, ask the issuer's operators.",
    transient: true,
    retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
  });
}

function unexpected({ url, status }: BadAnswer, { issuer }: Client): IssuerError {
  return new IssuerError(
    'issuer-unexpected',
    `The issuer ${issuer} answered with status ${status} and gave no reason (${url.pathname}).`,
    { hint: issuerHint },
  );
}

const issuerHint =
  'Check the issuer: it must equal "issuer" in the discovery document, path included.';

function isDiscovery({ url }: BadAnswer): boolean {
  return url.pathname.includes('/.well-known/');
}

/** Whatever reason it gives, there is no discovery document. */
function noIssuer(
  { url, status }: BadAnswer,
  { issuer }: Client,
  reason: JsonValue | undefined,
): IssuerError {
  const detail = typeof reason === 'string' ? ` (${oneLine(reason.replace(/\.$/u, ''))})` : '';
  return new IssuerError(
    'issuer-unexpected',
    `No OpenID issuer at ${issuer}: ${url.href} answered with status ${status}${detail}.`,
    { hint: `${issuerHint}${realmHint(issuer)}` },
  );
}

/** Keycloak's addresses began with `/auth` up to version 16. */
function realmHint(issuer: string): string {
  if (issuer.includes('/auth/realms/')) {
    return ` Since version 17, Keycloak has no /auth in its path: ${issuer.replace('/auth/realms/', '/realms/')}`;
  }
  return issuer.includes('/realms/') ? ' Check the realm name too.' : '';
}

/** `cause`: what openid-client compared, the document among it. */
export function otherIssuer({ issuer }: Client, cause: unknown): IssuerError {
  const body = cause instanceof Object && 'body' in cause ? cause.body : undefined;
  const named = body instanceof Object && 'issuer' in body ? String(body.issuer) : '';
  const other = oneLine(named);
  return new IssuerError(
    'issuer-mismatch',
    `The discovery document of ${issuer} belongs to another issuer: ${other}.`,
    { hint: `If you mean that one, set the issuer to exactly ${other}` },
  );
}

/** An issuer's no, in its own words. */
type IssuerRefusal = {
  /** `error` (RFC 6749 §5.2). */
  readonly reason: string;
  /** `error_description`, where there is one. */
  readonly words: string;
  /** `grant_type` of the request; absent where it asked for no token. */
  readonly grant: string | null;
};

/** What a refusal means to whoever runs us. */
type Meaning = {
  readonly code: IssuerErrorCode;
  readonly complaint: string;
  readonly hint: string;
};

/** A person has not done in time what was asked. */
export const loginExpired: Meaning = {
  code: 'login-expired',
  complaint: 'The login timed out',
  hint: 'Run contract-sync login again.',
};

/** RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 8693 §2.2.2. */
function meaningOf(refusal: IssuerRefusal, client: Client): Meaning {
  const { reason } = refusal;
  const { issuer, clientId, access } = client;
  const who = `the client ${clientId}`;
  switch (reason) {
    case 'invalid_client':
      return refusedClient(refusal, client);
    case 'unauthorized_client':
      return unauthorized(refusal, client);
    case 'unsupported_grant_type':
      return {
        code: 'client-refused',
        complaint: `The issuer ${issuer} doesn't support the grant type of ${who}`,
        hint: 'Allow the grant type for the client at the issuer, or choose another auth.method.',
      };
    case 'invalid_scope':
      return {
        code: 'scope-refused',
        complaint: `The issuer ${issuer} refuses ${who} the scope ${JSON.stringify(access['scope'] ?? '')}`,
        hint: 'Check auth.scope, and which scopes the client is allowed.',
      };
    case 'invalid_target':
      return refusedTarget(client);
    case 'authorization_pending':
    case 'slow_down':
      return { code: 'login-pending', complaint: "The login isn't finished", hint: 'Finish it.' };
    case 'access_denied':
    // Entra ID's word for it.
    case 'authorization_declined':
      return denied(refusal, client);
    case 'expired_token':
      return loginExpired;
    default:
      return refusedToken(client);
  }
}

/** Keycloak has this code for an audience that it does not know. */
function refusedClient({ words }: IssuerRefusal, client: Client): Meaning {
  if (/\baudience\b/iu.test(words)) return refusedTarget(client);
  const { issuer, clientId } = client;
  return {
    code: 'client-refused',
    complaint: `The issuer ${issuer} rejects the client ${clientId} or its credentials`,
    hint: 'Check the client id, the secret or key, and whether the client is registered for auth.method.',
  };
}

/** Keycloak's code for a wrong secret, and for a client that may not get tokens for itself. */
function unauthorized({ grant }: IssuerRefusal, { issuer, clientId }: Client): Meaning {
  const isPerson = grant === null || !machineGrants.has(grant);
  return {
    code: 'client-refused',
    complaint: `The issuer ${issuer} doesn't allow the client ${clientId} this grant type`,
    hint: isPerson
      ? 'Allow the grant type for the client at the issuer (for a login: the device grant), and register it as a public client, without a secret.'
      : 'Check the secret or key first. If it is right, allow the grant type for the client at the issuer (in Keycloak: "Service accounts roles"), or choose another auth.method.',
  };
}

function refusedTarget({ issuer, clientId, access }: Client): Meaning {
  const target = access['audience'] ?? access['resource'];
  const named = target === undefined ? '' : ` ${JSON.stringify(target)}`;
  return {
    code: 'target-refused',
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token for this resource or audience${named}`,
    hint: 'Check auth.resource and auth.audience. Some issuers ignore both: there, set the audience on the client or on a scope.',
  };
}

/** Those by which a machine gets a token: nobody has logged in. */
const machineGrants: ReadonlySet<string> = new Set([
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]);

function denied({ grant }: IssuerRefusal, client: Client): Meaning {
  if (grant !== null && machineGrants.has(grant)) return refusedToken(client);
  return {
    code: 'login-refused',
    complaint: `The issuer ${client.issuer} refused the login of the client ${client.clientId}`,
    hint: 'Run contract-sync login again and approve it.',
  };
}

function refusedToken({ issuer, clientId }: Client): Meaning {
  return {
    code: 'token-refused',
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token`,
    hint: "Compare the auth settings with the client's registration and permissions at the issuer.",
  };
}
