import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { OptionalField } from '../contract/contract.ts';
import type { ListKey } from './cursor.ts';
import { textOf } from './database.ts';
import { documentSql } from './record.ts';

export type ListFilter = {
  readonly include: 'all' | 'deleted' | 'non-deleted';
  readonly status?: string;
  /** UUID of the attached entity. */
  readonly entity?: string;
};

export type PageRequest = ListFilter & {
  readonly fields: readonly OptionalField[];
  readonly limit: number;
  /** The row that the page lies before or after; the first page lies after nothing. */
  readonly from?: { readonly direction: Direction; readonly key: ListKey };
};

export type Direction = 'before' | 'after';

export type ContractPage = {
  /** JSON texts, in the order of the list. */
  readonly contracts: readonly string[];
  readonly total: number;
  /** The page's first and last row, each only if there are rows beyond it. */
  readonly before?: ListKey;
  readonly after?: ListKey;
};

type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** One page by keyset: its cost does not grow with its distance from the start of the list. */
export function readPage(database: DatabaseSync, request: PageRequest): ContractPage {
  const rows = readRows(database, request);
  const before = rows.at(0)?.key;
  const after = rows.at(-1)?.key;
  return {
    contracts: rows.map(({ document }) => document),
    total: countAll(database, request),
    ...(before && anyBeyond(database, request, 'before', before) && { before }),
    ...(after && anyBeyond(database, request, 'after', after) && { after }),
  };
}

function readRows(database: DatabaseSync, request: PageRequest) {
  const { fields, limit, from } = request;
  const { sql, values } = matching(request, from);
  const order = from?.direction === 'before' ? 'DESC' : 'ASC';
  const rows = database
    .prepare(
      `SELECT name, id, ${documentSql(fields)} AS document FROM contracts WHERE ${sql}
       ORDER BY name ${order}, id ${order} LIMIT ?`,
    )
    .all(...values, limit)
    .map(({ name, id, document }) => ({
      key: { name: textOf(name), id: textOf(id) },
      document: textOf(document),
    }));
  return order === 'DESC' ? rows.toReversed() : rows;
}

/** All that match the filter, wherever the page lies (interface §2.4). */
function countAll(database: DatabaseSync, filter: ListFilter): number {
  const { sql, values } = matching(filter);
  const row = database.prepare(`SELECT count(*) AS n FROM contracts WHERE ${sql}`).get(...values);
  return Number(row?.['n']);
}

function anyBeyond(
  database: DatabaseSync,
  filter: ListFilter,
  direction: Direction,
  key: ListKey,
): boolean {
  const { sql, values } = matching(filter, { direction, key });
  const row = database.prepare(`SELECT 1 FROM contracts WHERE ${sql} LIMIT 1`).get(...values);
  return row !== undefined;
}

function matching({ include, status, entity }: ListFilter, from?: PageRequest['from']): Condition {
  const terms: Condition[] = [];
  if (include !== 'all')
    terms.push({ sql: 'deleted = ?', values: [Number(include === 'deleted')] });
  if (status !== undefined) terms.push({ sql: 'status = ?', values: [status] });
  if (entity !== undefined) terms.push({ sql: 'entity = ?', values: [entity] });
  if (from) {
    const { direction, key } = from;
    const sql = `(name, id) ${direction === 'before' ? '<' : '>'} (?, ?)`;
    terms.push({ sql, values: [key.name, key.id] });
  }
  return {
    sql: terms.map(({ sql }) => sql).join(' AND ') || 'TRUE',
    values: terms.flatMap(({ values }) => values),
  };
}
