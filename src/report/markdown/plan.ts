import { count } from '../../core/text.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Move } from '../model/contracts.ts';
import type { ContractSinceReview } from '../model/outcomes.ts';
import { type ContractGroup, describePlan, type PlanReport, type PlanView } from '../model/plan.ts';
import { differenceText } from '../values.ts';
import { contractDiff, contractTable, moveText } from './contract.ts';
import { type Block, problemsBlock, renderReport, type ReportOptions } from './report.ts';
import {
  code,
  collapsible,
  fence,
  firstRows,
  placesBelow,
  prose,
  type RenderPlace,
  table,
} from './text.ts';

export type PlanReportOptions = ReportOptions & Omit<PlanView, 'all'>;

/** The plan as GitHub shows it: what matters most on top, each diff at a click. */
export function renderPlanMarkdown(plan: Plan, options: PlanReportOptions): string {
  const report = describePlan(plan, options);
  return renderReport(
    report.verdict,
    [...subjectBlock(report), ...planBlocks(report, options)],
    options,
  );
}

/** What the plan is about, on one line. */
export function subjectBlock({ subject }: PlanReport): Block[] {
  const facts = subject.map(({ name, value }) => {
    if (name === 'catalog') return code(value);
    return name === 'environment' ? `environment **${prose(value)}**` : `${name} ${prose(value)}`;
  });
  return facts.length > 0 ? [[facts.join(' · ')]] : [];
}

/** All that a report says of a plan, its title apart. */
export function planBlocks(report: PlanReport, { files }: ReportOptions): Block[] {
  const place = placesBelow(files);
  const { obstacle, planHash, atRest } = report;
  const hash = planHash === undefined ? [] : [`plan hash \`${planHash}\``];
  return [
    ...(obstacle === undefined ? [] : [[`> [!CAUTION]\n> ${obstacle}`] as const]),
    ...problemsBlock(report.problems, place),
    ...comparisonBlocks(report.sinceReview),
    ...transitionBlocks(report),
    ...report.groups.flatMap((group) => groupBlocks(group, place)),
    ...driftBlocks(report),
    ...unmanagedBlocks(report),
    [`<sub>${[...atRest, ...hash].join(' · ')}</sub>`],
  ];
}

function comparisonBlocks(contracts: readonly ContractSinceReview[]): Block[] {
  if (contracts.length === 0) return [];
  return [
    ['### Since the review'],
    ...contracts.map(({ label, verdict, differences }): Block => {
      const headline = `- ${code(label)}: ${prose(verdict)}`;
      if (differences.length === 0) return [headline, ''];
      const lines = differences.map(
        ({ sign, difference }) => `${reviewSigns[sign]} ${differenceText(difference)}`,
      );
      return [`${headline}\n\n${fence('diff', lines)}`, headline, ''];
    }),
  ];
}

const reviewSigns = { same: ' ', added: '+', removed: '-' } as const;

/** The changes of status, drawn and listed: what a consumer of a contract notices first. */
function transitionBlocks({ transitions, moves }: PlanReport): Block[] {
  if (transitions.length === 0) return [];
  const header = ['Status', 'Contract'];
  const rows = transitions.map(({ transition, label }) => [moveText(transition), code(label)]);
  const counts = moves.map((move) => [moveText(move), count(move.of, 'contract', 'contracts')]);
  const title = '### Status transitions';
  const diagram = stateDiagram(moves);
  return [
    [
      [title, diagram, table(header, rows)].join('\n\n'),
      [title, diagram, firstRows(header, rows, 50)].join('\n\n'),
      [title, table(header, counts)].join('\n\n'),
    ],
  ];
}

/** The moves as a state diagram, which GitHub draws. */
function stateDiagram(moves: readonly Move[]): string {
  const statuses = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  const alias = (status: string | null) =>
    status === null ? '[*]' : `s${statuses.indexOf(status)}`;
  return fence('mermaid', [
    'stateDiagram-v2',
    '  direction LR',
    ...statuses
      .filter((status) => status !== null)
      .map((status) => `  state "${plainLabel(status)}" as ${alias(status)}`),
    ...moves.map(
      ({ from, to, of }) =>
        `  ${alias(from)} --> ${alias(to)}: ${count(of, 'contract', 'contracts')}`,
    ),
  ]);
}

/** Statuses are the configuration's to name: of a strange one only the letters are drawn. */
function plainLabel(status: string): string {
  return status.replaceAll(/[^\p{L}\p{N} _-]/gu, ' ').slice(0, 40);
}

/** Few diffs stand open: there is room to read them all. */
const mostOpen = 3;

function groupBlocks({ title, note, contracts }: ContractGroup, place: RenderPlace): Block[] {
  const changing = contracts.filter(({ changes }) => changes.length > 0);
  const open = changing.length <= mostOpen;
  return [
    [note === undefined ? `### ${title}` : `### ${title}\n\n${note}`],
    contractTable(contracts, place),
    ...changing.map((contract) => contractDiff(contract, { open })),
  ];
}

/** Apart from what the files ask for: nobody who reviews them has asked for it. */
function driftBlocks({ drift }: PlanReport): Block[] {
  const { headline, contracts, waysOut } = drift;
  if (headline === undefined) return [];
  return [
    [`### Drift\n\n${headline}. ${waysOut}`],
    ...contracts.map(({ label, updatedBy, places }): Block => {
      const by = updatedBy === undefined ? '' : `, last written by ${prose(updatedBy)}`;
      const item = `- ${code(label)}${by}`;
      return [`${item}\n\n${fence('text', places)}`, item, ''];
    }),
  ];
}

const mostUnmanaged = 200;

function unmanagedBlocks({ unmanaged }: PlanReport): Block[] {
  if (unmanaged.length === 0 || unmanaged.length > mostUnmanaged) return [];
  const names = unmanaged.map((name) => `- ${code(name)}`);
  const title = count(names.length, 'live contract has no file', 'live contracts have no file');
  return [[collapsible(title, names.join('\n')), '']];
}
