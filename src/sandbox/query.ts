import { entityStatuses, type OptionalField, optionalFields } from '../contract/contract.ts';
import { FailedRequest } from './middleware.ts';
import { parseCursor } from './cursor.ts';
import { uuid } from './shape.ts';
import type { Direction, PageRequest, Side } from './store.ts';

/** Query parameters of a request, by name. */
export type Parameters = Readonly<Record<string, string>>;

const includes = ['all', 'deleted', 'non-deleted'] as const;
const defaultLimit = 10;
const maximumLimit = 1_000_000;

/** The query parameters of interface §4.1; a wrong value is refused, never ignored. */
export function parseListQuery(parameters: Parameters): PageRequest {
  const { fields, limit, before, after, include, status, entity } = parameters;
  if (before !== undefined && after !== undefined) {
    throw new FailedRequest(400, '`before` and `after` cannot be used together.');
  }
  return {
    fields: parseFields(fields),
    limit: parseLimit(limit),
    include: include === undefined ? 'non-deleted' : oneOf('include', includes, include),
    ...(status !== undefined && { status: oneOf('status', entityStatuses, status) }),
    ...(entity !== undefined && { entity: parseEntity(entity) }),
    ...(before !== undefined && { side: parseSide('before', before) }),
    ...(after !== undefined && { side: parseSide('after', after) }),
  };
}

/** Each field once, however often it is named. */
function parseFields(text: string | undefined): OptionalField[] {
  if (!text) return [];
  const fields = text.split(',').map((field) => oneOf('fields', optionalFields, field.trim()));
  return [...new Set(fields)];
}

/** 0 is allowed, and asks for the total alone (interface §8 gives both bounds). */
function parseLimit(text: string | undefined): number {
  if (text === undefined) return defaultLimit;
  const limit = /^\d{1,7}$/u.test(text) ? Number(text) : Infinity;
  if (limit <= maximumLimit) return limit;
  throw new FailedRequest(400, `\`limit\` must be an integer from 0 to ${maximumLimit}.`);
}

function parseEntity(text: string): string {
  if (uuid.test(text)) return text;
  throw new FailedRequest(400, '`entity` must be the UUID of an entity.');
}

function parseSide(direction: Direction, cursor: string): Side {
  const key = parseCursor(cursor);
  if (key) return { direction, key };
  throw new FailedRequest(400, `\`${direction}\` is not a cursor that this catalog has given out.`);
}

function oneOf<Value extends string>(
  name: string,
  allowed: readonly Value[],
  value: string,
): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found !== undefined) return found;
  throw new FailedRequest(400, `\`${name}\` must be one of ${allowed.join(', ')}, not "${value}".`);
}
