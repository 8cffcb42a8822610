import { LargeBodyError } from '../http/send.ts';
import type { CatalogRequest } from './connection.ts';
import { ApiError, type FaultCode } from './fault.ts';
import type { Reduce } from './catalog.ts';
import { readPage, type ServerPage } from './page.ts';
import type { Send } from './send.ts';

export type LeavesOff = (requestsLeft: number) => boolean;

// A short list may grow by as many rows while it is read.
const mostUnforeseen = 1000;

export async function* walkList(
  source: PageSource,
  leavesOff?: LeavesOff,
): AsyncGenerator<ServerPage> {
  const cursors = new Set<string>();
  const first = { after: undefined, size: startPageSize(source.pageSize) };
  let coming: Promise<Sized> | undefined = fetchSized(source, first);
  let read = 0;
  let total: number | undefined;
  while (coming) {
    const { page, size }: Sized = await coming;
    const { after, contracts }: ServerPage = page;
    read += contracts.length;
    total = largest(total, page.total);
    if (after !== undefined && cursors.size === cursors.add(after).size)
      throw incompleteRead(source, 'the catalog returned the same cursor twice');
    refuseEndlessList(source, read, total);
    const left = after === undefined ? 0 : Math.max(0, (page.total ?? Infinity) - read);
    const next = nextPageSize(size, contracts.length, left);
    const isOver: boolean =
      after === undefined || leavesOff?.(Math.ceil(left / next.limit)) === true;
    coming = isOver ? undefined : fetchSized(source, { after, size: next });
    // A caller that stops early does not wait for the next page, and its failure does not count.
    coming?.catch(() => undefined);
    // A page with as many rows as were asked for, or more, is hardly the last.
    const isCut = page.oddEnd === 'unpaged' && contracts.length >= size.limit;
    yield isCut ? { ...page, flaw: 'a full page has no paging' } : page;
  }
}

function refuseEndlessList(source: PageSource, read: number, total = Infinity): void {
  if (read <= Math.max(2 * total, mostUnforeseen)) return;
  const what = `The list of contracts doesn't end: the catalog counts ${total} and has returned ${read}`;
  throw listFault(source, 'incomplete-read', what);
}

export function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

export type PageSource = {
  readonly request: (page: PageParameters) => CatalogRequest;
  readonly send: Send;
  readonly pageSize: number | 'auto';
  readonly reduce?: Reduce | undefined;
};

export type PageParameters = { readonly limit: number; readonly after?: string };

type Sized = { readonly page: ServerPage; readonly size: PageSize };

async function fetchSized(
  source: PageSource,
  { after, size }: { readonly after: string | undefined; readonly size: PageSize },
): Promise<Sized> {
  const request = source.request({ limit: size.limit, ...(after !== undefined && { after }) });
  try {
    const page = await source.send(request, (answer) => readPage(answer, source.reduce));
    return { page, size };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const ifRefused = error.status === 400 ? smallerPageSize(size) : undefined;
    const smaller = error.cause instanceof LargeBodyError ? tenthOf(size) : ifRefused;
    if (smaller === undefined) throw error;
    return fetchSized(source, { after, size: smaller });
  }
}

type PageSize = { readonly limit: number; readonly settled: boolean };

// Within every documented maximum: 1000 by the general rule, 1,000,000 for this list (§8).
const small = 100;
const large = 1000;

export function startPageSize(setting: number | 'auto'): PageSize {
  return setting === 'auto' ? { limit: small, settled: false } : settled(setting);
}

/** One size throughout, as some cursors count in pages. */
export function constantPageSize(setting: number | 'auto'): number {
  return setting === 'auto' ? large : setting;
}

export function nextPageSize(size: PageSize, received: number, left: number): PageSize {
  if (size.settled) return size;
  if (size.limit === small) return left > small ? { limit: large, settled: false } : settled(small);
  // A server asked for more than it gives may fall back to a small default of its own.
  return settled(received < small && left > 0 ? small : size.limit);
}

export function smallerPageSize({ limit }: PageSize): PageSize | undefined {
  if (limit > large) return settled(large);
  return limit > small ? settled(small) : undefined;
}

export function tenthOf({ limit }: PageSize): PageSize | undefined {
  return limit > 1 ? settled(Math.ceil(limit / 10)) : undefined;
}

function settled(limit: number): PageSize {
  return { limit, settled: true };
}

export function incompleteRead(list: PageSource, complaint: string): ApiError {
  return listFault(list, 'incomplete-read', `Can't read the whole list of contracts: ${complaint}`);
}

function listFault({ request, pageSize }: PageSource, code: FaultCode, what: string): ApiError {
  const hint =
    'Nothing was changed. Run again when the catalog is less busy. If it keeps failing, its paging is broken: try another `page-size` and report it to the operators.';
  const fault = { code, message: `${what}.`, hint, transient: false, mayHaveLanded: false };
  return new ApiError(request({ limit: startPageSize(pageSize).limit }), fault, 1);
}
