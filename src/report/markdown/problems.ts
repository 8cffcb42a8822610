import { contractLabel } from '../../contract/identity.ts';
import type { Problem, Severity, SourcePosition } from '../../core/diagnostic.ts';
import { count } from '../../core/text.ts';
import type { Validation } from '../../files/files.ts';
import { type ContractPlan, contractProblems, type Plan } from '../../plan/plan.ts';
import { compareGravity, isTold } from '../model.ts';
import { type Block, renderReport, type ReportOptions } from './report.ts';
import { code, prose } from './text.ts';

/** Something to be said, and of which contract. */
type Remark = { readonly problem: Problem; readonly contract?: string };

/** Everything that the plan complains about: what stops it first, then what breaks consumers. */
export function remarksOn(plan: Plan): Remark[] {
  const remarks: Remark[] = [
    ...plan.diagnostics.map((problem) => ({ problem })),
    ...plan.contracts.flatMap((contract) =>
      contractProblems(contract)
        .filter((problem) => isTold(problem) && !isTableEntry(contract, problem))
        .map((problem) => ({ problem, contract: contractLabel(contract) })),
    ),
  ];
  return remarks.toSorted((a, b) => compareGravity(a.problem, b.problem));
}

/** That a contract is missing is all that its line in the table says. */
function isTableEntry({ action }: ContractPlan, { severity }: Problem): boolean {
  return action === 'missing' && severity !== 'error';
}

const severities: readonly Severity[] = ['error', 'warning', 'information'];

/** The remarks, or their number. */
export function remarksBlock(remarks: readonly Remark[], place: Place): Block {
  const items = remarks.map((remark) => remarkItem(remark, place));
  return [firstOf(items, mostItems), countRemarks(remarks)];
}

const mostItems = 100;

function firstOf(items: readonly string[], most: number): string {
  const rest = items.length - most;
  return [...items.slice(0, most), ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n');
}

/** `2 errors, 1 warning`. */
export function countRemarks(remarks: readonly Remark[]): string {
  return severities
    .map((severity) => ({
      severity,
      of: remarks.filter(({ problem }) => problem.severity === severity).length,
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

function remarkItem({ problem, contract }: Remark, place: Place): string {
  const { code: rule, severity, message, hint, source, impact } = problem;
  const parts = [
    words[severity].sign,
    ...(impact === 'breaking' ? ['**breaking**'] : []),
    ...(contract === undefined ? [] : [`${code(contract)}:`]),
    prose(message),
    ...(hint === undefined ? [] : [prose(hint)]),
    ...(source ? [place(source)] : []),
    `(${code(rule)})`,
  ];
  return `- ${parts.join(' ')}`;
}

/** A place in a file as Markdown. */
export type Place = (source: SourcePosition) => string;

/** The place as a link below `base`, the page of the repository's files; without one as its name. */
export function placesBelow(base: string | undefined): Place {
  return ({ file, line }) => {
    const name = code(`${file}:${line}`);
    return base === undefined ? name : `[${name}](${base}/${encodePath(file)}#L${line})`;
  };
}

/** Parentheses would end a link's target; `encodeURIComponent` leaves them alone. */
function encodePath(file: string): string {
  return file
    .toWellFormed()
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/');
}

/** What is known of the files alone. */
export function renderValidationMarkdown(validation: Validation, options: ReportOptions): string {
  const remarks = validation.diagnostics.map((problem) => ({ problem }));
  return renderReport(
    validationVerdict(validation),
    remarks.length > 0 ? [remarksBlock(remarks, placesBelow(options.files))] : [],
    options,
  );
}

/** `12 contracts in 11 files, 1 error`. */
export function validationVerdict({ summary }: Validation): string {
  const { contracts, files, errors, warnings } = summary;
  return [
    `${count(contracts, 'contract', 'contracts')} in ${count(files, 'file', 'files')}`,
    ...(errors > 0 ? [count(errors, 'error', 'errors')] : []),
    ...(warnings > 0 ? [count(warnings, 'warning', 'warnings')] : []),
  ].join(', ');
}
