import type { DatabaseSync } from 'node:sqlite';
import type { OptionalField } from '../contract/contract.ts';
import type { ListKey } from './cursor.ts';
import { textOf } from './database.ts';
import { matching, type ListFilter, type Side } from './filter.ts';
import { documentSql } from './record.ts';

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
export function readPage(database: DatabaseSync, request: PageRequest): ContractPage {
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
      key: { name: textOf(name), id: textOf(id) },
      document: textOf(document),
    }));
  return order === 'DESC' ? rows.toReversed() : rows;
}

function anyBeyond(database: DatabaseSync, filter: ListFilter, side: Side): boolean {
  const { sql, values } = matching(filter, side);
  const row = database.prepare(`SELECT 1 FROM contracts WHERE ${sql} LIMIT 1`).get(...values);
  return row !== undefined;
}
