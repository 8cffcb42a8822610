import { createHash } from 'node:crypto';
import pLimit from 'p-limit';
import {
  type DesiredContract,
  type LiveContract,
  type OptionalField,
  optionalFields,
} from '../contract/contract.ts';
import { attachedTo, idKey, strongestKind } from '../contract/identity.ts';
import { canonicalJson } from '../core/json.ts';
import { LargeBodyError } from '../http/send.ts';
import { readPage, type ServerPage } from './answers.ts';
import type { CatalogReader, CatalogRequest, ListQuery, Page, Reduce } from './catalog.ts';
import { ApiError, type FaultCode } from './fault.ts';
import type { Product } from './products/product.ts';
import type { Send } from './send.ts';

export type SourceOf = (query: ListQuery, stop: AbortSignal) => PageSource;

export async function* listContracts(open: SourceOf, query: ListQuery, signal?: AbortSignal) {
  const stopped = new AbortController();
  const stop = signal ? AbortSignal.any([stopped.signal, signal]) : stopped.signal;
  const sourceOf = (asked: ListQuery) => open(asked, stop);
  const known = new Set<string>();
  try {
    const { entities } = query;
    if (entities) {
      for await (const page of pagesOfWanted(sourceOf, query, entities))
        yield { ...page, contracts: unknownOf(page.contracts, known) };
      return;
    }
    // Some servers ignore filters that they don't know, so the contracts are filtered here again.
    for await (const page of completeList(sourceOf(query))) {
      const contracts = page.contracts.filter(({ entity }) => agrees(query.entity, entity?.id));
      yield { ...page, contracts };
    }
  } finally {
    stopped.abort();
  }
}

function agrees(asked: string | undefined, actual: string | undefined): boolean {
  return asked === undefined || actual === undefined || idKey(asked) === idKey(actual);
}

async function* pagesOfWanted(
  sourceOf: (query: ListQuery) => PageSource,
  query: ListQuery,
  entities: readonly string[],
): AsyncGenerator<Page> {
  let isTargeted = entities.length <= 1;
  const leavesOff: LeavesOff = (requestsLeft) =>
    (isTargeted = Number.isFinite(requestsLeft) && entities.length < requestsLeft);
  if (!isTargeted) yield* completeList(sourceOf(query), leavesOff);
  if (!isTargeted) return;
  try {
    yield* listEach(sourceOf, query, entities);
  } catch (error) {
    // Some servers answer a filter that they can't apply with 400, or with 500.
    const isRefused = error instanceof ApiError && (error.status === 400 || error.status === 500);
    if (!isRefused) throw error;
    yield* completeList(sourceOf(query));
  }
}

async function* listEach(
  sourceOf: (query: ListQuery) => PageSource,
  query: ListQuery,
  entities: readonly string[],
): AsyncGenerator<Page> {
  for (const entity of entities) {
    let isFiltered = true;
    for await (const page of completeList(sourceOf({ ...query, entity }))) {
      isFiltered &&= page.contracts.every((contract) => agrees(entity, contract.entity?.id));
      yield page;
    }
    if (!isFiltered) return;
  }
}

// Yields each contract once, and fails at the end if the list may be incomplete. Rows that come and
// go can make a sound list look broken, so a doubtful one is walked once more: the second pass
// decides, and adds what the first missed. Ids are kept, never documents; in the second pass
// digests too, to tell a row listed twice from two that differ.
async function* completeList(source: PageSource, leavesOff?: LeavesOff): AsyncGenerator<Page> {
  const known = new Set<string>();
  const doubt = yield* firstPass(source, known, leavesOff);
  if (doubt) yield* secondPass(source, known, doubt.total);
}

type Doubt = { readonly total: number };

async function* firstPass(
  source: PageSource,
  known: Set<string>,
  leavesOff?: LeavesOff,
): AsyncGenerator<Page, Doubt | undefined> {
  let rows = 0;
  let totals: Totals | undefined;
  let isLeftOff = false;
  const leaves = leavesOff && ((requestsLeft: number) => (isLeftOff = leavesOff(requestsLeft)));
  const doubt = (): Doubt => ({ total: totals?.most ?? 0 });
  try {
    for await (const page of walkList(source, leaves)) {
      rows += page.contracts.length;
      totals = addTotal(totals, page.total);
      yield { contracts: unknownOf(page.contracts, known), total: page.total };
      if (page.flaw !== undefined || rows > known.size) return doubt();
    }
  } catch (error) {
    // Servers answer a cursor with 500 when all rows behind it have vanished.
    if (rows > 0 && error instanceof ApiError && error.status === 500) return doubt();
    throw error;
  }
  return isLeftOff || !totals || isWhole(source, rows, totals) ? undefined : doubt();
}

