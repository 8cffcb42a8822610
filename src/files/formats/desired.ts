import { type DesiredContract, managedFields, textMembers } from '../../contract/contract.ts';
import { nameInCatalog, type NameRule, renameIdentity } from '../../contract/names.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { createLocator } from '../read/document.ts';
import type { ContractDocument, Source } from './format.ts';
import type { OdcsRules } from './odcs/settings.ts';

export function createDeclaring(odcs: OdcsRules | undefined, names: readonly NameRule[] = []) {
  const locate = createLocator();
  const rules = { odcs };
  const rename = (name: string) => nameInCatalog(name, names);
  return (contract: ContractDocument, source: Source): DesiredContract => {
    const { fields, index, place, format } = contract;
    const document = { ...source, index };
    const { entity, movedFrom, movedByRule = [] } = fields;
    const stated = [movedFrom ?? []].flat();
    const former = [...stated, ...[movedByRule].flat()].filter((name) => typeof name === 'string');
    const identity = {
      ...textMembers(fields, ['id', 'fullyQualifiedName', 'name']),
      ...(isObject(entity) && {
        entity: textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']),
      }),
    };
    const desired: DesiredContract = {
      identity: renameIdentity(identity, rename),
      ...(former.length > 0 && { movedFrom: former.map(rename) }),
      ...(former.length > 0 && stated.length === 0 && { isMovedByRule: true }),
      managed: managedOf(fields),
      source: { file: source.file, ...place },
      // A removed member has no line of its own in the file, so its parent's is reported.
      locate: (pointer, isRemoved) => locate(document, isRemoved ? pointer.slice(0, -1) : pointer),
    };
    return format.locate(desired, { contract, document, rules, locate });
  };
}

export function managedOf(fields: JsonObject): JsonObject {
  const managed = managedFields.filter((field) => Object.hasOwn(fields, field));
  return Object.fromEntries(managed.map((field) => [field, fields[field] ?? null]));
}
