import type { Answer } from '../http/body.ts';
import { readPage, type ServerPage } from './answers.ts';
import { ApiError } from './api-error.ts';
import type { Attempt, CatalogRequest } from './request.ts';
import type { Send } from './retry.ts';

/** Asked after each page: whether to leave the rest, which would take so many requests. */
export type LeavesOff = (requestsLeft: number) => boolean;

/** A list from its first page to its last. */
export async function* walkList(
  source: PageSource,
  leavesOff?: LeavesOff,
): AsyncGenerator<ServerPage> {
  const pages = source.openPages({ ...source, mayBeLeft: leavesOff !== undefined });
  const cursors = new Set<string>();
  let at: PageAt = { after: undefined, size: startPageSize(source.pageSize) };
  let read = 0;
  try {
    for (;;) {
      const { page, size } = await pages.fetch(at);
      read += page.contracts.length;
      refuseRepeatedCursor(source, cursors, page.after);
      const left = leftOf(page, read);
      const next = nextPageSize(size, page.contracts.length, left);
      const isOver = page.after === undefined || leavesOff?.(Math.ceil(left / next.limit));
      yield page;
      if (isOver) return;
      at = { after: page.after, size: next };
    }
  } finally {
    pages.close();
  }
}

/** How many contracts are still to come, at most. */
export function leftOf({ after, total = Infinity }: ServerPage, read: number): number {
  return after === undefined ? 0 : Math.max(0, total - read);
}

function refuseRepeatedCursor(
  source: PageSource,
  cursors: Set<string>,
  after: string | undefined,
): void {
  if (after === undefined) return;
  if (cursors.has(after)) throw incompleteRead(source, 'it gives the same cursor twice');
  cursors.add(after);
}

/** A list that can be walked. */
export type PageSource = {
  readonly request: (page: PageParameters) => CatalogRequest;
  readonly send: Send;
  readonly openPages: OpenPages;
  readonly pageSize: number | 'auto';
  /** Whether the walk may be left before its end. */
  readonly mayBeLeft?: boolean;
};

/** Which page of a list to ask for. */
export type PageParameters = { readonly limit: number; readonly after?: string };

/** The pages of one walk, asked for in their order. */
export type Pages = {
  /** `size` is the one with which the page was got. */
  readonly fetch: (at: PageAt) => Promise<{ readonly page: ServerPage; readonly size: PageSize }>;
  readonly close: () => void;
};

export type OpenPages = (source: PageSource) => Pages;

export type PageAt = { readonly after: string | undefined; readonly size: PageSize };

/** Each page is fetched when it is asked for. */
export const pageByPage: OpenPages = (source) => ({
  fetch: async (at) => {
    const { value: page, size } = await fetchSized(source, at, readPage);
    return { page, size };
  },
  close: () => undefined,
});

type Sized<Value> = {
  readonly value: Value;
  readonly size: PageSize;
  readonly request: CatalogRequest;
};

/** Fetches a page, a smaller one where the server refuses the size. */
export async function fetchSized<Value>(
  source: PageSource,
  { after, size }: PageAt,
  read: (answer: Answer) => Attempt<Value>,
): Promise<Sized<Value>> {
  const request = source.request({ limit: size.limit, ...(after !== undefined && { after }) });
  try {
    return { value: await source.send(request, read), size, request };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 400;
    const smaller = isRefused ? smallerPageSize(size) : undefined;
    if (smaller === undefined) throw error;
    return fetchSized(source, { after, size: smaller }, read);
  }
}

/** How many contracts to ask for per page. */
export type PageSize = {
  readonly limit: number;
  /** Whether the size stays as it is, so that a next page can be asked for before this one is read. */
  readonly settled: boolean;
};

/** Within every documented maximum: 1000 by the general rule, 1,000,000 for this list (§8). */
const small = 100;
const large = 1000;

export function startPageSize(setting: number | 'auto'): PageSize {
  return setting === 'auto' ? { limit: small, settled: false } : settled(setting);
}

/** For a second walk of the same list: one size throughout, as some cursors count in pages. */
export function constantPageSize(setting: number | 'auto'): number {
  return setting === 'auto' ? large : setting;
}

/** The size for the rest of a list, after a page of `received` with `left` still to come. */
export function nextPageSize(size: PageSize, received: number, left: number): PageSize {
  if (size.settled) return size;
  if (size.limit === small) return left > small ? { limit: large, settled: false } : settled(small);
  // Asked for more than it gives, a server may fall back to a small default of its own.
  return settled(received < small && left > 0 ? small : size.limit);
}

/** The size to try after the server refused one with 400, or undefined where it is not the size. */
export function smallerPageSize({ limit }: PageSize): PageSize | undefined {
  if (limit > large) return settled(large);
  return limit > small ? settled(small) : undefined;
}

function settled(limit: number): PageSize {
  return { limit, settled: true };
}

/** A list that cannot be trusted to be whole: nothing is planned on it. */
export function incompleteRead({ request, pageSize }: PageSource, complaint: string): ApiError {
  const fault = {
    code: 'incomplete-read',
    message: `The catalog's list of contracts cannot be read whole: ${complaint}.`,
    hint: 'Nothing was changed. Run again when the catalog is quiet; if it stays so, its paging is broken: try another --page-size and tell its operators.',
    transient: false,
    mayHaveLanded: false,
  } as const;
  return new ApiError(request({ limit: startPageSize(pageSize).limit }), fault, 1);
}
