import { LargeBodyError } from '../http/body.ts';
import { readPage, type ServerPage } from './answers.ts';
import { ApiError } from './api-error.ts';
import { endlessList, incompleteRead } from './list-fault.ts';
import {
  nextPageSize,
  type PageSize,
  smallerPageSize,
  startPageSize,
  tenthOf,
} from './page-size.ts';
import type { CatalogRequest } from './request.ts';
import type { Send } from './retry.ts';

/** Asked after each page: whether to leave the rest, which would take so many requests. */
export type LeavesOff = (requestsLeft: number) => boolean;

/** A list from its first page to its last; the next page travels while its caller works on one. */
export async function* walkList(
  source: PageSource,
  leavesOff?: LeavesOff,
): AsyncGenerator<ServerPage> {
  const cursors = new Set<string>();
  let coming: Promise<Sized> | undefined = fetchSized(source, {
    after: undefined,
    size: startPageSize(source.pageSize),
  });
  let read = 0;
  let total: number | undefined;
  while (coming) {
    const { page, size }: Sized = await coming;
    read += page.contracts.length;
    total = largest(total, page.total);
    refuseRepeatedCursor(source, cursors, page.after);
    refuseEndlessList(source, read, total);
    const left = leftOf(page, read);
    const next = nextPageSize(size, page.contracts.length, left);
    const isOver: boolean =
      page.after === undefined || leavesOff?.(Math.ceil(left / next.limit)) === true;
    coming = isOver ? undefined : fetchSized(source, { after: page.after, size: next });
    // A caller that stops early waits for no page, and hears of no failure of one.
    coming?.catch(() => undefined);
    yield withFlaw(page, size);
  }
}

/** How many contracts are still to come, at most. */
function leftOf({ after, total = Infinity }: ServerPage, read: number): number {
  return after === undefined ? 0 : Math.max(0, total - read);
}

function refuseRepeatedCursor(
  source: PageSource,
  cursors: Set<string>,
  after: string | undefined,
): void {
  if (after === undefined) return;
  if (cursors.has(after))
    throw incompleteRead(source, 'the catalog returned the same cursor twice');
  cursors.add(after);
}

/** The larger of two counts that a list has given of itself. */
export function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Rows that are no alarm: a list of a few may grow by as many while it is read. */
const mostUnforeseen = 1000;

function refuseEndlessList(source: PageSource, read: number, total = Infinity): void {
  if (read > Math.max(2 * total, mostUnforeseen)) throw endlessList(source, total, read);
}

/** A page with as many rows as were asked for, or more, is hardly the last. */
function withFlaw(page: ServerPage, { limit }: PageSize): ServerPage {
  if (page.oddEnd !== 'unpaged' || page.contracts.length < limit) return page;
  return { ...page, flaw: 'a full page has no paging' };
}

/** A list that can be walked. */
export type PageSource = {
  readonly request: (page: PageParameters) => CatalogRequest;
  readonly send: Send;
  readonly pageSize: number | 'auto';
};

/** Which page of a list to ask for. */
export type PageParameters = { readonly limit: number; readonly after?: string };

type PageAt = { readonly after: string | undefined; readonly size: PageSize };

/** A page, and the size with which it was got. */
type Sized = { readonly page: ServerPage; readonly size: PageSize };

/** Fetches a page, a smaller one where the server refuses the size, or sends more than is read. */
async function fetchSized(source: PageSource, { after, size }: PageAt): Promise<Sized> {
  const request = source.request({ limit: size.limit, ...(after !== undefined && { after }) });
  try {
    return { page: await source.send(request, readPage), size };
  } catch (error) {
    const smaller = sizeAfter(error, size);
    if (smaller === undefined) throw error;
    return fetchSized(source, { after, size: smaller });
  }
}

/** The size to try after a failure, or undefined where it is not the size. */
function sizeAfter(error: unknown, size: PageSize): PageSize | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (error.cause instanceof LargeBodyError) return tenthOf(size);
  return error.status === 400 ? smallerPageSize(size) : undefined;
}
