import { isArray, isObject, type JsonObject, type JsonValue } from '../../core/json.ts';
import { quote } from '../../core/text.ts';
import { unknownStatus } from '../../contract/conventions.ts';
import type { Pointer } from '../../patch/pointer.ts';
import type { PointerDiagnostic } from '../read/document.ts';
import { structureProblems } from './structure.ts';

/** What a contract must keep to beyond its shape; `statuses` are the lifecycle's, if known. */
export function ruleProblems(
  document: JsonValue,
  statuses: readonly string[] | undefined,
): PointerDiagnostic[] {
  if (!isObject(document)) return [];
  return [
    ...(statuses ? unknownStatus(document, statuses) : []),
    ...identityProblems(document),
    ...sectionProblems(document),
    ...structureProblems(document),
  ];
}

/** What makes an identity doubtful: warnings, for a catalog may be laxer than the interface. */
function identityProblems(document: JsonObject): PointerDiagnostic[] {
  return [...notUuids(document), ...unfitQualifiedNames(document)];
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/** Identifiers are UUIDs (interface §2.1, §2.2), so nothing would be found by these. */
function notUuids({ id, entity }: JsonObject): PointerDiagnostic[] {
  return [
    ...notUuid(id, ['id']),
    ...notUuid(isObject(entity) ? entity['id'] : undefined, ['entity', 'id']),
  ];
}

function notUuid(id: JsonValue | undefined, pointer: Pointer): PointerDiagnostic[] {
  if (typeof id !== 'string' || id.trim() === '' || uuid.test(id)) return [];
  return [
    {
      code: 'id-not-uuid',
      severity: 'warning',
      message: `${quote(id)} is not a UUID.`,
      hint: 'Copy the id from the catalog, or give the qualified name instead.',
      pointer,
    },
  ];
}

function unfitQualifiedNames({ fullyQualifiedName, entity }: JsonObject): PointerDiagnostic[] {
  if (!isObject(entity) || typeof entity['fullyQualifiedName'] !== 'string') return [];
  const owner = entity['fullyQualifiedName'];
  return [...notBelow(fullyQualifiedName, owner), ...notNamed(owner, entity['name'])];
}

function notBelow(name: JsonValue | undefined, owner: string): PointerDiagnostic[] {
  if (typeof name !== 'string' || name === owner || name.startsWith(`${owner}.`)) return [];
  return [
    {
      code: 'qualified-name-unfit',
      severity: 'warning',
      message: `The contract's name ${quote(name)} doesn't start with its entity's, ${quote(owner)}.`,
      hint: 'Correct one of the two, or leave one out.',
      pointer: ['fullyQualifiedName'],
    },
  ];
}

/** A segment with dots of its own is quoted in a qualified name. */
function notNamed(owner: string, name: JsonValue | undefined): PointerDiagnostic[] {
  if (typeof name !== 'string' || `.${owner}`.endsWith(`.${name}`)) return [];
  if (owner.endsWith(`"${name}"`)) return [];
  return [
    {
      code: 'qualified-name-unfit',
      severity: 'warning',
      message: `The entity's qualified name ${quote(owner)} doesn't end with its name, ${quote(name)}.`,
      hint: 'Correct one of the two, or leave one out.',
      pointer: ['entity', 'fullyQualifiedName'],
    },
  ];
}

/** What is wrong inside of sections whose shape is open. */
function sectionProblems(document: JsonObject): PointerDiagnostic[] {
  return [
    ...unreadableRules(document),
    ...duplicateNames(document, 'schema', (name) => name.toLowerCase()),
    ...duplicateNames(document, 'semantics', (name) => name),
  ];
}

/** Rules are commonly JSON logic as text: text that starts like JSON and is none is a slip. */
function unreadableRules({ semantics }: JsonObject): PointerDiagnostic[] {
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

/** Items are recognised by their names, so a name must say which item is meant. */
function duplicateNames(
  document: JsonObject,
  section: 'schema' | 'semantics',
  normalize: (name: string) => string,
): PointerDiagnostic[] {
  const first = new Map<string, number>();
  const problems: PointerDiagnostic[] = [];
  for (const { value, index } of membersOf(document[section], 'name')) {
    const name = normalize(value);
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, index);
    else problems.push(duplicateName(section, value, index, earlier));
  }
  return problems;
}

function duplicateName(
  section: 'schema' | 'semantics',
  name: string,
  index: number,
  earlier: number,
): PointerDiagnostic {
  return {
    code: 'duplicate-name',
    message: `Items ${earlier + 1} and ${index + 1} of \`${section}\` have the same name, ${quote(name)}.`,
    hint: section === 'schema' ? 'Rename or remove one: case is ignored.' : 'Rename or remove one.',
    pointer: [section, String(index), 'name'],
  };
}

type Member = { readonly value: string; readonly index: number };

/** The text that items of a list have under a key. */
function membersOf(list: JsonValue | undefined, key: string): Member[] {
  if (!isArray(list)) return [];
  return list.flatMap((item, index) => {
    const value = isObject(item) ? item[key] : undefined;
    return typeof value === 'string' ? [{ value, index }] : [];
  });
}
