import type { TokenOwner, FieldProblem, PropertyRules } from '../../../contract/conventions.ts';
import {
  parseReference,
  peopleFields,
  peopleIn,
  referenceKey,
} from '../../../contract/identity.ts';
import {
  deepEqual,
  isArray,
  isNothing,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';
import type { Pointer } from '../../../patch/pointer.ts';
import {
  checkParts,
  checkRequired,
  missing,
  refused,
  type ValueCheck,
  checkMember,
  type MemberRule,
  wrongType,
} from './members.ts';
import { dateFields, parseDate, reviewedStatuses } from './words.ts';
import type { PropertyDefinition } from '../../../contract/contract.ts';

/** The server answers these with 500, or changes them silently: such a file would always differ. */
export function checkFields(fields: JsonObject): FieldProblem[] {
  const columns = isArray(fields['schema']) ? fields['schema'] : [];
  return [
    ...checkParts(fields),
    // The server looks for each column in the asset.
    ...columns.flatMap((column, index) =>
      isObject(column) && isNothing(column['name'])
        ? [missing('name', ['schema', String(index)])]
        : [],
    ),
    ...peopleFields.flatMap((field) => {
      const items = peopleIn(fields, field);
      const problems = items.flatMap((item, index) => checkPerson(item, field, String(index)));
      return problems.length > 0 ? problems : checkTogether(items, field);
    }),
    ...dateFields.flatMap((field) => checkDate(fields[field], [field])),
    ...(isStorable(fields) ? [] : checkTexts(fields, [])),
  ];
}

function checkDate(value: JsonValue | undefined, pointer: Pointer): FieldProblem[] {
  if (typeof value !== 'string') return [];
  if (parseDate(value) !== undefined) return [];
  const hint = 'Write a day, 2026-01-31, or a time with its zone, 2026-01-31T12:00:00Z.';
  return [refused('invalid-date', pointer, `${quote(value)} is not a date.`, hint)];
}

// PostgreSQL keeps no NUL, and turns half a surrogate pair into a question mark.
function isStorable(value: JsonValue): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed();
  if (isArray(value)) return value.every(isStorable);
  return !isObject(value) || Object.values(value).every(isStorable);
}

function checkTexts(value: JsonValue, pointer: Pointer): FieldProblem[] {
  if (isArray(value) || isObject(value))
    return Object.entries(value).flatMap(([name, member]) =>
      checkTexts(member, [...pointer, name]),
    );
  if (isStorable(value)) return [];
  const message = `\`${pointer.join('.')}\` contains a character that the catalog can't store.`;
  const hint = 'Remove the NUL character, or the half of a surrogate pair.';
  return [refused('unstorable-text', pointer, message, hint)];
}

const longestName = 256;

