import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { ShapeProblem } from './document.ts';
import { quote } from '../core/text.ts';

/** What makes an identity doubtful: warnings, for a catalog may be laxer than the interface. */
export function identityProblems(document: JsonObject): ShapeProblem[] {
  return [...notUuids(document), ...unfitQualifiedNames(document)];
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/** Identifiers are UUIDs (interface §2.1, §2.2), so nothing would be found by these. */
function notUuids({ id, entity }: JsonObject): ShapeProblem[] {
  return [
    ...notUuid(id, ['id']),
    ...notUuid(isObject(entity) ? entity['id'] : undefined, ['entity', 'id']),
  ];
}

function notUuid(id: JsonValue | undefined, pointer: Pointer): ShapeProblem[] {
  if (typeof id !== 'string' || id.trim() === '' || uuid.test(id)) return [];
  return [
    {
      code: 'id-not-uuid',
      severity: 'warning',
      message: `${quote(id)} is no UUID, and the identifiers of a catalog are.`,
      hint: 'Copy the identifier from the catalog, or leave it out and give the qualified name.',
      pointer,
    },
  ];
}

function unfitQualifiedNames({ fullyQualifiedName, entity }: JsonObject): ShapeProblem[] {
  if (!isObject(entity) || typeof entity['fullyQualifiedName'] !== 'string') return [];
  const owner = entity['fullyQualifiedName'];
  return [...notBelow(fullyQualifiedName, owner), ...notNamed(owner, entity['name'])];
}

function notBelow(name: JsonValue | undefined, owner: string): ShapeProblem[] {
  if (typeof name !== 'string' || name === owner || name.startsWith(`${owner}.`)) return [];
  return [
    {
      code: 'qualified-name-unfit',
      severity: 'warning',
      message: `The contract's name ${quote(name)} does not start with its entity's, ${quote(owner)}.`,
      hint: 'Correct one of the two, or leave one out.',
      pointer: ['fullyQualifiedName'],
    },
  ];
}

/** A segment with dots of its own is quoted in a qualified name. */
function notNamed(owner: string, name: JsonValue | undefined): ShapeProblem[] {
  if (typeof name !== 'string' || `.${owner}`.endsWith(`.${name}`)) return [];
  if (owner.endsWith(`"${name}"`)) return [];
  return [
    {
      code: 'qualified-name-unfit',
      severity: 'warning',
      message: `The entity's qualified name ${quote(owner)} does not end with its name, ${quote(name)}.`,
      hint: 'Correct one of the two, or leave one out.',
      pointer: ['entity', 'fullyQualifiedName'],
    },
  ];
}
