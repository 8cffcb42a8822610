import type { JsonObject } from '../../core/json.ts';
import { badRequest } from '../http.ts';
import { uuid } from '../json.ts';
import { allFields, answerOf, type KeptContract } from './contract.ts';
import { httpError, unhandled } from './error-answer.ts';
import { contractShape, statuses } from './shapes.ts';
import { type Include, includes, withPeople, type World } from './world.ts';

export function answerList(world: World, query: URLSearchParams, base: string): JsonObject {
  const limit = parseCount(query.get('limit'), 'limit', 1_000_000, 10);
  const fields = parseFields(query.get('fields'));
  const entity = query.get('entity');
  // The server requires a UUID here, and then ignores it.
  if (entity && !uuid.test(entity)) throw httpError(404);
  const rows = findContracts(world, query);
  const total = rows.length;
  if (limit === 0) return { data: [], paging: { total } };
  const { page, before, after } = cutPage(rows, query, limit);
  const view = { base, self: true, fields };
  return {
    // A list includes deleted people.
    data: page.map((contract) => answerOf(withPeople(world, contract, 'all'), view)),
    paging: {
      ...(before && { before: formatCursor(before) }),
      ...(after && { after: formatCursor(after) }),
      total,
    },
  };
}

export function parseFields(text: string | null): ReadonlySet<string> {
  const names = (text ?? '').split(',').map((name) => name.trim());
  if (names.includes('*')) return allFields;
  const unknown = names.find((name) => name && !Object.hasOwn(contractShape.members, name));
  if (unknown !== undefined) throw badRequest(`Invalid field name ${unknown}`);
  return new Set(names);
}

/** A whole number from 0; the server answers a text that is none with a bare 404. */
export function parseCount(text: string | null, name: string, maximum: number, preset: number) {
  const count = text ? Number(text) : preset;
  if ((text && !/^[+-]?\d+$/u.test(text)) || Math.abs(count) > 2 ** 31 - 1) throw httpError(404);
  if (count < 0) throw badRequest(`[query param ${name} must be greater than or equal to 0]`);
  if (count <= maximum) return count;
  throw badRequest(`[query param ${name} must be less than or equal to ${maximum}]`);
}

export function parseInclude(text: string | null): Include {
  if (text === null || text === 'non-deleted') return 'non-deleted';
  if (text === 'deleted' || text === 'all') return text;
  throw badRequest(`query param include must be one of [all, deleted, non-deleted]`);
}

type Sorted = { readonly contract: KeptContract; readonly key: Buffer };

function findContracts(world: World, query: URLSearchParams): readonly Sorted[] {
  const include = parseInclude(query.get('include'));
  const given = query.get(world.release === '1.12' ? 'status' : 'entityStatus') ?? '';
  // Unknown statuses are dropped: without any left, nothing is filtered.
  const names = given.split(',').map((name) => name.trim());
  const wanted = new Set(names.filter((name) => statuses.includes(name)));
  return [...world.contracts.values()]
    .map(({ current }) => current)
    .filter((contract) => includes(include, contract))
    .filter(({ entityStatus }) => wanted.size === 0 || wanted.has(entityStatus))
    .map((contract) => ({ contract, key: bytesOf(contract) }))
    .toSorted((a, b) => Buffer.compare(a.key, b.key));
}

type Key = { readonly name: string; readonly id: string };

// Ordered by bytes; a NUL, which no name has, puts a name before the longer ones.
function bytesOf({ name, id }: Key): Buffer {
  return Buffer.from(`${name}\0${id}`);
}

function parseCursor(text: string): Buffer {
  try {
    return bytesOf(JSON.parse(Buffer.from(text, 'base64').toString()));
  } catch {
    throw unhandled('JSON parsing failed');
  }
}

function formatCursor({ name, id }: Key): string {
  return Buffer.from(JSON.stringify({ name, id })).toString('base64');
}

function cutPage(rows: readonly Sorted[], query: URLSearchParams, limit: number) {
  const [after, before] = [query.get('after'), query.get('before')];
  if (after && before) throw badRequest('Only one of before or after query parameter allowed');
  const contracts = rowsBeyond(rows, before, -1) ?? rowsBeyond(rows, after, 1);
  const all = contracts ?? rows.map(({ contract }) => contract);
  const isMore = all.length > limit;
  if (before) {
    const page = all.slice(-limit);
    return { page, before: isMore ? page[0] : undefined, after: page.at(-1) };
  }
  const page = all.slice(0, limit);
  return { page, before: contracts && page[0], after: isMore ? page.at(-1) : undefined };
}

function rowsBeyond(rows: readonly Sorted[], cursor: string | null, side: 1 | -1) {
  if (!cursor) return undefined;
  const key = parseCursor(cursor);
  const beyond = rows.filter((row) => Buffer.compare(row.key, key) === side);
  if (beyond.length > 0) return beyond.map(({ contract }) => contract);
  throw unhandled(`Index ${Math.min(side, 0)} out of bounds for length 0`);
}
