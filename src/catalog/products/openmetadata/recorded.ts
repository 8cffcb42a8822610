/** What makes a version of a contract in release 1.12.6: all else is stored beside it, or lost. */

import type { CarriedChange, Carrier } from '../../../contract/conventions.ts';
import {
  compareCodeUnits,
  deepEqual,
  isArray,
  isEmpty,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';

const whole = [
  'description',
  'displayName',
  'entityStatus',
  'extension',
  'sla',
  'security',
  'termsOfUse',
] as const;

// Elements count that come, go or change in these members; their order does not.
const listed: Readonly<Record<string, readonly string[]>> = {
  owners: ['id', 'type', 'name', 'fullyQualifiedName'],
  reviewers: ['id', 'type', 'name', 'fullyQualifiedName'],
  schema: ['name', 'dataType', 'arrayDataType'],
  semantics: ['name', 'rule', 'description', 'enabled', 'entityType', 'provider'],
  qualityExpectations: ['id', 'type', 'name', 'fullyQualifiedName'],
};

const defaults: Readonly<Record<string, JsonValue>> = { enabled: true, provider: 'user' };

function isRecorded(before: JsonObject, after: JsonObject): boolean {
  const differs = (field: string) =>
    !(isEmpty(before[field]) && isEmpty(after[field])) && !deepEqual(before[field], after[field]);
  const differsAsSet = ([field, members]: readonly [string, readonly string[]]) =>
    !deepEqual(keysOf(before[field], members), keysOf(after[field], members));
  return whole.some(differs) || Object.entries(listed).some(differsAsSet);
}

function keysOf(list: JsonValue | undefined, members: readonly string[]): readonly string[] {
  const elements = isArray(list) ? list : [];
  const keys = elements.map((element) => JSON.stringify(keyOf(element, members)));
  return [...new Set(keys)].toSorted(compareCodeUnits);
}

// The server ignores case in the names of columns; only columns have a data type.
function keyOf(element: JsonValue, members: readonly string[]): JsonValue {
  if (!isObject(element)) return element;
  return members.map((member) => {
    const value = element[member] ?? defaults[member] ?? null;
    const isColumnName = member === 'name' && members.includes('dataType');
    return isColumnName && typeof value === 'string' ? value.toLowerCase() : value;
  });
}

// Release 1.12.6 answers a change of nothing that it records with 200, and drops it. Beside a
// recorded change it is stored, and one of those is invisible: a display name that is the
// contract's name.
export function findCarrier({ live, target, managed, section }: CarriedChange): Carrier {
  if (isRecorded(live, target)) return { kind: 'none' };
  const { name = null, displayName } = live;
  const isForbidden = isObject(section) && section['carrier'] === 'none';
  if (isForbidden || name === null) return impossible(`C${otherwise.slice(1)}`);
  if (!isNothing(managed['displayName']) && managed['displayName'] !== name)
    return impossible(`Leave \`displayName\` out of the file, or ${otherwise}`);
  if (isNothing(displayName))
    return carrier(name, 'sets the display name to the name of the contract');
  if (displayName === name)
    return carrier(null, 'removes the display name, which is the name of the contract');
  return impossible(`Remove the contract's display name in the catalog, or ${otherwise}`);
}

const notStored = 'The catalog accepts this change but stores it only together with another';

const otherwise =
  'also change something in the file that the catalog stores by itself, such as the description.';

function carrier(value: JsonValue, what: string): Carrier {
  const reason = `${notStored}. So the patch also ${what}, which changes nothing that people see.`;
  return { kind: 'field', field: 'displayName', value, reason };
}

function impossible(hint: string): Carrier {
  return { kind: 'impossible', message: `${notStored}.`, hint };
}
