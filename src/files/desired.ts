import {
  type DesiredContract,
  type EntityReference,
  type Identity,
  managedFields,
} from '../contract/contract.ts';
import { textMembers } from '../contract/live.ts';
import { isObject, type JsonObject } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { ContractDocument } from './contract-file.ts';
import type { Place } from './lines.ts';
import type { DocumentSource, Locate } from './locator.ts';

/** The contract that a checked document declares. */
export function desiredContract(
  document: ContractDocument,
  { file, text }: Omit<DocumentSource, 'index'>,
  locate: Locate,
): DesiredContract {
  const { fields, index, place } = document;
  return {
    identity: identityOf(fields),
    managed: managedOf(fields),
    source: { file, ...place },
    locate: (pointer) =>
      pointer.length < 2
        ? { file, ...fieldPlace(document, pointer) }
        : locate({ file, text, index }, pointer),
  };
}

/** Most changes are of a whole field: of that the place is known without parsing the text again. */
function fieldPlace({ place, fieldPlaces }: ContractDocument, [field]: Pointer): Place {
  const isKnown = field !== undefined && Object.hasOwn(fieldPlaces, field);
  return (isKnown ? fieldPlaces[field] : undefined) ?? place;
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
