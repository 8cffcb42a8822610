import { setImmediate } from 'node:timers/promises';
import type { ListedPage } from './answers.ts';
import { ApiError } from './api-error.ts';
import type { PageReader } from './page-reader.ts';
import { peekCursor } from './peek-cursor.ts';
import type { CatalogRequest } from './request.ts';
import type { Send } from './retry.ts';

/** Asked after each page: whether to leave the rest, which would take so many requests. */
export type LeavesOff = (requestsLeft: number) => boolean;

/** A page that has been asked for. */
type Asked = {
  readonly after: string | undefined;
  readonly arrival: Promise<Arrival>;
  /** The page behind it, asked for by a guess. */
  next?: Asked;
};

/** A page that has come and is being parsed, and the size with which it was got. */
type Arrival = {
  readonly page: Promise<ListedPage>;
  /** The cursor of the next page, as its last bytes seem to say. */
  readonly cursor: string | undefined;
  readonly size: PageSize;
};

/** What the requests of one walk have in common. */
type Trail = {
  readonly source: PageSource;
  /** How many pages to ask for before the one at hand is done with. */
  readonly ahead: () => number;
  isLeft: boolean;
};

/**
 * A list from its first page to its last. The next pages travel while the caller works on the
 * current one, and where the size is settled, also while that is being parsed: as many as the
 * reader of the pages wants ahead, and none once the walk is left.
 */
export async function* walk(source: PageSource, leavesOff?: LeavesOff): AsyncGenerator<ListedPage> {
  const { pages } = source;
  const trail: Trail = { source, ahead: leavesOff ? () => 1 : pages.ahead, isLeft: false };
  const cursors = new Set<string>();
  let read = 0;
  let asked: Asked | undefined = ask(source, undefined, startPageSize(source.pageSize));
  try {
    while (asked) {
      const arrival: Arrival = await asked.arrival;
      // Whether to go on at all is not known before the first page has been read.
      if (!leavesOff || read > 0)
        askAhead(trail, asked, arrival, { read, distance: 1 }).catch(() => undefined);
      const page = await arrival.page;
      read += page.contracts.length;
      refuseRepeatedCursor(source, cursors, page.after);
      const left = leftOf(page, read);
      // Where nobody says how many there are: as many as have come.
      pages.expect(Number.isFinite(left) ? left : read);
      const size = nextPageSize(arrival.size, page.contracts.length, left);
      const isOver = page.after === undefined || leavesOff?.(Math.ceil(left / size.limit));
      if (isOver) asked = undefined;
      else if (asked.next?.after === page.after) asked = asked.next;
      else asked = asked.next = ask(source, page.after, size);
      yield page;
      // Where many pages have waited, those that come next are asked for in between.
      await setImmediate();
    }
  } finally {
    trail.isLeft = true;
  }
}

function ask(source: PageSource, after: string | undefined, size: PageSize): Asked {
  const arrival = fetchPage(source, after, size);
  // The walk may be left while this is under way; then nobody waits for its failure.
  arrival.catch(() => undefined);
  return { after, arrival };
}

async function fetchPage(
  source: PageSource,
  after: string | undefined,
  size: PageSize,
): Promise<Arrival> {
  const request = source.request({ limit: size.limit, ...(after !== undefined && { after }) });
  try {
    const answer = await source.send(request, (received) => ({ value: received }));
    const cursor = size.settled ? peekCursor(answer.chunks) : undefined;
    const page = source.send(request, source.pages.read, answer);
    page.catch(() => undefined);
    return { page, cursor, size };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 400;
    const smaller = isRefused ? smallerPageSize(size) : undefined;
    if (smaller === undefined) throw error;
    return fetchPage(source, after, smaller);
  }
}

/** Where a page stands: how many contracts come before it, and how far ahead its next page is. */
type Place = { readonly read: number; readonly distance: number };

/**
 * Asks for the pages behind one as they come: each before the one in front of it has been parsed
 * where its cursor can be seen, but not before those further in front have; so there is little that
 * has not been parsed.
 */
async function askAhead(
  trail: Trail,
  asked: Asked,
  { page, cursor, size }: Arrival,
  { read, distance }: Place,
): Promise<void> {
  if (trail.isLeft || distance > trail.ahead()) return;
  if (cursor !== undefined) asked.next ??= ask(trail.source, cursor, size);
  const parsed = await page;
  if (parsed.after === undefined || trail.isLeft) return;
  const { length } = parsed.contracts;
  const nextSize = nextPageSize(size, length, leftOf(parsed, read + length));
  const next = (asked.next ??= ask(trail.source, parsed.after, nextSize));
  const place = { read: read + length, distance: distance + 1 };
  await askAhead(trail, next, await next.arrival, place);
}

/** How many contracts are still to come, at most. */
function leftOf({ after, total = Infinity }: ListedPage, read: number): number {
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

/** How many contracts to ask for per page. */
type PageSize = {
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

/** Which page of a list to ask for. */
export type PageParameters = { readonly limit: number; readonly after?: string };

/** A list that can be walked. */
export type PageSource = {
  readonly request: (page: PageParameters) => CatalogRequest;
  readonly send: Send;
  readonly pages: PageReader;
  readonly pageSize: number | 'auto';
};

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
