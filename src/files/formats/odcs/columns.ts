import { quote } from '../../../core/text.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import { mapType } from './column-type.ts';
import {
  flagAt,
  listAt,
  memberAt,
  objectAt,
  objectsIn,
  type Placed,
  type PlacedList,
  type PlacedObject,
} from './place.ts';
import type { MappingScope } from './scope.ts';
import { type Stated, stateGroup, stateList, stateValue } from './stated.ts';

/** The columns that a list of properties declares. */
export function mapColumns(properties: PlacedList, scope: MappingScope): Stated {
  const columns = objectsIn(properties).filter((property) => isColumn(property, scope));
  const named = columns.flatMap((property) => {
    const name = columnName(property, scope);
    // A name that is no text is reported as that.
    if (!name && memberAt(property, 'name') === undefined) scope.report(withoutName(property));
    return name ? [{ property, name }] : [];
  });
  reportDuplicates(
    named.map(({ name }) => name),
    scope,
  );
  return stateList(
    properties.pointer,
    named.map(({ property, name }) => mapColumn(property, name, scope)),
  );
}

/** A measure is calculated when it is asked for, and so is a dimension that the source has no type for. */
export function isColumn(property: PlacedObject, scope: MappingScope): boolean {
  const role = scope.text(property, 'semanticType');
  const isCalculated =
    role?.value === 'measure' ||
    (role?.value === 'dimension' &&
      memberAt(property, 'transformLogic') !== undefined &&
      memberAt(property, 'physicalType') === undefined);
  if (!role || !isCalculated) return true;
  scope.report({
    code: 'not-a-column',
    severity: 'information',
    message: `A ${role.value} isn't a column of the source: left out.`,
    pointer: role.pointer,
  });
  return false;
}

/** The name by which the catalog knows a property. */
export function columnName(
  property: PlacedObject,
  scope: MappingScope,
): Placed<string> | undefined {
  const name = scope.text(property, 'name');
  const physical = scope.settings.columnName === 'physical';
  return (physical ? scope.text(property, 'physicalName') : undefined) ?? name;
}

/** A property as the column of that name. */
export function mapColumn(
  property: PlacedObject,
  name: Placed<string>,
  scope: MappingScope,
): Stated {
  return stateGroup(property.pointer, {
    name: stateValue(name.pointer, name.value),
    ...mapType(property, scope),
    constraint: mapConstraint(property),
    description: columnDescription(property, scope),
    children: mapChildren(property, scope),
  });
}

/** The strongest first: a column of the catalog has one. */
const constraints = {
  primaryKey: 'PRIMARY_KEY',
  unique: 'UNIQUE',
  required: 'NOT_NULL',
} as const;

/** To say that there is none takes the constraint away; `NULL` says so too. */
function mapConstraint(property: PlacedObject): Stated | undefined {
  let denied: Pointer | undefined;
  for (const [key, constraint] of Object.entries(constraints)) {
    const flag = flagAt(property, key);
    if (flag?.value) return stateValue(flag.pointer, constraint);
    denied ??= flag?.pointer;
  }
  return denied && stateValue(denied, null, ['NULL']);
}

function columnDescription(property: PlacedObject, scope: MappingScope): Stated | undefined {
  const description = scope.text(property, 'description');
  return description && stateValue(description.pointer, description.value || null);
}

/** The properties of an object, or of the objects in an array. */
function mapChildren(property: PlacedObject, scope: MappingScope): Stated | undefined {
  const items = objectAt(property, 'items');
  const properties = listAt(property, 'properties') ?? (items && listAt(items, 'properties'));
  return properties && mapColumns(properties, scope);
}

function withoutName({ pointer }: PlacedObject): PointerDiagnostic {
  return {
    code: 'name-missing',
    message: 'The property has no name.',
    hint: 'Give it the `name` of its column.',
    pointer,
  };
}

/** Catalogs tell columns apart by name, and most sources do so whatever the case. */
function reportDuplicates(names: readonly Placed<string>[], { report }: MappingScope): void {
  const first = new Set<string>();
  for (const { value, pointer } of names) {
    const name = value.toLowerCase();
    if (first.has(name)) {
      report({
        code: 'duplicate-name',
        message: `Two properties are called ${quote(value)}.`,
        hint: 'Rename or remove one: case is ignored.',
        pointer,
      });
    }
    first.add(name);
  }
}
