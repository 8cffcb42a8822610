import {
  isArray,
  isNothing,
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
import { type MemberRule, type PartRules, parts } from './members.ts';

/**
 * What of a file this server answers with 500, or bends without a word: then the file would differ
 * from it for ever.
 */
export function checkFields(fields: JsonObject): FieldProblem[] {
  return [
    ...checkParts(fields),
    ...namelessColumns(fields),
    ...checkPeople(fields),
    ...dateFields.flatMap((field) => checkDate(fields[field], [field])),
    ...checkTexts(fields, []),
  ];
}

/** Fields that are no list or mapping at all are told wherever files are read. */
function checkParts(fields: JsonObject): FieldProblem[] {
  return Object.entries(parts.members).flatMap(([field, expected]) => {
    const value = fields[field] ?? null;
    const isList = typeof expected === 'object' && 'listOf' in expected;
    return isList === isArray(value) && typeof value === 'object'
      ? checkMember(value, expected, [field])
      : [];
  });
}

/** The server looks for each column in the asset. */
function namelessColumns({ schema }: JsonObject): FieldProblem[] {
  if (!isArray(schema)) return [];
  return schema.flatMap((column, index) =>
    isObject(column) && isNothing(column['name'])
      ? [missing('name', ['schema', String(index)])]
      : [],
  );
}

/** PostgreSQL keeps no NUL, and half of a character becomes a question mark. */
const isUnstorable = (text: string): boolean => text.includes('\0') || !text.isWellFormed();

function checkTexts(value: JsonValue, pointer: Pointer): FieldProblem[] {
  if (typeof value === 'string') return isUnstorable(value) ? [unstorableText(pointer)] : [];
  if (isArray(value))
    return value.flatMap((item, index) => checkTexts(item, [...pointer, String(index)]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => checkTexts(member, [...pointer, name]));
}

function unstorableText(pointer: Pointer): FieldProblem {
  return {
    code: 'unstorable-text',
    severity: 'error',
    message: `\`${pointer.join('.')}\` contains a character that the catalog can't store.`,
    hint: 'Remove the NUL character, or the half of a surrogate pair.',
    pointer,
  };
}

function checkPart(part: JsonValue, rules: PartRules, pointer: Pointer): FieldProblem[] {
  if (!isObject(part)) {
    return [wrongKind(pointer, 'a mapping', 'Write it with its keys, as `key: value`.')];
  }
  return Object.entries(part).flatMap(([name, value]) => {
    const place = [...pointer, name];
    const expected = Object.hasOwn(rules.members, name) ? rules.members[name] : undefined;
    return expected === undefined
      ? checkUnknown(name, rules, place)
      : checkMember(value, expected, place);
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
  if (value === null) return [];
  switch (expected) {
    case 'any':
      return [];
    case 'text':
      return typeof value === 'string' ? [] : [wrongKind(pointer, 'text', 'Quote it.')];
    case 'boolean':
      return typeof value === 'boolean'
        ? []
        : [wrongKind(pointer, 'true or false', 'Write it without quotes.')];
    case 'whole number':
      return isWholeNumber(value)
        ? []
        : [wrongKind(pointer, 'a whole number', wholeNumberHint(value))];
    case 'JSON text':
      return checkJsonText(value, pointer);
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
    : `Use a whole number up to ${largest}.`;
}

function checkJsonText(value: JsonValue, pointer: Pointer): FieldProblem[] {
  if (typeof value !== 'string') return [wrongKind(pointer, 'JSON as text', 'Quote it.')];
  if (parseJson(value) !== undefined) return [];
  return [wrongKind(pointer, 'JSON as text', 'Check its quotes, commas and brackets.')];
}

function wrongKind(pointer: Pointer, kind: string, hint: string): FieldProblem {
  return {
    code: 'wrong-type',
    severity: 'error',
    message: `\`${nameAt(pointer)}\` must be ${kind}.`,
    hint,
    pointer,
  };
}

/** `maxLatency`; of an item of a list `schema[2]`. */
function nameAt(pointer: Pointer): string {
  const [name = '', ...rest] = pointer.slice(-2).toReversed();
  return /^\d+$/u.test(name) ? `${rest.join('')}[${name}]` : name;
}

function checkStructured(
  value: JsonValue,
  expected: Exclude<MemberRule, string>,
  pointer: Pointer,
): FieldProblem[] {
  if ('members' in expected) return checkPart(value, expected.members, pointer);
  if ('listOf' in expected) return checkList(value, expected.listOf, pointer);
  const words = typeof value === 'string' ? value : JSON.stringify(value);
  return expected.oneOf.includes(words)
    ? []
    : [unknownWord(words, nearestWord(words, expected), pointer)];
}

function checkList(value: JsonValue, expected: MemberRule, pointer: Pointer): FieldProblem[] {
  if (!isArray(value)) return [wrongKind(pointer, 'a list', 'Start each item with a dash.')];
  return value.flatMap((item, index) => {
    const place = [...pointer, String(index)];
    return item === null
      ? [wrongKind(place, 'a value', 'Remove the item, or write it.')]
      : checkMember(item, expected, place);
  });
}

/** What a create request must give; checked where a contract is to be created. */
export function checkRequired(fields: JsonObject): FieldProblem[] {
  return Object.entries(parts.members).flatMap(([field, expected]) =>
    missingIn(fields[field] ?? null, expected, [field]),
  );
}

function missingIn(value: JsonValue, expected: MemberRule, pointer: Pointer): FieldProblem[] {
  if (typeof expected === 'string') return [];
  if ('listOf' in expected) {
    if (!isArray(value)) return [];
    return value.flatMap((item, index) =>
      missingIn(item, expected.listOf, [...pointer, String(index)]),
    );
  }
  if (!('members' in expected) || !isObject(value)) return [];
  const { required = [], members } = expected.members;
  return [
    ...required.filter((name) => isNothing(value[name])).map((name) => missing(name, pointer)),
    ...Object.entries(members).flatMap(([name, rule]) =>
      missingIn(value[name] ?? null, rule, [...pointer, name]),
    ),
  ];
}

function missing(name: string, pointer: Pointer): FieldProblem {
  return {
    code: 'missing-key',
    severity: 'error',
    message: `\`${nameAt(pointer)}\` needs a \`${name}\`.`,
    hint: 'Add it.',
    pointer,
  };
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
  const bare = word.slice(0, `${word}(`.search(/[(<]/u)).trimEnd();
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
