import { createHash } from 'node:crypto';
import type { LiveContract } from '../contract/contract.ts';
import { canonicalJson } from '../core/json.ts';
import { ApiError } from './api-error.ts';
import type { Page } from './catalog.ts';
import type { ServerPage } from './answers.ts';
import { incompleteRead } from './list-fault.ts';
import { constantPageSize } from './page-size.ts';
import { largest, type LeavesOff, type PageSource, walkList } from './walk.ts';

/**
 * Every contract of a list, each once, or an error at the end if the list may not be whole.
 *
 * Rows that come and go meanwhile can make a sound list look broken, so a doubtful one is walked
 * afresh, once: what the first pass missed is handed on too, and the second pass decides. Ids are
 * kept, never documents; digests, to tell a row listed twice from two that differ, in that second.
 */
export async function* completeList(
  source: PageSource,
  leavesOff?: LeavesOff,
): AsyncGenerator<Page> {
  const known = new Set<string>();
  const isBeyondDoubt = yield* firstPass(source, known, leavesOff);
  if (!isBeyondDoubt) yield* secondPass(source, known);
}

/** Returns whether the list is beyond doubt. */
async function* firstPass(
  source: PageSource,
  known: Set<string>,
  leavesOff?: LeavesOff,
): AsyncGenerator<Page, boolean> {
  let rows = 0;
  let total: number | undefined;
  let isLeftOff = false;
  const leaves = leavesOff && ((requestsLeft: number) => (isLeftOff = leavesOff(requestsLeft)));
  try {
    for await (const page of walkList(source, leaves)) {
      rows += page.contracts.length;
      total = largest(total, page.total);
      yield pageOf(unknownOf(page.contracts, known), page.total);
      if (page.flaw !== undefined || rows > known.size) return false;
    }
  } catch (error) {
    if (rows > 0 && isLostPlace(error)) return false;
    throw error;
  }
  // Rows that vanish make the last total the smaller one, rows that come the larger one.
  return isLeftOff || rows === (total ?? rows);
}

async function* secondPass(source: PageSource, known: Set<string>): AsyncGenerator<Page> {
  const digests = new Map<string, string>();
  let counts: Counts = {};
  let barrenPages = 0;
  const pageSize = constantPageSize(source.pageSize);
  for await (const page of walkList({ ...source, pageSize })) {
    if (page.flaw !== undefined) throw incompleteRead(source, page.flaw);
    counts = countsAfter(counts, page);
    const before = digests.size;
    for (const contract of page.contracts) keepDigest(source, digests, contract);
    barrenPages = digests.size === before ? barrenPages + 1 : 0;
    if (barrenPages >= mostBarrenPages && page.after !== undefined) {
      throw incompleteRead(source, `${barrenPages} pages in a row only repeat earlier ones`);
    }
    yield pageOf(unknownOf(page.contracts, known), page.total);
  }
  refuseOtherCount(source, counts, digests.size);
}

/** Rows that come at the front of a list meanwhile may have one page repeat another. */
const mostBarrenPages = 3;

/** How many contracts a list has said that there are: at the most, and at the end. */
type Counts = { readonly most?: number | undefined; readonly atEnd?: number | undefined };

/** The total falls with rows that vanish; one that ends in an empty page with a cursor has lost some. */
function countsAfter({ most, atEnd }: Counts, { total, oddEnd }: ServerPage): Counts {
  const larger = largest(most, total);
  return { most: larger, atEnd: oddEnd === 'empty' ? larger : (total ?? atEnd) };
}

function refuseOtherCount(source: PageSource, { most, atEnd }: Counts, given: number): void {
  const isMore = most !== undefined && given > most;
  const isLess = atEnd !== undefined && given < atEnd;
  if (!isMore && !isLess) return;
  const said = isMore ? most : atEnd;
  throw incompleteRead(source, `the catalog counts ${said} and returned ${given}`);
}

function pageOf(contracts: readonly LiveContract[], total: number | undefined): Page {
  return { contracts, ...(total !== undefined && { total }) };
}

/** Marks the contracts as known, and leaves out those that were. */
function unknownOf(contracts: readonly LiveContract[], known: Set<string>): LiveContract[] {
  return contracts.filter(({ id }) => known.size < known.add(id).size);
}

function keepDigest(
  source: PageSource,
  digests: Map<string, string>,
  { id, document }: LiveContract,
): void {
  const digest = createHash('sha256').update(canonicalJson(document)).digest('base64');
  if ((digests.get(id) ?? digest) !== digest) {
    throw incompleteRead(source, `contract ${id} came twice, with different content`);
  }
  digests.set(id, digest);
}

/** Servers whose remaining rows have all vanished meanwhile answer their cursor with 500. */
function isLostPlace(error: unknown): boolean {
  return error instanceof ApiError && error.status === 500;
}
