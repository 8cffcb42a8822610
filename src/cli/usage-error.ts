import type { Diagnostic } from '../core/diagnostic.ts';
import { erroredPlan } from '../plan/make.ts';
import { nothingApplied } from '../apply/outcome.ts';
import { makeExamination } from '../doctor/checks.ts';
import { failedChecks } from '../doctor/examine.ts';
import { makeValidation } from '../files/files.ts';
import { renderStoryFailure } from '../report/history.ts';
import {
  renderAuditJson,
  renderExaminationJson,
  renderOutcomesJson,
  renderPlanJson,
  renderValidationJson,
} from '../report/json.ts';

/**
 * What standard output carries when a command line that asks for JSON cannot be run: a program that
 * reads it gets its document all the same.
 */
export function errorDocument(args: readonly string[], problem: Diagnostic): string {
  if (!asksForJson(args)) return '';
  switch (args.find((argument) => !argument.startsWith('-'))) {
    case 'plan':
      return renderPlanJson(erroredPlan({ catalogUrl: '' }, [problem]), { all: false });
    case 'apply':
    case 'rollback':
      return renderOutcomesJson(nothingApplied([problem]), { verbose: false });
    case 'validate':
      return renderValidationJson(makeValidation([problem], 0, 0));
    case 'history':
      return renderStoryFailure([problem]);
    case 'audit':
      return renderAuditJson({ diagnostics: [problem] });
    case 'doctor':
      return renderExaminationJson(makeExamination(failedChecks('catalog', [problem])));
    default:
      return '';
  }
}

function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (argument, index) =>
      argument === '--format=json' || (argument === '--format' && args[index + 1] === 'json'),
  );
}
