import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { ClientAuth, Configuration, CustomFetch, PrivateKey } from 'openid-client';
import { ConfigError, SyncError } from '../core/diagnostic.ts';
import { defined, isObject, type JsonObject, parseJson } from '../core/json.ts';
import { quote } from '../core/text.ts';
import { isProtected } from '../http/address.ts';
import { type NetworkFault, type Patience, retry, sendRequest } from '../http/send.ts';
import { IssuerError, otherIssuer, toIssuerError } from './issuer-error.ts';
import type * as openid from './openid.ts';
import type { Issued } from './store.ts';
import type { AuthEffects, Client, Secret } from './token.ts';

type OpenId = typeof openid;

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
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') return otherIssuer(client, cause);
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
    const shown = effects.redactor.redact(text);
    throw toIssuerError({ url, status, headers, text: shown, form }, client, effects.now());
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

// Seconds by which an assertion is dated back for issuers whose clock is behind. Keycloak accepts
// an `iat` from 60 s ago to 15 s ahead: this leaves room either way.
const datedBack = { nbf: 60, iat: 25 } as const;

// Seconds from now.
const lifetime = 60;

export function proveBySignature(secret: Secret, now: () => number): Authenticate {
  const key = readPrivateKey(secret);
  return async ({ PrivateKeyJwt, modifyAssertion }) => {
    const modify = (header: object, claims: object): void => {
      Object.assign(header, { alg: key.algorithm });
      const seconds = Math.floor(now() / 1000);
      const [nbf, iat] = [seconds - datedBack.nbf, seconds - datedBack.iat];
      Object.assign(claims, { nbf, iat, exp: seconds + lifetime });
    };
    return PrivateKeyJwt(await key.load(), { [modifyAssertion]: modify });
  };
}

/** From PEM or JWK. Bad keys are refused at once; jose, which loads slowly, waits for the first use. */
export function readPrivateKey(secret: Secret) {
  const text = secret.value.trim();
  const parsed = text.startsWith('{') ? parseJson(text) : undefined;
  const jwk = isObject(parsed) ? parsed : undefined;
  const key = readKey(secret, jwk ?? text);
  const { kid, alg } = jwk ?? {};
  const kind = key.asymmetricKeyDetails?.namedCurve ?? key.asymmetricKeyType ?? '';
  const [usual, ...others] = algorithmsByKind[kind] ?? [];
  if (usual === undefined) throw unusable(secret, "is of a type that can't sign assertions");
  // A JWK that names an algorithm is for that one alone (RFC 7517 §4.4).
  const algorithm = typeof alg === 'string' ? alg : usual;
  if (![usual, ...others].includes(algorithm))
    throw unusable(secret, `names the algorithm ${quote(algorithm)}, which doesn't fit the key`);
  return {
    algorithm,
    load: async (): Promise<PrivateKey> => {
      const { importPKCS8 } = await import('jose/key/import');
      const pem = String(key.export({ type: 'pkcs8', format: 'pem' }));
      return { key: await importPKCS8(pem, algorithm), ...(typeof kid === 'string' && { kid }) };
    },
  };
}

// node:crypto reads PKCS #1 and SEC 1 too. Its error is not passed on: it may quote the key.
function readKey(secret: Secret, material: string | JsonObject): KeyObject {
  try {
    return typeof material === 'string'
      ? createPrivateKey(material)
      : createPrivateKey({ key: material, format: 'jwk' });
  } catch {
    throw unusable(secret, "can't be read");
  }
}

// By OpenSSL's names (RFC 7518 §3.1), the usual algorithm first. Issuers that do not know RFC 9864
// call Ed25519 EdDSA (RFC 8037 §3.1).
const algorithmsByKind: Readonly<Record<string, readonly string[]>> = {
  rsa: ['RS256', 'PS256', 'RS384', 'PS384', 'RS512', 'PS512'],
  prime256v1: ['ES256'],
  secp384r1: ['ES384'],
  secp521r1: ['ES512'],
  ed25519: ['EdDSA', 'Ed25519'],
};

function unusable({ origin }: Secret, complaint: string): ConfigError {
  return new ConfigError('invalid-private-key', `The private key in ${origin} ${complaint}.`, {
    hint: 'Use an unencrypted RSA, P-256, P-384, P-521 or Ed25519 key, as PEM or JWK.',
  });
}
