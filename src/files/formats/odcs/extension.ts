import type { JsonValue } from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import {
  listAt,
  type MappingScope,
  memberAt,
  objectsIn,
  type Placed,
  type PlacedObject,
  textAt,
} from './scope.ts';
import { type Stated, stateGroup, stateList, stateValue } from './refine.ts';

export function mapExtension(scope: MappingScope): Stated | undefined {
  const members = scope.settings.extension.map((name) => [name, mapProperty(name, scope)] as const);
  const first = members.find(([, member]) => member !== undefined)?.[1];
  return first && stateGroup(first.from, Object.fromEntries(members));
}

function mapProperty(name: string, scope: MappingScope): Stated | undefined {
  const member = propertyValue(name, scope);
  if (!member) return undefined;
  const { value, pointer } = member;
  if (typeof value !== 'object' || value === null) return stateValue(pointer, value);
  const message = `The custom property ${quote(name)} holds more than one value: the live value stays.`;
  const hint = 'Write a text, a number or a boolean, or remove its name from `odcs.extension`.';
  scope.report({ code: 'extension-not-scalar', severity: 'warning', message, hint, pointer });
  return undefined;
}

function propertyValue(name: string, scope: MappingScope): Placed | undefined {
  const property = customProperty(name, scope);
  return property && (scope.text(property, 'value') ?? memberAt(property, 'value'));
}

export function customProperty(name: string, scope: MappingScope): PlacedObject | undefined {
  return customProperties(scope).find((each) => textAt(each, 'property')?.value === name);
}

function customProperties({ object, document }: MappingScope): readonly PlacedObject[] {
  const owners = object ? [object, document] : [document];
  return owners.flatMap((owner) => objectsIn(listAt(owner, 'customProperties')));
}

const movedFromProperty = 'contractSync.movedFrom';

// Reserved for settings of contract-sync; never content.
const ownPrefix = 'contractSync.';

export function mapMovedFrom(scope: MappingScope): Stated | undefined {
  reportOwnProperties(scope);
  const member = propertyValue(movedFromProperty, scope);
  if (!member) return undefined;
  const isOfDocument = member.pointer[0] !== 'schema';
  if (isOfDocument && objectsIn(listAt(scope.document, 'schema')).length > 1) {
    const message =
      'The document has several objects, and only one of them can have had this name.';
    const hint = 'Move this custom property to that object.';
    scope.report({ code: 'moved-name-claimed', message, hint, pointer: member.pointer });
    return undefined;
  }
  const values = [member.value].flat();
  const names = values
    .filter((each) => typeof each === 'string')
    .filter((each) => each.trim() !== '');
  if (names.length < values.length || names.length === 0) {
    const message = `The custom property ${quote(movedFromProperty)} must be a qualified name, or a list of them.`;
    const hint =
      'Write the name that the contract or its entity had: value: warehouse.shop.sales.orders';
    scope.report({ code: 'wrong-type', message, hint, pointer: member.pointer });
  }
  const stated = names.map((name) => stateValue(member.pointer, name));
  return stated.length === 0 ? undefined : stateList(member.pointer, stated);
}

// A misspelt name would silently have no effect.
function reportOwnProperties(scope: MappingScope): void {
  for (const property of customProperties(scope)) {
    const name = textAt(property, 'property');
    if (!name || !isOwnProperty(name.value) || name.value === movedFromProperty) continue;
    const { value, pointer } = name;
    const message = `Unknown custom property ${quote(value)}.`;
    const hint =
      didYouMean(value, [movedFromProperty]) ??
      `The only one that contract-sync reads is ${movedFromProperty}.`;
    scope.report({ code: 'unknown-key', severity: 'warning', message, hint, pointer });
  }
}

export function isOwnProperty(name: JsonValue | undefined): boolean {
  return typeof name === 'string' && name.startsWith(ownPrefix);
}
