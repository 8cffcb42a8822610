import {
  deepestNesting,
  isObject,
  isTooDeep,
  type JsonObject,
  type JsonValue,
} from '../core/json.ts';
import { InexactNumber } from '../core/number.ts';
import type { EntityReference, LiveContract } from './contract.ts';
import { formatVersion } from './version.ts';

/** A contract of the catalog's answer, or undefined where the value is none: it has no id. */
export function parseLiveContract(document: JsonValue): LiveContract | undefined {
  if (!isObject(document) || typeof document['id'] !== 'string') return undefined;
  const { id, version, updatedAt, entity } = document;
  const tooDeep = Object.keys(document).filter((field) =>
    isTooDeep(document[field], deepestNesting - 1),
  );
  return {
    id,
    ...textMembers(document, ['name', 'fullyQualifiedName', 'entityStatus']),
    ...(isObject(entity) && { entity: parseEntity(entity) }),
    ...parseVersion(version),
    ...(typeof updatedAt === 'number' && { updatedAt }),
    ...(tooDeep.length === 0 ? { document } : { document: without(document, tooDeep), tooDeep }),
  };
}

function without(document: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(document).filter(([field]) => !fields.includes(field)));
}

function parseVersion(version: JsonValue | undefined) {
  if (typeof version === 'string') return { version: formatVersion(version) };
  if (typeof version !== 'number' && !(version instanceof InexactNumber)) return {};
  const number = Number(version);
  const text = formatVersion(number);
  if (number === version && Number(text) === number) return { version: text };
  return { version: text, versionNumber: number === version ? number : null };
}

/** Whether a contract is deleted in such a way that it can be restored: lists leave it out. */
export function isDeleted({ document }: LiveContract): boolean {
  return document['deleted'] === true;
}

function parseEntity(entity: JsonObject): EntityReference {
  return textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']);
}

/** Those members that hold text: a server may leave any of them out. */
export function textMembers<Name extends string>(
  object: JsonObject,
  names: readonly Name[],
): { readonly [name in Name]?: string } {
  const members: { [name in Name]?: string } = {};
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'string') members[name] = value;
  }
  return members;
}
