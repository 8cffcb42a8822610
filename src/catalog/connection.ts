import type { TokenSource } from '../auth/token.ts';
import type { Effects } from '../core/effects.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { isProtected } from '../http/address.ts';

export type CatalogConnection = {
  /** With or without a path and a trailing slash. */
  readonly baseUrl: URL;
  readonly token: TokenSource;
  readonly pageSize: number | 'auto';
  /** For the start of an answer, and again for its end. */
  readonly timeoutMs: number;
  readonly concurrency?: number;
  /** How long to wait for one success while rate limits refuse. */
  readonly timeoutThrottledMs?: number;
  readonly version: string;
  readonly allowHttp?: boolean | undefined;
  readonly effects?: Partial<Effects>;
  readonly signal?: AbortSignal | undefined;
  /** Takes the reason of each retry or pause; `log` where absent. */
  readonly onRetry?: ((line: string) => void) | undefined;
  readonly log?: ((line: string) => void) | undefined;
  readonly onPause?: ((milliseconds: number) => void) | undefined;
};

export type OpenConnection = CatalogConnection & { readonly effects: Effects };

export function checkBaseUrl({ baseUrl, allowHttp = false }: CatalogConnection): void {
  if (baseUrl.protocol !== 'https:' && baseUrl.protocol !== 'http:') {
    throw invalidUrl(
      `must start with https://, not ${baseUrl.protocol}`,
      'Use https://catalog.example.com/api, or http://localhost:8585/api for a catalog on this machine.',
    );
  }
  if (baseUrl.username !== '' || baseUrl.password !== '')
    throw invalidUrl("can't contain a user name or password", 'Set a token instead.');
  if (baseUrl.search !== '' || baseUrl.hash !== '')
    throw invalidUrl("can't have a query or a fragment", 'It usually ends in /api.');
  if (!allowHttp && !isProtected(baseUrl)) {
    throw invalidUrl(
      `would send the token unencrypted to ${baseUrl.host}`,
      'Use https://. On a network that you trust, the command line takes --allow-http.',
    );
  }
}

function invalidUrl(complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-catalog-url', `The catalog URL ${complaint}.`, { hint });
}

export const purposes = {
  list: 'list data contracts',
  contract: 'read a data contract',
  entity: 'look up users, teams and assets',
  lineage: 'read lineage',
  patch: 'update data contracts',
  create: 'create data contracts',
  versions: 'read the versions of a data contract',
  release: 'return its release',
  caller: 'identify the owner of the token',
} as const;

export type OperationName = keyof typeof purposes;

export type CatalogRequest = {
  readonly operation: OperationName;
  readonly method: 'GET' | 'PATCH' | 'POST';
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  /** Entity tag (RFC 9110 §13.1.1). */
  readonly ifMatch?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly mostAttempts?: number;
  /** Where it is shorter than the connection's. */
  readonly timeoutMs?: number;
  /**
   * Whether it is sent again after a rate limit's refusal, by default if it reads: the refused one
   * may have landed.
   */
  readonly repeats?: boolean | undefined;
  /** Whether a pause of a second or longer ends its wait: fails unsent, with `isPaused`. */
  readonly endsWithPause?: boolean | undefined;
  /** Once aborted, the request is not sent again; one in flight goes on to its end. */
  readonly lastTry?: AbortSignal | undefined;
};
