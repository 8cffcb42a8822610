import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import { SyncError } from '../core/diagnostic.ts';
import { defined, isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { isProtected } from '../http/address.ts';
import {
  type Answer,
  type NetworkFault,
  oneLine,
  parseRetryAfter,
  type Patience,
  retry,
  sendRequest,
} from '../http/send.ts';
import type * as openid from './openid.ts';
import type { Issued } from './store.ts';
import { type AuthEffects, type Client, instant, parseClaims } from './token.ts';

type OpenId = typeof openid;

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
  /** The same request may succeed a little later. */
  readonly transient?: boolean;
  /** The pause that the issuer asks for. */
  readonly retryAfterMs?: number | undefined;
  /** The issuer's `error` (RFC 6749 §5.2). */
  readonly reason?: string;
  /** The issuer's `error` with its description. */
  readonly detail?: string;
};

export class IssuerError extends SyncError {
  override readonly name = 'IssuerError';
  declare readonly code: IssuerErrorCode;
  readonly transient: IssuerErrorFacts['transient'];
  readonly retryAfterMs: IssuerErrorFacts['retryAfterMs'];
  readonly reason: IssuerErrorFacts['reason'];
  readonly detail: IssuerErrorFacts['detail'];

  constructor(code: IssuerErrorCode, message: string, facts: IssuerErrorFacts = {}) {
    super(code, message, facts);
    this.transient = facts.transient;
    this.retryAfterMs = facts.retryAfterMs;
    this.reason = facts.reason;
    this.detail = facts.detail;
  }
}

/** A token request (RFC 6749 §4.5), made anew for each attempt: an assertion is good for one. */
export type Grant = {
  readonly type: string;
  readonly parameters: () => Promise<Readonly<Record<string, string>>>;
};

export type Issuer = Readonly<ReturnType<typeof openIssuer>>;

export type Authenticate = (openId: OpenId) => Promise<ClientAuth> | ClientAuth;

export const unproven: Authenticate = ({ None }) => None();

export function openIssuer(client: Client, authenticate: Authenticate, effects: AuthEffects) {
  let opened: Promise<Opened> | undefined;
  const call = async <T>(request: (opened: Opened) => Promise<T>, patience: Patience = 'short') => {
    const keepOn = persist(client, effects, patience);
    opened ??= discover(client, authenticate, effects, keepOn);
    // A failure is not kept: the next request tries again.
    opened.catch(() => {
      opened = undefined;
    });
    const ready = await opened;
    return keepOn(() => request(ready));
  };
  return {
    grant: async ({ type, parameters }: Grant, patience: Patience): Promise<Issued> =>
      call(async ({ openId, configuration }) => {
        const asked = effects.now();
        const answer = await openId.genericGrantRequest(configuration, type, await parameters());
        const { access_token: accessToken, refresh_token: refreshToken } = answer;
        // By the lifetime alone: the issuer's clock may differ from ours.
        const { expires_in: lifetime } = answer;
        const expiresAt = lifetime === undefined ? undefined : asked + lifetime * 1000;
        const issued = { accessToken, ...defined({ expiresAt, refreshToken }) };
        hideTokens(issued, effects);
        return issued;
      }, patience),
    /** RFC 8628 §3.1. */
    authorizeDevice: async () =>
      call(({ openId, configuration }) =>
        openId.initiateDeviceAuthorization(configuration, client.access),
      ),
    /** RFC 7009; false where the issuer can't. */
    revoke: async (token: string) =>
      call(async ({ openId, configuration }) => {
        if (configuration.serverMetadata().revocation_endpoint === undefined) return false;
        await openId.tokenRevocation(configuration, token);
        return true;
      }),
  };
}

type Opened = { readonly openId: OpenId; readonly configuration: Configuration };

async function discover(
  client: Client,
  authenticate: Authenticate,
  effects: AuthEffects,
  keepOn: Persist,
): Promise<Opened> {
  const { issuer, clientId } = client;
  const openId = await import('./openid.ts');
  const proof = await authenticate(openId);
  const options = {
    // Our own fetch decides which addresses may be plain http.
    execute: [openId.allowInsecureRequests],
    [openId.customFetch]: createIssuerFetch(client, effects),
  };
  const configuration = await keepOn(() =>
    openId.discovery(new URL(issuer), clientId, undefined, proof, options),
  );
  return { openId, configuration };
}

export function hideTokens({ accessToken, refreshToken }: Issued, { redactor }: AuthEffects): void {
  redactor.hide(accessToken);
  if (refreshToken !== undefined) redactor.hide(refreshToken);
}

type Persist = <T>(request: () => Promise<T>) => Promise<T>;

function persist(client: Client, effects: AuthEffects, patience: Patience): Persist {
  const lines = [effects.tell];
  const log = (line: string): void => (lines.pop() ?? effects.log)(line);
  return async (request) => {
    const attempt = () =>
      request().then(
        (value) => ({ value }),
        (error: unknown) => ({ fault: syncErrorIn(error) ?? nonconforming(client, error) }),
      );
    const result = await retry(attempt, effects, log, patience);
    if ('fault' in result) throw result.fault;
    return result.value;
  };
}

function syncErrorIn(error: unknown): SyncError | undefined {
  if (error instanceof SyncError) return error;
  return error instanceof Error ? syncErrorIn(error.cause) : undefined;
}