export function checkNew(fields: JsonObject): FieldProblem[] {
  const { name } = fields;
  const required = checkRequired(fields);
  if (typeof name !== 'string') return required;
  const isStored = name.length <= longestName && !/["\n\r]|::|\.$/u.test(name);
  if (isStored) return required;
  const message = `The catalog can't store a contract of the name ${quote(name)}.`;
  const hint = `Leave out quotation marks, \`::\`, line breaks and a dot at the end, and use at most ${longestName} characters.`;
  return [refused('unstorable-text', ['name'], message, hint), ...required];
}

const personTypes = ['user', 'team'];

function checkPerson(item: JsonValue, field: string, index: string): FieldProblem[] {
  const reference = parseReference(item);
  if (!reference) {
    const name = isObject(item) ? item['name'] : item;
    const message = `An item of \`${field}\` must be a reference, with its type and name.`;
    const hint = `Write { type: team, name: ${typeof name === 'string' ? name : '…'} }, or type: user.`;
    return [refused('not-a-reference', [field, index], message, hint)];
  }
  if (personTypes.includes(reference.type)) return [];
  const message = `A reference of type ${quote(reference.type)} can't be in \`${field}\`.`;
  const hint = didYouMean(reference.type, personTypes) ?? 'Only users and teams can.';
  return [refused('not-a-reference', [field, index, 'type'], message, hint)];
}

function checkTogether(items: readonly JsonValue[], field: string): FieldProblem[] {
  const references = items.map(parseReference).filter((reference) => reference !== undefined);
  const team = references.findIndex(({ type }) => type === 'team');
  const distinct = new Set(references.map(referenceKey));
  if (team === -1 || distinct.size === 1) return [];
  const message = `A team in \`${field}\` must be the only item.`;
  return [refused('team-not-alone', [field, String(team)], message, 'Give one team, or users.')];
}

export function checkChange(
  live: JsonObject,
  target: JsonObject,
  caller?: TokenOwner,
): FieldProblem[] {
  return [
    ...reviewerNeeded(live, target, caller),
    ...ownersInTheWay(live, target),
    ...schemaNotTaken(live, target),
    ...unknownTestCases(target),
  ];
}

const underReview = 'In Review';

// Admins are refused too: a reviewer of the contract has to make this move.
function reviewerNeeded(
  { entityStatus: from, reviewers }: JsonObject,
  { entityStatus }: JsonObject,
  caller: TokenOwner | undefined,
): FieldProblem[] {
  const to = from === underReview && reviewedStatuses.find((status) => status === entityStatus);
  if (!to || (isArray(reviewers) && reviewers.length === 0)) return [];
  const about = { code: 'needs-reviewer', pointer: ['entityStatus'] } as const;
  if (!isArray(reviewers)) {
    const message = 'If this contract has reviewers, only one of them can make this move.';
    return [{ ...about, severity: 'information', message }];
  }
  if (caller && reviewers.some((each) => isOrHolds(each, caller))) return [];
  const message = `Only a reviewer of the contract can move it from ${underReview} to ${to}: ${reviewers.map(nameOf).join(', ')}.`;
  const hint = 'Apply with the token of one of them, or of a member of a team among them.';
  return [{ ...about, severity: 'warning', message, hint }];
}

function isOrHolds(reviewer: JsonValue, { name: user, teams }: TokenOwner): boolean {
  const { type, name } = isObject(reviewer) ? reviewer : {};
  return type === 'team' ? typeof name === 'string' && teams.includes(name) : name === user;
}

function nameOf(reference: JsonValue): string {
  const { type, name, id } = isObject(reference) ? reference : {};
  const words = [type, name ?? id].filter((word) => typeof word === 'string');
  return words.join(' ');
}

// A deleted user whose contract went to a team owns it beside the team once restored.
function ownersInTheWay(live: JsonObject, target: JsonObject): FieldProblem[] {
  if (!deepEqual(peopleIn(live, 'owners'), peopleIn(target, 'owners'))) return [];
  return checkTogether(peopleIn(target, 'owners'), 'owners').map((problem) => ({
    ...problem,
    message: 'The live contract has a team beside other owners, so the catalog refuses any change.',
    hint: 'Set `owners` in the file: one team, or users.',
    pointer: ['owners'],
  }));
}

const typesWithSchema = ['table', 'topic', 'apiEndpoint', 'dashboardDataModel'];

function schemaNotTaken({ entity }: JsonObject, { schema }: JsonObject): FieldProblem[] {
  const type = isObject(entity) ? entity['type'] : undefined;
  const hasColumns = isArray(schema) && schema.length > 0;
  if (!hasColumns || typeof type !== 'string' || typesWithSchema.includes(type)) return [];
  const message = `The contract of a ${type} can't have a \`schema\`.`;
  const hint = `Remove it: only the contract of a ${typesWithSchema.join(', ')} can have one.`;
  return [refused('schema-not-taken', ['schema'], message, hint)];
}

// The server adds a test case by its id alone, and no lookup by name has been recorded.
function unknownTestCases({ qualityExpectations }: JsonObject): FieldProblem[] {
  if (!isArray(qualityExpectations)) return [];
  return qualityExpectations.flatMap((item, index): FieldProblem[] => {
    const { id, name } = isObject(item) ? item : {};
    if (typeof id === 'string') return [];
    const message = `The live contract has no test case ${quote(typeof name === 'string' ? name : '')}, and a new one can't be added by name.`;
    const pointer = ['qualityExpectations', String(index)];
    return [refused('unknown-reference', pointer, message, 'Give the `id` of the test case.')];
  });
}

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
