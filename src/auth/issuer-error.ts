import { SyncError } from '../core/diagnostic.ts';
import type { AnswerHeaders } from '../core/effects.ts';
import { isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { oneLine, parseRetryAfter } from '../http/send.ts';
import { type Client, instant, parseClaims } from './token.ts';

/** Stable names of what can go wrong with an issuer. */
export type IssuerErrorCode =
  | 'issuer-unreachable'
  | 'issuer-failed'
  | 'invalid-issuer'
  | 'issuer-unexpected'
  | 'insecure-endpoint'
  | 'client-refused'
  | 'login-pending'
  | 'login-refused'
  | 'login-needed';

export type IssuerErrorFacts = {
  readonly hint?: string;
  readonly cause?: unknown;
  readonly transient?: boolean;
  readonly retryAfterMs?: number | undefined;
  readonly reason?: string;
  readonly detail?: string;
};

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

type BadAnswer = {
  readonly url: URL;
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly text: string;
  /** What was asked. */
  readonly form: URLSearchParams;
};

export function toIssuerError(answer: BadAnswer, client: Client, now: number): IssuerError {
  const { url, status, headers, form } = answer;
  const { issuer } = client;
  if (status >= 500 || status === 429) {
    const message = `The issuer ${issuer} failed (${url.pathname}, status ${status}).`;
    return new IssuerError('issuer-failed', message, {
      hint: "Try again later. If it keeps failing, ask the issuer's operators.",
      transient: true,
      retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
    });
  }
  const body = parseJson(answer.text);
  const { error, error_description: description }: JsonObject = isObject(body) ? body : {};
  const reason = typeof error === 'string' ? error : '';
  const words = typeof description === 'string' ? description : '';
  const reply = [reason, words].filter((text) => text !== '').join(': ');
  const detail = oneLine(reply.trimEnd().replace(/\.$/u, ''));
  if (reason === '' || url.pathname.includes('/.well-known/')) {
    const said = detail === '' ? '' : ` (${detail})`;
    const message = `No OpenID issuer at ${issuer}: ${url.href} answered with status ${status}${said}.`;
    const hint =
      'Check the issuer: it must equal "issuer" in the discovery document, path included.';
    return new IssuerError('issuer-unexpected', message, { hint });
  }
  const { code = 'client-refused', complaint, hint } = explain(reason, detail, form, client, now);
  return new IssuerError(code, `${complaint} (${detail}).`, { hint, reason, detail });
}

export function otherIssuer({ issuer }: Client, cause: unknown): IssuerError {
  const body = cause instanceof Object && 'body' in cause ? cause.body : undefined;
  const other = oneLine(body instanceof Object && 'issuer' in body ? String(body.issuer) : '');
  const message = `The discovery document of ${issuer} belongs to another issuer: ${other}.`;
  const hint = `If you mean that one, set the issuer to exactly ${other}`;
  return new IssuerError('invalid-issuer', message, { hint });
}

type Meaning = {
  /** Absent: `client-refused`. */
  readonly code?: IssuerErrorCode;
  readonly complaint: string;
  readonly hint: string;
};

export const loginExpired = {
  code: 'login-needed',
  complaint: 'The login timed out',
  hint: 'Run contract-sync login again.',
} as const;

// By `error` (RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2); the issuer's own words follow.
function explain(
  reason: string,
  detail: string,
  form: URLSearchParams,
  client: Client,
  now: number,
): Meaning {
  const { issuer, clientId, access } = client;
  const isLogin = form.get('grant_type')?.endsWith(':device_code') ?? false;
  switch (reason) {
    case 'authorization_pending':
    case 'slow_down':
      return { code: 'login-pending', complaint: "The login isn't finished", hint: 'Finish it.' };
    case 'expired_token':
      return loginExpired;
    case 'access_denied':
    // Entra ID's name for it.
    case 'authorization_declined':
      if (!isLogin) return refusedClient(form, client, now);
      return {
        code: 'login-refused',
        complaint: `The issuer ${issuer} refused the login of the client ${clientId}`,
        hint: 'Run contract-sync login again and approve it.',
      };
    case 'invalid_scope':
    case 'invalid_target': {
      const asked = Object.entries(access).map(([name, value]) => `${name} ${quote(value)}`);
      return {
        complaint: `The issuer ${issuer} refuses the client ${clientId} a token for ${asked.join(', ') || 'its default scope'}`,
        hint: 'Check auth.scope, auth.resource and auth.audience, and which of them the client is allowed.',
      };
    }
    case 'unauthorized_client':
    case 'unsupported_grant_type':
      // Keycloak says the first of a wrong secret too.
      if (/\bcredentials\b/iu.test(detail)) return refusedClient(form, client, now);
      return {
        complaint: `The issuer ${issuer} doesn't allow the client ${clientId} this grant type`,
        hint: 'Allow it for the client at the issuer (in Keycloak: "Service accounts roles", for a login the device grant), or choose another auth.method.',
      };
    default:
      return refusedClient(form, client, now);
  }
}

function refusedClient(form: URLSearchParams, client: Client, now: number): Meaning {
  const { issuer, clientId } = client;
  const proof = form.get('client_assertion') ?? form.get('subject_token');
  const complaint = `The issuer ${issuer} refuses the client ${clientId} a token`;
  if (proof === null) {
    const hint =
      "Compare the client id, the secret and auth.method with the client's registration and permissions at the issuer.";
    return { complaint, hint };
  }
  const { issuedBy, subject = '', audience = '' } = parseClaims(proof);
  // RFC 7523 §3: a client is the issuer of what it signs.
  if (issuedBy === clientId) {
    const hint = `Register the public half of the key for the client, for the algorithm it signs by: "alg" of a JWK, else RS256, ES256 or EdDSA by its type. Check this machine's clock too, which says ${instant(now)}.`;
    return { complaint: `${complaint} for the signature of its key`, hint };
  }
  return {
    complaint: `${complaint} for GitHub's ID token`,
    hint: `There is no secret to check. At the issuer, the client's federated credential must name the subject ${oneLine(subject)} and the audience ${oneLine(audience)}, and the issuer must trust https://token.actions.githubusercontent.com (in Keycloak: jwt.credential.sub, and supportsClientAssertions of the identity provider).`,
  };
}
