import type { TokenSource } from '../auth/token.ts';
import type { Effects } from '../core/effects.ts';
import { ConfigError } from '../core/errors.ts';
import { isProtected } from '../http/address.ts';

/** Where a catalog is and how to talk to it. */
export type CatalogConnection = {
  /** With or without a path and a trailing slash. */
  readonly baseUrl: URL;
  readonly token: TokenSource;
  readonly pageSize: number | 'auto';
  /** How long the server may take to begin an answer, and again to finish it. */
  readonly timeoutMs: number;
  /** How many requests may be in flight at once; without it, as many as are asked for. */
  readonly concurrency?: number;
  /** How long to wait, while the catalog refuses requests for their number, for one success. */
  readonly timeoutThrottledMs?: number;
  /** Of contract-sync, for `User-Agent`. */
  readonly version: string;
  /** Lets a token go over plain http to a host that is not this machine. */
  readonly allowHttp?: boolean | undefined;
  readonly effects?: Partial<Effects>;
  /** Once aborted, no request goes on, whatever it asks for. */
  readonly signal?: AbortSignal | undefined;
  /** Called when a request is tried again, or all pause, with the reason; `log` where it is missing. */
  readonly onRetry?: ((line: string) => void) | undefined;
  /** Takes the verbose lines. */
  readonly log?: ((line: string) => void) | undefined;
  /** Called as a pause of all requests begins. */
  readonly onPause?: ((milliseconds: number) => void) | undefined;
};

/** A connection with all the effects that it needs. */
export type OpenConnection = CatalogConnection & { readonly effects: Effects };

/** Refuses a base URL to which a token must not be sent. */
export function checkBaseUrl({ baseUrl, allowHttp = false }: CatalogConnection): void {
  if (baseUrl.protocol !== 'https:' && baseUrl.protocol !== 'http:') {
    throw invalidUrl(
      `must start with https://, not ${baseUrl.protocol}`,
      'Use https://catalog.example.com/api, or http://localhost:8585/api for a catalog on this machine.',
    );
  }
  if (baseUrl.username !== '' || baseUrl.password !== '') {
    throw invalidUrl("can't contain a user name or password", 'Set a token instead.');
  }
  if (baseUrl.search !== '' || baseUrl.hash !== '') {
    throw invalidUrl("can't have a query or a fragment", 'It usually ends in /api.');
  }
  if (!allowHttp && !isProtected(baseUrl)) {
    throw invalidUrl(
      `would send the token unencrypted to ${baseUrl.host}`,
      'Use https://, or --allow-http on a network that you trust.',
    );
  }
}

function invalidUrl(complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-catalog-url', `The catalog URL ${complaint}.`, { hint });
}

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

export type CatalogRequest = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  /** An entity tag: where the server's is another, it does nothing (RFC 9110 §13.1.1). */
  readonly ifMatch?: string | undefined;
  /** Gives the request up: its answer is no longer wanted. */
  readonly signal?: AbortSignal | undefined;
  /** Where it is given up sooner than other requests. */
  readonly mostAttempts?: number;
  /** Whether it may be sent again where it was one too many; without it, where it reads. */
  readonly repeats?: boolean | undefined;
  /** Whether a long pause ends its wait: it is then given back without having been sent again. */
  readonly endsWithPause?: boolean | undefined;
  /** Once aborted, the request is not sent any more; what is under way goes on to its end. */
  readonly lastTry?: AbortSignal | undefined;
};
