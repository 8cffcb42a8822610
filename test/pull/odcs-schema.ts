import { Ajv2019 } from 'ajv/dist/2019.js';
import { isArray, isObject, type JsonValue } from '../../src/core/json.ts';

// What the JSON schema of ODCS 3.1.0 says of a property's logical type (SchemaBaseProperty).
const number = 'multipleOf maximum exclusiveMaximum minimum exclusiveMinimum format';
const date = 'format maximum exclusiveMaximum minimum exclusiveMinimum';
const options = {
  string: 'minLength maxLength pattern format',
  date,
  timestamp: `${date} timezone defaultTimezone`,
  time: `${date} timezone defaultTimezone`,
  integer: number,
  number,
  object: 'maxProperties minProperties required',
  array: 'maxItems minItems uniqueItems',
  boolean: '',
};
const types: Readonly<Record<string, object>> = {
  ...Object.fromEntries(['maximum', 'minimum'].map((name) => [name, { type: 'string' }])),
  maxLength: { type: 'integer', minimum: 0 },
};
const validate = new Ajv2019({ allErrors: true, strict: false }).compile({
  $defs: {
    property: {
      type: 'object',
      required: ['name'],
      $ref: '#/$defs/base',
      unevaluatedProperties: false,
    },
    base: {
      properties: {
        ...Object.fromEntries(
          'id name physicalName physicalType description primaryKey required unique quality semanticType tags'
            .split(' ')
            .map((name) => [name, {}]),
        ),
        logicalType: { enum: Object.keys(options) },
        logicalTypeOptions: { type: 'object' },
      },
      allOf: Object.entries(options)
        .filter(([, names]) => names !== '')
        .map(([word, names]) => ({
          if: { properties: { logicalType: { const: word } } },
          // oxlint-disable-next-line no-thenable -- a keyword of JSON Schema
          then: {
            properties: {
              logicalTypeOptions: {
                properties: Object.fromEntries(
                  names
                    .split(' ')
                    .map((name) => [
                      name,
                      word === 'date' || word === 'string' ? (types[name] ?? {}) : {},
                    ]),
                ),
                additionalProperties: false,
              },
              ...(word === 'array' && {
                items: { $ref: '#/$defs/base', unevaluatedProperties: false },
              }),
              ...(word === 'object' && {
                properties: { type: 'array', items: { $ref: '#/$defs/property' } },
              }),
            },
          },
        })),
    },
  },
  type: 'array',
  items: { $ref: '#/$defs/property' },
});

/** What a linter of the standard says of the properties of a document. */
export function invalidities(document: JsonValue | undefined): readonly string[] {
  const schema = isObject(document) && isArray(document['schema']) ? document['schema'] : [];
  return schema.filter(isObject).flatMap(({ properties = [] }) => {
    validate(properties);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  });
}
