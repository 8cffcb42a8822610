/** Read first. The bearer tokens of a run: settings → a method and its issuer → tokens. */

import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { PrivateKey } from 'openid-client';
import { ConfigError } from '../core/diagnostic.ts';
import { isObject, type JsonObject, parseJson } from '../core/json.ts';
import type { Redactor } from '../core/redact.ts';
import { quote } from '../core/text.ts';
import { retry, sendRequest } from '../http/send.ts';
import {
  type Authenticate,
  type Grant,
  type Issuer,
  IssuerError,
  openIssuer,
  unproven,
} from './issuer.ts';
import { renewLogin } from './login.ts';
import type { IssuedToken } from './store.ts';
import {
  type AuthEffects,
  type AuthSettings,
  cacheToken,
  type Claims,
  type Client,
  clientOf,
  completeEffects,
  type IssuerMethod,
  type Method,
  parseBearerToken,
  parseClaims,
  type Secret,
  staticToken,
  type Want,
} from './token.ts';

/** Throws at once for settings that can't work; uses the network when the first token is needed. */
export function createTokenSource(settings: AuthSettings, given: Partial<AuthEffects> = {}) {
  const effects = completeEffects(given);
  const choice = chooseMethod(settings, effects.idToken !== undefined);
  effects.log(`Token: ${choice.method}, because ${choice.reason}.`);
  if (choice.method === 'static-token') {
    effects.redactor.hide(choice.token.value);
    return staticToken(choice.token.value);
  }
  const { method, client } = choice;
  const { proof, issue } = wayOf(choice, settings, effects);
  const issuer = openIssuer(client, proof, effects);
  const issueToken = async (want: Want): Promise<IssuedToken> => {
    const issued = await issue(issuer, want);
    parseBearerToken(issued.accessToken);
    const seconds = Math.round(((issued.expiresAt ?? 0) - effects.now()) / 1000);
    const life = issued.expiresAt === undefined ? '' : `, valid for ${seconds} s`;
    effects.log(`Token: issued by ${client.issuer} (${method})${life}.`);
    return issued;
  };
  return cacheToken(issueToken, effects.now, effects.tell);
}

export type TokenDescription = Claims & {
  readonly method: Method;
  readonly reason: string;
  readonly clientId?: string | undefined;
};

export function describeToken(settings: AuthSettings, hasIdToken: boolean, token = '') {
  const choice = chooseMethod(settings, hasIdToken);
  const clientId = 'client' in choice ? choice.client.clientId : undefined;
  return { method: choice.method, reason: choice.reason, clientId, ...parseClaims(token) };
}

type Way = {
  readonly proof: Authenticate;
  readonly issue: (issuer: Issuer, want: Want) => Promise<IssuedToken>;
};

function wayOf(choice: IssuerChoice, settings: AuthSettings, effects: AuthEffects): Way {
  const { method, client } = choice;
  const { clientSecret, privateKey } = settings;
  const { redactor, store } = effects;
  const credentials = issueBy('client_credentials', async () => client.access);
  switch (method) {
    case 'client-secret-basic':
    case 'client-secret-post': {
      const secret = needed(clientSecret, method, 'CONTRACT_SYNC_CLIENT_SECRET');
      if (method === 'client-secret-basic')
        return { proof: secretInHeader(secret, client, redactor), issue: credentials };
      const text = withoutLineEnd(secret.value);
      redactor.hide(text);
      return { proof: ({ ClientSecretPost }) => ClientSecretPost(text), issue: credentials };
    }
    case 'private-key-jwt': {
      const key = needed(privateKey, method, 'CONTRACT_SYNC_PRIVATE_KEY');
      redactor.hide(key.value);
      return { proof: proveBySignature(key, effects.now), issue: credentials };
    }
    case 'github-client-assertion': {
      // RFC 7523 §2.2; Entra and Keycloak know GitHub as the issuer of a federated credential.
      const idToken = idTokenFor(client, settings, effects);
      const issue = issueBy('client_credentials', async () => ({
        ...client.access,
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion: await idToken(),
      }));
      return { proof: unproven, issue };
    }
    case 'github-token-exchange': {
      // RFC 8693 §2.1.
      const idToken = idTokenFor(client, settings, effects);
      const { subjectTokenType = 'urn:ietf:params:oauth:token-type:jwt' } = settings;
      const proof = clientSecret ? secretInHeader(clientSecret, client, redactor) : unproven;
      const issue = issueBy('urn:ietf:params:oauth:grant-type:token-exchange', async () => ({
        ...client.access,
        subject_token: await idToken(),
        subject_token_type: subjectTokenType,
      }));
      return { proof, issue };
    }
    case 'device-login': {
      if (!store) throw notHere('a user login', "logins aren't stored");
      const world = { ...effects, store };
      return { proof: unproven, issue: (...wanted) => renewLogin(client, world, ...wanted) };
    }
  }
}

function issueBy(type: string, parameters: Grant['parameters']): Way['issue'] {
  return (issuer, { patience }) => issuer.grant({ type, parameters }, patience);
}

