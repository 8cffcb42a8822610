import { isArray, isObject, type JsonObject, type JsonValue } from '../src/core/json.ts';
import type { Schema } from '../src/config/schema.ts';

/** The schema without what it says to people. */
export function withoutAnnotations(schema: JsonObject): JsonObject {
  const kept = Object.entries(schema).filter(([keyword]) => !annotations.has(keyword));
  return Object.fromEntries(
    kept.map(([keyword, value]) => [keyword, mapBelow(keyword, value, withoutAnnotations)]),
  );
}

const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'title',
  'description',
  'examples',
  'default',
]);

/** Throws where `src/config/schema.ts` would ignore in silence what the schema asks for. */
export function refuseUnchecked(schema: JsonObject): void {
  const found = Object.keys(schema);
  const unknown = found.filter((keyword) => !Object.hasOwn(checked, keyword));
  if (unknown.length > 0) throw new Error(`src/config/schema.ts ignores ${unknown.join(', ')}.`);
  const beside = found.filter((keyword) => keyword !== '$ref');
  if (Object.hasOwn(schema, '$ref') && beside.length > 0) {
    throw new Error(`src/config/schema.ts ignores ${beside.join(', ')} beside $ref.`);
  }
  for (const [keyword, value] of Object.entries(schema)) {
    mapBelow(keyword, value, (below) => {
      refuseUnchecked(below);
      return below;
    });
  }
}

/** All keywords that are looked at, so that the type itself keeps the list complete. */
const checked: Readonly<Record<keyof Schema, true>> = {
  $ref: true,
  $comment: true,
  type: true,
  enum: true,
  const: true,
  anyOf: true,
  minimum: true,
  exclusiveMinimum: true,
  maximum: true,
  minLength: true,
  pattern: true,
  items: true,
  minItems: true,
  uniqueItems: true,
  properties: true,
  additionalProperties: true,
  propertyNames: true,
  required: true,
};

/** The value of a keyword, each schema in it replaced. */
function mapBelow(
  keyword: string,
  value: JsonValue,
  change: (schema: JsonObject) => JsonObject,
): JsonValue {
  if (values.has(keyword)) return value;
  const changeAny = (each: JsonValue): JsonValue => (isObject(each) ? change(each) : each);
  if (isArray(value)) return value.map(changeAny);
  if (!isObject(value) || !named.has(keyword)) return changeAny(value);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, changeAny(each)]));
}

/** Hold values that a document may have. */
const values: ReadonlySet<string> = new Set(['enum', 'const']);

/** Hold schemas by names, which are no keywords. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
]);
