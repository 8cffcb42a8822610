import type { SQLInputValue } from 'node:sqlite';
import type { ListKey } from './cursor.ts';

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

export type Condition = { readonly sql: string; readonly values: readonly SQLInputValue[] };

/** SQL that holds for the rows of a list, or of one side of it. */
export function matching({ include, status, entity }: ListFilter, side?: Side): Condition {
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
