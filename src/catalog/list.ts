import type { LiveContract } from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import { ApiError } from './api-error.ts';
import type { ListQuery, Page } from './catalog.ts';
import { completeList } from './complete.ts';
import type { CatalogRequest } from './request.ts';
import type { Send } from './retry.ts';
import type { LeavesOff, PageParameters, PageSource } from './walk.ts';

/** What listing needs. */
export type Lister = {
  readonly request: (query: ListQuery, page: PageParameters, signal: AbortSignal) => CatalogRequest;
  readonly send: Send;
  readonly pageSize: number | 'auto';
};

type SourceOf = (query: ListQuery) => PageSource;

/** The contracts that a query asks for: all of them, or an error. */
export async function* listContracts(
  lister: Lister,
  query: ListQuery,
  signal?: AbortSignal,
): AsyncGenerator<Page> {
  // A caller that stops early must not be kept by the page that is still travelling.
  const stopped = new AbortController();
  const stop = signal ? AbortSignal.any([stopped.signal, signal]) : stopped.signal;
  const sourceOf: SourceOf = (asked) => ({
    request: (page) => lister.request(asked, page, stop),
    send: lister.send,
    pageSize: lister.pageSize,
  });
  try {
    yield* query.entities ? listWanted(sourceOf, query, query.entities) : listAll(sourceOf, query);
  } finally {
    stopped.abort();
  }
}

/** Servers are known to ignore a filter that they do not know: what comes is looked at again. */
async function* listAll(sourceOf: SourceOf, query: ListQuery): AsyncGenerator<Page> {
  for await (const page of completeList(sourceOf(query))) {
    yield { ...page, contracts: page.contracts.filter((contract) => isAsked(contract, query)) };
  }
}

function isAsked({ entity, entityStatus }: LiveContract, query: ListQuery): boolean {
  return agrees(query.entity, entity?.id) && agrees(query.status, entityStatus);
}

/** What a contract does not say cannot be held against it. */
function agrees(asked: string | undefined, actual: string | undefined): boolean {
  return asked === undefined || actual === undefined || idKey(asked) === idKey(actual);
}

/** The contracts of some assets, each once: by the whole list, by requests for each, or by both. */
async function* listWanted(
  sourceOf: SourceOf,
  query: ListQuery,
  entities: readonly string[],
): AsyncGenerator<Page> {
  const known = new Set<string>();
  for await (const page of pagesOfWanted(sourceOf, query, entities)) {
    const contracts = page.contracts.filter(({ id }) => !known.has(id));
    for (const { id } of contracts) known.add(id);
    yield { ...page, contracts };
  }
}

/** By a request for each asset, as soon as that takes fewer than the list. */
async function* pagesOfWanted(
  sourceOf: SourceOf,
  query: ListQuery,
  entities: readonly string[],
): AsyncGenerator<Page> {
  let isTargeted = entities.length <= 1;
  const leavesOff: LeavesOff = (requestsLeft) =>
    (isTargeted = isTargetedCheaper(entities.length, requestsLeft));
  if (!isTargeted) yield* completeList(sourceOf(query), leavesOff);
  if (!isTargeted) return;
  try {
    yield* listEach(sourceOf, query, entities);
  } catch (error) {
    if (!isRefusedFilter(error)) throw error;
    yield* completeList(sourceOf(query));
  }
}

/** Servers are known to answer a filter that they cannot apply with 400, or with 500. */
function isRefusedFilter(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 400 || error.status === 500);
}

/** Whether one request per asset takes fewer than the rest of the list, where that is known. */
export function isTargetedCheaper(entities: number, requestsLeft: number): boolean {
  return Number.isFinite(requestsLeft) && entities < requestsLeft;
}

async function* listEach(
  sourceOf: SourceOf,
  query: ListQuery,
  entities: readonly string[],
): AsyncGenerator<Page> {
  for (const entity of entities) {
    let isFiltered = true;
    for await (const page of completeList(sourceOf({ ...query, entity }))) {
      isFiltered &&= page.contracts.every((contract) => isAsked(contract, { entity }));
      yield page;
    }
    // The server ignores the filter: this was the whole list, and so would be the next.
    if (!isFiltered) return;
  }
}
