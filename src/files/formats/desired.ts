import {
  type DesiredContract,
  type EntityReference,
  type Identity,
  managedFields,
} from '../../contract/contract.ts';
import { textMembers } from '../../contract/live.ts';
import { nameInCatalog, type NameRule, renameIdentity } from '../../contract/names.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import { parseIndex, type Pointer } from '../../patch/pointer.ts';
import { createLocator } from '../read/position.ts';
import type { ContractDocument, OdcsPart, Source } from './contract-file.ts';
import { pointerIntoFields, refineByLive } from './odcs/refine.ts';
import type { OdcsRules } from './odcs/settings.ts';
import { sourceOf } from './odcs/stated.ts';
import { createTracer } from './odcs/trace.ts';

/** Makes desired contracts of checked documents, of whatever format. */
type Declare = (contract: ContractDocument, source: Source) => DesiredContract;

/** The places of what changes are found on demand, by the rules that the files were read with. */
export function createDeclaring(
  rules: OdcsRules | undefined,
  names: readonly NameRule[] = [],
): Declare {
  const locate = createLocator();
  const traceOf = createTracer(rules);
  const rename = (name: string) => nameInCatalog(name, names);
  return (contract, source) => {
    const { fields, index, place, odcs } = contract;
    const document = { ...source, index };
    const desired: DesiredContract = {
      identity: renameIdentity(identityOf(fields), rename),
      ...movedFromOf(fields, rename),
      managed: managedOf(fields),
      source: { file: source.file, ...place },
      locate: (pointer) => locate(document, pointer),
    };
    if (!odcs) return desired;
    return refinable(desired, contract.fields, odcs, (pointer) => {
      const trace = traceOf(document, odcs.pointer);
      const { pointer: from, key } = sourceOf(trace, pointer);
      // The place of an item says enough.
      const isItem = parseIndex(pointer.at(-1) ?? '') !== undefined;
      return { ...locate(document, from), ...(key !== undefined && !isItem && { key }) };
    });
  };
}

/** The columns of what it becomes beside a live contract stand in another order than its fields'. */
function refinable(
  desired: DesiredContract,
  fields: JsonObject,
  { refinement }: OdcsPart,
  locate: DesiredContract['locate'],
): DesiredContract {
  const within = (other: JsonObject) => (pointer: Pointer) =>
    locate(pointerIntoFields(fields, other, pointer));
  const coarse: DesiredContract = {
    ...desired,
    source: { ...desired.source, format: 'odcs' },
    locate,
    leeway: refinement.coarse,
  };
  return {
    ...coarse,
    refine: ({ document: live }) => {
      const managed = refineByLive(desired.managed, live, refinement);
      return { ...coarse, managed, locate: within(managed), locateRemoved: within(live) };
    },
  };
}

function identityOf(fields: JsonObject): Identity {
  const { entity } = fields;
  return {
    ...textMembers(fields, ['id', 'fullyQualifiedName', 'name']),
    ...(isObject(entity) && { entity: entityOf(entity) }),
  };
}

function movedFromOf(
  { movedFrom, movedByRule = [] }: JsonObject,
  rename: (name: string) => string,
): Pick<DesiredContract, 'movedFrom' | 'isMovedByRule'> {
  const stated = [movedFrom ?? []].flat();
  const names = [...stated, ...[movedByRule].flat()].filter((name) => typeof name === 'string');
  if (names.length === 0) return {};
  return { movedFrom: names.map(rename), ...(stated.length === 0 && { isMovedByRule: true }) };
}

function entityOf(entity: JsonObject): EntityReference {
  return textMembers(entity, ['id', 'type', 'name', 'fullyQualifiedName']);
}

/** What a file says of the fields that it manages. */
export function managedOf(fields: JsonObject): JsonObject {
  const managed = managedFields.filter((field) => Object.hasOwn(fields, field));
  return Object.fromEntries(managed.map((field) => [field, fields[field] ?? null]));
}
