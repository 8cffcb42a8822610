import { type Wording } from '../core/advice.ts';
import type { AnswerHeaders } from '../core/effects.ts';
import { SyncError } from '../core/errors.ts';
import { isObject, type JsonObject, type JsonValue, parseJson } from '../core/json.ts';
import { oneLine } from '../http/send.ts';
import { parseRetryAfter } from '../http/retry.ts';
import type { Client } from './settings.ts';
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
  readonly hint?: Wording;
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
  const assertion = readAssertion(answer, client);
  const isMachine = machineGrants.has(answer.form.get('grant_type'));
  const meaning = meanings.get(reason) ?? refusedToken;
  const { clock, doubt } = assertion?.isOwn ? suspectClock(answer, words, now) : noDoubt;
  const refusal = { ...client, words, isMachine, assertion, doubt };
  const { code, complaint, hint, isSure } = meaning(refusal);
  const reply = [reason, words].filter(Boolean).join(': ');
  const detail = oneLine(reply.trimEnd().replace(/\.$/u, ''));
  return new IssuerError(code, `${complaint} (${detail}).`, {
    hint: (!isSure && clock) || hint,
    reason,
    detail,
  });
}

type Assertion = Readonly<Record<'algorithm' | 'subject' | 'audience', string>> & {
  /** Signed here, by the key of the client, and not by GitHub. */
  readonly isOwn: boolean;
};

