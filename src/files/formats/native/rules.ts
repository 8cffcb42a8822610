import { unknownStatus } from '../../../contract/conventions.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { structureProblems } from './structure.ts';

/** Rules beyond the schema. `statuses` are the lifecycle's; absent: not checked. */
export function ruleProblems(
  document: JsonValue,
  statuses: readonly string[] | undefined,
): PointerDiagnostic[] {
  if (!isObject(document)) return [];
  const { id, entity, semantics } = document;
  return [
    ...(statuses ? unknownStatus(document, statuses) : []),
    ...notUuid(id, ['id']),
    ...notUuid(isObject(entity) ? entity['id'] : undefined, ['entity', 'id']),
    ...unfitQualifiedNames(document),
    ...unreadableRules(semantics),
    ...duplicateNames(document, 'schema', (name) => name.toLowerCase()),
    ...duplicateNames(document, 'semantics', (name) => name),
    ...structureProblems(document),
  ];
}

// Identifiers are UUIDs (interface §2.1, §2.2); a warning, since a catalog may be laxer.
function notUuid(id: JsonValue | undefined, pointer: Pointer): PointerDiagnostic[] {
  if (typeof id !== 'string' || id.trim() === '') return [];
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu.test(id)) return [];
  const message = `${quote(id)} is not a UUID.`;
  const hint = 'Copy the id from the catalog, or give the qualified name instead.';
  return [{ code: 'id-not-uuid', severity: 'warning', message, hint, pointer }];
}

function unfitQualifiedNames({ fullyQualifiedName, entity }: JsonObject): PointerDiagnostic[] {
  if (!isObject(entity) || typeof entity['fullyQualifiedName'] !== 'string') return [];
  const { name, fullyQualifiedName: owner } = entity;
  const isBelow =
    typeof fullyQualifiedName !== 'string' ||
    fullyQualifiedName === owner ||
    fullyQualifiedName.startsWith(`${owner}.`);
  const isNamed =
    typeof name !== 'string' || `.${owner}`.endsWith(`.${name}`) || owner.endsWith(`"${name}"`);
  return [
    ...(isBelow
      ? []
      : unfit(
          `The contract's name ${quote(fullyQualifiedName)} doesn't start with its entity's, ${quote(owner)}.`,
          ['fullyQualifiedName'],
        )),
    ...(isNamed
      ? []
      : unfit(
          `The entity's qualified name ${quote(owner)} doesn't end with its name, ${quote(name)}.`,
          ['entity', 'fullyQualifiedName'],
        )),
  ];
}

function unfit(message: string, pointer: Pointer): PointerDiagnostic[] {
  const hint = 'Correct one of the two, or leave one out.';
  return [{ code: 'qualified-name-unfit', severity: 'warning', message, hint, pointer }];
}

// Rules are commonly JSON logic as text: text that starts like JSON and is not JSON is a mistake.
function unreadableRules(semantics: JsonValue | undefined): PointerDiagnostic[] {
  return membersOf(semantics, 'rule')
    .filter(({ value }) => /^\s*[[{]/u.test(value) && !isJson(value))
    .map(({ index }) => ({
      code: 'rule-not-json',
      severity: 'warning',
      message: 'This rule starts like JSON logic but is not valid JSON.',
      hint: 'Check its quotes, commas and brackets.',
      pointer: ['semantics', String(index), 'rule'],
    }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function duplicateNames(
  document: JsonObject,
  section: 'schema' | 'semantics',
  normalize: (name: string) => string,
): PointerDiagnostic[] {
  const first = new Map<string, { readonly value: string; readonly index: number }>();
  return membersOf(document[section], 'name').flatMap(({ value, index }) => {
    const name = normalize(value);
    const earlier = first.get(name);
    if (!earlier) {
      first.set(name, { value, index });
      return [];
    }
    const spelt =
      earlier.value === value
        ? ''
        : `; ${quote(earlier.value)} and ${quote(value)} count as the same name`;
    return {
      code: 'duplicate-name',
      message: `Items ${earlier.index + 1} and ${index + 1} of \`${section}\` have the same name, ${quote(value)}.`,
      hint: `Rename or remove one${spelt}.`,
      pointer: [section, String(index), 'name'],
    };
  });
}

function membersOf(list: JsonValue | undefined, key: string) {
  if (!isArray(list)) return [];
  return list.flatMap((item, index) => {
    const value = isObject(item) ? item[key] : undefined;
    return typeof value === 'string' ? [{ value, index }] : [];
  });
}