// Rows that vanish lower the last total, rows that come raise it.
function isWhole({ keyCursors }: PageSource, rows: number, totals: Totals): boolean {
  return rows <= totals.most && rows >= (keyCursors ? thereThroughout(totals) : totals.most);
}

async function* secondPass(
  source: PageSource,
  known: Set<string>,
  total: number,
): AsyncGenerator<Page> {
  const digests = new Map<string, string>();
  let totals: Totals | undefined;
  let isCutOff = false;
  let barrenPages = 0;
  const pageSize = secondPageSize(source, total);
  // A key comes once: only elsewhere is what comes twice compared as a whole.
  const { reduce = (live) => live, ...whole } = source;
  for await (const page of walkList({ ...(source.keyCursors ? source : whole), pageSize })) {
    if (page.flaw !== undefined) throw incompleteRead(source, page.flaw);
    totals = addTotal(totals, page.total);
    isCutOff = page.oddEnd === 'empty';
    const before = digests.size;
    for (const { id, document } of page.contracts) {
      const digest = createHash('sha256').update(canonicalJson(document)).digest('base64');
      if ((digests.get(id) ?? digest) !== digest)
        throw incompleteRead(source, `contract ${id} came twice, with different content`);
      digests.set(id, digest);
    }
    barrenPages = digests.size === before ? barrenPages + 1 : 0;
    if (barrenPages >= mostBarrenPages && page.after !== undefined)
      throw incompleteRead(source, `${barrenPages} pages in a row only repeat earlier ones`);
    yield { contracts: unknownOf(page.contracts, known).map(reduce), total: page.total };
  }
  if (totals) refuseOtherCount(source, digests.size, totals, isCutOff);
}

function refuseOtherCount(
  source: PageSource,
  given: number,
  totals: Totals,
  isCutOff: boolean,
): void {
  const { last, most } = totals;
  // The total falls with rows that vanish; a list that ends in an empty page with a cursor has
  // lost some.
  const ofWalk = source.keyCursors ? thereThroughout(totals) : last;
  const fewest = isCutOff ? most : ofWalk;
  if (given >= fewest && given <= most) return;
  const counted = given > most ? most : fewest;
  throw incompleteRead(source, `the catalog counts ${counted} and returned ${given}`);
}

/** What the pages of one walk say. */
type Totals = { readonly first: number; readonly last: number; readonly most: number };

function addTotal(totals: Totals | undefined, total: number | undefined): Totals | undefined {
  if (total === undefined) return totals;
  return { first: totals?.first ?? total, last: total, most: Math.max(totals?.most ?? 0, total) };
}

// With key cursors, what was created meanwhile may count and not come; nothing else is passed over.
function thereThroughout({ first, last }: Totals): number {
  return Math.min(first, last);
}

const mostBarrenPages = 3;

function unknownOf(contracts: readonly LiveContract[], known: Set<string>): LiveContract[] {
  return contracts.filter(({ id }) => known.size < known.add(id).size);
}

// A list can miss a contract whose row slips to the page before. Each missing one is read by
// itself, or the list walked once more, whichever takes fewer requests; other and deleted contracts
// may come too.
export async function* lookAgain(
  reader: CatalogReader,
  missing: readonly DesiredContract[],
  pages: number,
  { addressOf }: Product,
): AsyncGenerator<Page> {
  if (missing.length === 0) return;
  const isAlone = ({ identity }: DesiredContract): boolean => addressOf(identity) !== undefined;
  if (missing.length <= Math.max(pages, fewest) && missing.every(isAlone)) {
    const found = await pLimit(atOnce).map(missing, async (contract) => {
      const address = addressOf(contract.identity);
      return address && reader.fetchContract(address, { fields: fieldsToRequest([contract]) });
    });
    yield { contracts: found.filter((live) => live !== undefined) };
    return;
  }
  const entities = missing.map(({ identity }) => attachedTo(identity));
  const areAllKnown = entities.every((entity) => entity !== undefined);
  yield* reader.list({
    fields: fieldsToRequest(missing),
    ...(areAllKnown && { entities: [...new Set(entities)] }),
    ...(missing.some(isAlone) && { include: 'all' as const }),
  });
}

const fewest = 10;
const atOnce = 10;

export function queryFor(
  desired: readonly DesiredContract[],
  all: boolean,
  reviewed?: readonly string[],
  fields: readonly OptionalField[] = [],
): ListQuery {
  const isMoving = desired.some(({ movedFrom }) => movedFrom !== undefined);
  // A contract with another identity may be attached elsewhere than its file says, so only the
  // whole list shows it.
  const entities = desired.map(({ identity }) =>
    strongestKind(identity) === 'name+entity.id' ? attachedTo(identity) : undefined,
  );
  const isWhole = all || isMoving || !entities.every((entity) => entity !== undefined);
  const needed = [...fieldsToRequest(desired, reviewed), ...fields];
  return { fields: [...new Set(needed)], ...(!isWhole && { entities: [...new Set(entities)] }) };
}

