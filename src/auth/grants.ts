import { ConfigError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { AuthSettings, Client, IssuerChoice, Secret } from './choose.ts';
import type { AuthEffects } from './effects.ts';
import { proveBySignature } from './assertion.ts';
import { type Authenticate, type Grant, type Issuer, unproven } from './issuer.ts';
import { renewLogin } from './login.ts';
import { readPrivateKey } from './private-key.ts';
import type { IssuedToken } from './store.ts';
import type { Want } from './token.ts';

/** How a client proves who it is, and gets a token. */
type Way = {
  readonly proof: Authenticate;
  readonly issue: (issuer: Issuer, want: Want) => Promise<IssuedToken>;
};

/** The chosen way to a token; its secrets are hidden from here on. */
export function wayOf(
  { method, client }: IssuerChoice,
  settings: AuthSettings,
  effects: AuthEffects,
): Way {
  const { clientSecret, privateKey } = settings;
  const { redactor } = effects;
  const credentials: Grant = { type: 'client_credentials', parameters: async () => client.access };
  switch (method) {
    case 'client-secret-basic': {
      const secret = needed(clientSecret, method, 'CONTRACT_SYNC_CLIENT_SECRET');
      return { proof: secretInHeader(secret, client, redactor), issue: issueBy(credentials) };
    }
    case 'client-secret-post': {
      const secret = needed(clientSecret, method, 'CONTRACT_SYNC_CLIENT_SECRET');
      return { proof: secretInBody(secret, redactor), issue: issueBy(credentials) };
    }
    case 'private-key-jwt': {
      const key = needed(privateKey, method, 'CONTRACT_SYNC_PRIVATE_KEY');
      return { proof: signature(key, effects), issue: issueBy(credentials) };
    }
    case 'github-client-assertion':
      return { proof: unproven, issue: issueBy(clientAssertion(client, settings, effects)) };
    case 'github-token-exchange': {
      const proof = clientSecret ? secretInHeader(clientSecret, client, redactor) : unproven;
      return { proof, issue: issueBy(tokenExchange(client, settings, effects)) };
    }
    case 'device-login': {
      const { store } = effects;
      if (!store) throw notHere('a user login', "logins aren't stored");
      const world = { ...effects, store };
      return { proof: unproven, issue: (...wanted) => renewLogin(client, world, ...wanted) };
    }
  }
}

function issueBy(grant: Grant): Way['issue'] {
  return (issuer, { patience }) => issuer.grant(grant, patience);
}

function needed(secret: Secret | undefined, method: string, variable: string): Secret {
  if (secret) return secret;
  throw new ConfigError('no-secret', `No secret is set for auth.method ${method}.`, {
    hint: `Set ${variable}, or pass the file that contains it.`,
  });
}

function secretInBody({ value }: Secret, { hide }: Redactor): Authenticate {
  const secret = withoutLineEnd(value);
  hide(secret);
  return ({ ClientSecretPost }) => ClientSecretPost(secret);
}

function secretInHeader({ value }: Secret, { clientId }: Client, { hide }: Redactor): Authenticate {
  const secret = withoutLineEnd(value);
  hide(secret);
  // RFC 6749 §2.3.1: what stands in the header is neither the secret nor its base64.
  hide(btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`));
  return ({ ClientSecretBasic }) => ClientSecretBasic(secret);
}

/** Files and secret stores leave one behind. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/u, '');
}

function signature(key: Secret, { redactor, now }: AuthEffects): Authenticate {
  redactor.hide(key.value);
  return proveBySignature(readPrivateKey(key), now);
}

/** RFC 7523 §2.2; Entra and Keycloak know GitHub as the issuer of a federated credential. */
function clientAssertion(client: Client, settings: AuthSettings, effects: AuthEffects): Grant {
  const idToken = idTokenFor(client, settings, effects);
  return {
    type: 'client_credentials',
    parameters: async () => ({
      ...client.access,
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await idToken(),
    }),
  };
}

/** RFC 8693 §2.1. */
function tokenExchange(client: Client, settings: AuthSettings, effects: AuthEffects): Grant {
  const idToken = idTokenFor(client, settings, effects);
  const { subjectTokenType = 'urn:ietf:params:oauth:token-type:jwt' } = settings;
  return {
    type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    parameters: async () => ({
      ...client.access,
      subject_token: await idToken(),
      subject_token_type: subjectTokenType,
    }),
  };
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
  return new ConfigError('method-unavailable', `auth.method needs ${what}, but ${why} here.`, {
    hint: "To get GitHub's ID token, run in a workflow and give the job the permission `id-token: write`.",
  });
}
