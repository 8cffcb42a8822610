import {
  type DataType,
  isSized,
  keepsOption,
  largestInteger,
  type LogicalType,
  logicalTypeFor,
  parseLogicalType,
  parsePhysicalType,
  physicalTypeFor,
  typeOf,
} from './data-type.ts';
import { isObject, type JsonObject } from '../../../core/json.ts';
import { quote } from '../../../core/text.ts';
import {
  listAt,
  type MappingScope,
  memberAt,
  objectAt,
  type Placed,
  type PlacedObject,
  type Stated,
  stateValue,
  textAt,
} from './scope.ts';

type TypeMembers = { readonly [member: string]: Stated | undefined };

/** `physicalType` is exact, `logicalType` coarse; without either, any type agrees. */
export function mapType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const exact = physicalMembers(property, scope);
  const type = exact ?? logicalMembers(property, scope);
  if (!type) return unknownType(property, scope);
  const unknown = exact ? undefined : textAt(property, 'physicalType');
  if (unknown && unknown.value.trim() !== '') {
    const { pointer } = unknown;
    const message = `Unknown \`physicalType\` ${quote(unknown.value)}: \`logicalType\` says the type, and a live one of its kind stays.`;
    scope.report({ code: 'type-unknown', severity: 'information', message, pointer });
  }
  const dataType = type['dataType']?.json;
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
  return Object.fromEntries(
    Object.entries(type).map(([name, value]) => [name, stateValue(physical.pointer, value)]),
  );
}

function logicalMembers(property: PlacedObject, scope: MappingScope): TypeMembers | undefined {
  const logical = logicalTypeAt(property, scope);
  if (!logical) return undefined;
  const { pointer, value: type } = logical;
  return {
    dataType: stateValue(pointer, type.dataType, type.agrees),
    arrayDataType: type.element && roughElement({ pointer, value: type.element }),
  };
}

function logicalTypeAt(property: PlacedObject, scope: MappingScope) {
  const logical = scope.text(property, 'logicalType');
  const value = logical && parseLogicalType(logical.value);
  return value && { pointer: logical.pointer, value };
}

function roughElement({ pointer, value }: Placed<LogicalType>): Stated {
  return stateValue(pointer, value.dataType, [...value.agrees, null]);
}

// Nested arrays are not mapped further; members of objects in an array are children of the column.
function elementType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const items = objectAt(property, 'items');
  if (!items) return {};
  const physical = physicalMembers(items, scope)?.['dataType'];
  if (physical) return { arrayDataType: physical };
  const logical = logicalTypeAt(items, scope);
  if (logical) return { arrayDataType: roughElement(logical) };
  const properties = listAt(items, 'properties');
  return properties ? { arrayDataType: stateValue(properties.pointer, 'STRUCT', [null]) } : {};
}

function maxLength(property: PlacedObject): Stated | undefined {
  const options = objectAt(property, 'logicalTypeOptions');
  const { value, pointer = [] } = (options && memberAt(options, 'maxLength')) ?? {};
  if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
  return value > 0 && value <= largestInteger ? stateValue(pointer, value) : undefined;
}

// The type may come from a definition that the file only refers to, so any live type agrees.
function unknownType(property: PlacedObject, scope: MappingScope): TypeMembers {
  const word = memberAt(property, 'logicalType') ?? memberAt(property, 'physicalType');
  const { pointer } = word ?? property;
  const text = word?.value;
  if (text === undefined || typeof text === 'string') {
    const message =
      text === undefined
        ? 'The column has no type: a new one becomes STRING, an existing one keeps its type.'
        : `Unknown type ${quote(text)}: a new column becomes STRING, an existing one keeps its type.`;
    const hint = 'Write its `physicalType` as the source has it, or a `logicalType` of ODCS.';
    scope.report({ code: 'type-unknown', severity: 'warning', message, hint, pointer });
  }
  return { dataType: stateValue(pointer, 'STRING', 'any') };
}

