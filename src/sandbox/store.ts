import { type OptionalField, optionalFields } from '../contract/contract.ts';
import { formatVersion } from '../contract/version.ts';
import { compareCodeUnits, isObject, type JsonObject } from '../core/json.ts';
import type { Contract, SeededContract } from './shape.ts';

/** The contracts of a catalog with their whole history. */
export type Store = {
  readonly page: (request: PageRequest) => ContractPage;
  readonly find: (id: string) => Contract | undefined;
  /** Puts the next version of a contract in the place of the current one, which becomes history. */
  readonly advance: (current: Contract, next: Contract) => void;
  /** Every version of a contract, newest first; none where there is no such contract. */
  readonly history: (id: string) => readonly Contract[];
  /** One version, named with its decimal, `1.0`. */
  readonly snapshot: (id: string, version: string) => Contract | undefined;
};

/** Which contracts a list is about (interface §4.1). */
type ListFilter = {
  readonly include: 'all' | 'deleted' | 'non-deleted';
  readonly status?: string;
  /** UUID of the attached entity. */
  readonly entity?: string;
};

export type PageRequest = ListFilter & {
  readonly fields: readonly OptionalField[];
  readonly limit: number;
  /** Where the page lies; without it, at the start of the list. */
  readonly side?: Side;
};

export type Direction = 'before' | 'after';

/** The part of a list on one side of a row. */
export type Side = { readonly direction: Direction; readonly key: ListKey };

/** The place of a contract in every list: lists are ordered by name, then id. */
export type ListKey = { readonly name: string; readonly id: string };

type ContractPage = {
  /** In the order of the list, without the members that nobody asked for. */
  readonly contracts: readonly JsonObject[];
  /** How many contracts match, wherever the page lies (interface §2.4). */
  readonly total: number;
  /** The page's first and last row, each only if there are rows beyond it. */
  readonly before?: ListKey;
  readonly after?: ListKey;
};

/** Keeps them in memory. */
export function makeStore(seed: readonly SeededContract[]): Store {
  const versions = new Map<string, Contract[]>(
    seed.map(({ current, earlier }) => [current.id, [...earlier, current]]),
  );
  // In list order: a patch can't change a name (`keptFields`).
  const ids = seed.map(({ current }) => current).toSorted(compareKeys);
  const find: Store['find'] = (id) => versions.get(id)?.at(-1);
  return {
    page: (request) =>
      selectPage(
        ids.flatMap(({ id }) => find(id) ?? []),
        request,
      ),
    find,
    advance: ({ id }, next) => void versions.get(id)?.push(next),
    history: (id) => versions.get(id)?.toReversed() ?? [],
    snapshot: (id, version) =>
      versions.get(id)?.findLast((each) => formatVersion(each.version) === version),
  };
}

function compareKeys(a: ListKey, b: ListKey): number {
  return compareCodeUnits(a.name, b.name) || compareCodeUnits(a.id, b.id);
}

function selectPage(
  all: readonly Contract[],
  { fields, limit, side, ...filter }: PageRequest,
): ContractPage {
  const matching = all.filter((contract) => isListed(contract, filter));
  const [start, end] = rangeOf(matching, limit, side);
  const [first, last] = end > start ? [matching[start], matching[end - 1]] : [];
  return {
    contracts: matching.slice(start, end).map((contract) => listed(contract, fields)),
    total: matching.length,
    ...(first && start > 0 && { before: first }),
    ...(last && end < matching.length && { after: last }),
  };
}

function isListed(contract: Contract, { include, status, entity }: ListFilter): boolean {
  const isDeleted = contract['deleted'] === true;
  const { entityStatus, entity: attached } = contract;
  return (
    (include === 'all' || isDeleted === (include === 'deleted')) &&
    (status === undefined || status === entityStatus) &&
    (entity === undefined || (isObject(attached) && attached['id'] === entity))
  );
}

function rangeOf(
  rows: readonly Contract[],
  limit: number,
  side: Side | undefined,
): readonly [start: number, end: number] {
  if (!side) return [0, Math.min(limit, rows.length)];
  const { direction, key } = side;
  if (direction === 'after') {
    const start = rows.findIndex((row) => compareKeys(row, key) > 0);
    return start < 0 ? [0, 0] : [start, Math.min(start + limit, rows.length)];
  }
  const end = rows.findLastIndex((row) => compareKeys(row, key) < 0) + 1;
  return [Math.max(0, end - limit), end];
}

/** Three members come only when asked for with `fields`; updates alone answer the fourth (§2.1). */
function listed(contract: Contract, fields: readonly OptionalField[]): JsonObject {
  const leftOut = new Set<string>(optionalFields.filter((field) => !fields.includes(field)));
  leftOut.add('changeDescription');
  return Object.fromEntries(Object.entries(contract).filter(([name]) => !leftOut.has(name)));
}
