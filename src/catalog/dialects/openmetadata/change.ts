import { isArray, isObject, type JsonObject, type JsonValue } from '../../../core/json.ts';
import { quote } from '../../../core/text.ts';
import type { FieldProblem } from '../../../contract/field-check.ts';
import { needsReviewer, underReview } from './statuses.ts';

/** What is known of a change before it is sent, and the server would say afterwards. */
export function checkChange(live: JsonObject, target: JsonObject): FieldProblem[] {
  return [
    ...reviewerNeeded(live, target),
    ...schemaNotTaken(live, target),
    ...unknownTestCases(target),
  ];
}

const typesWithSchema = ['table', 'topic', 'apiEndpoint', 'dashboardDataModel'];

function schemaNotTaken({ entity }: JsonObject, { schema }: JsonObject): FieldProblem[] {
  const type = isObject(entity) ? entity['type'] : undefined;
  const hasColumns = isArray(schema) && schema.length > 0;
  if (!hasColumns || typeof type !== 'string' || typesWithSchema.includes(type)) return [];
  return [
    {
      code: 'schema-not-taken',
      severity: 'error',
      message: `The contract of a ${type} can't have a \`schema\`.`,
      hint: `Remove it: only the contract of a ${typesWithSchema.join(', ')} can have one.`,
      pointer: ['schema'],
    },
  ];
}

/** Admins are refused too: a person who reviews the contract has to make this move. */
function reviewerNeeded(live: JsonObject, target: JsonObject): FieldProblem[] {
  const { entityStatus: to } = target;
  if (typeof to !== 'string' || !needsReviewer(live['entityStatus'], to)) return [];
  const { reviewers } = live;
  const pointer = ['entityStatus'];
  if (!isArray(reviewers)) return [{ ...reviewersUnknown, pointer }];
  if (reviewers.length === 0) return [];
  return [
    {
      code: 'needs-reviewer',
      severity: 'warning',
      message: `Only a reviewer of the contract can move it from ${underReview} to ${to}: ${reviewers.map(nameOf).join(', ')}.`,
      hint: 'Apply with the token of one of them, or of a member of a team among them.',
      pointer,
    },
  ];
}

const reviewersUnknown = {
  code: 'needs-reviewer',
  severity: 'information',
  message: 'If this contract has reviewers, only one of them can make this move.',
} as const;

function nameOf(reference: JsonValue): string {
  const { type, name, id } = isObject(reference) ? reference : {};
  const words = [type, name ?? id].filter((word) => typeof word === 'string');
  return words.join(' ');
}

/** The server adds a test case by its id alone, and no lookup by name has been recorded. */
function unknownTestCases({ qualityExpectations }: JsonObject): FieldProblem[] {
  if (!isArray(qualityExpectations)) return [];
  return qualityExpectations.flatMap((item, index) => {
    if (isObject(item) && typeof item['id'] === 'string') return [];
    const name = isObject(item) && typeof item['name'] === 'string' ? item['name'] : '';
    return [
      {
        code: 'unknown-test-case',
        severity: 'error',
        message: `The live contract has no test case ${quote(name)}, and a new one can't be added by name.`,
        hint: 'Give the `id` of the test case.',
        pointer: ['qualityExpectations', String(index)],
      } as const,
    ];
  });
}
