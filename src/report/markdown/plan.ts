import { count } from '../../core/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { gatherAlike } from '../model/alike.ts';
import { type ContractReport, isGrave } from '../model/contracts.ts';
import { driftedText, type DriftReport } from '../model/drift.ts';
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
  wrapLine,
} from './text.ts';

export type PlanReportOptions = ReportOptions & Omit<PlanView, 'all'>;

/** The plan as GitHub shows it: what matters most on top, each diff at a click. */
export function renderPlanMarkdown(plan: Plan, options: PlanReportOptions): string {
  const report = describePlan(plan, options);
  const blocks = [...leadBlocks(report), ...planBlocks(report, options)];
  return renderReport(report.verdict, [...environmentBlock(report), ...blocks], options);
}

/** It is what is mixed up most easily. */
export function environmentBlock({ subject }: PlanReport): Block[] {
  const chosen = subject.filter(({ name }) => name === 'environment');
  return chosen.map(({ value }): Block => [`Environment **${prose(value)}**`]);
}

/** All that a report says of a plan, its title and its first sentence apart. */
export function planBlocks(report: PlanReport, { files, budget }: ReportOptions): Block[] {
  const place = placesBelow(files);
  return [
    ...problemsBlock(report.problems, place),
    ...comparisonBlocks(report.sinceReview),
    ...graveBlocks(report),
    ...transitionBlocks(report),
    ...report.groups.flatMap((group) => {
      const share = group.contracts.length / report.contracts.length;
      return groupBlocks(group, place, mostOfNames * budget * share);
    }),
    ...report.drift.flatMap(driftBlocks),
    ...unmanagedBlocks(report),
    [`<sub>${footer(report)}</sub>`],
  ];
}

/** Of all there is room for, what the names of contracts may take before any other detail. */
const mostOfNames = 0.8;

/** What an apply would do, or why there can be none, as grave as it is. */
export function leadBlocks({ lead, hasChanges, obstacle }: PlanReport): Block[] {
  if (!hasChanges && obstacle === undefined) return [];
  const { words, gravity = 'good' } = lead;
  return [[gravity === 'good' ? words : `> [!${alerts[gravity]}]\n> ${words}`]];
}

const alerts = { warning: 'WARNING', error: 'CAUTION' } as const;

/** What a reviewer has to read before all else, in full. */
function graveBlocks({ groups }: PlanReport): Block[] {
  const grave = groups.flatMap(({ contracts }) => contracts.filter(isGrave)).filter(isChanging);
  if (grave.length === 0) return [];
  const diffs = gatherAlike(grave).map((gathering) => contractDiff(gathering, { open: true }));
  return [['### Blocked and breaking'], ...diffs];
}

function isChanging({ changes }: ContractReport): boolean {
  return changes.length > 0;
}

function footer({ atRest, planHash, subject }: PlanReport): string {
  const hash = planHash === undefined ? [] : [`plan hash \`${planHash}\``];
  const facts = subject.map(
    ({ name, value }) => `${name} ${name === 'catalog' ? code(value) : prose(value)}`,
  );
  return [...atRest, ...hash, ...facts].join(' · ');
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

/** The changes of status: what a consumer of a contract notices first. */
function transitionBlocks({ transitions, moves }: PlanReport): Block[] {
  if (transitions.length === 0) return [];
  const header = ['Status', 'Contract'];
  const rows = transitions.map(({ transition, label }) => [moveText(transition), code(label)]);
  const counts = moves.map((move) => [moveText(move), count(move.of, 'contract', 'contracts')]);
  const title = '### Status transitions';
  return [
    [
      [title, table(header, rows)].join('\n\n'),
      [title, firstRows(header, rows, 50)].join('\n\n'),
      [title, table(header, counts)].join('\n\n'),
    ],
  ];
}

/** Few diffs stand open: there is room to read them all. */
const mostOpen = 3;

function groupBlocks(
  { title, note, contracts }: ContractGroup,
  place: RenderPlace,
  bytesOfNames: number,
): Block[] {
  const changing = gatherAlike(contracts.filter(isChanging));
  const open = changing.length <= mostOpen;
  const diffs = changing.filter(({ shown }) => !isGrave(shown));
  return [
    [note === undefined ? `### ${title}` : `### ${title}\n\n${note}`],
    contractTable(contracts, place, bytesOfNames),
    ...diffs.map((gathering) => contractDiff(gathering, { open })),
  ];
}

/** Apart from what the files ask for: nobody who reviews them has asked for it. */
function driftBlocks({ title, headline, contracts, waysOut }: DriftReport): Block[] {
  return [
    [`### ${title}\n\n${headline}. ${waysOut}`],
    ...contracts.map(({ label, updatedBy, places }): Block => {
      const by = updatedBy === undefined ? '' : `, last written by ${prose(updatedBy)}`;
      const item = `- ${code(label)}${by}`;
      const lines = driftedText(places).flatMap((edit) => wrapLine(edit, '  '));
      return [`${item}\n\n${fence('text', lines)}`, item];
    }),
  ];
}

const mostUnmanaged = 200;

function unmanagedBlocks({ unmanaged }: PlanReport): Block[] {
  if (unmanaged.length === 0 || unmanaged.length > mostUnmanaged) return [];
  const names = unmanaged.map(({ label, note }) =>
    note === undefined ? `- ${code(label)}` : `- ${code(label)}: ${prose(note)}`,
  );
  const title = count(names.length, 'live contract has no file', 'live contracts have no file');
  return [[collapsible(title, names.join('\n')), '']];
}
