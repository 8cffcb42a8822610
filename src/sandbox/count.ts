import type { DatabaseSync } from 'node:sqlite';
import { matching, type ListFilter } from './filter.ts';

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
