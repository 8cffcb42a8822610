/** The form of contract-sync.yaml: its schema, and ajv's errors in our words. */

import type { ErrorObject } from 'ajv';
import type { JsonValue } from './core/json.ts';
import { didYouMean, quote } from './core/text.ts';
import type { ShapeProblem } from './files/document.ts';
import { validate } from './files/generated/config.js';
import { parsePointer, type Pointer } from './patch/pointer.ts';

/** What `schemas/config.schema.json` does not allow. */
export function configProblems(document: JsonValue): ShapeProblem[] {
  if (validate(document)) return [];
  return (validate.errors ?? []).flatMap(describe);
}

/** Errors of the branches of an `anyOf` are told by the `anyOf`. */
function describe(error: ErrorObject): ShapeProblem[] {
  const pointer = parsePointer(error.instancePath) ?? [];
  if (error.schemaPath.includes('/anyOf/')) return [];
  if (error.keyword === 'additionalProperties') {
    return [unknownKey(pointer, String(error.params['additionalProperty']), error)];
  }
  const name = pointer.length === 0 ? 'The configuration' : `\`${pointer.join('.')}\``;
  return [{ code: 'invalid-setting', message: `${name} ${complaint(error)}.`, pointer }];
}

function complaint({ keyword, params, message, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `must be of type ${String(params['type'])}`;
    case 'enum':
      return `must be one of ${[params['allowedValues']].flat().join(', ')}`;
    case 'anyOf':
    case 'pattern':
      // The schema says in words what it asks for.
      return `must be ${String(parentSchema?.['$comment'] ?? 'of another form')}`;
    case 'required':
      return `lacks \`${String(params['missingProperty'])}\``;
    default:
      return message ?? 'does not fit';
  }
}

function unknownKey(parent: Pointer, key: string, { parentSchema }: ErrorObject): ShapeProblem {
  const where = parent.length === 0 ? 'the configuration' : `\`${parent.join('.')}\``;
  const properties: unknown = parentSchema?.['properties'];
  const known = Object.keys(properties instanceof Object ? properties : {});
  return {
    code: 'unknown-key',
    message: `${quote(key)} is no key of ${where}.`,
    hint: didYouMean(key, known) ?? `The keys of ${where} are ${known.join(', ')}.`,
    pointer: [...parent, key],
    atKey: true,
  };
}
