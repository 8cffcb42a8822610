import type { Client } from './choose.ts';

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

/** An issuer's no, in its own words. */
export type IssuerRefusal = {
  /** `error` (RFC 6749 §5.2). */
  readonly reason: string;
  /** `error_description`, where there is one. */
  readonly words: string;
  /** `grant_type` of the request; absent where it asked for no token. */
  readonly grant: string | null;
};

/** What a refusal means to whoever runs us. */
type Meaning = {
  readonly code: IssuerErrorCode;
  readonly complaint: string;
  readonly hint: string;
};

/** A person has not done in time what was asked. */
export const loginExpired: Meaning = {
  code: 'login-expired',
  complaint: 'The login timed out',
  hint: 'Run contract-sync login again.',
};

/** RFC 6749 §5.2, RFC 8628 §3.5, RFC 8707 §2, RFC 8693 §2.2.2. */
export function meaningOf(refusal: IssuerRefusal, client: Client): Meaning {
  const { reason } = refusal;
  const { issuer, clientId, access } = client;
  const who = `the client ${clientId}`;
  switch (reason) {
    case 'invalid_client':
      return refusedClient(refusal, client);
    case 'unauthorized_client':
      return unauthorized(refusal, client);
    case 'unsupported_grant_type':
      return {
        code: 'client-refused',
        complaint: `The issuer ${issuer} doesn't support the grant type of ${who}`,
        hint: 'Allow the grant type for the client at the issuer, or choose another auth.method.',
      };
    case 'invalid_scope':
      return {
        code: 'scope-refused',
        complaint: `The issuer ${issuer} refuses ${who} the scope ${JSON.stringify(access['scope'] ?? '')}`,
        hint: 'Check auth.scope, and which scopes the client is allowed.',
      };
    case 'invalid_target':
      return refusedTarget(client);
    case 'authorization_pending':
    case 'slow_down':
      return { code: 'login-pending', complaint: "The login isn't finished", hint: 'Finish it.' };
    case 'access_denied':
    // Entra ID's word for it.
    case 'authorization_declined':
      return denied(refusal, client);
    case 'expired_token':
      return loginExpired;
    default:
      return refusedToken(client);
  }
}

/** Keycloak has this code for an audience that it does not know. */
function refusedClient({ words }: IssuerRefusal, client: Client): Meaning {
  if (/\baudience\b/iu.test(words)) return refusedTarget(client);
  const { issuer, clientId } = client;
  return {
    code: 'client-refused',
    complaint: `The issuer ${issuer} rejects the client ${clientId} or its credentials`,
    hint: 'Check the client id, the secret or key, and whether the client is registered for auth.method.',
  };
}

/** Keycloak's code for a wrong secret, and for a client that may not get tokens for itself. */
function unauthorized({ grant }: IssuerRefusal, { issuer, clientId }: Client): Meaning {
  const isPerson = grant === null || !machineGrants.has(grant);
  return {
    code: 'client-refused',
    complaint: `The issuer ${issuer} doesn't allow the client ${clientId} this grant type`,
    hint: isPerson
      ? 'Allow the grant type for the client at the issuer (for a login: the device grant), and register it as a public client, without a secret.'
      : 'Check the secret or key first. If it is right, allow the grant type for the client at the issuer (in Keycloak: "Service accounts roles"), or choose another auth.method.',
  };
}

function refusedTarget({ issuer, clientId, access }: Client): Meaning {
  const target = access['audience'] ?? access['resource'];
  const named = target === undefined ? '' : ` ${JSON.stringify(target)}`;
  return {
    code: 'target-refused',
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token for this resource or audience${named}`,
    hint: 'Check auth.resource and auth.audience. Some issuers ignore both: there, set the audience on the client or on a scope.',
  };
}

/** Those by which a machine gets a token: nobody has logged in. */
const machineGrants: ReadonlySet<string> = new Set([
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:token-exchange',
]);

function denied({ grant }: IssuerRefusal, client: Client): Meaning {
  if (grant !== null && machineGrants.has(grant)) return refusedToken(client);
  return {
    code: 'login-refused',
    complaint: `The issuer ${client.issuer} refused the login of the client ${client.clientId}`,
    hint: 'Run contract-sync login again and approve it.',
  };
}

function refusedToken({ issuer, clientId }: Client): Meaning {
  return {
    code: 'token-refused',
    complaint: `The issuer ${issuer} refuses the client ${clientId} a token`,
    hint: "Compare the auth settings with the client's registration and permissions at the issuer.",
  };
}
