/** A secret, and the name of the place where the user put it. */
export type Secret = { readonly value: string; readonly origin: string };

/** The ways to a token at an OpenID issuer. */
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

/** All that flags, environment, file or inputs say about tokens. */
export type AuthSettings = {
  /** A ready token. It beats all else. */
  readonly token?: Secret;
  readonly issuer?: string;
  readonly clientId?: string;
  /** Unless given, what is at hand decides. */
  readonly method?: IssuerMethod;
  readonly clientSecret?: Secret;
  /** PEM or JWK. */
  readonly privateKey?: Secret;
  readonly scope?: string;
  /** RFC 8707 §2. */
  readonly resource?: string;
  readonly audience?: string;
  /** Whom GitHub's ID token is for; the issuer unless given. */
  readonly idTokenAudience?: string;
  /** RFC 8693 §3; some issuers want a name of their own. */
  readonly subjectTokenType?: string;
};
