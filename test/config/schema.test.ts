import { readFileSync } from 'node:fs';
import { fc, test } from '@fast-check/vitest';
import { type AnySchemaObject, Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';
import { loadWith } from '../../src/config/file.ts';
import { DiagnosticsError } from '../../src/core/diagnostic.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { parsePointer } from '../../src/patch/pointer.ts';
import { rounds } from '../support/rounds.ts';

const path = new URL('../../schemas/config.schema.json', import.meta.url);
const published: AnySchemaObject = JSON.parse(readFileSync(path, 'utf8'));
const scalars = [null, true, false, 0, -1, 1.5, 1e9, '', 'x', '50%', '90d', '/a'];
const odd: fc.Arbitrary<JsonValue> = fc.constantFrom<JsonValue>(...scalars, [], [''], {}, { x: 1 });

const options = { allowUnionTypes: true, strictTypes: false };
const validate = new Ajv2020(options).compile(published);

/** Documents that are nearly as the schema has them. */
function documents(): fc.Arbitrary<JsonValue> {
  // An empty text sets nothing.
  return valueOf(published, 4).filter((document) => document !== '');
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

function complaints(document: JsonValue): readonly string[] {
  try {
    const text = JSON.stringify(document);
    // What a file extends sets nothing.
    loadWith('a.yaml', (file) => ({ text: file === 'a.yaml' ? text : '' }));
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticsError)) throw error;
    const said = error.diagnostics.map(({ message, hint = '' }) => `${message} ${hint}`);
    // What the words of an exception say is no matter of the schema.
    return said.filter(
      (each) => !/says nothing|^Invalid day|^The pattern|whole contract/u.test(each),
    );
  }
}

test.prop([documents()], { numRuns: rounds(500) })(
  'what the published schema does not allow is said in words, each thing once',
  (document) => {
    const said = complaints(document);
    expect(said.length > 0).toBe(!validate(document));
    expect(new Set(said).size).toBe(said.length);
    expect(said.join(' ')).not.toMatch(/undefined|of another form|\[object/u);
  },
);