// RFC 7523 §3: a client is the issuer of what it signs.
function readAssertion({ form }: BadAnswer, { clientId }: Client): Assertion | undefined {
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

// Milliseconds of clock difference worth a hint; fewer where the issuer complains of times.
const noticeableSkew = 60_000;
const suspectSkew = 10_000;

const aboutTime =
  /not (?:yet )?(?:active|valid)|expired|\b(?:exp|nbf|iat)\b|in the (?:past|future)/iu;

const noDoubt = { clock: undefined, doubt: '' };

// Assertions are valid for minutes: a wrong clock makes good ones bad. `doubt` where nothing tells.
function suspectClock(answer: BadAnswer, words: string, now: number) {
  const isAboutTime = aboutTime.test(words);
  const date = dateOf(answer);
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

// Epoch milliseconds, in whole seconds (RFC 9110 §6.6.1); NaN where the server sends no date.
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

const issuerHint =
  'Check the issuer: it must equal "issuer" in the discovery document, path included.';

function noIssuer({ url, status }: BadAnswer, { issuer }: Client, reason: JsonValue | undefined) {
  const detail = typeof reason === 'string' ? ` (${oneLine(reason.replace(/\.$/u, ''))})` : '';
  return new IssuerError(
    'issuer-unexpected',
    `No OpenID issuer at ${issuer}: ${url.href} answered with status ${status}${detail}.`,
    { hint: `${issuerHint}${realmHint(issuer)}` },
  );
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
  return new IssuerError(
    'issuer-mismatch',
    `The discovery document of ${issuer} belongs to another issuer: ${other}.`,
    { hint: `If you mean that one, set the issuer to exactly ${other}` },
  );
}

type Meaning = Pick<IssuerError, 'code'> & {
  readonly complaint: string;
  readonly hint: string;
  /** The issuer's words leave no other cause. */
  readonly isSure?: true;
};

export const loginExpired: Meaning = {
  code: 'login-expired',
  complaint: 'The login timed out',
  hint: 'Run contract-sync login again.',
};

const machineGrants: ReadonlySet<string | null> = new Set([
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]);

type Refusal = Pick<Client, 'issuer' | 'clientId' | 'access'> & {
  readonly words: string;
  readonly isMachine: boolean;
  readonly assertion: Assertion | undefined;
  /** Of this machine's clock, where a wrong one may be the cause. */
  readonly doubt: string;
};

const pending: Meaning = {
  code: 'login-pending',
  complaint: "The login isn't finished",
  hint: 'Finish it.',
};

// By `error` (RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 8693 §2.2.2).
const meanings: ReadonlyMap<string, (refusal: Refusal) => Meaning> = new Map(
  Object.entries({
    // Keycloak has this code for an audience that it does not know.
    invalid_client: (it) => (/\baudience\b/iu.test(it.words) ? refusedTarget : refusedClient)(it),
    // Keycloak's code for a wrong secret, and for a client that may not get tokens for itself.
    unauthorized_client: (it) =>
      (it.assertion !== undefined && !it.assertion.isOwn) ||
      (it.isMachine && /\bcredentials\b/iu.test(it.words))
        ? refusedClient(it)
        : refusedGrant(it),
    unsupported_grant_type: ({ issuer, clientId, doubt }) => ({
      code: 'client-refused',
      complaint: `The issuer ${issuer} doesn't support the grant type of the client ${clientId}`,
      hint: `Allow the grant type for the client at the issuer, or choose another auth.method.${doubt}`,
    }),
    invalid_scope: ({ issuer, clientId, access }) => ({
      code: 'scope-refused',
      complaint: `The issuer ${issuer} refuses the client ${clientId} the scope ${JSON.stringify(access['scope'] ?? '')}`,
      hint: 'Check auth.scope, and which scopes the client is allowed.',
    }),
    invalid_target: refusedTarget,
    authorization_pending: () => pending,
    slow_down: () => pending,
    access_denied: refusedLogin,
    // Entra ID's name for it.
    authorization_declined: refusedLogin,
    expired_token: () => loginExpired,
  }),
);

function federation({ subject, audience }: Assertion): string {
  return `There is no secret to check. At the issuer, the client's federated credential must name the subject ${subject} and the audience ${audience}, and the issuer must trust https://token.actions.githubusercontent.com (in Keycloak: jwt.credential.sub, and supportsClientAssertions of the identity provider).`;
}

const aboutKey = /signature|public key|algorithm/iu;

function refusedClient({ issuer, clientId, assertion, words, doubt }: Refusal): Meaning {
  const code = 'client-refused';
  if (assertion && !assertion.isOwn) {
    return {
      code,
      complaint: `The issuer ${issuer} rejects GitHub's ID token as proof of the client ${clientId}`,
      hint: federation(assertion),
      isSure: true,
    };
  }
  if (assertion && aboutKey.test(words)) {
    return {
      code,
      complaint: `The issuer ${issuer} rejects the signature of the client ${clientId}, made with ${assertion.algorithm}`,
      hint: `Register the public half of this key for the client, for ${assertion.algorithm}. To sign by another algorithm, give the key as a JWK that names it: {"alg": "PS256", …}.`,
      isSure: true,
    };
  }
  return {
    code,
    complaint: `The issuer ${issuer} rejects the client ${clientId} or its credentials`,
    hint: `Check the client id, the secret or key, and whether the client is registered for auth.method.${doubt}`,
  };
}

function refusedGrant({ issuer, clientId, isMachine, doubt }: Refusal): Meaning {
  return {
    code: 'client-refused',
    complaint: `The issuer ${issuer} doesn't allow the client ${clientId} this grant type`,
    hint: isMachine
      ? `Allow it for the client at the issuer (in Keycloak: "Service accounts roles"), or choose another auth.method.${doubt}`
      : `Allow it for the client at the issuer (for a login: the device grant), and register it as a public client, without a secret.${doubt}`,
  };
}

function refusedTarget({ issuer, clientId, access }: Refusal): Meaning {
  const target = access['audience'] ?? access['resource'];
  const named = target === undefined ? '' : ` ${JSON.stringify(target)}`;
  return {
    code: 'target-refused',
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token for this resource or audience${named}`,
    hint: 'Check auth.resource and auth.audience. Some issuers ignore both: there, set the audience on the client or on a scope.',
  };
}

function refusedLogin(refusal: Refusal): Meaning {
  const { issuer, clientId, isMachine } = refusal;
  if (isMachine) return refusedToken(refusal);
  return {
    code: 'login-refused',
    complaint: `The issuer ${issuer} refused the login of the client ${clientId}`,
    hint: 'Run contract-sync login again and approve it.',
  };
}

function refusedToken({ issuer, clientId, assertion }: Refusal): Meaning {
  return {
    code: 'token-refused',
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token`,
    hint:
      assertion && !assertion.isOwn
        ? federation(assertion)
        : "Compare the auth settings with the client's registration and permissions at the issuer.",
  };
}
