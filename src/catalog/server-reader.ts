import type { LiveContract } from '../contract/contract.ts';
import { isObject } from '../core/json.ts';
import { readJson, readPage } from './answers.ts';
import { parseServerRelease, type ServerRelease } from './dialects/release.ts';
import type { Attempt } from './request.ts';
import type { Answer } from '../http/body.ts';

/** Reads how a catalog's server answers, one request at a time. */
export type ServerReader = {
  /** The first page of the list, of so many contracts. */
  readonly firstPage: (limit: number) => Promise<FirstPage>;
  /** What the server says of its release, by a few tries. Never rejects. */
  readonly release: (stop?: AbortSignal) => Promise<ServerRelease>;
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

/** What an answer says of the server's release. */
export function parseRelease(answer: Answer): Attempt<ServerRelease> {
  const body = readJson(answer);
  return 'fault' in body ? body : { value: parseServerRelease(body.value) };
}

/** `{"name": "zoe", "isAdmin": false, …}`. */
export function parseCaller(answer: Answer): Attempt<CatalogCaller | undefined> {
  const body = readJson(answer);
  if ('fault' in body) return body;
  const { name, isAdmin, isBot } = isObject(body.value) ? body.value : {};
  if (typeof name !== 'string') return { value: undefined };
  return { value: { name, isAdmin: isAdmin === true, isBot: isBot === true } };
}
