import type { ErrorObject } from 'ajv';
import { serverFields } from '../../../contract/contract.ts';
import { isObject, type JsonValue } from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import { validate } from '../../../generated/contract.js';
import { parsePointer, type Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { mostProblems } from '../../read/finding.ts';

/**
 * Checks a document against `schemas/contract.schema.json`, with messages of our own. Places are
 * computed only for reported problems: finding a key's place scans its whole mapping.
 */
export function shapeProblems(document: JsonValue): PointerDiagnostic[] {
  if (validate(document)) return [];
  const errors = validate.errors ?? [];
  if (isForeign(document, errors)) return [foreign];
  return errors
    .values()
    .flatMap(describe)
    .take(mostProblems + 1)
    .toArray();
}

// Not one of its keys is a contract's, or nearly.
function isForeign(document: JsonValue, errors: readonly ErrorObject[]): boolean {
  const unknown = errors.filter(
    ({ keyword, instancePath }) => keyword === 'additionalProperties' && instancePath === '',
  );
  const known = [...serverFields, ...Object.keys(unknown[0]?.parentSchema?.['properties'] ?? {})];
  const keys = unknown.map(({ params }) => String(params['additionalProperty']));
  return (
    isObject(document) &&
    keys.length > 1 &&
    keys.length === Object.keys(document).length &&
    keys.every((key) => !known.includes(key) && !strangeSpace(key) && !didYouMean(key, known))
  );
}

const foreign: PointerDiagnostic = {
  code: 'not-a-contract',
  message: 'This is no contract: none of its keys is one of a contract.',
  hint: 'Add the file to `contracts.exclude`. A saved plan is given as `--plan`.',
  pointer: [],
};

function describe(error: ErrorObject): PointerDiagnostic[] {
  const pointer = parsePointer(error.instancePath) ?? [];
  switch (error.keyword) {
    case 'additionalProperties': {
      const key = String(error.params['additionalProperty']);
      const unknown = unknownKey(error, 'a contract');
      if (pointer.length > 0 || !serverFields.some((field) => field === key)) return [unknown];
      const message = `The catalog sets \`${key}\` with every change: a file can't.`;
      const hint = `Remove \`${key}\`.`;
      return [{ ...unknown, code: 'server-owned-field', message, hint }];
    }
    case 'type':
      return [wrongType(pointer, [error.params['type']].flat().map(String), error.data)];
    case 'pattern':
    case 'minProperties':
    case 'minItems': {
      const message = `\`${pointer.join('.')}\` is empty.`;
      const hint = 'Give it a value, or leave the key out.';
      return [{ code: 'missing-key', message, hint, pointer }];
    }
    case 'if': {
      const message = "This document doesn't say which contract it is.";
      const hint =
        'Give `id`, or `fullyQualifiedName`, or `name` with `entity.id` or `entity.fullyQualifiedName`.';
      return [{ code: 'identity-missing', message, hint, pointer: [] }];
    }
    default:
      return []; // What the `else` requires, of which the `if` is reported.
  }
}

export function unknownKey({ instancePath, params, parentSchema }: ErrorObject, whole: string) {
  const parent = parsePointer(instancePath) ?? [];
  const key = String(params['additionalProperty']);
  const where = parent.length === 0 ? whole : `\`${parent.join('.')}\``;
  const known = Object.keys(parentSchema?.['properties'] ?? {});
  const message = `Unknown key ${quote(key)}${parent.length === 0 ? '' : ` in ${where}`}.`;
  const hint =
    strangeSpace(key) ?? didYouMean(key, known) ?? `The keys of ${where} are ${known.join(', ')}.`;
  return { code: 'unknown-key', message, hint, pointer: [...parent, key], atKey: true };
}

// An editor shows it as a plain space, or not at all.
function strangeSpace(key: string): string | undefined {
  const [space] = /^[\s\u200b]|[\s\u200b]$/u.exec(key) ?? [];
  if (space === undefined) return undefined;
  const code = space.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
  const end = key.startsWith(space) ? 'begins' : 'ends';
  return `It ${end} with ${code === '00A0' ? 'a no-break space' : 'an invisible character'} (U+${code}): delete it.`;
}

const typeNames: { readonly [type: string]: string } = {
  string: 'text',
  number: 'a number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'a mapping',
  null: 'null',
};

function wrongType(pointer: Pointer, expected: readonly string[], value: unknown) {
  const actual = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  const wanted = expected.map((type) => typeNames[type] ?? type).join(' or ');
  if (pointer.length === 0) {
    const message = `A contract must be a mapping of keys to values, not ${typeNames[actual] ?? actual}.`;
    const hint = "Start the document with the contract's keys, such as `name: …`.";
    return { code: 'not-a-mapping', message, hint, pointer };
  }
  // Managed fields may be null, which removes them; what identifies a contract may not.
  if (actual === 'null') {
    const message = `\`${pointer.join('.')}\` is empty.`;
    const hint = expected.includes('object')
      ? 'Indent its members below it, such as `type` and `fullyQualifiedName`.'
      : 'Give it a value, or leave the key out.';
    return { code: 'wrong-type', message, hint, pointer };
  }
  const message = `\`${pointer.join('.')}\` must be ${wanted}, not ${typeNames[actual] ?? actual}.`;
  const hint = typeHint(pointer, expected, value);
  return { code: 'wrong-type', message, hint, pointer };
}

function typeHint(pointer: Pointer, expected: readonly string[], value: unknown): string {
  const [list = '', , below] = pointer;
  if (/^(?:owners|reviewers)$/u.test(list) && below === undefined && typeof value === 'string') {
    const name = /^[\w.-]{1,60}$/u.test(value) ? value : quote(value);
    if (expected.includes('object')) return `Write { type: team, name: ${name} }, or type: user.`;
  }
  if (expected.includes('array')) return 'Begin each item with a hyphen and a space.';
  if (expected.includes('object')) return 'Write `key: value` for each of its members.';
  if (expected.includes('number')) return 'Write a number, without quotes.';
  const scalar = typeof value === 'number' || typeof value === 'boolean';
  return scalar ? 'Quote it.' : 'Write one text; with `|` it can span several lines.';
}
