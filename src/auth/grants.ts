import { ConfigError } from '../core/errors.ts';
import type { IssuedToken } from './issued.ts';
import type { Grant, Issuer } from './issuer.ts';
import { renewLogin } from './login.ts';
import type { IssuerChoice } from './proof.ts';
import type { AuthSeams } from './seams.ts';

/** Makes a token; `rejected` is the one that the catalog would not have. */
export type Issue = (rejected: string | undefined) => Promise<IssuedToken>;

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
