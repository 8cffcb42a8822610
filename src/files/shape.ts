import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import contractSchema from '../../schemas/contract.schema.json' with { type: 'json' };
import { identityFields, managedFields, serverFields } from '../contract/contract.ts';
import type { JsonValue } from '../json.ts';
import { type Pointer, parsePointer, valueAt } from '../patch/pointer.ts';
import type { ShapeProblem } from './document.ts';
import { quote } from './finding.ts';
import { didYouMean } from './suggest.ts';

const validate = new Ajv2020({
  allErrors: true,
  allowUnionTypes: true,
  strictTypes: false,
}).compile(contractSchema);

/** Checks a document against `schemas/contract.schema.json`. */
export function shapeProblems(document: JsonValue): ShapeProblem[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).flatMap((error) => describe(error, document));
}

function describe(error: ErrorObject, document: JsonValue): ShapeProblem[] {
  const pointer = parsePointer(error.instancePath) ?? [];
  switch (error.keyword) {
    case 'additionalProperties':
      return [unexpectedKey(pointer, String(error.params['additionalProperty']))];
    case 'type':
      return [wrongType(pointer, [error.params['type']].flat().map(String), document)];
    case 'minLength':
    case 'minProperties':
      return [emptyValue(pointer)];
    case 'anyOf':
      return pointer.length === 0 ? [identityMissing] : [];
    default:
      return []; // A branch of the `anyOf`, which is reported once.
  }
}

const identityMissing: ShapeProblem = {
  code: 'identity-missing',
  message: 'Nothing in this document says which contract of the catalog it means.',
  hint: 'Give `id`, or `fullyQualifiedName`, or `name` with `entity.id` or `entity.fullyQualifiedName`.',
  pointer: [],
};

function unexpectedKey(parent: Pointer, key: string): ShapeProblem {
  const place = { pointer: [...parent, key], atKey: true };
  const where = parent.length === 0 ? 'a contract' : `\`${parent.join('.')}\``;
  if (parent.length === 0 && isServerField(key)) return { ...serverOwned(key), ...place };
  const known = parent.length === 0 ? [...identityFields, ...managedFields] : entityMembers;
  return {
    code: 'unknown-key',
    message: `${quote(key)} is no key of ${where}.`,
    hint: didYouMean(key, known) ?? `The keys of ${where} are ${known.join(', ')}.`,
    ...place,
  };
}

const entityMembers = Object.keys(contractSchema.properties.entity.properties);

function isServerField(key: string): boolean {
  return serverFields.some((field) => field === key);
}

function serverOwned(key: string): Pick<ShapeProblem, 'code' | 'message' | 'hint'> {
  return {
    code: 'server-owned-field',
    message: `\`${key}\` is written by the catalog with every change, so a file cannot set it.`,
    hint: `Remove \`${key}\`.`,
  };
}

const typeNames: { readonly [type: string]: string } = {
  string: 'text',
  number: 'a number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'a mapping',
  null: 'null',
};

function wrongType(
  pointer: Pointer,
  expected: readonly string[],
  document: JsonValue,
): ShapeProblem {
  const actual = typeOf(valueAt(document, pointer));
  const wanted = expected.map((type) => typeNames[type] ?? type).join(' or ');
  if (pointer.length === 0) return notAMapping(actual, pointer);
  return {
    code: 'wrong-type',
    message: `\`${pointer.join('.')}\` must be ${wanted}, and this is ${typeNames[actual] ?? actual}.`,
    ...typeHint(actual, expected),
    pointer,
  };
}

function notAMapping(actual: string, pointer: Pointer): ShapeProblem {
  return {
    code: 'not-a-mapping',
    message: `A contract is a mapping of keys to values, and this document is ${typeNames[actual] ?? actual}.`,
    hint: "Start the document with the contract's keys, `name: …`.",
    pointer,
  };
}

function typeHint(actual: string, expected: readonly string[]): { readonly hint?: string } {
  if (actual === 'null') return { hint: 'An identity cannot be removed; leave the key out.' };
  const scalar = actual === 'number' || actual === 'boolean';
  return scalar && expected.includes('string') ? { hint: 'Quote it.' } : {};
}

function typeOf(value: JsonValue | undefined): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function emptyValue(pointer: Pointer): ShapeProblem {
  return {
    code: 'empty-value',
    message: `\`${pointer.join('.')}\` is empty.`,
    hint: 'Give it a value, or leave the key out.',
    pointer,
  };
}
