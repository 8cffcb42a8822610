import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { ShapeProblem } from './document.ts';
import { quote } from '../core/text.ts';

/** What is wrong inside of sections whose shape is open. */
export function sectionProblems(document: JsonObject): ShapeProblem[] {
  return [
    ...unreadableRules(document),
    ...duplicateNames(document, 'schema', (name) => name.toLowerCase()),
    ...duplicateNames(document, 'semantics', (name) => name),
  ];
}

/** Rules are commonly JSON logic as text: text that starts like JSON and is none is a slip. */
function unreadableRules({ semantics }: JsonObject): ShapeProblem[] {
  return membersOf(semantics, 'rule')
    .filter(({ value }) => /^\s*[[{]/u.test(value) && !isJson(value))
    .map(({ index }) => ({
      code: 'rule-not-json',
      severity: 'warning',
      message: 'This rule starts like JSON logic, and is not valid JSON.',
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
): ShapeProblem[] {
  const first = new Map<string, number>();
  return membersOf(document[section], 'name').flatMap(({ value, index }) => {
    const earlier = first.get(normalize(value));
    if (earlier !== undefined) return [duplicateName(section, value, index, earlier)];
    first.set(normalize(value), index);
    return [];
  });
}

function duplicateName(
  section: 'schema' | 'semantics',
  name: string,
  index: number,
  earlier: number,
): ShapeProblem {
  return {
    code: 'duplicate-name',
    message: `Item ${index + 1} of \`${section}\` has the name of item ${earlier + 1}, ${quote(name)}.`,
    hint:
      section === 'schema' ? 'Rename or remove one; case does not count.' : 'Rename or remove one.',
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
