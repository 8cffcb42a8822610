import type { Diagnostic, Severity } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import { didYouMean, quote } from '../core/text.ts';
import type { Pointer } from '../patch/pointer.ts';
import type { DesiredContract } from './contract.ts';

/** Something about the fields of a file that its catalog does not take. */
export type FieldProblem = {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly pointer: Pointer;
};

/** What is wrong with fields as a file has them. */
export type FieldCheck = (fields: JsonObject) => readonly FieldProblem[];

/** The problems at their places in the contract's file. */
export function placeProblems(
  problems: readonly FieldProblem[],
  { locate }: Pick<DesiredContract, 'locate'>,
): Diagnostic[] {
  return problems.map(({ pointer, ...problem }) => ({ ...problem, source: locate(pointer) }));
}

/** A status that is none of those. */
export function unknownStatus(
  { entityStatus }: JsonObject,
  statuses: readonly string[],
): FieldProblem[] {
  if (typeof entityStatus !== 'string' || statuses.includes(entityStatus)) return [];
  return [
    {
      code: 'unknown-status',
      severity: 'error',
      message: `Unknown status ${quote(entityStatus)}.`,
      hint: didYouMean(entityStatus, statuses) ?? `The statuses are ${statuses.join(', ')}.`,
      pointer: ['entityStatus'],
    },
  ];
}
