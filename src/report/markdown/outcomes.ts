import type { Outcomes } from '../../apply/outcome.ts';
import type { Plan } from '../../plan/plan.ts';
import { describeOutcomes, type OutcomeReport, type OutcomesReport } from '../model/outcomes.ts';
import { describePlan } from '../model/plan.ts';
import { environmentBlock, leadBlocks, planBlocks, type PlanReportOptions } from './plan.ts';
import { type Block, renderReport, tableBlock } from './report.ts';
import { advice, code, prose, said } from './text.ts';

/** What became of a plan, then the plan itself. */
export function renderOutcomesMarkdown(
  plan: Plan,
  outcomes: Outcomes,
  options: PlanReportOptions,
): string {
  const report = describeOutcomes(outcomes);
  const planned = describePlan(plan, options);
  const blocks = [
    ...environmentBlock(planned),
    ...refusalBlocks(outcomes),
    ...outcomeBlocks(report),
    ...(planned.obstacle === undefined ? [] : leadBlocks(planned)),
    ...planBlocks(planned, options),
  ];
  return renderReport(report.verdict, blocks, options);
}

function refusalBlocks({ diagnostics }: Outcomes): Block[] {
  if (diagnostics.length === 0) return [];
  const lines = diagnostics.map((diagnostic) => `> ${advice(diagnostic)}`);
  return [[`> [!CAUTION]\n${lines.join('\n')}`, '> [!CAUTION]\n> Nothing was applied.']];
}

function outcomeBlocks({ byNeed, lifted }: OutcomesReport): Block[] {
  if (byNeed.length === 0) return [];
  return [
    tableBlock(['', 'Contract', 'Version', 'Reason'], byNeed.map(outcomeRow)),
    ...lifted.map((words): Block => [prose(words)]),
  ];
}

function outcomeRow(outcome: OutcomeReport): string[] {
  const {
    gravity,
    result,
    label,
    members = [label],
    versionBefore,
    versionAfter,
    error,
    note,
  } = outcome;
  const versions = [versionBefore, versionAfter].filter((version) => version !== undefined);
  return [
    `${signs[gravity]} ${result}`,
    members.map(code).join(', '),
    versions.map(code).join(' → '),
    error ? advice(error) : said(note ?? ''),
  ];
}

const signs = { error: '❌', warning: '⚠️', good: '✅' } as const;
