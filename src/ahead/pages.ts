import { setImmediate } from 'node:timers/promises';
import type { ServerPage } from '../catalog/answers.ts';
import { nextPageSize, type PageSize } from '../catalog/page-size.ts';
import {
  fetchSized,
  leftOf,
  type OpenPages,
  type PageAt,
  type Pages,
  type PageSource,
} from '../catalog/walk.ts';
import { bodyText, byteLength, type Content, largestBody } from '../http/body.ts';
import { refuseRich } from '../catalog/rich-answer.ts';
import type { Wanted } from './heads.ts';
import { createPageParser, type PageParser } from './page-parser.ts';

/**
 * The pages of a list, asked for ahead: the next ones travel while the caller works on the current
 * one, and where the size is settled, also while that is being parsed.
 */
export function pagesAhead(wanted: Wanted, openParser = createPageParser): OpenPages {
  return (source) => openPages(source, openParser(wanted));
}

/** A page that has been asked for. */
type Asked = {
  readonly after: string | undefined;
  readonly arrival: Promise<Arrival>;
  /** The page behind it, asked for by a guess. */
  next?: Asked;
};

/** A page that has come and is being parsed, and the size with which it was got. */
type Arrival = {
  readonly page: Promise<ServerPage>;
  /** The cursor of the next page, as its last bytes seem to say. */
  readonly cursor: string | undefined;
  readonly size: PageSize;
};

/** What the requests of one walk have in common. */
type Walk = {
  readonly source: PageSource;
  readonly parser: PageParser;
  isLeft: boolean;
};

function openPages(source: PageSource, parser: PageParser): Pages {
  const walkList: Walk = { source, parser, isLeft: false };
  let current: Asked | undefined;
  let read = 0;
  return {
    fetch: async (at) => {
      const asked = current?.next?.after === at.after ? current?.next : undefined;
      current = asked ?? ask(walkList, at);
      const arrival = await current.arrival;
      // Whether to go on at all is not known before the first page has been read.
      if (!source.mayBeLeft || read > 0)
        askAhead(walkList, current, arrival, { read, distance: 1 }).catch(() => undefined);
      const page = await arrival.page;
      read += page.contracts.length;
      const left = leftOf(page, read);
      // Where nobody says how many there are: as many as have come.
      parser.expect(Number.isFinite(left) ? left : read);
      // Where many pages have waited, those that come next are asked for in between.
      await setImmediate();
      return { page, size: arrival.size };
    },
    close: () => {
      walkList.isLeft = true;
      parser.close();
    },
  };
}

function ask(walkList: Walk, at: PageAt): Asked {
  const arrival = fetchAndParse(walkList, at);
  // The walk may be left while this is under way; then nobody waits for its failure.
  arrival.catch(() => undefined);
  return { after: at.after, arrival };
}

async function fetchAndParse(walkList: Walk, at: PageAt): Promise<Arrival> {
  const { source } = walkList;
  const { value, size, request } = await fetchSized(source, at, (answer) => refuseRich(answer));
  const cursor = size.settled && byteLength(value) <= large ? cursorAtEnd(value.chunks) : undefined;
  const page = source.send(request, (answer) => walkList.parser.parse(answer), value);
  page.catch(() => undefined);
  return { page, cursor, size };
}

/** Bytes: behind a page with more, none is unpacked before that one has been parsed. */
const large = largestBody / 4;

/** Where a page stands: how many contracts come before it, and how far ahead its next page is. */
type AheadOf = { readonly read: number; readonly distance: number };

/**
 * Asks for the pages behind one as they come: each before the one in front of it has been parsed
 * where its cursor can be seen, but not before those further in front have; so there is little that
 * has not been parsed.
 */
async function askAhead(
  walkList: Walk,
  asked: Asked,
  { page, cursor, size }: Arrival,
  { read, distance }: AheadOf,
): Promise<void> {
  if (walkList.isLeft || distance > mostAhead(walkList)) return;
  if (cursor !== undefined) asked.next ??= ask(walkList, { after: cursor, size });
  const parsed = await page;
  if (parsed.after === undefined || walkList.isLeft) return;
  const { length } = parsed.contracts;
  const nextSize = nextPageSize(size, length, leftOf(parsed, read + length));
  const next = (asked.next ??= ask(walkList, { after: parsed.after, size: nextSize }));
  const place = { read: read + length, distance: distance + 1 };
  await askAhead(walkList, next, await next.arrival, place);
}

/** Where pages are parsed beside this thread, one travels while another is parsed. */
function mostAhead({ source, parser }: Walk): number {
  return source.mayBeLeft || !parser.isBeside() ? 1 : 2;
}

/** Bytes: a paging object with both cursors fits. */
const tailLength = 4096;

/** `"paging": { … "after": "…" … } }` at the very end of a page. */
const pagingAtEnd =
  /"paging"\s*:\s*\{[^{}]*?"after"\s*:\s*(?<cursor>"(?:[^"\\]|\\.)*")[^{}]*\}\s*\}\s*$/u;

/**
 * The cursor in the last bytes of a page that has not been parsed: a guess, to be compared with
 * what parsing finds.
 */
export function cursorAtEnd(chunks: Content['chunks']): string | undefined {
  const tail = bodyText({ chunks: lastBytes(chunks) });
  const cursor = pagingAtEnd.exec(tail)?.groups?.['cursor'];
  return cursor === undefined ? undefined : parseString(cursor);
}

function lastBytes(chunks: Content['chunks']): Uint8Array<ArrayBuffer>[] {
  const last: Uint8Array<ArrayBuffer>[] = [];
  let missing = tailLength;
  for (const chunk of chunks.toReversed()) {
    if (missing <= 0) break;
    last.unshift(chunk.subarray(-missing));
    missing -= chunk.length;
  }
  return last;
}

function parseString(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal)) || undefined;
  } catch {
    return undefined;
  }
}
