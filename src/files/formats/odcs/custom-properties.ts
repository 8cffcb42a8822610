import { quote } from '../../../core/text.ts';
import { listAt, memberAt, objectsIn, type PlacedObject, textAt } from './place.ts';
import type { MappingScope } from './scope.ts';
import { type Stated, stateGroup, stateValue } from './stated.ts';

/** The custom properties that the configuration names. */
export function mapExtension(
  object: PlacedObject | undefined,
  scope: MappingScope,
): Stated | undefined {
  const members = scope.settings.extension.map(
    (name) => [name, mapProperty(name, object, scope)] as const,
  );
  const first = members.find(([, member]) => member !== undefined)?.[1];
  return first && stateGroup(first.from, Object.fromEntries(members));
}

function mapProperty(
  name: string,
  object: PlacedObject | undefined,
  scope: MappingScope,
): Stated | undefined {
  const property = customProperty(object, name, scope);
  const member = property && (scope.text(property, 'value') ?? memberAt(property, 'value'));
  if (!member) return undefined;
  const { value, pointer } = member;
  if (typeof value !== 'object' || value === null) return stateValue(pointer, value);
  scope.report({
    code: 'extension-not-scalar',
    severity: 'warning',
    message: `The custom property ${quote(name)} holds more than one value: the live value stays.`,
    hint: 'Write a text, a number or a boolean, or remove its name from `odcs.extension`.',
    pointer,
  });
  return undefined;
}

/** The custom property of that name: the object's, else the document's. */
export function customProperty(
  object: PlacedObject | undefined,
  name: string,
  { document }: MappingScope,
): PlacedObject | undefined {
  const owners = object ? [object, document] : [document];
  return owners
    .flatMap(customPropertiesOf)
    .find((property) => textAt(property, 'property')?.value === name);
}

/** The custom properties of a document, an object or a column. */
export function customPropertiesOf(owner: PlacedObject): readonly PlacedObject[] {
  return objectsIn(listAt(owner, 'customProperties'));
}
