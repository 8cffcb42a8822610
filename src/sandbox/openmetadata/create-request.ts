import { isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import type { KeptContract } from './contract.ts';
import { createShape } from './contract-shapes.ts';
import { badRequest } from './error-answer.ts';
import type { ObjectShape, Shape } from './shape.ts';

/** A create request that fits its class; what it leaves out is not there. */
export type Create = JsonObject & {
  readonly name: string;
  readonly entity: KeptContract['entity'];
};

/** Refuses a request that lacks what it must have, or whose name is none. */
export function requireCreate(request: JsonObject): Create {
  const violations = findViolations(request);
  if (violations.length === 0 && isCreate(request)) return request;
  throw badRequest(`[${violations.map((violation) => `query param ${violation}`).join(', ')}]`);
}

/** Whether a request says at least what it is about. */
export function isCreate(request: JsonObject): request is Create {
  const { name, entity } = request;
  const parts = isObject(entity) ? [entity['id'], entity['type']] : [];
  return [name, ...parts].filter((part) => typeof part === 'string').length === 3;
}

/** What is wrong with a request, by the last name of the member that is. */
export function findViolations(request: JsonObject): readonly string[] {
  return [...findMissing(createShape, request), ...findBadName(request['name'])];
}

/** Members that a class requires, at any depth. */
function findMissing(shape: ObjectShape, value: JsonObject): readonly string[] {
  const missing = (shape.required ?? []).filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${name} must not be null`),
    ...Object.entries(shape.members).flatMap(([name, member]) =>
      findMissingIn(member, value[name]),
    ),
  ];
}

function findMissingIn(shape: Shape, value: JsonValue | undefined): readonly string[] {
  if (shape.kind === 'object' && isObject(value)) return findMissing(shape, value);
  if (shape.kind === 'list' && isArray(value)) {
    return value.flatMap((element) => findMissingIn(shape.of, element));
  }
  return [];
}

function findBadName(name: JsonValue | undefined): readonly string[] {
  if (typeof name !== 'string') return [];
  const size = name.length < 1 || name.length > 256;
  const pattern = /::|\n|\r/u.test(name);
  return [
    ...(size ? ['name size must be between 1 and 256'] : []),
    ...(pattern ? ['name must match "^((?!::).)*$"'] : []),
  ];
}