function nonconforming(client: Client, error: unknown): IssuerError {
  const { code, message, cause }: NodeJS.ErrnoException =
    error instanceof Error ? error : new Error(String(error));
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    const body = cause instanceof Object && 'body' in cause ? cause.body : undefined;
    const other = oneLine(body instanceof Object && 'issuer' in body ? String(body.issuer) : '');
    const words = `The discovery document of ${client.issuer} belongs to another issuer: ${other}.`;
    const hint = `If you mean that one, set the issuer to exactly ${other}`;
    return new IssuerError('invalid-issuer', words, { hint });
  }
  const complaint = `The issuer ${client.issuer} doesn't answer like an OpenID issuer: ${message}.`;
  const hint = 'Check the issuer, and whether a login page or proxy is in front of it.';
  return new IssuerError('issuer-unexpected', complaint, { hint });
}

// Only successful, complete answers reach openid-client: its own errors and time limit never apply.
function createIssuerFetch(client: Client, effects: AuthEffects): CustomFetch {
  return async (address, { method, headers: sent, body = null }) => {
    const url = new URL(address);
    // The discovery document names the other addresses: they too must be safe for secrets.
    if (!isProtected(url)) {
      const message = `The issuer ${client.issuer} asks for secrets to be sent unencrypted to ${url.host}.`;
      const hint = 'Its discovery document must use https URLs.';
      throw new IssuerError('insecure-endpoint', message, { hint });
    }
    const form = body instanceof URLSearchParams ? body : new URLSearchParams();
    const request = { method, url, headers: sent, body: form.toString() || null } as const;
    const reply = await sendRequest({ ...request, redirect: 'manual' }, effects);
    if ('fault' in reply) throw unanswered(reply.fault, url, client, effects.timeoutMs);
    const { status, headers, text } = reply.answer;
    if (status >= 200 && status < 300)
      return new Response(text || null, { status, headers: [...headers] });
    // Some servers quote the request, which holds secrets.
    const answer = { ...reply.answer, text: effects.redactor.redact(text) };
    throw toIssuerError(answer, url, form, client, effects.now());
  };
}

function unanswered(
  { kind, message, cause }: NetworkFault,
  { host }: URL,
  { issuer }: Client,
  timeoutMs: number,
): IssuerError {
  if (kind === 'timeout') {
    const late = `The issuer ${issuer} did not answer within ${timeoutMs / 1000} seconds.`;
    const hint = 'Increase `timeoutSeconds`.';
    return new IssuerError('issuer-unreachable', late, { hint, transient: true });
  }
  const complaint =
    kind === 'unknown-host'
      ? `Can't find the host ${host} of the issuer ${issuer}.`
      : `Can't connect to the issuer ${issuer}: ${message}.`;
  return new IssuerError('issuer-unreachable', complaint, {
    hint: 'Check the issuer, your VPN, the firewall and HTTPS_PROXY.',
    transient: !['unknown-host', 'no-tls', 'untrusted'].includes(kind),
    cause,
  });
}

function toIssuerError(
  answer: Answer,
  url: URL,
  form: URLSearchParams,
  client: Client,
  now: number,
) {
  const { status, headers, text } = answer;
  const { issuer } = client;
  if (status >= 500 || status === 429) {
    const message = `The issuer ${issuer} failed (${url.pathname}, status ${status}).`;
    return new IssuerError('issuer-failed', message, {
      hint: "Try again later. If it keeps failing, ask the issuer's operators.",
      transient: true,
      retryAfterMs: parseRetryAfter(headers.get('retry-after'), now),
    });
  }
  const body = parseJson(text);
  const { error, error_description: description }: JsonObject = isObject(body) ? body : {};
  const reason = typeof error === 'string' ? error : '';
  const words = typeof description === 'string' ? description : '';
  const reply = [reason, words].filter((part) => part !== '').join(': ');
  const detail = oneLine(reply.trimEnd().replace(/\.$/u, ''));
  if (reason === '' || url.pathname.includes('/.well-known/')) {
    const said = detail === '' ? '' : ` (${detail})`;
    const message = `No OpenID issuer at ${issuer}: ${url.href} answered with status ${status}${said}.`;
    const hint =
      'Check the issuer: it must equal "issuer" in the discovery document, path included.';
    return new IssuerError('issuer-unexpected', message, { hint });
  }
  const meaning = explain(reason, detail, form, client) ?? refusalOf(form, client, now);
  const { code = 'client-refused', complaint, hint } = meaning;
  return new IssuerError(code, `${complaint} (${detail}).`, { hint, reason, detail });
}

type Meaning = {
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
  { issuer, clientId, access }: Client,
): Meaning | undefined {
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
      if (!isLogin) return undefined;
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
      if (/\bcredentials\b/iu.test(detail)) return undefined;
      return {
        complaint: `The issuer ${issuer} doesn't allow the client ${clientId} this grant type`,
        hint: 'Allow it for the client at the issuer (in Keycloak: "Service accounts roles", for a login the device grant), or choose another auth.method.',
      };
    default:
      return undefined;
  }
}

function refusalOf(form: URLSearchParams, { issuer, clientId }: Client, now: number): Meaning {
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
