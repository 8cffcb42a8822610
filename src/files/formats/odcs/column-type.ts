import { quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import {
  isSized,
  largestInteger,
  type LogicalType,
  parseLogicalType,
  parsePhysicalType,
} from './data-type.ts';
import { listAt, memberAt, objectAt, type Placed, type PlacedObject } from './place.ts';
import type { MappingScope } from './scope.ts';
import { type Stated, stateValue, statedJson } from './stated.ts';

/** The members of a column that describe its type. */
type TypeMembers = { readonly [member: string]: Stated | undefined };

/** The type by `physicalType`, exactly; else by `logicalType`, roughly; else any. */
export function mapType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const type = physicalMembers(property, scope) ?? logicalMembers(property, scope);
  if (!type) return unknownType(property, scope);
  const dataType = type['dataType'] && statedJson(type['dataType']);
  const length = maxLength(property);
  const takesLength = typeof dataType === 'string' && isSized(dataType) && !type['dataLength'];
  return {
    ...type,
    ...(takesLength && { dataLength: length }),
    ...(dataType === 'ARRAY' && elementType(property, scope)),
  };
}

function physicalMembers(property: PlacedObject, scope: MappingScope): TypeMembers | undefined {
  const physical = scope.text(property, 'physicalType');
  const type = physical && parsePhysicalType(physical.value);
  if (!type) return undefined;
  const members = Object.entries(type).map(
    ([name, value]) => [name, stateValue(physical.pointer, value)] as const,
  );
  return Object.fromEntries(members);
}

function logicalMembers(property: PlacedObject, scope: MappingScope): TypeMembers | undefined {
  const logical = scope.text(property, 'logicalType');
  const type = logical && parseLogicalType(logical.value);
  if (!type) return undefined;
  const { pointer } = logical;
  return {
    dataType: stateValue(pointer, type.dataType, type.agrees),
    ...(type.element && { arrayDataType: roughElement(type.element, pointer) }),
  };
}

/** A column that is no array in the catalog has no elements. */
function roughElement({ dataType, agrees }: LogicalType, pointer: Pointer): Stated {
  return stateValue(pointer, dataType, [...agrees, null]);
}

/** An array of arrays goes no deeper; what is in its objects are children of the column. */
function elementType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const items = objectAt(property, 'items');
  if (!items) return {};
  const physical = physicalMembers(items, scope)?.['dataType'];
  if (physical) return { arrayDataType: physical };
  const logical = scope.text(items, 'logicalType');
  const type = logical && parseLogicalType(logical.value);
  if (type) return { arrayDataType: roughElement(type, logical.pointer) };
  const properties = listAt(items, 'properties');
  return properties ? { arrayDataType: stateValue(properties.pointer, 'STRUCT', [null]) } : {};
}

function maxLength(property: PlacedObject): Stated | undefined {
  const options = objectAt(property, 'logicalTypeOptions');
  const length = options && memberAt(options, 'maxLength');
  return length && isLength(length) ? stateValue(length.pointer, length.value) : undefined;
}

function isLength(length: Placed): length is Placed<number> {
  const { value } = length;
  return (
    typeof value === 'number' && Number.isInteger(value) && value > 0 && value <= largestInteger
  );
}

/** It may come from a definition that the file only refers to, so any type of live's is right. */
function unknownType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const word = memberAt(property, 'logicalType') ?? memberAt(property, 'physicalType');
  const { pointer } = word ?? property;
  const text = word?.value;
  // A word that is no text is reported as that.
  if (text === undefined || typeof text === 'string') scope.report(withoutType(text, pointer));
  return { dataType: stateValue(pointer, 'STRING', 'any') };
}

function withoutType(word: string | undefined, pointer: Pointer): PointerDiagnostic {
  return {
    code: 'type-unknown',
    severity: 'warning',
    message:
      word === undefined
        ? 'The column has no type: a new one becomes STRING, an existing one keeps its type.'
        : `Unknown type ${quote(word)}: a new column becomes STRING, an existing one keeps its type.`,
    hint: 'Write its `physicalType` as the source has it, or a `logicalType` of ODCS.',
    pointer,
  };
}
