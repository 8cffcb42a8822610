/** Columns of the catalog as properties of an ODCS object. Pure. */

import { isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { logicalTypeFor, physicalTypeFor, typeOf } from '../../files/formats/odcs/data-type.ts';

/** How a file writes what is new in it. */
export type Writing = {
  /** Of version 3. */
  readonly minor: number;
  /** A type of the file, whose letters are as those of all others. */
  readonly sampleType?: string;
};

/** A property for a column that a file does not have yet. */
export function composeProperty(column: JsonObject, writing: Writing): JsonObject {
  const { name = null, description, constraint } = column;
  const flag = constraintFlags.find(([, each]) => each === constraint)?.[0];
  return {
    name,
    ...composeType(column, writing),
    ...(flag !== undefined && { [flag]: true }),
    ...(typeof description === 'string' && description !== '' && { description }),
    ...composeChildren(column, writing),
  };
}

/** The flags of a property by the constraint that they make, the strongest first. */
export const constraintFlags = [
  ['primaryKey', 'PRIMARY_KEY'],
  ['unique', 'UNIQUE'],
  ['required', 'NOT_NULL'],
] as const;

function composeType(column: JsonObject, { minor, sampleType }: Writing): JsonObject {
  const type = typeOf(column);
  if (!type) return {};
  const { arrayDataType: _, ...whole } = type;
  const { dataLength, ...plain } = whole;
  // A crawler gives the length 1 to what has none.
  const own = dataLength === 1 && !type.dataType.endsWith('CHAR') ? plain : whole;
  const logicalType = logicalTypeFor(type.dataType, minor);
  return {
    ...(logicalType !== undefined && { logicalType }),
    physicalType: physicalTypeFor(own, caseSample(sampleType)),
  };
}

/** A text of which nothing but the case of its letters counts. */
function caseSample(text: string | undefined): string {
  return text !== undefined && text === text.toUpperCase() ? '?' : '';
}

/** What is in a column: the elements of an array, or the members of an object. */
function composeChildren(column: JsonObject, writing: Writing): JsonObject {
  const { children, arrayDataType, dataType } = column;
  const columns = isArray(children) ? children.filter(isObject) : [];
  const properties = columns.map((child) => composeProperty(child, writing));
  const members = properties.length > 0 ? { properties } : {};
  if (dataType !== 'ARRAY') return members;
  const element: JsonObject =
    typeof arrayDataType === 'string' ? composeType({ dataType: arrayDataType }, writing) : {};
  const items = { ...element, ...members };
  return Object.keys(items).length > 0 ? { items } : {};
}

/** The text of the first type of a file's properties that has one. */
export function sampleTypeOf(properties: JsonValue | undefined): string | undefined {
  if (!isArray(properties)) return undefined;
  return properties
    .flatMap((property) => (isObject(property) ? [property['physicalType']] : []))
    .filter((type) => typeof type === 'string')
    .find((type) => /[a-z]/iu.test(type));
}
