import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { ShapeProblem } from './document.ts';
import { identityProblems } from './identity-rules.ts';
import { sectionProblems } from './section-rules.ts';

/** What a contract must keep to beyond its shape; `statuses` are the lifecycle's, if known. */
export function ruleProblems(
  document: JsonValue,
  statuses: readonly string[] | undefined,
): ShapeProblem[] {
  if (!isObject(document)) return [];
  return [
    ...unknownStatus(document, statuses),
    ...identityProblems(document),
    ...sectionProblems(document),
  ];
}

function unknownStatus(
  { entityStatus }: JsonObject,
  statuses: readonly string[] | undefined,
): ShapeProblem[] {
  if (!statuses || typeof entityStatus !== 'string' || statuses.includes(entityStatus)) return [];
  return [
    {
      code: 'unknown-status',
      message: `The lifecycle has no status ${quote(entityStatus)}.`,
      hint: didYouMean(entityStatus, statuses) ?? `Its statuses are ${statuses.join(', ')}.`,
      pointer: ['entityStatus'],
    },
  ];
}
