import { isArray, isEmpty, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { count } from '../../../core/text.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { isOwnDescription } from './description.ts';
import { isOwnProperty } from './extension.ts';
import { listAt, objectsIn, type PlacedObject, textAt } from './scope.ts';
import type { OdcsSettings } from './settings.ts';
import { isMappedSla } from './sla.ts';

export function notSynced(document: PlacedObject, settings: OdcsSettings): PointerDiagnostic[] {
  const elements = elementsOf(document.value);
  const all = [document.value, ...elements];
  const unmapped = objectsIn(listAt(document, 'slaProperties')).filter(
    (entry) => !settings.fields.includes('sla') || !isMappedSla(entry),
  );
  const described = objectsIn(listAt(document, 'schema')).filter(
    (object) => textAt(object, 'description') && !isOwnDescription(object, document),
  );
  const amounts = [
    [countLists(all, 'quality'), 'quality rule', 'quality rules'],
    [countLists(all, 'relationships'), 'relationship', 'relationships'],
    [described.length, 'description of an object', 'descriptions of objects'],
    [unmapped.length, 'SLA property', 'SLA properties'],
  ] as const;
  const ofDocument = [
    ...amounts
      .filter(([amount]) => amount > 0)
      .map(([amount, singular, plural]) => count(amount, singular, plural)),
    ...rootKeys(settings).filter((key) => !isIdle(withoutOwn(key, document.value[key]))),
  ];
  const ofElements = [...new Set(elements.flatMap(unsyncedKeys))].toSorted();
  const parts = [
    ofDocument.join(', '),
    ofElements.length > 0 && `of objects and columns ${ofElements.join(', ')}`,
  ].filter(Boolean);
  if (parts.length === 0) return [];
  const message = `${parts.join('; ')}: not synced.`;
  return [{ code: 'not-synced', severity: 'information', scope: 'contract', message, pointer: [] }];
}

// The identity, the version and the servers are not content.
function rootKeys({ fields, extension }: OdcsSettings): readonly string[] {
  return [
    ...(fields.includes('entityStatus') ? [] : ['status']),
    ...(fields.includes('description') ? [] : ['description']),
    ...(fields.includes('owners') ? [] : ['team']),
    ...(fields.includes('extension') && extension.length > 0 ? [] : ['customProperties']),
    ...'roles support price domain tenant dataProduct tags authoritativeDefinitions'.split(' '),
    ...'context slaDefaultElement contractCreatedTs'.split(' '),
  ];
}

function withoutOwn(key: string, value: JsonValue | undefined): JsonValue | undefined {
  if (key !== 'customProperties' || !isArray(value)) return value;
  return value.filter((item) => !isObject(item) || !isOwnProperty(item['property']));
}

// Whether a value is empty or the standard's default.
function isIdle(value: JsonValue | undefined): boolean {
  if (isObject(value)) return Object.keys(value).length === 0;
  return isEmpty(value) || value === '' || value === false || value === -1;
}

function elementsOf(parent: JsonObject): JsonObject[] {
  const below = ['schema', 'properties', 'items'].flatMap((key) => [parent[key]].flat());
  return below
    .filter((child): child is JsonObject => isObject(child))
    .flatMap((child) => [child, ...elementsOf(child)]);
}

function countLists(elements: readonly JsonObject[], name: string): number {
  return elements.reduce((sum, { [name]: list }) => sum + (isArray(list) ? list.length : 0), 0);
}

function unsyncedKeys(element: JsonObject): string[] {
  return Object.keys(element).filter((key) => {
    const value = withoutOwn(key, element[key]);
    if (syncedKeys.has(key) || isIdle(value)) return false;
    if (key !== 'logicalTypeOptions' || !isObject(value)) return true;
    return Object.keys(value).some((option) => option !== 'maxLength');
  });
}

const syncedKeys: ReadonlySet<string> = new Set(
  `id name physicalName physicalType logicalType semanticType description primaryKey unique required
  properties items quality relationships`.split(/\s+/u),
);
