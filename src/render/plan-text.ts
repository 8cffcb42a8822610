import { contractLabel } from '../contract/identity.ts';
import { count, sanitizeLine } from '../core/text.ts';
import type { Plan, UnmanagedPlan } from '../plan/plan.ts';
import { contractLines } from './contract-text.ts';
import { diagnosticLines } from './diagnostic-text.ts';
import type { Palette } from './palette.ts';

/** How many contracts without changes are named before the rest is only counted. */
const mostNames = 10;

export type PlanTextOptions = {
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
