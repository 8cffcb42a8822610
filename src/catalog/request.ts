/** The operations of the interface (§4) and of dialects, by which hints are chosen. */
export type OperationName =
  | 'list'
  | 'contract'
  | 'entity'
  | 'patch'
  | 'create'
  | 'versions'
  | 'release'
  | 'caller';

/** A request as data: built by `client.ts`, sent by `attempt.ts`. */
export type CatalogRequest = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  /** An entity tag: where the server's is another, it does nothing (RFC 9110 §13.1.1). */
  readonly ifMatch?: string | undefined;
  /** Gives the request up: its answer is no longer wanted. */
  readonly signal?: AbortSignal;
  /** Attempts after which it is given up, where that is sooner than for other requests. */
  readonly mostAttempts?: number;
  /** Whether it may be sent again where it was one too many; without it, where it reads. */
  readonly repeats?: boolean | undefined;
  /** Once aborted, the request is not sent any more; what is under way goes on to its end. */
  readonly lastTry?: AbortSignal | undefined;
};

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
  | 'throttled-too-long'
  | 'server-error'
  | 'redirected'
  | 'unreachable'
  | 'untrusted-certificate'
  | 'timeout'
  | 'connection-lost'
  | 'not-json'
  | 'malformed-answer'
  | 'unexpected-answer'
  | 'nested-too-deep'
  | 'incomplete-read'
  | 'interrupted'
  | 'list-does-not-end';

/** Why one attempt of a request failed: a value, so that the retry loop can weigh it. */
export type Fault = {
  readonly code: FaultCode;
  /** What is wrong, one full sentence. */
  readonly message: string;
  readonly hint?: string | undefined;
  /** The server's own words. */
  readonly reason?: string | undefined;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The same request may well succeed a little later. */
  readonly transient: boolean;
  /** The server may have done what was asked, although the answer does not say so. */
  readonly mayHaveLanded: boolean;
  /** An earlier sending of it was one request too many: that may have landed all the same. */
  readonly isSecondTry?: boolean;
  /** How long the server asks to be left alone (RFC 9110 §10.2.3). */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

/** How one attempt ended. */
export type Attempt<T> = { readonly value: T } | { readonly fault: Fault };
