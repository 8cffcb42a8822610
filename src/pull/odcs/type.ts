/** The type of a property as the catalog has it. Pure. */

import { isObject, type JsonObject } from '../../core/json.ts';
import {
  logicalTypeFor,
  parseLogicalType,
  parsePhysicalType,
  physicalTypeFor,
  type DataType,
  typeOf,
} from '../../files/formats/odcs/data-type.ts';
import type { Writing } from './property.ts';

/** A property with the type of a column, said by the keys that say it now. */
export function restateType(
  property: JsonObject,
  column: JsonObject,
  writing: Writing,
): JsonObject {
  const type = typeOf(column);
  if (!type) return property;
  const restated = { ...property, ...restateElement(property, type, writing) };
  return restateOwn(restated, type, writing);
}

function restateOwn(property: JsonObject, type: DataType, writing: Writing): JsonObject {
  const { physicalType, logicalTypeOptions } = property;
  const length = isObject(logicalTypeOptions) ? logicalTypeOptions['maxLength'] : undefined;
  const isLogical = typeof physicalType !== 'string';
  const logical = restateLogical(property, type, writing);
  // A length that stands beside the type goes there again.
  if (
    length !== undefined &&
    (isLogical || parsePhysicalType(physicalType)?.dataLength === undefined)
  ) {
    const { dataLength, ...own } = type;
    return withLength(withPhysical(logical, own, property), dataLength);
  }
  return withPhysical(logical, ownOf(type, property), property);
}

/** The elements of an array are told by `items`, where there are any. */
function ownOf(type: DataType, { items }: JsonObject): DataType {
  const { arrayDataType: _, ...own } = type;
  return isObject(items) ? own : type;
}

function restateLogical(property: JsonObject, { dataType }: DataType, { minor }: Writing) {
  const { logicalType } = property;
  if (typeof logicalType !== 'string') return property;
  if (parseLogicalType(logicalType)?.agrees.includes(dataType)) return property;
  const word = logicalTypeFor(dataType, minor);
  const { logicalType: _, ...rest } = property;
  return word === undefined ? rest : { ...property, logicalType: word };
}

/** A property without one goes on so, if its logical type says enough. */
function withPhysical(
  restated: JsonObject,
  type: DataType,
  { physicalType }: JsonObject,
): JsonObject {
  const former = typeof physicalType === 'string' ? physicalType : undefined;
  const { logicalType } = restated;
  const isSaid =
    former === undefined &&
    typeof logicalType === 'string' &&
    parseLogicalType(logicalType)?.agrees.includes(type.dataType);
  return isSaid ? restated : { ...restated, physicalType: physicalTypeFor(type, former) };
}

function withLength(property: JsonObject, length: number | undefined): JsonObject {
  const { logicalTypeOptions, ...rest } = property;
  if (!isObject(logicalTypeOptions)) return property;
  const { maxLength: _, ...options } = logicalTypeOptions;
  if (length !== undefined)
    return { ...property, logicalTypeOptions: { ...logicalTypeOptions, maxLength: length } };
  return Object.keys(options).length === 0 ? rest : { ...rest, logicalTypeOptions: options };
}

function restateElement(
  { items }: JsonObject,
  { dataType, arrayDataType }: DataType,
  writing: Writing,
): JsonObject {
  if (!isObject(items) || dataType !== 'ARRAY' || arrayDataType === undefined) return {};
  return { items: restateOwn(items, { dataType: arrayDataType }, writing) };
}
