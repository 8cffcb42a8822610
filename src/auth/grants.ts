import { ConfigError } from '../core/errors.ts';
import type { Redactor } from '../core/redact.ts';
import type { Choice } from './choose.ts';
import type { Authenticate, Grant, Issuer } from './issuer.ts';
import { renewLogin } from './login.ts';
import { readPrivateKey } from './private-key.ts';
import type { AuthSeams } from './seams.ts';
import type { IssuedToken } from './store.ts';

/** Makes a token; `rejected` is the one that the catalog would not have. */
type Issue = (rejected: string | undefined) => Promise<IssuedToken>;

/** The requests that the chosen way to a token consists of. */
export function issueBy(choice: IssuerChoice, issuer: Issuer, seams: AuthSeams): Issue {
  const { access } = choice.client;
  const ask =
    (grant: Grant): Issue =>
    () =>
      issuer.grant(grant);
  switch (choice.method) {
    case 'client-secret-basic':
    case 'client-secret-post':
    case 'private-key-jwt':
      return ask({ type: 'client_credentials', parameters: async () => access });
    case 'github-client-assertion': {
      const idToken = idTokenOf(choice, seams);
      return ask({
        type: 'client_credentials',
        // RFC 7523 §2.2; Entra and Keycloak know GitHub as the issuer of a federated credential.
        parameters: async () => ({
          ...access,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await idToken(),
        }),
      });
    }
    case 'github-token-exchange': {
      const idToken = idTokenOf(choice, seams);
      return ask({
        type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        // RFC 8693 §2.1.
        parameters: async () => ({
          ...access,
          subject_token: await idToken(),
          subject_token_type: choice.subjectTokenType,
        }),
      });
    }
    case 'device-login': {
      const { store } = seams;
      if (!store) throw notHere('a login of a person', 'no logins are kept');
      return (rejected) => renewLogin(choice.client, issuer, { ...seams, store }, rejected);
    }
  }
}

function idTokenOf(
  { idTokenAudience }: { readonly idTokenAudience: string },
  { idToken, redactor }: AuthSeams,
): () => Promise<string> {
  if (!idToken) throw notHere("GitHub's ID token", 'GitHub gives none');
  return async () => {
    const token = await idToken(idTokenAudience);
    redactor.hide(token);
    return token;
  };
}

function notHere(what: string, why: string): ConfigError {
  return new ConfigError('method-unavailable', `auth.method needs ${what}, and here ${why}.`, {
    hint: "GitHub's ID token needs a workflow whose job has the permission `id-token: write`.",
  });
}

export type IssuerChoice = Exclude<Choice, { readonly method: 'static-token' }>;

/** How the chosen client proves who it is; its secrets are hidden from here on. */
export function proofOf(choice: IssuerChoice, redactor: Redactor): Authenticate {
  switch (choice.method) {
    case 'client-secret-post':
      return secretInBody(choice.secret.value, redactor);
    case 'client-secret-basic':
      return secretInHeader(choice.client.clientId, choice.secret.value, redactor);
    case 'private-key-jwt': {
      redactor.hide(choice.key.value);
      const key = readPrivateKey(choice.key);
      return ({ PrivateKeyJwt }) => PrivateKeyJwt(key);
    }
    case 'github-token-exchange':
      return choice.secret
        ? secretInHeader(choice.client.clientId, choice.secret.value, redactor)
        : ({ None }) => None();
    // The assertion of GitHub is a parameter of the request (RFC 7523 §2.2), beside the client id.
    case 'github-client-assertion':
    case 'device-login':
      return ({ None }) => None();
  }
}

function secretInBody(text: string, { hide }: Redactor): Authenticate {
  const secret = withoutLineEnd(text);
  hide(secret);
  return ({ ClientSecretPost }) => ClientSecretPost(secret);
}

function secretInHeader(clientId: string, text: string, { hide }: Redactor): Authenticate {
  const secret = withoutLineEnd(text);
  hide(secret);
  // RFC 6749 §2.3.1: what stands in the header is neither the secret nor its base64.
  hide(btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`));
  return ({ ClientSecretBasic }) => ClientSecretBasic(secret);
}

/** Files and secret stores leave one behind. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/u, '');
}
