import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { OptionalField } from '../contract/contract.ts';
import { isObject, type JsonValue } from '../core/json.ts';
import { documentSql, columnText } from './database.ts';

export type PageRequest = ListFilter & {
  readonly fields: readonly OptionalField[];
  readonly limit: number;
  /** Where the page lies; without it, at the start of the list. */
  readonly side?: Side;
};

export type ContractPage = {
  /** JSON texts, in the order of the list. */
  readonly contracts: readonly string[];
  /** The page's first and last row, each only if there are rows beyond it. */
  readonly before?: ListKey;
  readonly after?: ListKey;
};

/** One page by keyset: its cost does not grow with its distance from the start of the list. */
export function selectPage(database: DatabaseSync, request: PageRequest): ContractPage {
  const rows = readRows(database, request);
  const first = rows.at(0)?.key;
  const last = rows.at(-1)?.key;
  return {
    contracts: rows.map(({ document }) => document),
    ...(first &&
      anyBeyond(database, request, { direction: 'before', key: first }) && { before: first }),
    ...(last && anyBeyond(database, request, { direction: 'after', key: last }) && { after: last }),
  };
}

function readRows(database: DatabaseSync, request: PageRequest) {
  const { fields, limit, side } = request;
  const { sql, values } = matching(request, side);
  const order = side?.direction === 'before' ? 'DESC' : 'ASC';
  const rows = database
    .prepare(
      `SELECT name, id, ${documentSql(fields)} AS document FROM contracts WHERE ${sql}
       ORDER BY name ${order}, id ${order} LIMIT ?`,
    )
    .all(...values, limit)
    .map(({ name, id, document }) => ({
      key: { name: columnText(name), id: columnText(id) },
      document: columnText(document),
    }));
  return order === 'DESC' ? rows.toReversed() : rows;
}

function anyBeyond(database: DatabaseSync, filter: ListFilter, side: Side): boolean {
  const { sql, values } = matching(filter, side);
  const row = database.prepare(`SELECT 1 FROM contracts WHERE ${sql} LIMIT 1`).get(...values);
  return row !== undefined;
}

/** Which contracts a list is about (interface §4.1). */
export type ListFilter = {
  readonly include: 'all' | 'deleted' | 'non-deleted';
  readonly status?: string;
  /** UUID of the attached entity. */
  readonly entity?: string;
};

export type Direction = 'before' | 'after';

/** The part of a list on one side of a row. */
export type Side = { readonly direction: Direction; readonly key: ListKey };

type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** SQL that holds for the rows of a list, or of one side of it. */
function matching({ include, status, entity }: ListFilter, side?: Side): Condition {
  const terms: Condition[] = [];
  if (include !== 'all')
    terms.push({ sql: 'deleted = ?', values: [Number(include === 'deleted')] });
  if (status !== undefined) terms.push({ sql: 'status = ?', values: [status] });
  if (entity !== undefined) terms.push({ sql: 'entity = ?', values: [entity] });
  if (side) terms.push(beyond(side));
  return {
    sql: terms.map(({ sql }) => sql).join(' AND ') || 'TRUE',
    values: terms.flatMap(({ values }) => values),
  };
}

function beyond({ direction, key }: Side): Condition {
  const comparison = direction === 'before' ? '<' : '>';
  return { sql: `(name, id) ${comparison} (?, ?)`, values: [key.name, key.id] };
}

/**
 * Counts the contracts of a list. Walking a list asks for the same count with each page, and
 * counting looks at every row: a count is kept until the database changes.
 */
export function makeCounter(database: DatabaseSync): (filter: ListFilter) => number {
  // Changes of this connection, and a number that moves with those of others.
  const state = database.prepare(
    'SELECT total_changes() AS own, data_version AS others FROM pragma_data_version',
  );
  const counts = new Map<string, number>();
  let counted = '';
  return (filter) => {
    const current = JSON.stringify(state.get());
    if (current !== counted) counts.clear();
    counted = current;
    const key = JSON.stringify(matching(filter));
    const count = counts.get(key) ?? countAll(database, filter);
    counts.set(key, count);
    return count;
  };
}

function countAll(database: DatabaseSync, filter: ListFilter): number {
  const { sql, values } = matching(filter);
  const row = database.prepare(`SELECT count(*) AS n FROM contracts WHERE ${sql}`).get(...values);
  return Number(row?.['n']);
}

/** The place of a contract in every list: lists are ordered by name, then id. */
type ListKey = { readonly name: string; readonly id: string };

/** A cursor is opaque to clients (interface §4.5): the key of a row on the edge of a page. */
export function formatCursor({ name, id }: ListKey): string {
  return Buffer.from(JSON.stringify({ name, id })).toString('base64url');
}

/** The key in a cursor, or undefined where the text was never a cursor of this server. */
export function parseCursor(text: string): ListKey | undefined {
  const key = readKey(parseJson(Buffer.from(text, 'base64url').toString()));
  // Decoding forgives stray characters: only the very text that was given out is accepted.
  return key && formatCursor(key) === text ? key : undefined;
}

function readKey(value: JsonValue | undefined): ListKey | undefined {
  if (!isObject(value)) return undefined;
  const { name, id } = value;
  return typeof name === 'string' && typeof id === 'string' ? { name, id } : undefined;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
