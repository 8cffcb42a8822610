/** Stable names of what can go wrong with a request to a catalog. */
export type FaultCode =
  | 'bad-request'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media-type'
  | 'rate-limited'
  | 'server-error'
  | 'redirected'
  | 'unreachable'
  | 'untrusted-certificate'
  | 'timeout'
  | 'connection-lost'
  | 'not-json'
  | 'malformed-answer'
  | 'unexpected-answer'
  | 'incomplete-read';

/** Why one attempt of a request failed: a value, so that the retry loop can weigh it. */
export type Fault = {
  readonly code: FaultCode;
  /** What is wrong, one full sentence. */
  readonly message: string;
  readonly hint?: string;
  readonly status?: number;
  readonly requestId?: string;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  /** The server may have done what was asked, although the answer does not say so. */
  readonly mayHaveLanded: boolean;
  /** How long the server asks to be left alone (RFC 9110 §10.2.3). */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
};

/** How one attempt ended. */
export type Attempt<T> = { readonly value: T } | { readonly fault: Fault };
