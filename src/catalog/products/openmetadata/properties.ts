/** The values that custom properties take, by their types: release 1.12.6 answers others with 400. */

import type { PropertyDefinition } from '../../../contract/contract.ts';
import type { FieldProblem, PropertyRules } from '../../../contract/conventions.ts';
import { isArray, isObject, type JsonValue } from '../../../core/json.ts';
import {
  type ValueCheck,
  checkMember,
  checkRequired,
  type MemberRule,
  wrongType,
} from './members.ts';

export const properties: PropertyRules = {
  definedBy: { type: 'type', name: 'dataContract' },
  // Of one value too.
  asStored: (value, { type }) => (type === 'enum' && typeof value === 'string' ? [value] : value),
  check: checkProperty,
};

function checkProperty(value: JsonValue, definition: PropertyDefinition): FieldProblem[] {
  const pointer = ['extension', definition.name];
  const rule = ruleOf(definition);
  const { type, config } = definition;
  const isSingle = type === 'enum' && isObject(config) && config['multiSelect'] === false;
  if (isSingle && isArray(value) && value.length > 1)
    return wrongType(pointer, 'one value', `Write ${textsAt(config, 'values').join(' or ')}.`);
  return [...checkMember(value, rule, pointer), ...checkRequired(value, rule, pointer)];
}

// A type of later releases is left to the server.
function ruleOf({ type, config }: PropertyDefinition): MemberRule {
  const rule = Object.hasOwn(rules, type) ? rules[type] : undefined;
  return rule?.(config) ?? 'any';
}

const integer: ValueCheck = (value) =>
  Number.isSafeInteger(value) ? undefined : ['a whole number', 'Write a number, without quotes.'];

const milliseconds: ValueCheck = (value) =>
  integer(value) && ['a whole number', 'Write the milliseconds since 1970.'];

const email: ValueCheck = (value) =>
  typeof value === 'string' && /^\S+@\S+\.\S+$/u.test(value)
    ? undefined
    : ['an e-mail address', 'Write it like ada@example.com.'];

const address: ValueCheck = (value) =>
  typeof value === 'string' && /^https?:/iu.test(value) && URL.canParse(value)
    ? undefined
    : ['an address', 'Write it like https://example.com/page.'];

const moment = (config: JsonValue) => (typeof config === 'string' ? momentOf(config) : 'text');

const rules: Readonly<Record<string, (config: JsonValue) => MemberRule>> = {
  string: () => 'text',
  markdown: () => 'text',
  sqlQuery: () => 'text',
  duration: () => 'text',
  number: () => 'number',
  integer: () => integer,
  timestamp: () => milliseconds,
  timeInterval: () => ({ members: { members: { start: milliseconds, end: milliseconds } } }),
  email: () => email,
  'date-cp': moment,
  'dateTime-cp': moment,
  'time-cp': moment,
  enum: (config) => ({ listOf: wordAmong(textsAt(config, 'values')) }),
  entityReference: referenceTo,
  entityReferenceList: (config) => ({ listOf: referenceTo(config) }),
  'hyperlink-cp': () => ({
    members: { members: { url: address, displayText: 'text' }, required: ['url'] },
  }),
  'table-cp': (config) => tableOf(textsAt(config, 'columns')),
};

function wordAmong(words: readonly string[]): MemberRule {
  return words.length > 0 ? { oneOf: words } : 'text';
}

function textsIn(list: JsonValue): readonly string[] {
  return isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

function textsAt(config: JsonValue, member: string): readonly string[] {
  return isObject(config) ? textsIn(config[member] ?? null) : [];
}

// The server stores a reference of any shape, and its pages show none that lacks its type.
function referenceTo(config: JsonValue): MemberRule {
  const type = wordAmong(textsIn(config));
  const members = { id: 'text', type, name: 'text', fullyQualifiedName: 'text' } as const;
  return { members: { isOpen: true, members, required: ['type'] } };
}

function tableOf(columns: readonly string[]): MemberRule {
  const row = Object.fromEntries(columns.map((column) => [column, 'text'] as const));
  return {
    members: {
      members: {
        columns: { listOf: { oneOf: columns } },
        rows: { listOf: { members: { members: row } } },
      },
      required: ['columns'],
    },
  };
}

// Letters of a form (java.time.format.DateTimeFormatter): what they stand for, and an example.
const parts: Readonly<Record<string, readonly [pattern: string, example: string]>> = {
  yyyy: ['(?<year>\\d{4})', '2026'],
  MM: ['(?<month>0[1-9]|1[0-2])', '01'],
  dd: ['(?<day>0[1-9]|[12]\\d|3[01])', '31'],
  HH: ['(?:[01]\\d|2[0-3])', '18'],
  hh: ['(?:0[1-9]|1[0-2])', '06'],
  mm: ['[0-5]\\d', '30'],
  ss: ['[0-5]\\d', '00'],
  SSS: ['\\d{3}', '000'],
  SSSSSS: ['\\d{6}', '000000'],
  a: ['(?:AM|PM)', 'PM'],
};

// A form with other letters, or with one part of a day twice, is left to the server.
function momentOf(form: string): MemberRule {
  const letters = form.match(/([a-z])\1*|[^a-z]+/giu) ?? [];
  const isKnown = letters.every((each) => Object.hasOwn(parts, each) || !/[a-z]/iu.test(each));
  const named = letters.filter((each) => parts[each]?.[0].startsWith('(?<'));
  if (!isKnown || new Set(named).size < named.length) return 'text';
  const pattern = letters
    .map((each) => parts[each]?.[0] ?? each.replaceAll(/[.*+?^${}()|[\]\\/]/gu, String.raw`\$&`))
    .join('');
  const example = letters.map((each) => parts[each]?.[1] ?? each).join('');
  const whole = new RegExp(`^${pattern}$`, 'u');
  return (value) => {
    const found = typeof value === 'string' && whole.exec(value);
    const { year = '2000', month = '01', day = '01' } = (found && found.groups) || {};
    // The server would store 30 February as the 28th.
    const isDay = new Date(`${year}-${month}-${day}T00:00Z`).getUTCDate() === Number(day);
    return found && isDay ? undefined : [`of the form ${form}`, `Write it like ${example}.`];
  };
}
