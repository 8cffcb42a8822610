import { contractLabel } from '../../contract/identity.ts';
import type { Diagnostic, Severity } from '../../diagnostic.ts';
import { contractProblems, type ContractPlan, type Plan } from '../../plan/plan.ts';
import { isTold } from '../../plan/problem.ts';
import { count } from '../count.ts';
import type { Block } from './blocks.ts';
import type { Place } from './place.ts';
import { code, prose } from './text.ts';

/** A problem, with the contract whose it is. */
export type Problem = { readonly diagnostic: Diagnostic; readonly contract?: string };

/** Everything that the plan complains about, the worst first. */
export function problemsOf(plan: Plan): Problem[] {
  const problems: Problem[] = [
    ...plan.diagnostics.map((diagnostic) => ({ diagnostic })),
    ...plan.contracts.flatMap((contract) =>
      contractProblems(contract)
        .filter((problem) => isTold(problem) && !isSeenAlready(contract, problem))
        .map((diagnostic) => ({ diagnostic, contract: contractLabel(contract) })),
    ),
  ];
  return problems.toSorted((a, b) => rank(a) - rank(b));
}

/** That a contract is missing is what the table of contracts says of it. */
function isSeenAlready({ action }: ContractPlan, { severity }: Diagnostic): boolean {
  return action === 'missing' && severity !== 'error';
}

const severities: readonly Severity[] = ['error', 'warning', 'information'];

function rank({ diagnostic }: Problem): number {
  return severities.indexOf(diagnostic.severity);
}

/** The problems, or their number. */
export function problemsBlock(problems: readonly Problem[], place: Place): Block {
  const items = problems.map((problem) => problemItem(problem, place));
  return [firstOf(items, mostItems), countProblems(problems)];
}

const mostItems = 100;

function firstOf(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return [...items.slice(0, most), ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n');
}

/** `2 errors, 1 warning`. */
export function countProblems(problems: readonly Problem[]): string {
  return severities
    .map((severity) => ({
      severity,
      of: problems.filter(({ diagnostic }) => diagnostic.severity === severity).length,
    }))
    .filter(({ of }) => of > 0)
    .map(({ severity, of }) => count(of, words[severity].one, words[severity].many))
    .join(', ');
}

const words = {
  error: { sign: '❌', one: 'error', many: 'errors' },
  warning: { sign: '⚠️', one: 'warning', many: 'warnings' },
  information: { sign: 'ℹ️', one: 'remark', many: 'remarks' },
} as const;

function problemItem({ diagnostic, contract }: Problem, place: Place): string {
  const { severity, message, hint, source } = diagnostic;
  const subject = contract === undefined ? '' : `${code(contract)}: `;
  const advice = hint === undefined ? '' : ` ${prose(hint)}`;
  const where = source ? ` ${place(source)}` : '';
  return `- ${words[severity].sign} ${subject}${prose(message)}${advice}${where} (${code(diagnostic.code)})`;
}
