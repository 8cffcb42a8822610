/** The sections of an ODCS document as the catalog has them. Pure. */

import type { RestateRules } from '../../contract/equality.ts';
import { isArray, isNothing, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import {
  describesItself,
  type DescriptionParts,
  splitDescription,
} from '../../files/formats/odcs/description.ts';
import { parseOdcsVersion } from '../../files/formats/odcs/detect.ts';
import type { MappedContract } from '../../files/formats/odcs/map.ts';
import { listAt, objectsIn, type PlacedObject } from '../../files/formats/odcs/place.ts';
import type { MappingScope } from '../../files/formats/odcs/scope.ts';
import { sourceOf } from '../../files/formats/odcs/stated.ts';
import { parseIndex } from '../../patch/pointer.ts';
import { restateColumns } from './columns.ts';
import { sampleTypeOf } from './property.ts';
import { restateSla } from './sla.ts';
import { statusWord } from './status.ts';

/** A document, and the object of it whose contract is brought to what the catalog holds. */
export type OdcsSection = {
  readonly scope: MappingScope;
  readonly contract: MappedContract;
  /** Absent for a document without any. */
  readonly object: PlacedObject | undefined;
  readonly live: JsonObject;
  readonly rules: Pick<RestateRules, 'equivalence'>;
  /** Whether the file differs from the catalog in the member of a field. */
  readonly differs: (field: string, member: string) => boolean;
  /** Whether a column of that name is to be looked at. */
  readonly isMeant: (column: string) => boolean;
};

/** The document with a field as the catalog has it, as far as ODCS has words for it. */
export function restateSection(field: string, section: OdcsSection): JsonObject {
  switch (field) {
    case 'entityStatus':
      return restateStatus(section);
    case 'description':
      return restateDescription(section);
    case 'schema':
      return restateObject(section);
    case 'sla':
      return restateSlaProperties(section);
    default:
      return section.scope.document.value;
  }
}

function restateStatus({ scope, rules, live: { entityStatus } }: OdcsSection): JsonObject {
  const document = scope.document.value;
  const word = statusWord(entityStatus, rules, scope);
  if (word === undefined) return document;
  const former = document['status'];
  const isCapital = typeof former === 'string' && /^\p{Lu}/u.test(former);
  return { ...document, status: isCapital ? word.slice(0, 1).toUpperCase() + word.slice(1) : word };
}

function restateDescription(section: OdcsSection): JsonObject {
  const { scope, object, live } = section;
  const document = scope.document.value;
  const text = typeof live['description'] === 'string' ? live['description'] : '';
  const isObjects =
    !describesItself(scope.document) && typeof object?.value['description'] === 'string';
  if (isObjects) return withObject(section, { ...object.value, description: text });
  const { description } = document;
  return { ...document, description: isObject(description) ? partsOf(text, description) : text };
}

const partNames = ['purpose', 'limitations', 'usage'] as const;

/** The only part that is said stays the only one, unless the text has more. */
function partsOf(text: string, former: JsonObject): JsonObject {
  const parts: Partial<DescriptionParts> = splitDescription(text);
  const [said, another] = partNames.filter((name) => !isNothing(former[name]));
  const isOne = said !== undefined && another === undefined && Object.keys(parts).length === 1;
  const restated: Partial<DescriptionParts> = isOne ? { [said]: text } : parts;
  const stay = Object.entries(former).filter(
    ([name]) => !partNames.some((part) => part === name) || Object.hasOwn(restated, name),
  );
  return { ...Object.fromEntries(stay), ...restated };
}

function withObject({ scope, contract }: OdcsSection, object: JsonObject): JsonObject {
  const document = scope.document.value;
  const { schema } = document;
  const index = parseIndex(contract.pointer[1] ?? '');
  if (!isArray(schema) || index === undefined) return document;
  return { ...document, schema: schema.with(index, object) };
}

function restateObject(section: OdcsSection): JsonObject {
  const { scope, object, live, isMeant } = section;
  const properties = object && listAt(object, 'properties');
  if (!properties) return scope.document.value;
  const { schema } = live;
  const columns = isArray(schema) ? schema.filter(isObject) : [];
  const sampleType = sampleTypeOf(properties.value);
  const writing = { minor: minorOf(scope), ...(sampleType !== undefined && { sampleType }) };
  const restated = restateColumns(properties, columns, { scope, writing, isMeant });
  return withObject(section, { ...object.value, properties: restated });
}

function minorOf({ document }: MappingScope): number {
  return parseOdcsVersion(document.value['apiVersion'])?.minor ?? 0;
}

function restateSlaProperties({ scope, object, contract, live, differs }: OdcsSection): JsonObject {
  const document = scope.document.value;
  const { slaProperties } = document;
  if (!isArray(slaProperties)) return document;
  const objects = objectsIn(listAt(scope.document, 'schema'));
  const name: JsonValue | undefined = object?.value['name'];
  const restated = restateSla(slaProperties, isObject(live['sla']) ? live['sla'] : {}, {
    scope,
    object,
    ...(objects.length > 1 && typeof name === 'string' && { element: name }),
    differs: (member) => differs('sla', member),
    entryOf: (member) => {
      const [list, index = ''] = sourceOf(contract.trace, ['sla', member]).pointer;
      return list === 'slaProperties' ? parseIndex(index) : undefined;
    },
  });
  return { ...document, slaProperties: restated };
}
