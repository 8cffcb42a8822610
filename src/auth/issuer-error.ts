import { SyncError } from '../core/errors.ts';

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

/** A token that an issuer could not or would not give. */
export class IssuerError extends SyncError {
  override readonly name = 'IssuerError';
  declare readonly code: IssuerErrorCode;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  /** How long the issuer asks to be left alone. */
  readonly retryAfterMs: number | undefined;
  /** The issuer's own name for it (RFC 6749 §5.2). */
  readonly reason: string | undefined;

  constructor(
    code: IssuerErrorCode,
    message: string,
    options: {
      readonly hint?: string | undefined;
      readonly cause?: unknown;
      readonly transient?: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly reason?: string;
    } = {},
  ) {
    const { hint, cause, transient = false, retryAfterMs, reason } = options;
    super(code, message, { ...(hint !== undefined && { hint }), cause });
    this.transient = transient;
    this.retryAfterMs = retryAfterMs;
    this.reason = reason;
  }
}
