import { SyncError } from '../core/diagnostic.ts';
import type { AnswerHeaders } from '../core/effects.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import { oneLine, parseRetryAfter } from '../http/send.ts';
import { type Client, instant } from './token.ts';

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
  readonly form: URLSearchParams;
};

const issuerHint =
  'Check the issuer: it must equal "issuer" in the discovery document, path included.';

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
  const { error: reason, error_description: description }: JsonObject = isObject(body) ? body : {};
  if (url.pathname.includes('/.well-known/')) {
    const detail = typeof reason === 'string' ? ` (${oneLine(reason.replace(/\.$/u, ''))})` : '';
    const message = `No OpenID issuer at ${issuer}: ${url.href} answered with status ${status}${detail}.`;
    return new IssuerError('issuer-unexpected', message, { hint: issuerHint });
  }
  if (typeof reason !== 'string') {
    const message = `The issuer ${issuer} answered with status ${status} and gave no reason (${url.pathname}).`;
    return new IssuerError('issuer-unexpected', message, { hint: issuerHint });
  }
  const words = typeof description === 'string' ? description : '';
  const assertion = readAssertion(form, client);
  const isMachine = machineGrants.has(form.get('grant_type'));
  const refusal = { client, reason, words, isMachine, assertion };
  const { code = 'client-refused', complaint, hint } = explain(refusal);
  // An assertion is valid for minutes, so an issuer refuses those of a machine whose clock is wrong.
  const clock =
    assertion?.isOwn && aboutTime.test(words) && !aboutKey.test(words)
      ? `This machine's clock says ${instant(now)}. A wrong clock is the likely cause: correct it. If it is right, check that the client's credentials haven't expired.`
      : undefined;
  const reply = [reason, words].filter(Boolean).join(': ');
  const detail = oneLine(reply.trimEnd().replace(/\.$/u, ''));
  return new IssuerError(code, `${complaint} (${detail}).`, {
    hint: clock ?? hint,
    reason,
    detail,
  });
}

export function otherIssuer({ issuer }: Client, cause: unknown): IssuerError {
  const body = cause instanceof Object && 'body' in cause ? cause.body : undefined;
  const other = oneLine(body instanceof Object && 'issuer' in body ? String(body.issuer) : '');
  const message = `The discovery document of ${issuer} belongs to another issuer: ${other}.`;
  const hint = `If you mean that one, set the issuer to exactly ${other}`;
  return new IssuerError('invalid-issuer', message, { hint });
}

const machineGrants: ReadonlySet<string | null> = new Set([
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]);

type Assertion = {
  readonly algorithm: string;
  readonly subject: string;
  readonly audience: string;
  /** Signed here, by the key of the client, and not by GitHub. */
  readonly isOwn: boolean;
};

// RFC 7523 §3: a client is the issuer of what it signs.
function readAssertion(form: URLSearchParams, { clientId }: Client): Assertion | undefined {
  const token = form.get('client_assertion') ?? form.get('subject_token');
  if (token === null) return undefined;
  const [header = {}, claims = {}] = token
    .split('.', 2)
    .map((part) => parseJson(Buffer.from(part, 'base64url').toString()))
    .map((part) => (isObject(part) ? part : {}));
  return {
    algorithm: shownClaim(header['alg']),
    subject: shownClaim(claims['sub']),
    audience: shownClaim(claims['aud']),
    isOwn: claims['iss'] === clientId,
  };
}

function shownClaim(value: JsonValue | undefined): string {
  return typeof value === 'string' ? oneLine(value) : JSON.stringify(value ?? '');
}

const aboutTime =
  /not (?:yet )?(?:active|valid)|expired|\b(?:exp|nbf|iat)\b|in the (?:past|future)/iu;

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

type Refusal = {
  readonly client: Client;
  readonly reason: string;
  readonly words: string;
  readonly isMachine: boolean;
  readonly assertion: Assertion | undefined;
};

