/**
 * Checks a value against a JSON Schema, as far as `schemas/config.schema.json` makes use of them.
 * Compiled by ajv, that schema alone would be a fifth of the program that each command loads.
 */

import { deepEqual, isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { parsePointer, type Pointer } from '../patch/pointer.ts';

export type Schema = {
  /** Into the schema itself: `#/properties/names`. */
  readonly $ref?: string;
  /** Says in words what `anyOf` and `pattern` ask for. */
  readonly $comment?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly required?: readonly string[];
};

type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'null' | 'array' | 'object';

/** A keyword of the schema that a value does not keep to. */
export type Violation = {
  readonly keyword: Exclude<keyof Schema, '$ref' | '$comment' | 'items' | 'properties'>;
  readonly pointer: Pointer;
  /** The one that has the keyword. */
  readonly schema: Schema;
  /** Of an object: the member that may not be, or that lacks. */
  readonly member?: string;
};

/** A value, where it stands, and what it is to be; references lead into `root`. */
type Place = {
  readonly value: JsonValue;
  readonly pointer: Pointer;
  readonly schema: Schema;
  readonly root: Schema;
};

/** All that is wrong with a value, outer things first. */
export function violationsOf(value: JsonValue, schema: Schema): Violation[] {
  return check({ value, pointer: [], schema, root: schema });
}

function check(place: Place): Violation[] {
  const { value, pointer, schema, root } = place;
  if (schema.$ref !== undefined) return check({ ...place, schema: referenced(schema.$ref, root) });
  const keywords = [
    ...brokenByAny(place),
    ...(typeof value === 'number' ? brokenByNumber(value, schema) : []),
    ...(typeof value === 'string' ? brokenByText(value, schema) : []),
    ...(isArray(value) ? brokenByList(value, schema) : []),
  ];
  return [
    ...keywords.map((keyword) => ({ keyword, pointer, schema })),
    ...(isArray(value) ? checkItems(value, place) : []),
    ...(isObject(value) ? checkMembers(value, place) : []),
  ];
}

function referenced(reference: string, root: Schema): Schema {
  const pointer = parsePointer(reference.slice(1)) ?? [];
  // Into schemas and into mappings of schemas by turns.
  return pointer.reduce<object>((at, key) => Reflect.get(at, key), root);
}

type Keyword = Violation['keyword'];

/** Whether a value breaks a keyword; undefined where the schema does not have it. */
type Finding = readonly [keyword: Keyword, isBroken: boolean | undefined];

function broken(...findings: readonly Finding[]): Keyword[] {
  return findings.filter(([, isBroken]) => isBroken).map(([keyword]) => keyword);
}

function brokenByAny({ value, schema, ...place }: Place): Keyword[] {
  const { type, enum: choices, const: only, anyOf } = schema;
  return broken(
    ['type', type !== undefined && ![type].flat().some((name) => isOfType(value, name))],
    ['enum', choices && !choices.some((choice) => deepEqual(choice, value))],
    ['const', only !== undefined && !deepEqual(only, value)],
    ['anyOf', anyOf?.every((branch) => check({ ...place, value, schema: branch }).length > 0)],
  );
}

function isOfType(value: JsonValue, type: TypeName): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
  }
}

function brokenByNumber(value: number, schema: Schema): Keyword[] {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity } = schema;
  return broken(
    ['maximum', value > maximum],
    ['minimum', value < minimum],
    ['exclusiveMinimum', value <= exclusiveMinimum],
  );
}

/** Lengths are of code points. */
function brokenByText(value: string, { minLength = 0, pattern }: Schema): Keyword[] {
  return broken(
    ['minLength', Array.from(value).length < minLength],
    ['pattern', pattern !== undefined && !new RegExp(pattern, 'u').test(value)],
  );
}

function brokenByList(value: readonly JsonValue[], schema: Schema): Keyword[] {
  const { minItems = 0, uniqueItems = false } = schema;
  const isTwice = (item: JsonValue, index: number): boolean =>
    value.slice(0, index).some((earlier) => deepEqual(earlier, item));
  return broken(
    ['minItems', value.length < minItems],
    ['uniqueItems', uniqueItems && value.some(isTwice)],
  );
}

function checkItems(items: readonly JsonValue[], { pointer, schema, root }: Place): Violation[] {
  const { items: each } = schema;
  if (!each) return [];
  return items.flatMap((value, index) =>
    check({ value, pointer: [...pointer, String(index)], schema: each, root }),
  );
}

function checkMembers(value: JsonObject, { pointer, schema, root }: Place): Violation[] {
  const { properties = {}, additionalProperties: others = true, propertyNames } = schema;
  const missing = (schema.required ?? []).filter((member) => !Object.hasOwn(value, member));
  const members = Object.entries(value).flatMap(([member, below]): Violation[] => {
    const own = Object.hasOwn(properties, member) ? properties[member] : others;
    if (own === false) return [{ keyword: 'additionalProperties', pointer, schema, member }];
    if (own === true || own === undefined) return [];
    return check({ value: below, pointer: [...pointer, member], schema: own, root });
  });
  const hasBadName = Object.keys(value).some(
    (name) => propertyNames && check({ value: name, pointer, schema: propertyNames, root })[0],
  );
  return [
    ...missing.map((member) => ({ keyword: 'required', pointer, schema, member }) as const),
    ...(hasBadName ? [{ keyword: 'propertyNames', pointer, schema } as const] : []),
    ...members,
  ];
}