export function restateType(property: JsonObject, column: JsonObject, minor: number) {
  const type = typeOf(column);
  if (!type) return property;
  const { items } = property;
  const { dataType, arrayDataType } = type;
  if (!isObject(items) || dataType !== 'ARRAY' || arrayDataType === undefined) {
    return restateOwn(property, type, minor);
  }
  const restated = restateOwn(items, { dataType: arrayDataType }, minor);
  return restateOwn({ ...property, items: restated }, type, minor);
}

function restateOwn(property: JsonObject, type: DataType, minor: number): JsonObject {
  const { physicalType } = property;
  const logical = restateLogical(property, type, minor);
  const { logicalTypeOptions } = logical;
  const length = isObject(logicalTypeOptions) ? logicalTypeOptions['maxLength'] : undefined;
  const physical = typeof physicalType === 'string' ? parsePhysicalType(physicalType) : undefined;
  if (length !== undefined && physical?.dataLength === undefined) {
    const { dataLength, ...own } = type;
    return withLength(withPhysical(logical, own, property), dataLength);
  }
  const { arrayDataType: _, ...plain } = type;
  return withPhysical(logical, isObject(property['items']) ? plain : type, property);
}

// Members that only the former logical type may have would make the file invalid.
function restateLogical(property: JsonObject, { dataType }: DataType, minor: number) {
  const { logicalType, logicalTypeOptions, ...others } = property;
  if (typeof logicalType !== 'string') return property;
  if (parseLogicalType(logicalType)?.agrees.includes(dataType)) return property;
  const word = logicalTypeFor(dataType, minor);
  const options = Object.entries(isObject(logicalTypeOptions) ? logicalTypeOptions : {});
  const fit = options.filter(([name]) => keepsOption(name, logicalType, word));
  const members = Object.entries(others).filter(([name]) => (memberTypes[name] ?? word) === word);
  return {
    ...Object.fromEntries(members),
    ...(word !== undefined && { logicalType: word }),
    ...(fit.length > 0 && { logicalTypeOptions: Object.fromEntries(fit) }),
  };
}

const memberTypes: { readonly [member: string]: string } = {
  items: 'array',
  map: 'map',
  properties: 'object',
};

// A property without `physicalType` stays so if its logical type suffices.
function withPhysical(restated: JsonObject, type: DataType, { physicalType }: JsonObject) {
  const { logicalType } = restated;
  if (typeof physicalType === 'string')
    return { ...restated, physicalType: physicalTypeFor(type, physicalType) };
  const logical = typeof logicalType === 'string' ? parseLogicalType(logicalType) : undefined;
  const isSaid = logical?.agrees.includes(type.dataType);
  return isSaid ? restated : { ...restated, physicalType: physicalTypeFor(type) };
}

function withLength(property: JsonObject, length: number | undefined): JsonObject {
  const { logicalTypeOptions, ...rest } = property;
  const { maxLength: _, ...others } = isObject(logicalTypeOptions) ? logicalTypeOptions : {};
  const options: JsonObject = length === undefined ? others : { ...others, maxLength: length };
  return Object.keys(options).length === 0 ? rest : { ...rest, logicalTypeOptions: options };
}

export type Writing = {
  /** The minor version of ODCS 3. */
  readonly minor: number;
  /** Whether types are in capitals. */
  readonly isLarge: boolean;
  readonly hasTags: boolean;
};

export function composeType(column: JsonObject, { minor, isLarge }: Writing): JsonObject {
  const type = typeOf(column);
  if (!type) return {};
  const { arrayDataType: _, ...whole } = type;
  const { dataLength, ...plain } = whole;
  // Crawlers store length 1 for types without a length.
  const own = dataLength === 1 && !type.dataType.endsWith('CHAR') ? plain : whole;
  const logicalType = logicalTypeFor(type.dataType, minor);
  return {
    ...(logicalType !== undefined && { logicalType }),
    physicalType: physicalTypeFor(own, '', isLarge),
  };
}
