/** The values that a contract's parts take: release 1.12.6 answers any other with 500. */

import type { FieldProblem } from '../../../contract/conventions.ts';
import {
  columnMembers,
  dataTypes,
  levelMembers,
  promises,
  ruleMembers,
} from '../../../contract/contract.ts';
import {
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import { unitHint } from '../../../contract/duration.ts';
import { keyMeantBy } from '../../../contract/synonyms.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import { parseDate } from './words.ts';

// The server counts in 32 bits.
const largest = 2 ** 31 - 1;

// Names the type that a value lacks, and how to write it.
export type ValueCheck = (value: JsonValue) => readonly [type: string, hint: string] | undefined;

const scalars = {
  any: () => undefined,
  text: (value) => {
    if (typeof value === 'string') return undefined;
    const isWhole = typeof value === 'object' && value !== null;
    return ['text', isWhole ? 'Write it on one line, in single quotes.' : 'Quote it.'];
  },
  boolean: (value) =>
    typeof value === 'boolean' ? undefined : ['true or false', 'Write it without quotes.'],
  'whole number': (value) => {
    if (Number.isInteger(value) && Math.abs(Number(value)) <= largest) return undefined;
    const isQuoted = typeof value === 'string' && /^\d+$/u.test(value);
    const hint = isQuoted ? 'Remove the quotes.' : `Use a whole number up to ${largest}.`;
    return ['a whole number', hint];
  },
  number: (value) =>
    typeof value === 'number' ? undefined : ['a number', 'Write a number, without quotes.'],
  'JSON text': (value) => {
    if (typeof value !== 'string') return ['JSON as text', 'Quote it.'];
    if (parseJson(value) !== undefined) return undefined;
    return ['JSON as text', 'Check its quotes, commas and brackets.'];
  },
  time: (value) => {
    const isTime = typeof value === 'string' && parseDate(value) !== undefined;
    if (isTime || typeof value === 'number') return undefined;
    return ['a time', 'Write it with its zone, 2026-01-31T12:00:00Z.'];
  },
} satisfies Readonly<Record<string, ValueCheck>>;

export type MemberRule =
  | keyof typeof scalars
  | ValueCheck
  | { readonly oneOf: readonly string[]; readonly otherwise?: string }
  | { readonly listOf: MemberRule }
  | { readonly members: PartRules };

function isScalar(rule: MemberRule): rule is keyof typeof scalars | ValueCheck {
  return typeof rule !== 'object';
}

function checkOf(rule: keyof typeof scalars | ValueCheck): ValueCheck {
  return typeof rule === 'function' ? rule : scalars[rule];
}

type PartRules = {
  readonly members: Readonly<Record<string, MemberRule>>;
  /** The server keeps other members, without knowing them. */
  readonly isOpen?: true;
  /** For a create request; a patch may leave them out. */
  readonly required?: readonly string[];
};

const dataType: MemberRule = { oneOf: dataTypes, otherwise: 'Use a data type of the catalog.' };

const tag: PartRules = {
  required: ['tagFQN'],
  members: {
    tagFQN: 'text',
    name: 'text',
    displayName: 'text',
    description: 'text',
    style: 'any',
    source: { oneOf: ['Classification', 'Glossary'] },
    labelType: { oneOf: ['Manual', 'Propagated', 'Automated', 'Derived', 'Generated'] },
    state: { oneOf: ['Suggested', 'Confirmed'] },
    href: 'text',
    reason: 'text',
    appliedAt: 'time',
    appliedBy: 'text',
    metadata: 'any',
  },
};

const column: PartRules = {
  required: ['name', 'dataType'],
  members: {
    ...columnMembers,
    dataType,
    arrayDataType: dataType,
    tags: { listOf: { members: tag } },
    jsonSchema: 'text',
    get children(): MemberRule {
      return { listOf: { members: column } };
    },
    profile: 'any',
    customMetrics: { listOf: 'any' },
    extension: 'any',
  },
};

const rule: PartRules = {
  required: ['name', 'description', 'rule'],
  members: {
    ...ruleMembers,
    entityType: 'text',
    jsonTree: 'JSON text',
    provider: { oneOf: ['system', 'user', 'automation'] },
    inherited: 'boolean',
  },
};

// The server knows each offset with one place only.
function timezones(): readonly string[] {
  return `-11:00 Pacific/Niue, -10:00 Pacific/Honolulu,
  -09:30 Pacific/Marquesas, -09:00 America/Anchorage, -08:00 America/Los Angeles,
  -07:00 America/Denver, -06:00 America/Chicago, -05:00 America/New York, -04:00 America/Santiago,
  -03:00 America/Sao Paulo, -02:30 Atlantic/Newfoundland, -02:00 Atlantic/South_Georgia,
  -01:00 Atlantic/Azores, +00:00 Europe/London, +01:00 Europe/Paris, +02:00 Europe/Athens,
  +03:00 Europe/Moscow, +03:00 Asia/Iran, +04:00 Asia/Dubai, +04:30 Asia/Afghanistan,
  +05:00 Asia/Karachi, +05:30 Asia/Kolkata, +05:45 Asia/Nepal, +06:00 Asia/Dhaka,
  +06:00 Asia/Myanmar, +07:00 Asia/Bangkok, +08:00 Asia/Shanghai,
  +08:45 Australia/Australian Central Western Standard Time, +09:00 Asia/Tokyo,
  +09:00 Australia/Adelaide, +10:00 Australia/Sydney, +10:30 Australia/Lord Howe,
  +11:00 Pacific/Norfolk, +12:00 Pacific/Auckland, +13:00 Pacific/Tongatapu,
  +14:00 Pacific/Kiritimati`
    .split(/,\s+/u)
    .map((zone) => zone.replace(/^(\S+) (.+)$/u, 'GMT$1 ($2)'));
}

const serviceLevel: PartRules = {
  isOpen: true,
  members: {
    ...Object.fromEntries(
      Object.entries(promises).map(([name, promise]) => [name, period(promise)]),
    ),
    ...levelMembers,
    get timezone(): MemberRule {
      return { oneOf: timezones(), otherwise: 'Write it like "GMT+00:00 (Europe/London)".' };
    },
    inherited: 'boolean',
  },
};

function period({ amount, units }: (typeof promises)[keyof typeof promises]): MemberRule {
  const members = { [amount]: 'whole number', unit: { oneOf: units } } as const;
  return { members: { isOpen: true, members, required: [amount, 'unit'] } };
}

const rowFilter: PartRules = {
  isOpen: true,
  members: { columnName: 'text', values: { listOf: 'text' } },
};

const policy: PartRules = {
  isOpen: true,
  members: {
    accessPolicy: 'text',
    identities: { listOf: 'text' },
    rowFilters: { listOf: { members: rowFilter } },
  },
};

const security: PartRules = {
  isOpen: true,
  members: {
    dataClassification: 'text',
    policies: { listOf: { members: policy } },
    inherited: 'boolean',
  },
};

const parts: PartRules = {
  isOpen: true,
  members: {
    schema: { listOf: { members: column } },
    semantics: { listOf: { members: rule } },
    sla: { members: serviceLevel },
    security: { members: security },
  },
};

/** Fields of the wrong kind altogether are reported where files are read. */
export function checkParts(fields: JsonObject): FieldProblem[] {
  return Object.entries(parts.members).flatMap(([field, expected]) => {
    const value = fields[field] ?? null;
    const isList = typeof expected === 'object' && 'listOf' in expected;
    return isList === isArray(value) && typeof value === 'object'
      ? checkMember(value, expected, [field])
      : [];
  });
}

export function checkMember(
  value: JsonValue,
  expected: MemberRule,
  pointer: Pointer,
): FieldProblem[] {
  if (value === null) return [];
  if (isScalar(expected)) {
    const wrong = checkOf(expected)(value);
    return wrong ? wrongType(pointer, ...wrong) : [];
  }
  if ('members' in expected) return checkPart(value, expected.members, pointer);
  if (!('listOf' in expected)) return checkWord(value, expected, pointer);
  if (!isArray(value)) return wrongType(pointer, 'a list', 'Start each item with a dash.');
  return value.flatMap((item, index) => {
    const place = [...pointer, String(index)];
    return item === null
      ? wrongType(place, 'a value', 'Remove the item, or write it.')
      : checkMember(item, expected.listOf, place);
  });
}

function checkPart(part: JsonValue, rules: PartRules, pointer: Pointer): FieldProblem[] {
  if (!isObject(part))
    return wrongType(pointer, 'a mapping', 'Write it with its keys, as `key: value`.');
  return Object.keys(part).flatMap((name) => {
    const value = part[name] ?? null;
    const expected = Object.hasOwn(rules.members, name) ? rules.members[name] : undefined;
    const place = [...pointer, name];
    return expected === undefined
      ? checkUnknown(name, rules, place)
      : checkMember(value, expected, place);
  });
}

// A member that the server keeps without knowing it may be intended, unless its name nearly is a
// known one.
function checkUnknown(
  name: string,
  { members, isOpen }: PartRules,
  pointer: Pointer,
): FieldProblem[] {
  const known = Object.keys(members);
  const meant = keyMeantBy(name, pointer[0] ?? '', known);
  const near = didYouMean(meant ?? name, known);
  if (isOpen && near === undefined) return [];
  const message = `Unknown key ${quote(name)} in \`${pointer[0]}\`.`;
  const hint = near ?? `The catalog knows ${known.join(', ')}.`;
  const problem = refused('unknown-key', pointer, message, hint);
  return [isOpen ? { ...problem, severity: 'warning' } : problem];
}

function checkWord(
  value: JsonValue,
  { oneOf, otherwise }: Extract<MemberRule, { readonly oneOf: readonly string[] }>,
  pointer: Pointer,
): FieldProblem[] {
  const word = typeof value === 'string' ? value : JSON.stringify(value);
  if (oneOf.includes(word)) return value === word ? [] : wrongType(pointer, 'text', 'Quote it.');
  const bare = word.slice(0, `${word}(`.search(/[(<]/u)).trimEnd();
  const whole = oneOf.find((known) => known.endsWith(` (${word})`));
  const member = pointer.findLast((token) => !/^\d+$/u.test(token));
  const ofUnit = member === 'unit' ? unitHint(word, oneOf) : undefined;
  const sized = member === 'dataType' ? sizeHint(word, oneOf) : undefined;
  const near = ofUnit ?? sized ?? didYouMean(whole ?? word, oneOf) ?? didYouMean(bare, oneOf);
  const message = `The catalog has no ${member} ${quote(word)}.`;
  const hint = near ?? otherwise ?? `Write ${oneOf.join(', ')}.`;
  return [refused('unknown-value', pointer, message, hint)];
}

// As databases write it: `VARCHAR(32)`, `DECIMAL(10, 2)`.
function sizeHint(word: string, types: readonly string[]): string | undefined {
  const [, name = '', first, second] = /^(\w+) *\( *(\d+) *(?:, *(\d+) *)?\)$/u.exec(word) ?? [];
  const type = name.toUpperCase();
  if (!types.includes(type)) return undefined;
  if (/CHAR|BINARY/u.test(type) && second === undefined)
    return `Write \`dataType: ${type}\` and \`dataLength: ${first}\`.`;
  if (!/^(?:DECIMAL|NUMERIC|NUMBER)$/u.test(type)) return undefined;
  const scale = second === undefined ? '' : `, \`scale: ${second}\``;
  return `Write \`dataType: ${type}\`, \`precision: ${first}\`${scale}.`;
}

export function checkRequired(
  value: JsonValue,
  expected: MemberRule = { members: parts },
  pointer: Pointer = [],
): FieldProblem[] {
  if (isScalar(expected)) return [];
  if ('listOf' in expected) {
    if (!isArray(value)) return [];
    return value.flatMap((item, index) =>
      checkRequired(item, expected.listOf, [...pointer, String(index)]),
    );
  }
  if (!('members' in expected) || !isObject(value)) return [];
  const { required = [], members } = expected.members;
  return [
    ...required.filter((name) => isNothing(value[name])).map((name) => missing(name, pointer)),
    ...Object.entries(members).flatMap(([name, rule]) =>
      checkRequired(value[name] ?? null, rule, [...pointer, name]),
    ),
  ];
}

export function missing(name: string, pointer: Pointer): FieldProblem {
  return refused('missing-key', pointer, `\`${nameAt(pointer)}\` needs a \`${name}\`.`, 'Add it.');
}

export function refused(
  code: string,
  pointer: Pointer,
  message: string,
  hint: string,
): FieldProblem {
  return { code, severity: 'error', message, hint, pointer };
}

export function wrongType(pointer: Pointer, type: string, hint: string): FieldProblem[] {
  return [refused('wrong-type', pointer, `\`${nameAt(pointer)}\` must be ${type}.`, hint)];
}

function nameAt(pointer: Pointer): string {
  const [name = '', ...rest] = pointer.slice(-2).toReversed();
  return /^\d+$/u.test(name) ? `${rest.join('')}[${name}]` : name;
}
