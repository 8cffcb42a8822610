import type { Choice } from './choose.ts';
import type { Authenticate } from './issuer.ts';
import { readPrivateKey } from './private-key.ts';
import type { Redactor } from '../core/redact.ts';

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
