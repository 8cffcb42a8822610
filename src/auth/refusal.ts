/** What an issuer's refusal means, by its `error` and what Keycloak says with it. */

import { isObject, type JsonValue, parseJson } from '../core/json.ts';
import { oneLine } from '../http/send.ts';
import type { Client } from './settings.ts';

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

type Meaning = {
  readonly code: IssuerErrorCode;
  readonly complaint: string;
  readonly hint: string;
  /** The issuer's words leave no other cause, such as a clock. */
  readonly isSure?: true;
};

export const loginExpired: Meaning = {
  code: 'login-needed',
  complaint: 'The login timed out',
  hint: 'Run contract-sync login again.',
};

type Refusal = Pick<Client, 'issuer' | 'clientId' | 'access'> & {
  readonly words: string;
  readonly isMachine: boolean;
  readonly assertion: Assertion | undefined;
  /** Says that this machine's clock may be wrong, where that may be the cause; else empty. */
  readonly doubt: string;
};

type Assertion = Readonly<Record<'algorithm' | 'subject' | 'audience', string>> & {
  /** Signed here, by the key of the client, and not by GitHub. */
  readonly isOwn: boolean;
};

// RFC 7523 §3: a client is the issuer of what it signs.
export function readAssertion(form: URLSearchParams, { clientId }: Client): Assertion | undefined {
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

const pending: Meaning = {
  code: 'login-pending',
  complaint: "The login isn't finished",
  hint: 'Finish it.',
};

// By `error` (RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 8693 §2.2.2).
const meanings: ReadonlyMap<string, (refusal: Refusal) => Meaning> = new Map(
  Object.entries({
    // Keycloak has this code for an audience that it does not know; "Invalid token audience" is about
    // the client's assertion.
    invalid_client: (it) =>
      (/\baudience not found\b/iu.test(it.words) ? refusedTarget : refusedClient)(it),
    // Keycloak's code for a wrong secret, and for a client that may not get tokens for itself.
    unauthorized_client: (it) =>
      (it.isMachine && /\bcredentials\b/iu.test(it.words) ? refusedClient : refusedGrant)(it),
    unsupported_grant_type: ({ issuer, clientId, doubt }) => ({
      code: 'client-refused',
      complaint: `The issuer ${issuer} doesn't support the grant type of the client ${clientId}`,
      hint: `Allow the grant type for the client at the issuer, or choose another auth.method.${doubt}`,
    }),
    invalid_scope: ({ issuer, clientId, access }) => ({
      code: 'client-refused',
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

export function readRefusal(reason: string, refusal: Refusal): Meaning {
  return (meanings.get(reason) ?? refusedToken)(refusal);
}

const aboutKey = /signature|public key|algorithm/iu;

function refusedClient(refusal: Refusal): Meaning {
  const { issuer, clientId, assertion, words, doubt } = refusal;
  const code = 'client-refused';
  if (assertion?.isOwn && aboutKey.test(words)) {
    return {
      code,
      complaint: `The issuer ${issuer} rejects the signature of the client ${clientId}, made with ${assertion.algorithm}`,
      hint: `Register the public half of this key for the client, for ${assertion.algorithm}. To sign by another algorithm, give the key as a JWK that names it: {"alg": "PS256", …}.`,
      isSure: true,
    };
  }
  return (
    refusedIdToken(refusal) ?? {
      code,
      complaint: `The issuer ${issuer} rejects the client ${clientId} or its credentials`,
      hint: `Check the client id, the secret or key, and whether the client is registered for auth.method.${doubt}`,
    }
  );
}

function refusedIdToken({ issuer, clientId, assertion }: Refusal): Meaning | undefined {
  if (!assertion || assertion.isOwn) return undefined;
  const { subject, audience } = assertion;
  return {
    code: 'client-refused',
    complaint: `The issuer ${issuer} rejects GitHub's ID token as proof of the client ${clientId}`,
    hint: `There is no secret to check. At the issuer, the client's federated credential must name the subject ${subject} and the audience ${audience}, and the issuer must trust https://token.actions.githubusercontent.com (in Keycloak: jwt.credential.sub, and supportsClientAssertions of the identity provider).`,
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
    code: 'client-refused',
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

function refusedToken(refusal: Refusal): Meaning {
  const { issuer, clientId } = refusal;
  return (
    refusedIdToken(refusal) ?? {
      code: 'client-refused',
      complaint: `The issuer ${issuer} refuses the client ${clientId} a token`,
      hint: "Compare the auth settings with the client's registration and permissions at the issuer.",
    }
  );
}
