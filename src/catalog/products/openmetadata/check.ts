import type { TokenOwner, FieldProblem } from '../../../contract/conventions.ts';
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
import { checkParts, checkRequired, missing, refused } from './members.ts';
import { dateFields, parseDate, reviewedStatuses } from './words.ts';

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

// The server counts days before October 1582 by the Julian calendar.
const firstTime = Date.UTC(1583, 0);

function checkDate(value: JsonValue | undefined, pointer: Pointer): FieldProblem[] {
  if (typeof value !== 'string') return [];
  const time = parseDate(value);
  if (time !== undefined && time >= firstTime) return [];
  const message =
    time === undefined
      ? `${quote(value)} is not a date.`
      : `The catalog would store ${quote(value)} as another day.`;
  const hint = 'Write a day since 1583, 2026-01-31, or a time with its zone, 2026-01-31T12:00:00Z.';
  return [refused('invalid-date', pointer, message, hint)];
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
