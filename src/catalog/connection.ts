import { setTimeout as sleep } from 'node:timers/promises';
import { isProtected } from '../http/address.ts';
import type { TokenSource } from '../auth/token.ts';
import { ConfigError } from '../core/errors.ts';

/** The effects that talking to a catalog needs. */
export type Transport = {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** At least 0 and less than 1. */
  readonly random: () => number;
};

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
  /** Of contract-sync, for `User-Agent`. */
  readonly version: string;
  /** Lets a token go over plain http to a host that is not this machine. */
  readonly allowHttp?: boolean;
  readonly transport?: Partial<Transport>;
  /** Told while it happens that a request is tried again, and why; else `log` is. */
  readonly onRetry?: (line: string) => void;
  /** Takes the verbose lines. */
  readonly log?: (line: string) => void;
};

export const systemTransport: Transport = {
  fetch: async (input, init) => globalThis.fetch(input, init),
  sleep: async (milliseconds, signal) => {
    await sleep(milliseconds, undefined, signal && { signal });
  },
  now: Date.now,
  random: Math.random,
};

/** Refuses a base URL to which a token must not be sent. */
export function checkBaseUrl({ baseUrl, allowHttp = false }: CatalogConnection): void {
  if (baseUrl.protocol !== 'https:' && baseUrl.protocol !== 'http:') {
    throw refusal(
      `must start with https://, not ${baseUrl.protocol}`,
      'Write https://catalog.example.com/api, or http://localhost:8585/api for one on this machine.',
    );
  }
  if (baseUrl.username !== '' || baseUrl.password !== '') {
    throw refusal('must not hold a user name or password', 'Give the token instead.');
  }
  if (baseUrl.search !== '' || baseUrl.hash !== '') {
    throw refusal('must not have a query or a fragment', 'It usually ends in /api.');
  }
  if (!allowHttp && !isProtected(baseUrl)) {
    throw refusal(
      `would send the token unencrypted to ${baseUrl.host}`,
      'Use https://, or --allow-http if the network between is trusted.',
    );
  }
}

function refusal(complaint: string, hint?: string): ConfigError {
  const message = `The catalog URL ${complaint}.`;
  return new ConfigError('invalid-catalog-url', message, hint === undefined ? {} : { hint });
}