// These fields cost the catalog time, so only those that a file needs are requested.
function fieldsToRequest(desired: readonly DesiredContract[], reviewed: readonly string[] = []) {
  const isNeeded = (field: OptionalField, { managed }: DesiredContract): boolean =>
    Object.hasOwn(managed, field) ||
    (field === 'reviewers' && reviewed.some((status) => status === managed['entityStatus']));
  return optionalFields.filter((field) => desired.some((contract) => isNeeded(field, contract)));
}

type LeavesOff = (requestsLeft: number) => boolean;

// A short list may grow by as many rows while it is read.
const mostUnforeseen = 1000;

async function* walkList(source: PageSource, leavesOff?: LeavesOff): AsyncGenerator<ServerPage> {
  const cursors = new Set<string>();
  let coming: Promise<Sized> | undefined = fetchSized(source, firstLimit(source));
  let read = 0;
  let total: number | undefined;
  for (let isFirst = true; coming; isFirst = false) {
    const { page, limit }: Sized = await coming;
    const { after, contracts }: ServerPage = page;
    read += contracts.length;
    if (page.total !== undefined) total = Math.max(total ?? 0, page.total);
    if (after !== undefined && cursors.size === cursors.add(after).size)
      throw incompleteRead(source, 'the catalog returned the same cursor twice');
    refuseEndlessList(source, read, total);
    const left = after === undefined ? 0 : Math.max(0, (page.total ?? Infinity) - read);
    const next: number = isFirst ? secondLimit(source, limit, left) : limit;
    const isOver: boolean = after === undefined || leavesOff?.(Math.ceil(left / next)) === true;
    coming = isOver ? undefined : fetchSized(source, next, after);
    // A caller that stops early does not wait for the next page, and its failure does not count.
    coming?.catch(() => undefined);
    // A page with as many rows as were asked for, or more, is hardly the last.
    const isCut = page.oddEnd === 'unpaged' && contracts.length >= limit;
    yield isCut ? { ...page, flaw: 'a full page has no paging' } : page;
  }
}

function refuseEndlessList(source: PageSource, read: number, total = Infinity): void {
  if (read <= Math.max(2 * total, mostUnforeseen)) return;
  const what = `The list of contracts doesn't end: the catalog counts ${total} and has returned ${read}`;
  throw listFault(source, 'incomplete-read', what);
}

type PageSource = {
  readonly request: (page: PageParameters) => CatalogRequest;
  readonly send: Send;
  readonly pageSize: number | 'auto';
  readonly keyCursors?: Product['keyCursors'];
  readonly reduce?: Reduce | undefined;
};

export type PageParameters = { readonly limit: number; readonly after?: string };

type Sized = { readonly page: ServerPage; readonly limit: number };

async function fetchSized(source: PageSource, limit: number, after?: string): Promise<Sized> {
  const request = source.request({ limit, ...(after !== undefined && { after }) });
  try {
    const page = await source.send(request, (answer) => readPage(answer, source.reduce));
    return { page, limit };
  } catch (error) {
    const smaller = error instanceof ApiError ? smallerLimit(limit, error) : limit;
    if (smaller >= limit) throw error;
    return fetchSized(source, smaller, after);
  }
}

// Within every documented maximum: 1000 by the general rule, 1,000,000 for this list (§8).
const small = 100;
const large = 1000;

function firstLimit({ pageSize }: PageSource): number {
  return pageSize === 'auto' ? small : pageSize;
}

// A list of more than one page is worth larger ones.
function secondLimit({ pageSize }: PageSource, limit: number, left: number): number {
  return pageSize === 'auto' && limit === small && left > small ? large : limit;
}

function smallerLimit(limit: number, { status, cause }: ApiError): number {
  if (cause instanceof LargeBodyError) return Math.ceil(limit / 10);
  if (status !== 400) return limit;
  return limit > large ? large : small;
}

// One size throughout, as some cursors count in pages.
function secondPageSize({ pageSize, keyCursors }: PageSource, total: number): number {
  if (pageSize !== 'auto') return pageSize;
  return keyCursors && total <= keyCursors.largestPage ? total + large : large;
}

function incompleteRead(list: PageSource, complaint: string): ApiError {
  return listFault(list, 'incomplete-read', `Can't read the whole list of contracts: ${complaint}`);
}

function listFault(source: PageSource, code: FaultCode, what: string): ApiError {
  const hint =
    'Nothing was changed. Run again when the catalog is less busy. If it keeps failing, its paging is broken: try another `page-size` and report it to the operators.';
  const fault = { code, message: `${what}.`, hint, transient: false, mayHaveLanded: false };
  return new ApiError(source.request({ limit: firstLimit(source) }), fault, 1);
}
