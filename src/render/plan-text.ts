import { contractLabel } from '../contract/identity.ts';
import type { SourcePosition } from '../diagnostic.ts';
import type { ContractPlan, MissingPlan, Plan, UnmanagedPlan, UpdatePlan } from '../plan/plan.ts';
import { changeLines } from './change-text.ts';
import { count } from './count.ts';
import { diagnosticLines } from './diagnostic-text.ts';
import type { Palette } from './palette.ts';
import { sanitizeLine } from './terminal.ts';

/** How many unmanaged contracts are named before the rest is only counted. */
const namedUnmanaged = 10;

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
  ];
  const blocks = [
    ...plan.diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette)),
    ...(detail === 'totals' ? [] : contracts),
    closingLines(plan, palette),
  ];
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function contractLines(contract: ContractPlan, palette: Palette, all: boolean): string[] {
  switch (contract.action) {
    case 'update':
    case 'blocked':
      return updateLines(contract, palette);
    case 'missing':
      return missingLines(contract, palette);
    case 'unchanged':
      if (!all && contract.problems.length === 0) return [];
      return [
        `${palette.faint('=')} ${name(contract, palette)}  ${place(contract.source, palette)}`,
        ...contract.problems.flatMap((problem) => indent(diagnosticLines(problem, palette))),
      ];
    case 'unmanaged':
      return [];
  }
}

function updateLines(contract: UpdatePlan, palette: Palette): string[] {
  const blocked = contract.action === 'blocked';
  const symbol = blocked ? palette.error('!') : palette.changed('~');
  const verdict = blocked ? `  ${palette.error('blocked')}` : '';
  return [
    `${symbol} ${name(contract, palette)}${verdict}  ${place(contract.source, palette)}`,
    ...versionLines(contract, palette),
    ...contract.problems.flatMap((problem) => indent(diagnosticLines(problem, palette))),
    ...contract.changes.flatMap((change) => indent(changeLines(change, palette))),
  ];
}

function versionLines({ liveVersion, predictedVersions }: UpdatePlan, palette: Palette): string[] {
  if (liveVersion === undefined || predictedVersions.length === 0) return [];
  const next = predictedVersions.join(' or ');
  return [`  ${palette.faint(`version ${sanitizeLine(liveVersion)} → ${next} (expected)`)}`];
}

function missingLines(contract: MissingPlan, palette: Palette): string[] {
  return [
    `${palette.warning('?')} ${name(contract, palette)}  ${place(contract.source, palette)}`,
    ...contract.problems.flatMap(({ message, hint }) => [
      `  ${palette.warning(message)}`,
      ...(hint === undefined ? [] : [`  ${palette.faint(hint)}`]),
    ]),
  ];
}

function unmanagedLines(plan: Plan, palette: Palette, all: boolean): string[] {
  const unmanaged = plan.contracts.filter(
    (contract): contract is UnmanagedPlan => contract.action === 'unmanaged',
  );
  if (unmanaged.length === 0) return [];
  const shown = all ? unmanaged : unmanaged.slice(0, namedUnmanaged);
  const rest = unmanaged.length - shown.length;
  return [
    `${count(unmanaged.length, 'live contract stands', 'live contracts stand')} in no file that was read, and will be left alone:`,
    ...shown.map((contract) => `  ${palette.faint(sanitizeLine(contractLabel(contract)))}`),
    ...(rest > 0 ? [palette.faint(`  … and ${rest} more (--all names them)`)] : []),
  ];
}

function closingLines(plan: Plan, palette: Palette): string[] {
  if (plan.planHash === undefined) return [palette.error('No plan was made.')];
  return [summaryLine(plan, palette), palette.faint(`Plan hash: ${plan.planHash}`)];
}

function summaryLine({ summary, errored }: Plan, palette: Palette): string {
  const { update, unchanged, missing, unmanaged, blocked, transitions } = summary;
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
  const stopped = blocked > 0 ? `${palette.error(`${blocked} blocked`)}, ` : '';
  return `${palette.strong('Plan:')} ${update} to update${moves}, ${stopped}${rest}.`;
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
