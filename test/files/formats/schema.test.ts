import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import {
  columnMembers,
  dataTypes,
  identityFields,
  levelMembers,
  managedFields,
  promises,
  ruleMembers,
} from '../../../src/contract/contract.ts';
import { openmetadata } from '../../../src/catalog/products/openmetadata/openmetadata.ts';
import type { JsonObject, JsonValue } from '../../../src/core/json.ts';
import { shapeProblems } from '../../../src/files/formats/native/native.ts';
import { root } from '../../support/root.ts';

type Schema = {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly $ref?: string;
};

const path = join(root, 'schemas/contract.schema.json');
const schema: Schema & {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly $defs: { readonly column: Schema };
} = JSON.parse(readFileSync(path, 'utf8'));

/** Every key that an editor may complete, by its path. */
function keysOf(parent: Schema, prefix: string): (readonly [string, Schema])[] {
  const properties = Object.entries(parent.properties ?? parent.items?.properties ?? {});
  return properties.flatMap(([name, property]) => [
    [`${prefix}${name}`, property] as const,
    ...keysOf(property, `${prefix}${name}.`),
  ]);
}

describe('the contract schema', () => {
  test('has the fields of identity, the names it had and the managed fields, and no others', () => {
    const fields = [...identityFields, 'movedFrom', ...managedFields];
    expect(new Set(Object.keys(schema.properties))).toEqual(new Set(fields));
  });

  test.each(keysOf(schema, ''))(
    'explains %s with a title, a description and an example',
    (_key, at) => {
      expect(at.title).toMatch(/^[A-Z]/u);
      expect(at.description).toMatch(/\.$/u);
      expect(at.examples?.length).toBeGreaterThan(0);
    },
  );

  test.each(keysOf(schema, '').filter(([key]) => !key.includes('.')))(
    'gives examples of %s that it accepts',
    (key, { examples = [] }) => {
      for (const example of examples) {
        expect(shapeProblems({ fullyQualifiedName: 'a.b', [key]: example })).toEqual([]);
      }
    },
  );

  test('explains what the sections may hold', () => {
    const { semantics, sla } = schema.properties;
    const explained = [schema.$defs.column, semantics, sla].map((section) =>
      keysOf(section ?? {}, '').map(([key]) => key),
    );
    const amounts = Object.entries(promises).flatMap(([name, { amount }]) => [
      name,
      `${name}.${amount}`,
      `${name}.unit`,
    ]);
    expect(explained.map((keys) => keys.toSorted())).toEqual([
      // The qualified name of a column is the catalog's to write.
      [...Object.keys(columnMembers), 'children']
        .filter((key) => key !== 'fullyQualifiedName')
        .toSorted(),
      Object.keys(ruleMembers).toSorted(),
      [...amounts, ...Object.keys(levelMembers)].toSorted(),
    ]);
  });

  test('accepts its own example of a contract', () => {
    expect(schema.examples?.flatMap(shapeProblems)).toEqual([]);
  });
});

test('an editor that shows `errorMessage` explains a missing identity and a bare owner', () => {
  const { else: otherwise, $defs } = JSON.parse(readFileSync(path, 'utf8'));
  expect(otherwise.errorMessage).toContain('id, fullyQualifiedName, or name with entity');
  expect($defs.reference).toMatchObject({
    type: 'object',
    errorMessage: 'Write { type: team, name: … }, or type: user.',
  });
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8')));
  const problems = (document: JsonValue) => {
    validate(document);
    return (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  };
  expect(problems({ id: 'x', owners: ['data-platform'] })).toEqual(['/owners/0 type']);
  expect(problems({ name: 'x' })).toEqual([' required', ' if']);
  expect(problems({ name: 'x', entity: { fullyQualifiedName: 'a.b' } })).toEqual([]);
});

describe('the contract schema for OpenMetadata', () => {
  const own = JSON.parse(
    readFileSync(join(root, 'schemas/contract.openmetadata.schema.json'), 'utf8'),
  );
  const validate = new Ajv2020({ strict: false, allErrors: true })
    .addSchema(JSON.parse(readFileSync(path, 'utf8')))
    .compile(own);

  test('offers the words that the check of files takes, and no others', () => {
    const { properties, $defs } = own;
    expect(properties.entityStatus.enum).toEqual([
      ...openmetadata.lifecycle.statuses,
      'Active',
      null,
    ]);
    expect($defs.column.properties.dataType.enum).toEqual([...dataTypes, null]);
    expect($defs.column.properties.constraint.enum).toEqual([
      ...columnMembers.constraint.oneOf,
      null,
    ]);
    for (const [name, { units }] of Object.entries(promises))
      expect(properties.sla.properties[name].properties.unit.enum).toEqual([...units, null]);
  });

  test.each<[wrong: boolean, fields: JsonObject]>([
    [false, { entityStatus: 'In Review', owners: [{ type: 'team', name: 'a' }] }],
    [false, { schema: null, sla: { maxLatency: { value: 1, unit: 'hour' } } }],
    [true, { sla: { maxLatency: { value: 1, unit: 'week' } } }],
    [true, { schema: [{ name: 'a', dataType: 'INTEGER' }] }],
    [
      true,
      { schema: [{ name: 'a', dataType: 'STRUCT', children: [{ name: 'b', dataType: 'int' }] }] },
    ],
    [true, { schema: [{ name: 'a', dataType: 'INT', constraint: 'NOTNULL' }] }],
    [true, { schema: [{ name: 'a', dataType: 'INT', tags: [{ tagFQN: 'a.b', source: 'Tag' }] }] }],
    [true, { owners: [{ type: 'person', name: 'a' }] }],
  ])('refuses (%s) what that check refuses: %j', (isWrong, fields) => {
    expect(validate({ id: '00000000-0000-4000-8000-000000000001', ...fields })).toBe(!isWrong);
    expect(openmetadata.checkFields?.(fields).length !== 0).toBe(isWrong);
  });

  test('refuses what the contract schema refuses', () => {
    expect(validate({ name: 'x' })).toBe(false);
    expect(validate({ id: 'x', nosuch: 1 })).toBe(false);
  });
});