// By `error` (RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 8693 §2.2.2), and by what Keycloak
// says with it.
function explain(refusal: Refusal): Meaning {
  const { client, reason, words, isMachine } = refusal;
  const { issuer, clientId, access } = client;
  switch (reason) {
    case 'invalid_client':
      // "Invalid token audience" is about the client's assertion.
      return /\baudience not found\b/iu.test(words)
        ? refusedTarget(client)
        : refusedClient(refusal);
    case 'unauthorized_client':
      // Also for a wrong secret.
      return isMachine && /\bcredentials\b/iu.test(words)
        ? refusedClient(refusal)
        : refusedGrant(refusal);
    case 'unsupported_grant_type':
      return {
        complaint: `The issuer ${issuer} doesn't support the grant type of the client ${clientId}`,
        hint: 'Allow the grant type for the client at the issuer, or choose another auth.method.',
      };
    case 'invalid_scope':
      return {
        complaint: `The issuer ${issuer} refuses the client ${clientId} the scope ${JSON.stringify(access['scope'] ?? '')}`,
        hint: 'Check auth.scope, and which scopes the client is allowed.',
      };
    case 'invalid_target':
      return refusedTarget(client);
    case 'authorization_pending':
    case 'slow_down':
      return { code: 'login-pending', complaint: "The login isn't finished", hint: 'Finish it.' };
    case 'expired_token':
      return loginExpired;
    case 'access_denied':
    // Entra ID's name for it.
    case 'authorization_declined':
      if (isMachine) return refusedToken(refusal);
      return {
        code: 'login-refused',
        complaint: `The issuer ${issuer} refused the login of the client ${clientId}`,
        hint: 'Run contract-sync login again and approve it.',
      };
    default:
      return refusedToken(refusal);
  }
}

function refusedGrant({ client, isMachine }: Refusal): Meaning {
  return {
    complaint: `The issuer ${client.issuer} doesn't allow the client ${client.clientId} this grant type`,
    hint: isMachine
      ? 'Allow it for the client at the issuer (in Keycloak: "Service accounts roles"), or choose another auth.method.'
      : 'Allow it for the client at the issuer (for a login: the device grant), and register it as a public client, without a secret.',
  };
}

function refusedToken(refusal: Refusal): Meaning {
  const { issuer, clientId } = refusal.client;
  return (
    refusedIdToken(refusal) ?? {
      complaint: `The issuer ${issuer} refuses the client ${clientId} a token`,
      hint: "Compare the auth settings with the client's registration and permissions at the issuer.",
    }
  );
}

const aboutKey = /signature|public key|algorithm/iu;

function refusedClient(refusal: Refusal): Meaning {
  const { client, assertion, words } = refusal;
  const { issuer, clientId } = client;
  if (assertion?.isOwn && aboutKey.test(words)) {
    return {
      complaint: `The issuer ${issuer} rejects the signature of the client ${clientId}, made with ${assertion.algorithm}`,
      hint: `Register the public half of this key for the client, for ${assertion.algorithm}. To sign by another algorithm, give the key as a JWK that names it: {"alg": "PS256", …}.`,
    };
  }
  return (
    refusedIdToken(refusal) ?? {
      complaint: `The issuer ${issuer} rejects the client ${clientId} or its credentials`,
      hint: 'Check the client id, the secret or key, and whether the client is registered for auth.method.',
    }
  );
}

function refusedIdToken({ client, assertion }: Refusal): Meaning | undefined {
  if (!assertion || assertion.isOwn) return undefined;
  const { subject, audience } = assertion;
  return {
    complaint: `The issuer ${client.issuer} rejects GitHub's ID token as proof of the client ${client.clientId}`,
    hint: `There is no secret to check. At the issuer, the client's federated credential must name the subject ${subject} and the audience ${audience}, and the issuer must trust https://token.actions.githubusercontent.com (in Keycloak: jwt.credential.sub, and supportsClientAssertions of the identity provider).`,
  };
}

function refusedTarget({ issuer, clientId, access }: Client): Meaning {
  const target = access['audience'] ?? access['resource'];
  const named = target === undefined ? '' : ` ${JSON.stringify(target)}`;
  return {
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token for this resource or audience${named}`,
    hint: 'Check auth.resource and auth.audience. Some issuers ignore both: there, set the audience on the client or on a scope.',
  };
}
