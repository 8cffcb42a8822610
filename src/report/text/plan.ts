import { count, sanitizeLine } from '../../core/text.ts';
import { changeCount, type Plan } from '../../plan/plan.ts';
import { gatherAlike } from '../model/alike.ts';
import type { UnmanagedReport } from '../model/contracts.ts';
import type { DriftReport } from '../model/drift.ts';
import { describePlan, type PlanReport } from '../model/plan.ts';
import { countProblems, ofSeverity } from '../model/problems.ts';
import { bodyLine, indented } from './change.ts';
import { contractLines, gatheringLines } from './contract.ts';
import type { Palette } from './palette.ts';
import { diagnosticLines, totalsText } from './problems.ts';

export type PlanTextOptions = {
  readonly palette: Palette;
  /** `all` names the unchanged and every unmanaged contract too, `totals` none at all. */
  readonly detail: 'all' | 'changes' | 'totals';
  /** What the reader can ask for to see all: a flag. Without it nothing is said of how. */
  readonly more?: string;
  /** Epoch milliseconds: with it ages are told, and days without. */
  readonly now?: number;
  /** Explains the signs, for those who see them on a terminal. */
  readonly legend?: boolean;
  /** The command that applies the plan, where the reader has still to run it. */
  readonly next?: string;
};

/** The plan as a person reads it in a terminal or a log; ends with a line break. */
export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const { palette, detail, now, legend = false } = options;
  const all = detail === 'all';
  const report = describePlan(plan, { all, ...(now !== undefined && { now }) });
  const contracts = () => [
    ...(all
      ? report.contracts.map((contract) => contractLines(contract, palette))
      : gatherAlike(report.contracts).map((gathering) => gatheringLines(gathering, options))),
    ...report.drift.map((section) => driftLines(section, palette)),
    ...nameLines(report, options),
  ];
  const isLong = detail !== 'totals' && report.contracts.length > mostAtAGlance;
  const blocks = [
    subjectLines(report, palette),
    ...report.diagnostics.map((diagnostic) => diagnosticLines(diagnostic, palette)),
    legend && report.hasChanges && detail !== 'totals' ? [palette.faint(signLegend)] : [],
    ...(detail === 'totals' ? [] : contracts()),
    ...(isLong ? [recapLines(report.problems, palette)] : []),
    ...(detail === 'totals' ? [recapLines(report.problems.filter(isOfContract), palette)] : []),
    [...closingLines(report, options), ...(isLong ? nextLines(plan, options) : [])],
  ];
  const filled = blocks.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

/** With more contracts than these the top of the plan is out of sight when its end is read. */
const mostAtAGlance = 10;

const signLegend =
  'Signs: + create, add  ~ update, change  - remove  > move  » status  ! blocked  ? missing';

/** Those of the whole plan are told in any case. */
function isOfContract({ contract }: PlanReport['problems'][number]): boolean {
  return contract !== undefined;
}

/** Each error on a line, as far as they are few: at the end of a long plan, and beside totals alone. */
function recapLines(problems: PlanReport['problems'], palette: Palette): string[] {
  const errors = ofSeverity(problems, 'error');
  const rest = errors.length - mostAtAGlance;
  return [
    ...errors.slice(0, mostAtAGlance).flatMap((problem) => {
      const [line = ''] = diagnosticLines(problem, palette);
      const { contract } = problem;
      return contract === undefined
        ? [line]
        : [`${line} ${palette.strong(sanitizeLine(contract))}`];
    }),
    ...(rest > 0 ? [palette.error(`… and ${count(rest, 'more error', 'more errors')}`)] : []),
  ];
}

function nextLines(plan: Plan, { palette, next }: PlanTextOptions): string[] {
  if (next === undefined) return [];
  if (plan.errored) return ['', 'Next: fix the errors, and plan again.'];
  return changeCount(plan) === 0 ? [] : ['', `Next: ${palette.strong(sanitizeLine(next))}`];
}

/** How many contracts without changes are named before the rest is only counted. */
const mostNames = 10;

/** What stands behind the changes: names and no more. */
function nameLines({ unmanaged, leftOut }: PlanReport, options: PlanTextOptions): string[][] {
  const { palette, detail, more } = options;
  const namedBy = more === undefined ? '' : ` (${more} names them)`;
  const live = count(unmanaged.length, 'live contract has', 'live contracts have');
  const without = count(leftOut.names.length, 'contract was', 'contracts were');
  const lists = [
    {
      head: `${live} no file (left alone)`,
      most: mostNames,
      names: unmanaged,
    },
    {
      head: `${without} left out by ${sanitizeLine(leftOut.flags)}`,
      most: 0,
      names: leftOut.names.map((label): UnmanagedReport => ({ label })),
    },
  ];
  return lists.map(({ head, names, most }) => {
    const shown = detail === 'all' ? names : names.slice(0, most);
    const rest = names.length - shown.length;
    return [
      ...(names.length > 0 ? [`${head}${shown.length > 0 ? ':' : `${namedBy}.`}`] : []),
      ...shown.map(({ label, note }) => {
        const aside = note === undefined ? '' : `  ${sanitizeLine(note)}`;
        return `  ${palette.faint(`${sanitizeLine(label)}${aside}`)}`;
      }),
      ...(rest > 0 && shown.length > 0 ? [palette.faint(`  … and ${rest} more${namedBy}`)] : []),
    ];
  });
}

/** The environment is what is mixed up most easily. */
function subjectLines({ subject }: PlanReport, { faint, strong }: Palette): string[] {
  return subject.map(({ name, value }) => {
    const shown = sanitizeLine(value);
    const title = `${name[0]?.toUpperCase()}${name.slice(1)}:`;
    return `${faint(title)} ${name === 'environment' ? strong(shown) : faint(shown)}`;
  });
}

function driftLines({ headline, contracts, waysOut }: DriftReport, palette: Palette): string[] {
  const items = contracts.flatMap(({ label, updatedBy, places }) => [
    `  ${sanitizeLine(label)}${updatedBy === undefined ? '' : palette.faint(`  last written by ${sanitizeLine(updatedBy)}`)}`,
    ...places.flatMap(({ words, lines }) => [
      `    ${sanitizeLine(words)}`,
      ...indented(lines.map((line) => bodyLine(line, palette))),
    ]),
  ]);
  return [palette.warning(`${headline}:`), ...items, `  ${palette.faint(waysOut)}`];
}

function closingLines(report: PlanReport, { palette, detail }: PlanTextOptions): string[] {
  const { planHash, problems, hasChanges, leftOut } = report;
  const without = leftOut.names.length;
  if (planHash === undefined) return [palette.error('No plan was made.')];
  const errors = ofSeverity(problems, 'error');
  const totals = [
    ...report.totals.filter(
      ({ words }) => hasChanges || errors.length === 0 || words !== '0 unchanged',
    ),
    ...(detail === 'totals' && without > 0 ? [{ words: `${without} left out` }] : []),
  ];
  const hash = palette.faint(`Plan hash: ${planHash}`);
  if (hasChanges) return [`${palette.strong('Plan:')} ${totalsText(totals, palette)}.`, hash];
  if (errors.length === 0)
    return [`${palette.good('No changes.')} ${totalsText(totals, palette)}.`, hash];
  const problem = palette.error(`Nothing to apply, ${countProblems(errors)}`);
  return [totals.length > 0 ? `${problem}: ${totalsText(totals, palette)}.` : `${problem}.`, hash];
}
