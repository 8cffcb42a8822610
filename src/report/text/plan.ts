import { contractLabel } from '../../contract/identity.ts';
import type { Problem, SourcePosition } from '../../core/diagnostic.ts';
import { count, sanitizeLine } from '../../core/text.ts';
import type {
  Change,
  ContractPlan,
  MissingPlan,
  Plan,
  UnmanagedPlan,
  UpdatePlan,
} from '../../plan/plan.ts';
import { isTold } from '../model.ts';
import { changeLines } from './change.ts';
import type { Palette } from './palette.ts';
import { diagnosticLines } from './problems.ts';

/** How many contracts without changes are named before the rest is only counted. */
const mostNames = 10;

type PlanTextOptions = {
  readonly palette: Palette;
  /** `all` names the unchanged and every unmanaged contract too, `totals` none at all. */
  readonly detail: 'all' | 'changes' | 'totals';
};

/** The plan as a person reads it in a terminal or a log; ends with a line break. */
export function renderPlanText(plan: Plan, { palette, detail }: PlanTextOptions): string {
  const all = detail === 'all';
  const contracts = [
    ...plan.contracts.map((contract) => contractLines(contract, palette, all)),
    unmanagedLines(plan, palette, all),
    selectionLines(plan, palette, all),
  ];
  const blocks = [
    ...plan.diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette)),
    ...(detail === 'totals' ? [] : contracts),
    closingLines(plan, palette),
  ];
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function unmanagedLines(plan: Plan, palette: Palette, all: boolean): string[] {
  const unmanaged = plan.contracts.filter(
    (contract): contract is UnmanagedPlan => contract.action === 'unmanaged',
  );
  if (unmanaged.length === 0) return [];
  return [
    `${count(unmanaged.length, 'live contract stands', 'live contracts stand')} in no file that was read, and will be left alone:`,
    ...nameLines(unmanaged.map(contractLabel), palette, all),
  ];
}

function selectionLines({ selection }: Plan, palette: Palette, all: boolean): string[] {
  if (!selection || selection.leftOut.length === 0) return [];
  const { only, exclude, changedSince, leftOut } = selection;
  const flags = [
    ...only.map((pattern) => `--only ${pattern}`),
    ...exclude.map((pattern) => `--exclude ${pattern}`),
    ...(changedSince === undefined ? [] : [`--changed-since ${changedSince}`]),
  ];
  return [
    `${count(leftOut.length, 'contract was', 'contracts were')} left out by ${sanitizeLine(flags.join(' '))}:`,
    ...nameLines(leftOut, palette, all),
  ];
}

function nameLines(names: readonly string[], palette: Palette, all: boolean): string[] {
  const shown = all ? names : names.slice(0, mostNames);
  const rest = names.length - shown.length;
  return [
    ...shown.map((name) => `  ${palette.faint(sanitizeLine(name))}`),
    ...(rest > 0 ? [palette.faint(`  … and ${rest} more (--all names them)`)] : []),
  ];
}

function closingLines(plan: Plan, palette: Palette): string[] {
  if (plan.planHash === undefined) return [palette.error('No plan was made.')];
  return [summaryLine(plan, palette), palette.faint(`Plan hash: ${plan.planHash}`)];
}

function summaryLine({ summary, errored }: Plan, palette: Palette): string {
  const { update, unchanged, missing, unmanaged, blocked, transitions, breaking } = summary;
  const rest = [
    `${unchanged} unchanged`,
    ...(missing > 0 ? [`${missing} missing`] : []),
    ...(unmanaged > 0 ? [`${unmanaged} unmanaged`] : []),
  ].join(', ');
  if (update === 0 && blocked === 0) {
    return `${(errored ? palette.error : palette.good)('No changes.')} ${rest}.`;
  }
  const moves =
    transitions > 0 ? ` (${count(transitions, 'status transition', 'status transitions')})` : '';
  const breaks = breaking > 0 ? `${palette.warning(`${breaking} breaking`)}, ` : '';
  const stopped = blocked > 0 ? `${palette.error(`${blocked} blocked`)}, ` : '';
  return `${palette.strong('Plan:')} ${update} to update${moves}, ${stopped}${breaks}${rest}.`;
}

/** What becomes of one contract; what needs no eyes is told only if `all` is. */
function contractLines(contract: ContractPlan, palette: Palette, all: boolean): string[] {
  switch (contract.action) {
    case 'update':
    case 'blocked':
      return updateLines(contract, palette, all);
    case 'missing':
      return missingLines(contract, palette);
    case 'unchanged':
      if (!all && contract.problems.length === 0) return [];
      return [
        `${palette.faint('=')} ${name(contract, palette)}  ${place(contract.source, palette)}`,
        ...problemLines(contract.problems, palette, all),
      ];
    case 'unmanaged':
      return [];
  }
}

function updateLines(contract: UpdatePlan, palette: Palette, all: boolean): string[] {
  const blocked = contract.action === 'blocked';
  const symbol = blocked ? palette.error('!') : palette.changed('~');
  const verdict = blocked ? `  ${palette.error('blocked')}` : '';
  return [
    `${symbol} ${name(contract, palette)}${verdict}  ${place(contract.source, palette)}`,
    ...transitionLines(contract, palette),
    ...versionLines(contract, palette),
    ...problemLines(contract.problems, palette, all),
    ...contract.changes
      .filter((change) => !isTransition(change))
      .flatMap((change) => indent(changeLines(change, palette))),
  ];
}

/** A change of status matters most: it stands first, apart from the other fields. */
function transitionLines({ transition, changes }: UpdatePlan, palette: Palette): string[] {
  if (!transition) return [];
  const [from, to] = [transition.from, transition.to].map((status) =>
    status === null ? 'no status' : sanitizeLine(status),
  );
  const line = changes.find(isTransition)?.source?.line;
  const where = line === undefined ? '' : `  ${palette.faint(`:${line}`)}`;
  return [`  ${palette.changed('»')} ${palette.strong(`${from} → ${to}`)}${where}`];
}

function isTransition({ path }: Change): boolean {
  return path === '/entityStatus';
}

/** What harms no consumer is told on request alone. */
function problemLines(problems: readonly Problem[], palette: Palette, all: boolean): string[] {
  return problems
    .filter((problem) => all || isTold(problem))
    .flatMap((problem) => indent(diagnosticLines(problem, palette)));
}

function versionLines({ liveVersion, predictedVersions }: UpdatePlan, palette: Palette): string[] {
  if (liveVersion === undefined || predictedVersions.length === 0) return [];
  const next = predictedVersions.join(' or ');
  return [`  ${palette.faint(`version ${sanitizeLine(liveVersion)} → ${next} (expected)`)}`];
}

function missingLines(contract: MissingPlan, palette: Palette): string[] {
  return [
    `${palette.warning('?')} ${name(contract, palette)}  ${place(contract.source, palette)}`,
    ...contract.problems.flatMap((problem) => missingProblemLines(problem, palette)),
  ];
}

/** A warning is told by the sign in front of the contract. */
function missingProblemLines(problem: Problem, palette: Palette): string[] {
  const { severity, message, hint } = problem;
  if (severity === 'error') return indent(diagnosticLines(problem, palette));
  return [
    `  ${palette.warning(message)}`,
    ...(hint === undefined ? [] : [`  ${palette.faint(hint)}`]),
  ];
}

function name(contract: ContractPlan, palette: Palette): string {
  return palette.strong(sanitizeLine(contractLabel(contract)));
}

function place({ file, line }: SourcePosition, palette: Palette): string {
  return palette.faint(`${sanitizeLine(file)}:${line}`);
}

function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
