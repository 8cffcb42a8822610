import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import type { FieldProblem } from '../../../contract/field-check.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import { checkPeople } from './people.ts';
import { dateFields, parseDate } from './dates.ts';
import { column, type MemberRule, type PartRules, rule, serviceLevel } from './members.ts';

/**
 * What of a file this server answers with 500, or bends without a word: then the file would differ
 * from it for ever.
 */
export function checkFields(fields: JsonObject): FieldProblem[] {
  return [
    ...checkColumns(fields['schema'], ['schema']),
    ...itemsOf(fields['semantics']).flatMap(([item, index]) =>
      checkPart(item, rule, ['semantics', index]),
    ),
    ...checkPart(fields['sla'], serviceLevel, ['sla']),
    ...checkPeople(fields),
    ...dateFields.flatMap((field) => checkDate(fields[field], [field])),
  ];
}

function checkColumns(columns: JsonValue | undefined, pointer: Pointer): FieldProblem[] {
  return itemsOf(columns).flatMap(([item, index]) => {
    const place = [...pointer, index];
    const children = isObject(item) ? item['children'] : undefined;
    return [...checkPart(item, column, place), ...checkColumns(children, [...place, 'children'])];
  });
}

function itemsOf(list: JsonValue | undefined): (readonly [item: JsonValue, index: string])[] {
  return isArray(list) ? list.map((item, index) => [item, String(index)] as const) : [];
}

function checkPart(
  part: JsonValue | undefined,
  rules: PartRules,
  pointer: Pointer,
): FieldProblem[] {
  if (!isObject(part)) return [];
  return Object.entries(part).flatMap(([name, value]) => {
    const place = [...pointer, name];
    if (!Object.hasOwn(rules.members, name)) return checkUnknown(name, rules, place);
    const expected = rules.members[name];
    return expected === undefined || value === null ? [] : checkMember(value, expected, place);
  });
}

/** What the server keeps without knowing it may be meant so, unless it is nearly a word that it knows. */
function checkUnknown(
  name: string,
  { members, keepsUnknown }: PartRules,
  pointer: Pointer,
): FieldProblem[] {
  const known = Object.keys(members);
  const near = didYouMean(name, known);
  if (keepsUnknown && near === undefined) return [];
  return [
    {
      code: 'unknown-key',
      severity: keepsUnknown ? 'warning' : 'error',
      message: `Unknown key ${quote(name)} in \`${pointer[0]}\`.`,
      hint: near ?? `The catalog knows ${known.join(', ')}.`,
      pointer,
    },
  ];
}

function checkMember(value: JsonValue, expected: MemberRule, pointer: Pointer): FieldProblem[] {
  const name = pointer.at(-1) ?? '';
  switch (expected) {
    case 'any':
      return [];
    case 'text':
      return typeof value === 'string' ? [] : [wrongKind(name, 'text', 'Quote it.', pointer)];
    case 'boolean':
      return typeof value === 'boolean'
        ? []
        : [wrongKind(name, 'true or false', 'Write it without quotes.', pointer)];
    case 'whole number':
      return isWholeNumber(value)
        ? []
        : [wrongKind(name, 'a whole number', wholeNumberHint(value), pointer)];
    case 'JSON text':
      return checkJsonText(value, name, pointer);
    default:
      return checkStructured(value, expected, pointer);
  }
}

/** The server counts in 32 bits. */
const largest = 2 ** 31 - 1;

function isWholeNumber(value: JsonValue): boolean {
  return typeof value === 'number' && Number.isInteger(value) && Math.abs(value) <= largest;
}

function wholeNumberHint(value: JsonValue): string {
  return typeof value === 'string' && /^\d+$/u.test(value)
    ? 'Remove the quotes.'
    : `Write one of up to ${largest}.`;
}

function checkJsonText(value: JsonValue, name: string, pointer: Pointer): FieldProblem[] {
  if (typeof value !== 'string') return [wrongKind(name, 'JSON as text', 'Quote it.', pointer)];
  if (parseJson(value) !== undefined) return [];
  return [wrongKind(name, 'JSON as text', 'Check its quotes, commas and brackets.', pointer)];
}

function wrongKind(name: string, kind: string, hint: string, pointer: Pointer): FieldProblem {
  return {
    code: 'wrong-type',
    severity: 'error',
    message: `\`${name}\` must be ${kind}.`,
    hint,
    pointer,
  };
}

function checkStructured(
  value: JsonValue,
  expected: Exclude<MemberRule, string>,
  pointer: Pointer,
): FieldProblem[] {
  if ('members' in expected) return checkPart(value, expected.members, pointer);
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  return expected.oneOf.includes(words)
    ? []
    : [unknownWord(words, nearestWord(words, expected), pointer)];
}

function unknownWord(word: string, hint: string, pointer: Pointer): FieldProblem {
  return {
    code: 'unknown-value',
    severity: 'error',
    message: `The catalog has no ${pointer.at(-1)} ${quote(word)}.`,
    hint,
    pointer,
  };
}

type Words = Extract<MemberRule, { readonly oneOf: readonly string[] }>;

/** `VARCHAR(80)`, `days` and `Europe/Paris` are near their word. */
function nearestWord(word: string, { oneOf, otherwise }: Words): string {
  const bare = word.replace(/\s*[(<].*$/u, '');
  const whole = oneOf.find((known) => known.endsWith(` (${word})`));
  const near = didYouMean(whole ?? word, oneOf) ?? didYouMean(bare, oneOf);
  return near ?? otherwise ?? `Write ${oneOf.join(', ')}.`;
}

function checkDate(value: JsonValue | undefined, pointer: Pointer): FieldProblem[] {
  if (typeof value !== 'string' || parseDate(value) !== undefined) return [];
  return [
    {
      code: 'invalid-date',
      severity: 'error',
      message: `${quote(value)} is not a date.`,
      hint: 'Write a day, 2026-01-31, or a time with its zone, 2026-01-31T12:00:00Z.',
      pointer,
    },
  ];
}
