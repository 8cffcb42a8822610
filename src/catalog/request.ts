/** The operations of the interface (§4), by which hints are chosen. */
export type OperationName = 'list' | 'patch' | 'versions' | 'version' | 'search' | 'release';

/** A request as data: built by `client.ts`, sent by `attempt.ts`. */
export type CatalogRequest = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'PATCH';
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  /** Gives the request up: its answer is no longer wanted. */
  readonly signal?: AbortSignal;
  /** Once aborted, the request is not tried again; a try that is under way goes on to its end. */
  readonly lastTry?: AbortSignal | undefined;
};
