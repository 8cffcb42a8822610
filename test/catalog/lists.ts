import type { JsonObject } from '../../src/core/json.ts';
import { type Answering, contractDocument, type Received, sendJson } from '../support/server.ts';

/** Rows `from` up to and without `to`. */
export function rows(from: number, to: number): JsonObject[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) =>
    contractDocument(from + index),
  );
}

/** A catalog of so many contracts whose cursors are row numbers. */
export function catalogOf(count: number, largest = Infinity): Answering {
  return ({ query }, response) => {
    const from = Number(query.get('after') ?? '0');
    const to = Math.min(count, from + Math.min(largest, Number(query.get('limit'))));
    const paging = { total: count, ...(to < count && { after: String(to) }) };
    sendJson(response, { data: rows(from, to), paging });
  };
}

export const isAfter = ({ query }: Received, cursor: string | null): boolean =>
  query.get('after') === cursor;
