import {
  parseReference,
  peopleFields,
  peopleIn,
  referenceKey,
} from '../../../contract/reference.ts';
import type { FieldProblem } from '../../../contract/field-check.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { didYouMean, quote } from '../../../core/text.ts';

const types = ['user', 'team'];

/** What of owners and reviewers the server refuses, or drops without a word. */
export function checkPeople(fields: JsonObject): FieldProblem[] {
  return peopleFields.flatMap((field) => {
    const items = peopleIn(fields, field);
    const problems = items.flatMap((item, index) => checkItem(item, [field, String(index)]));
    return problems.length > 0 ? problems : checkTogether(items, field);
  });
}

function checkItem(item: JsonValue, pointer: readonly string[]): FieldProblem[] {
  const field = pointer[0] ?? '';
  const reference = parseReference(item);
  if (!reference) {
    const name = typeof item === 'string' ? item : nameIn(item);
    return [
      {
        code: 'not-a-reference',
        severity: 'error',
        message: `An item of \`${field}\` must be a reference, with its type and name.`,
        hint: `Write { type: team, name: ${name} }, or type: user.`,
        pointer,
      },
    ];
  }
  if (types.includes(reference.type)) return [];
  return [
    {
      code: 'not-a-person',
      severity: 'error',
      message: `A reference of type ${quote(reference.type)} can't be in \`${field}\`.`,
      hint: didYouMean(reference.type, types) ?? 'Only users and teams can.',
      pointer: [...pointer, 'type'],
    },
  ];
}

function nameIn(item: JsonValue): string {
  return isObject(item) && typeof item['name'] === 'string' ? item['name'] : '…';
}

/** Several users, or one team. */
function checkTogether(items: readonly JsonValue[], field: string): FieldProblem[] {
  const references = items.map(parseReference).filter((reference) => reference !== undefined);
  const team = references.findIndex(({ type }) => type === 'team');
  const distinct = new Set(references.map(referenceKey));
  if (team === -1 || distinct.size === 1) return [];
  return [
    {
      code: 'team-not-alone',
      severity: 'error',
      message: `A team in \`${field}\` must be the only item.`,
      hint: 'Give one team, or users.',
      pointer: [field, String(team)],
    },
  ];
}
