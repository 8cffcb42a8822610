import {
  type DesiredContract,
  type EntityReference,
  type Identity,
  managedFields,
} from '../contract/contract.ts';
import { textMembers } from '../contract/live.ts';
import { isObject, type JsonObject } from '../json.ts';
import type { ContractDocument } from './contract-file.ts';
import type { DocumentSource, Locate } from './locator.ts';

/** The contract that a checked document declares. */
export function desiredContract(
  { fields, index, line, column }: ContractDocument,
  { file, text }: Omit<DocumentSource, 'index'>,
  locate: Locate,
): DesiredContract {
  return {
    identity: identityOf(fields),
    managed: managedOf(fields),
    source: { file, line, column },
    locate: (pointer) => locate({ file, text, index }, pointer),
  };
}

function identityOf(fields: JsonObject): Identity {
  const { entity } = fields;
  return {
    ...textMembers(fields, ['id', 'fullyQualifiedName', 'name']),
    ...(isObject(entity) && { entity: entityOf(entity) }),
  };
}

function entityOf(entity: JsonObject): EntityReference {
  return textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']);
}

function managedOf(fields: JsonObject): JsonObject {
  const managed = managedFields.filter((field) => Object.hasOwn(fields, field));
  return Object.fromEntries(managed.map((field) => [field, fields[field] ?? null]));
}
