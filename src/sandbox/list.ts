import type { JsonObject, JsonValue } from '../core/json.ts';
import { type Contract, standardStatuses } from './contract.ts';
import { badRequest } from './http.ts';
import { byCodeUnits, isRecord, uuid } from './json.ts';

export type Store = Readonly<ReturnType<typeof makeStore>>;

export function makeStore(seed: readonly (readonly Contract[])[]) {
  const histories = new Map(seed.map((versions) => [versions[0]?.id ?? '', [...versions]]));
  const current = (): Contract[] => [...histories.values()].flatMap((each) => each.at(-1) ?? []);
  // A patch can't change a name (`keptFields`), nor the order of the list.
  const ids = current()
    .toSorted(compareKeys)
    .map(({ id }) => id);
  return {
    current: (): readonly Contract[] => ids.flatMap((id) => histories.get(id)?.at(-1) ?? []),
    /** Oldest first; empty for an unknown contract. */
    versions: (id: string): readonly Contract[] => histories.get(id) ?? [],
    advance: (next: Contract): void => void histories.get(next.id)?.push(next),
  };
}

export type ListKey = { readonly name: string; readonly id: string };

function compareKeys(a: ListKey, b: ListKey): number {
  return byCodeUnits(a.name, b.name) || byCodeUnits(a.id, b.id);
}

/** Opaque to clients (interface §4.5): the key of a row on the edge of a page. */
export function formatCursor({ name, id }: ListKey): string {
  return Buffer.from(JSON.stringify({ name, id })).toString('base64url');
}

export function parseCursor(text: string): ListKey | undefined {
  try {
    const value: JsonValue = JSON.parse(Buffer.from(text, 'base64url').toString());
    const { name, id } = isRecord(value) ? value : {};
    if (typeof name !== 'string' || typeof id !== 'string') return undefined;
    // Decoding ignores stray characters: only the exact text of a cursor is accepted.
    return formatCursor({ name, id }) === text ? { name, id } : undefined;
  } catch {
    return undefined;
  }
}

// Returned only when requested with `fields` (interface §2.1).
const fieldsOnDemand: readonly string[] = ['owners', 'reviewers', 'extension'];

/** Interface §4.1; a wrong parameter is refused, never ignored. */
export function selectPage(contracts: readonly Contract[], query: URLSearchParams): JsonObject {
  const [before, after] = [query.get('before'), query.get('after')];
  if (before !== null && after !== null)
    throw badRequest('`before` and `after` cannot be used together.');
  const fields = (query.get('fields') || undefined)
    ?.split(',')
    .map((field) => oneOf('fields', fieldsOnDemand, field.trim()));
  const limit = parseLimit(query.get('limit'));
  const matching = filterContracts(contracts, query);
  let [start, end] = [0, matching.length];
  if (after !== null) {
    const key = requireCursor('after', after);
    const first = matching.findIndex((row) => compareKeys(row, key) > 0);
    start = first === -1 ? end : first;
  }
  if (before === null) end = Math.min(end, start + limit);
  else {
    const key = requireCursor('before', before);
    end = matching.findLastIndex((row) => compareKeys(row, key) < 0) + 1;
    start = Math.max(0, end - limit);
  }
  const leftOut = new Set(fieldsOnDemand.filter((field) => !fields?.includes(field)));
  // Only updates return what they changed (interface §2.1).
  leftOut.add('changeDescription');
  const page = matching.slice(start, end);
  const [first, last] = [page[0], page.at(-1)];
  return {
    data: page.map((contract) =>
      Object.fromEntries(Object.entries(contract).filter(([name]) => !leftOut.has(name))),
    ),
    paging: {
      // All matches, not only those of the page (interface §2.4).
      total: matching.length,
      ...(first && start > 0 && { before: formatCursor(first) }),
      ...(last && end < matching.length && { after: formatCursor(last) }),
    },
  };
}

function filterContracts(contracts: readonly Contract[], query: URLSearchParams) {
  const includes = ['all', 'deleted', 'non-deleted'];
  const include = oneOf('include', includes, query.get('include') ?? 'non-deleted');
  const given = query.get('status');
  const status = given === null ? undefined : oneOf('status', standardStatuses, given);
  const entity = query.get('entity');
  if (entity !== null && !uuid.test(entity))
    throw badRequest('`entity` must be the UUID of an entity.');
  return contracts.filter(({ deleted, entityStatus, entity: attached }) => {
    if (include !== 'all' && (deleted === true) !== (include === 'deleted')) return false;
    if (status !== undefined && status !== entityStatus) return false;
    return entity === null || (isRecord(attached) && attached['id'] === entity);
  });
}

const maximumLimit = 1_000_000;

// 0 requests the total alone (interface §8 gives both bounds).
function parseLimit(text: string | null): number {
  if (text === null) return 10;
  const limit = /^\d{1,7}$/u.test(text) ? Number(text) : Infinity;
  if (limit <= maximumLimit) return limit;
  throw badRequest(`\`limit\` must be an integer from 0 to ${maximumLimit}.`);
}

function requireCursor(direction: 'before' | 'after', cursor: string): ListKey {
  const key = parseCursor(cursor);
  if (key) return key;
  throw badRequest(`\`${direction}\` is not a cursor that this catalog has given out.`);
}

function oneOf(name: string, allowed: readonly string[], value: string): string {
  if (allowed.includes(value)) return value;
  throw badRequest(`\`${name}\` must be one of ${allowed.join(', ')}, not "${value}".`);
}
