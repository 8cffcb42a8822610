import type { JsonObject } from '../../core/json.ts';
import { allFields, answerOf, type KeptContract } from './contract.ts';
import { contractShape } from './contract-shapes.ts';
import { badRequest, httpError, unhandled } from './error-answer.ts';
import { statuses } from './part-shapes.ts';
import { uuid } from '../shape.ts';
import { type Include, includes, type World } from './world.ts';

/** GET /dataContracts: a page of the contracts in order of their names. */
export function answerList(world: World, query: URLSearchParams, base: string): JsonObject {
  const limit = parseLimit(query.get('limit'));
  const fields = parseFields(query.get('fields'));
  checkEntity(query.get('entity'));
  const cursor = parseCursors(query);
  const contracts = findContracts(world, query);
  const total = contracts.length;
  if (limit === 0) return { data: [], paging: { total } };
  const { page, before, after } = cutPage(contracts, cursor, limit);
  const view = { base, self: true, fields };
  return {
    data: page.map((contract) => answerOf(contract, view)),
    paging: {
      ...(before && { before: formatCursor(before) }),
      ...(after && { after: formatCursor(after) }),
      total,
    },
  };
}

/** Names of other members are taken too, and change nothing. */
export function parseFields(text: string | null): ReadonlySet<string> {
  const names = (text ?? '').split(',').map((name) => name.trim());
  if (names.includes('*')) return allFields;
  const unknown = names.find((name) => name && !Object.hasOwn(contractShape.members, name));
  if (unknown !== undefined) throw badRequest(`Invalid field name ${unknown}`);
  return new Set(names);
}

const maximumLimit = 1_000_000;

function parseLimit(text: string | null): number {
  if (!text) return 10;
  const limit = Number(text);
  if (!/^[+-]?\d+$/u.test(text) || Math.abs(limit) > 2 ** 31 - 1) throw httpError(404);
  if (limit < 0) throw badRequest('[query param limit must be greater than or equal to 0]');
  if (limit > maximumLimit) {
    throw badRequest(`[query param limit must be less than or equal to ${maximumLimit}]`);
  }
  return limit;
}

/** The server wants a UUID here, and then does nothing with it. */
function checkEntity(text: string | null): void {
  if (text && !uuid.test(text)) throw httpError(404);
}

export function parseInclude(text: string | null): Include {
  if (text === null || text === 'non-deleted') return 'non-deleted';
  if (text === 'deleted' || text === 'all') return text;
  throw badRequest(`query param include must be one of [all, deleted, non-deleted]`);
}

function findContracts(world: World, query: URLSearchParams): readonly KeptContract[] {
  const include = parseInclude(query.get('include'));
  const wanted = parseStatuses(query.get('status'));
  return [...world.contracts.values()]
    .map(({ current }) => current)
    .filter((contract) => includes(include, contract))
    .filter(({ entityStatus }) => wanted.size === 0 || wanted.has(entityStatus))
    .map((contract) => ({ contract, key: bytesOf(contract) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key))
    .map(({ contract }) => contract);
}

/** Unknown statuses are dropped: if none is left, nothing is filtered. */
function parseStatuses(text: string | null): ReadonlySet<string> {
  const known: readonly string[] = statuses;
  const names = (text ?? '').split(',').map((name) => name.trim());
  return new Set(names.filter((name) => known.includes(name)));
}

/** What a list is ordered by. */
type Key = { readonly name: string; readonly id: string };

/** The order is that of bytes; a NUL, which no name has, keeps a name before the longer ones. */
function bytesOf({ name, id }: Key): Buffer {
  return Buffer.from(`${name}\0${id}`);
}

function compareKeys(a: Key, b: Key): number {
  return Buffer.compare(bytesOf(a), bytesOf(b));
}

type Cursor = { readonly side: 'after' | 'before'; readonly key: Key };

function parseCursors(query: URLSearchParams): Cursor | undefined {
  const [after, before] = [query.get('after'), query.get('before')];
  if (after && before) throw badRequest('Only one of before or after query parameter allowed');
  if (after) return { side: 'after', key: parseCursor(after) };
  return before ? { side: 'before', key: parseCursor(before) } : undefined;
}

function parseCursor(text: string): Key {
  try {
    const { name, id }: Key = JSON.parse(Buffer.from(text, 'base64').toString());
    return { name, id };
  } catch {
    throw unhandled('JSON parsing failed');
  }
}

function formatCursor({ name, id }: Key): string {
  return Buffer.from(JSON.stringify({ name, id })).toString('base64');
}

type Page = {
  readonly page: readonly KeptContract[];
  readonly before: Key | undefined;
  readonly after: Key | undefined;
};

/** A page has a cursor back to where its own cursor came from, even if nothing is left there. */
function cutPage(
  contracts: readonly KeptContract[],
  cursor: Cursor | undefined,
  limit: number,
): Page {
  if (cursor?.side === 'before') {
    const rows = contracts.filter((contract) => compareKeys(contract, cursor.key) < 0);
    if (rows.length === 0) throw unhandled('Index -1 out of bounds for length 0');
    const page = rows.slice(-limit);
    return { page, before: rows.length > limit ? page[0] : undefined, after: page.at(-1) };
  }
  const rows = cursor
    ? contracts.filter((contract) => compareKeys(contract, cursor.key) > 0)
    : contracts;
  if (cursor && rows.length === 0) throw unhandled('Index 0 out of bounds for length 0');
  const page = rows.slice(0, limit);
  return {
    page,
    before: cursor && page[0],
    after: rows.length > limit ? page.at(-1) : undefined,
  };
}
