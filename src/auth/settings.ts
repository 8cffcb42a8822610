import { ConfigError } from '../core/diagnostic.ts';
import { isProtected } from '../http/address.ts';

export type Client = {
  readonly issuer: string;
  readonly clientId: string;
  readonly access: Readonly<Record<string, string>>;
};

export function clientOf({ issuer, clientId, scope, resource, audience }: AuthSettings): Client {
  if (issuer === undefined) {
    const hint = 'Set `auth.issuer` in contract-sync.yaml, or the variable CONTRACT_SYNC_ISSUER.';
    throw new ConfigError('auth-incomplete', 'No token issuer is set.', { hint });
  }
  if (clientId === undefined) {
    const hint =
      'Set `auth.clientId` in contract-sync.yaml or the variable CONTRACT_SYNC_CLIENT_ID; in the Action, the input `auth-client-id`.';
    throw new ConfigError('auth-incomplete', `No client id is set for the issuer ${issuer}.`, {
      hint,
    });
  }
  checkIssuer(issuer);
  const access = Object.entries({ scope, resource, audience }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  );
  return { issuer, clientId, access: Object.fromEntries(access) };
}

// Secrets are sent there, so nobody on the way may be able to listen.
function checkIssuer(issuer: string): void {
  const document = issuer.search(/\/\.well-known\/openid-configuration\/?$/u);
  if (document >= 0) {
    const message = `The issuer ${JSON.stringify(issuer)} is the URL of its discovery document.`;
    const hint = `Set the issuer to ${issuer.slice(0, document)}`;
    throw new ConfigError('invalid-issuer', message, { hint });
  }
  const complaint = complaintAbout(URL.parse(issuer));
  if (complaint === undefined) return;
  throw new ConfigError('invalid-issuer', `The issuer ${JSON.stringify(issuer)} ${complaint}.`, {
    hint: 'Use the "issuer" of the discovery document, such as https://id.example.com.',
  });
}

function complaintAbout(url: URL | null): string | undefined {
  if (!url) return 'is not a URL';
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'is not an http or https URL';
  if (url.username !== '' || url.password !== '') return "can't contain a user name or password";
  if (url.search !== '' || url.hash !== '') return "can't have a query or a fragment";
  return isProtected(url) ? undefined : 'would receive secrets unencrypted';
}

/** A secret, and the name of the place where the user put it. */
export type Secret = { readonly value: string; readonly origin: string };

export const issuerMethods = [
  'client-secret-basic',
  'client-secret-post',
  'private-key-jwt',
  'github-client-assertion',
  'github-token-exchange',
  'device-login',
] as const;

export type IssuerMethod = (typeof issuerMethods)[number];
export type Method = 'static-token' | IssuerMethod;

export type AuthSettings = {
  /** Beats all other settings. */
  readonly token?: Secret | undefined;
  readonly issuer?: string | undefined;
  readonly clientId?: string | undefined;
  /** Absent: the other settings decide. */
  readonly method?: IssuerMethod | undefined;
  readonly clientSecret?: Secret | undefined;
  /** PEM or JWK. */
  readonly privateKey?: Secret | undefined;
  readonly scope?: string | undefined;
  /** RFC 8707 §2. */
  readonly resource?: string | undefined;
  readonly audience?: string | undefined;
  /** The audience of GitHub's ID token; the issuer by default. */
  readonly idTokenAudience?: string | undefined;
  /** RFC 8693 §3; some issuers use names of their own. */
  readonly subjectTokenType?: string | undefined;
};