function needed(secret: Secret | undefined, method: string, variable: string): Secret {
  if (secret) return secret;
  const hint = `Set the variable ${variable}; in the Action, the input \`auth-client-secret\` or \`auth-private-key\`.`;
  throw new ConfigError('auth-incomplete', `No secret is set for auth.method ${method}.`, { hint });
}

function secretInHeader({ value }: Secret, { clientId }: Client, { hide }: Redactor): Authenticate {
  const secret = withoutLineEnd(value);
  hide(secret);
  // RFC 6749 §2.3.1: the header's form of the secret differs from the secret and its base64.
  hide(btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`));
  return ({ ClientSecretBasic }) => ClientSecretBasic(secret);
}

// Seconds by which an assertion is dated back for issuers whose clock is behind. Keycloak accepts
// an `iat` from 60 s ago to 15 s ahead: this leaves room either way.
const datedBack = { nbf: 60, iat: 25 } as const;

// Seconds from now.
const lifetime = 60;

function proveBySignature(secret: Secret, now: () => number): Authenticate {
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

// Files and secret stores end a secret with a line break.
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/u, '');
}

function idTokenFor(
  { issuer }: Client,
  { idTokenAudience = issuer }: AuthSettings,
  { idToken, redactor }: AuthEffects,
): () => Promise<string> {
  if (!idToken) throw notHere("GitHub's ID token", "GitHub doesn't issue one");
  return async () => {
    const token = await idToken(idTokenAudience);
    redactor.hide(token);
    return token;
  };
}

function notHere(what: string, why: string): ConfigError {
  return new ConfigError('auth-incomplete', `auth.method needs ${what}, but ${why} here.`, {
    hint: "To get GitHub's ID token, run in a workflow and give the job the permission `id-token: write`.",
  });
}

/** Undefined outside a job with `id-token: write`, whose runner sets the variables. */
export function githubIdToken(
  environment: Readonly<Record<string, string | undefined>>,
  effects: AuthEffects,
): AuthEffects['idToken'] {
  const address = environment['ACTIONS_ID_TOKEN_REQUEST_URL'];
  const bearer = environment['ACTIONS_ID_TOKEN_REQUEST_TOKEN'];
  if (!address || !bearer) return undefined;
  effects.redactor.hide(bearer);
  return async (audience) => {
    const url = new URL(address);
    url.searchParams.set('audience', audience);
    const result = await retry(() => askGitHub(url, bearer, effects), effects, effects.log);
    if ('value' in result) return result.value;
    // Not transient: the issuer's request, which needs this token, would be retried as often again.
    throw new IssuerError('issuer-failed', result.fault.message, {
      hint: 'Give the job the permission `id-token: write`.',
      cause: result.fault.cause,
    });
  };
}

async function askGitHub(url: URL, bearer: string, effects: AuthEffects) {
  const headers = { accept: 'application/json', authorization: `Bearer ${bearer}` };
  const reply = await sendRequest({ method: 'GET', url, headers, redirect: 'manual' }, effects);
  if ('fault' in reply) return refused('no answer', true, reply.fault.cause);
  const { status, text } = reply.answer;
  const body = parseJson(text);
  const token = status === 200 && isObject(body) ? body['value'] : undefined;
  return typeof token === 'string' ? { value: token } : refused(`status ${status}`, status >= 500);
}

function refused(complaint: string, transient: boolean, cause?: unknown) {
  const message = `GitHub didn't issue an ID token (${complaint}).`;
  return { fault: { message, transient, cause } };
}

type Choice = { readonly reason: string } & (
  | { readonly method: 'static-token'; readonly token: Secret }
  | IssuerChoice
);

type IssuerChoice = { readonly method: IssuerMethod; readonly client: Client };

function chooseMethod(settings: AuthSettings, hasIdToken: boolean): Choice {
  const { token, issuer, method, privateKey, clientSecret } = settings;
  if (token) return { method: 'static-token', reason: `${token.origin} is set`, token };
  if (issuer === undefined) {
    const hint =
      'CONTRACT_SYNC_TOKEN is unset or empty: set it to a catalog token (a JWT), or name a `token-file`, or set `auth.issuer` and `auth.clientId` to get tokens from an issuer.';
    throw new ConfigError('no-token', 'No token for the catalog.', { hint });
  }
  const client = clientOf(settings);
  if (method) return { method, reason: `auth.method is ${method}`, client };
  // A machine's proof comes before a person's login.
  if (privateKey) {
    const before = clientSecret ? ` and takes precedence over ${clientSecret.origin}` : '';
    return { method: 'private-key-jwt', reason: `${privateKey.origin} is set${before}`, client };
  }
  if (clientSecret)
    return { method: 'client-secret-basic', reason: `${clientSecret.origin} is set`, client };
  if (hasIdToken) {
    const reason = 'no secret is set and GitHub gives this workflow an ID token';
    return { method: 'github-client-assertion', reason, client };
  }
  const reason = 'an issuer is set, without a secret or a GitHub ID token';
  return { method: 'device-login', reason, client };
}
