import { setImmediate } from 'node:timers/promises';
import { readPage, type ServerPage } from './answer.ts';
import { ApiError } from './api-error.ts';
import { incompleteRead } from './incomplete-read.ts';
import { nextPageSize, smallerPageSize, startPageSize, type PageSize } from './page-size.ts';
import { peekCursor } from './peek-cursor.ts';
import type { PageSource } from './page-source.ts';
import type { Answer, CatalogRequest } from './request.ts';

/** Asked after each page: whether to leave the rest, which would take so many requests. */
export type LeavesOff = (requestsLeft: number) => boolean;

/** A page that has been asked for. */
type Asked = { readonly after: string | undefined; readonly arrival: Promise<Arrival> };

/** A page that has come but has not been read, and the size with which it was got. */
type Arrival = {
  readonly request: CatalogRequest;
  readonly answer: Answer;
  readonly size: PageSize;
};

/**
 * A list from its first page to its last. The next page travels while the caller works on the
 * current one, and where the size is settled, also while that is being parsed: never more than
 * one page ahead.
 */
export async function* walk(source: PageSource, leavesOff?: LeavesOff): AsyncGenerator<ServerPage> {
  const cursors = new Set<string>();
  let read = 0;
  let asked: Asked | undefined = ask(source, undefined, startPageSize(source.pageSize));
  while (asked) {
    const arrival: Arrival = await asked.arrival;
    // Whether to go on at all is not known before the first page has been read.
    const early = leavesOff && read === 0 ? undefined : await askEarly(source, arrival);
    const page = await source.send(arrival.request, readPage, arrival.answer);
    read += page.contracts.length;
    refuseRepeatedCursor(source, cursors, page.after);
    const left = leftOf(page, read);
    const size = nextPageSize(arrival.size, page.contracts.length, left);
    const isOver = page.after === undefined || leavesOff?.(Math.ceil(left / size.limit));
    const guessed: Asked | undefined = early?.after === page.after ? early : undefined;
    asked = isOver ? undefined : (guessed ?? ask(source, page.after, size));
    yield page;
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
    return { request, answer: await source.send(request, (answer) => ({ value: answer })), size };
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 400;
    const smaller = isRefused ? smallerPageSize(size) : undefined;
    if (smaller === undefined) throw error;
    return fetchPage(source, after, smaller);
  }
}

/** Of the event loop, until `fetch` has written its request: measured, and only speed relies on it. */
const turnsToSend = 2;

/** Asks for the next page by the cursor in the last bytes of this one, which is yet to be parsed. */
async function askEarly(source: PageSource, { answer, size }: Arrival): Promise<Asked | undefined> {
  const after = size.settled ? peekCursor(answer.text) : undefined;
  if (after === undefined) return undefined;
  const asked = ask(source, after, size);
  // Parsing blocks the thread: let the request go out first.
  for (let turn = 0; turn < turnsToSend; turn += 1) await setImmediate();
  return asked;
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
  if (cursors.has(after)) throw incompleteRead(source, 'it gives the same cursor twice');
  cursors.add(after);
}
