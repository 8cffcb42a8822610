import type { LiveContract } from '../contract/contract.ts';
import { isObject } from '../core/json.ts';
import { readJson, readPage } from './answers.ts';
import type { Attempt } from './request.ts';
import type { Answer } from '../http/body.ts';

/** Reads how a catalog's server answers, one request at a time. */
export type ServerReader = {
  /** The first page of the list, of so many contracts. */
  readonly firstPage: (limit: number) => Promise<FirstPage>;
  /** The release of an OpenMetadata server; undefined where one says nothing of the kind. */
  readonly release: () => Promise<string | undefined>;
  /** The same by one try; undefined where it does not succeed. Never rejects. */
  readonly glimpseRelease: (stop: AbortSignal) => Promise<string | undefined>;
  /** Whose the token is, to an OpenMetadata server; undefined where its answer is another. */
  readonly caller: () => Promise<CatalogCaller | undefined>;
};

/** A user of an OpenMetadata server. */
export type CatalogCaller = {
  readonly name: string;
  readonly isAdmin: boolean;
  readonly isBot: boolean;
};

/** A first page, and what came with it. */
export type FirstPage = {
  readonly contracts: readonly LiveContract[];
  readonly total?: number;
  /** How far the server's clock is ahead of this machine's, in milliseconds, or up to 1000 more. */
  readonly clockAhead?: number;
};

/** `now` is when the answer was there, in epoch milliseconds. */
export function parseFirstPage(answer: Answer, now: number): Attempt<FirstPage> {
  const page = readPage(answer);
  if ('fault' in page) return page;
  const { contracts, total } = page.value;
  const date = Date.parse(answer.headers.get('date') ?? '');
  return {
    value: {
      contracts,
      ...(total !== undefined && { total }),
      // A date is cut to the second (RFC 9110 §5.6.7).
      ...(!Number.isNaN(date) && { clockAhead: date - now }),
    },
  };
}

/** `{"version": "1.10.2", …}`. */
export function parseRelease(answer: Answer): Attempt<string | undefined> {
  const body = readJson(answer);
  if ('fault' in body) return body;
  const version = isObject(body.value) ? body.value['version'] : undefined;
  return { value: typeof version === 'string' ? version : undefined };
}

/** `{"name": "zoe", "isAdmin": false, …}`. */
export function parseCaller(answer: Answer): Attempt<CatalogCaller | undefined> {
  const body = readJson(answer);
  if ('fault' in body) return body;
  const { name, isAdmin, isBot } = isObject(body.value) ? body.value : {};
  if (typeof name !== 'string') return { value: undefined };
  return { value: { name, isAdmin: isAdmin === true, isBot: isBot === true } };
}
