import { readFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { type AnySchemaObject, Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { describe, expect } from 'vitest';
import { refuseUnchecked, withoutAnnotations } from '../../.ci/checked-schema.ts';
import { type Schema, type Violation, violationsOf } from '../../src/config/schema.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { schema } from '../../src/generated/config.js';
import { formatPointer, parsePointer } from '../../src/patch/pointer.ts';
import { rounds } from '../rounds.ts';

const path = new URL('../../schemas/config.schema.json', import.meta.url);
const published: AnySchemaObject = JSON.parse(readFileSync(path, 'utf8'));
const scalars = [null, true, false, 0, -1, 1.5, 1e9, '', 'x', '50%', '90d', '/a'];
const odd: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(...scalars, [], [''], {}, { x: 1 });

const options = { allErrors: true, allowUnionTypes: true, strictTypes: false, messages: false };
const validate = new Ajv2020(options).compile(published);

describe('before it is compiled into the program, a schema', () => {
  test('is refused where a keyword, wherever it is, would be ignored', () => {
    const deep = { type: 'array', items: { anyOf: [{ type: 'string', maxLength: 3 }] } };
    const schemas = [deep, { properties: { a: { oneOf: [] } } }, { $ref: '#', minimum: 1 }];
    const [long, either, beside] = schemas.map((each) => () => refuseUnchecked(each));
    expect(long).toThrow('maxLength');
    expect(either).toThrow('oneOf');
    expect(beside).toThrow('minimum beside $ref');
  });

  test('loses what it says to people, and no property of such a name, nor a value', () => {
    const said = { title: 'A', description: 'B', default: { a: 1 }, examples: [1] };
    const text = { type: 'string' };
    const asked = { properties: { title: text, default: text }, enum: [{ title: 'C' }] };
    const schema = { ...said, ...asked, additionalProperties: { ...said, ...text } };
    expect(withoutAnnotations(schema)).toEqual({ ...asked, additionalProperties: text });
    expect(() => refuseUnchecked(asked)).not.toThrow();
  });
});

describe('each keyword is checked', () => {
  test.each<[schema: Schema, good: JsonValue, bad: JsonValue]>([
    [{ type: 'integer' }, 1, 1.5],
    [{ type: ['string', 'null'] }, null, 0],
    [{ type: 'array' }, [], {}],
    [{ enum: ['a', { b: 1 }] }, { b: 1 }, 'b'],
    [{ const: true }, true, false],
    [{ anyOf: [{ type: 'string' }, { minimum: 3 }] }, 3, 2],
    [{ minimum: 1 }, 1, 0],
    [{ exclusiveMinimum: 1 }, 2, 1],
    [{ maximum: 1 }, 1, 2],
    [{ minLength: 2 }, '🙂🙂', '🙂'],
    [{ pattern: '^a' }, 'ab', 'ba'],
    [{ items: { type: 'null' } }, [null], [null, 1]],
    [{ minItems: 1 }, [1], []],
    [{ uniqueItems: true }, [1, '1'], [{ a: 1 }, { a: 1 }]],
    [{ properties: { a: { type: 'null' } } }, { b: 1 }, { a: 1 }],
    [{ additionalProperties: false, properties: { a: {} } }, { a: 1 }, { toString: 1 }],
    [{ additionalProperties: { type: 'null' } }, { a: null }, { a: 1 }],
    [{ propertyNames: { minLength: 2 } }, { aa: 1 }, { a: 1 }],
    [{ required: ['toString'] }, { toString: 1 }, {}],
    [{ properties: { a: { $ref: '#/properties/b' }, b: { minimum: 1 } } }, { a: 1 }, { a: 0 }],
  ])('%j', (wanted, good, bad) => {
    expect(violationsOf(good, wanted)).toEqual([]);
    expect(violationsOf(bad, wanted)).not.toEqual([]);
  });
});

function nameOf({ keyword, pointer, member = '' }: Violation): string {
  return `${formatPointer(pointer)} ${keyword} ${member}`;
}

function nameOfError({ keyword, instancePath, params }: ErrorObject): string {
  const { additionalProperty, missingProperty = additionalProperty ?? '' } = params;
  return `${formatPointer(parsePointer(instancePath) ?? [])} ${keyword} ${missingProperty}`;
}

/** In order; of what no branch takes, and of names, ajv also says what is wrong with each. */
function withoutBranches(names: readonly string[]): string[] {
  const branched = names
    .filter((name) => / (?:anyOf|propertyNames) $/u.test(name))
    .map((name) => name.slice(0, name.lastIndexOf(' ', name.length - 2)));
  const isInner = (name: string): boolean =>
    branched.some((place) => name.startsWith(`${place} `) || name.startsWith(`${place}/`)) &&
    !/ (?:anyOf|propertyNames) $/u.test(name);
  // ajv compares none but items of the right type.
  const isOfBadItems = (name: string): boolean =>
    name.endsWith(' uniqueItems ') &&
    names.some((other) => other.startsWith(`${name.slice(0, name.indexOf(' '))}/`));
  const kept = names.filter((name) => !isInner(name) && !isOfBadItems(name));
  return [...new Set(kept)].toSorted();
}

/** Documents that are nearly as the schema has them. */
function documents(): fc.Arbitrary<JsonValue> {
  return valueOf(published, 4);
}

function valueOf(wanted: AnySchemaObject, depth: number): fc.Arbitrary<JsonValue> {
  const at = resolve(wanted);
  const fitting = fittingValue(at, depth);
  return fc.oneof({ weight: 12, arbitrary: fitting }, { weight: 1, arbitrary: odd });
}

function fittingValue(at: AnySchemaObject, depth: number): fc.Arbitrary<JsonValue> {
  if (at['enum']) return fc.constantFrom<JsonValue>(...at['enum']);
  if (at['anyOf']) {
    const branches: readonly AnySchemaObject[] = at['anyOf'];
    return fc.oneof(...branches.map((branch) => valueOf(branch, depth)));
  }
  if (depth === 0) return odd;
  const type: string = [at['type']].flat()[0] ?? '';
  if (type === 'array') return fc.array(valueOf(at['items'] ?? {}, depth - 1), { maxLength: 3 });
  return type === 'object' ? objectOf(at, depth - 1) : odd;
}

function objectOf(at: AnySchemaObject, depth: number): fc.Arbitrary<JsonValue> {
  const others = typeof at['additionalProperties'] === 'object' ? at['additionalProperties'] : {};
  const known = Object.entries<AnySchemaObject>(at['properties'] ?? {});
  const members = [...known, ['x', others] as const, ['-', others] as const].map(
    ([name, below]) => [name, valueOf(below, depth)] as const,
  );
  return fc
    .subarray(members, { maxLength: Math.min(4, members.length) })
    .chain((chosen) => fc.record(Object.fromEntries(chosen)));
}

function resolve(wanted: AnySchemaObject): AnySchemaObject {
  const reference: string | undefined = wanted['$ref'];
  if (reference === undefined) return wanted;
  const pointer = parsePointer(reference.slice(1)) ?? [];
  return pointer.reduce<AnySchemaObject>((at, key) => at[key], published);
}

test.prop([documents()], { numRuns: rounds(1000) })(
  'a configuration is told what ajv says',
  (document) => {
    void validate(document);
    const told = violationsOf(document, schema).map(nameOf);
    expect(withoutBranches(told)).toEqual(
      withoutBranches((validate.errors ?? []).map(nameOfError)),
    );
  },
);
