/** A token as an issuer gives it. */
export type IssuedToken = {
  readonly accessToken: string;
  /** By the clock of this machine, in epoch milliseconds; absent where the issuer does not say. */
  readonly expiresAt?: number;
};

/** A token with what makes the next one. */
export type Issued = IssuedToken & { readonly refreshToken?: string };
