import { deepEqual, isArray, type JsonObject, type JsonValue } from '../../core/json.ts';
import { badRequest } from './error-answer.ts';
import { toNumber } from './java-json.ts';
import { propertiesOf } from './recorded.ts';
import type { CustomProperty, World } from './world.ts';

/** Refuses custom properties that nobody has defined, and values of another type. */
export function checkProperties(world: World, before: JsonObject, after: JsonObject): void {
  const [olds, news] = [propertiesOf(before), propertiesOf(after)];
  for (const [name, value] of Object.entries(news)) {
    if (!deepEqual(value, olds[name])) checkProperty(name, value, world.properties.get(name));
  }
}

function checkProperty(name: string, value: JsonValue, property: CustomProperty | undefined): void {
  if (!property) throw badRequest(`Unknown custom field ${name}`);
  const expected = jsonTypes[property.type];
  const found = typeOf(value);
  if (expected === undefined || expected === found) return;
  if (expected === 'number' && found === 'integer') return;
  throw badRequest(
    `Custom field ${name} has invalid JSON [$: ${found} found, ${expected} expected]`,
  );
}

/** The JSON types of property types; values of others are not looked into. */
const jsonTypes: { readonly [type: string]: string } = {
  string: 'string',
  markdown: 'string',
  email: 'string',
  duration: 'string',
  sqlQuery: 'string',
  'date-cp': 'string',
  'dateTime-cp': 'string',
  'time-cp': 'string',
  integer: 'integer',
  timestamp: 'integer',
  number: 'number',
  enum: 'array',
  entityReferenceList: 'array',
  entityReference: 'object',
  timeInterval: 'object',
};

/** Property types that contracts may use. */
export const propertyTypes: readonly string[] = Object.keys(jsonTypes);

function typeOf(value: JsonValue): string {
  const number = toNumber(value);
  if (number !== undefined)
    return typeof value === 'number' && Number.isInteger(value) ? 'integer' : 'number';
  if (value === null) return 'null';
  return isArray(value) ? 'array' : typeof value;
}
