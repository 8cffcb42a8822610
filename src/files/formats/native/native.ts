import type { JsonValue } from '../../../core/json.ts';
import { ruleProblems } from '../../check/rules.ts';
import type { PointerDiagnostic } from '../../read/document.ts';
import { shapeProblems } from './shape.ts';

/** What is wrong with a document in this program's own format; `statuses` are the lifecycle's. */
export function nativeProblems(
  document: JsonValue,
  statuses: readonly string[] | undefined,
): PointerDiagnostic[] {
  return [...shapeProblems(document), ...ruleProblems(document, statuses)];
}
