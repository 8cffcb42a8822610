import type { Outcomes } from '../../apply/outcome.ts';
import type { Plan } from '../../plan/plan.ts';
import { describeOutcomes, type OutcomeReport, type OutcomesReport } from '../model/outcomes.ts';
import { describePlan, type PlanReport } from '../model/plan.ts';
import { linkToContract, sourcesBelow } from './link.ts';
import { type Html, html, joinHtml, nothing } from './markup.ts';
import { type HtmlOptions, renderPlanPage } from './plan.ts';
import { problemList } from './problems.ts';
import { countedSection } from './section.ts';

/** What became of a plan, then the plan itself. */
export function renderOutcomesHtml(plan: Plan, outcomes: Outcomes, options: HtmlOptions): string {
  const { verdict, ...report } = describeOutcomes(outcomes);
  const planned = describePlan(plan, options);
  const gravity = report.byNeed[0]?.gravity ?? planned.lead.gravity;
  const heading = { words: verdict, ...(gravity && { gravity }) };
  const refusal = problemList(outcomes.diagnostics, sourcesBelow(options.files));
  const ahead = html`${obstacleNote(planned)}${refusal}${outcomeSection(report)}`;
  return renderPlanPage(planned, { verdict, heading, ahead }, options);
}

function obstacleNote({ obstacle }: PlanReport): Html {
  return obstacle === undefined ? nothing : html` <p class="obstacle">${obstacle}</p>`;
}

function outcomeSection({ byNeed }: Pick<OutcomesReport, 'byNeed'>): Html {
  if (byNeed.length === 0) return nothing;
  return countedSection(
    'Outcomes',
    byNeed.length,
    html` <ul class="outcomes">
      ${byNeed.map(outcomeItem)}
    </ul>`,
  );
}

function outcomeItem(outcome: OutcomeReport): Html {
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
  const versions = [versionBefore, versionAfter].flatMap((version) =>
    version === undefined ? [] : [html`${version}`],
  );
  const noted = note === undefined ? nothing : html`<br />${note}`;
  const reason = error
    ? html`<br />${error.message} <span class="hint">${error.hint}</span>`
    : noted;
  return html` <li>
    <span class="badge ${gravity}">${result}</span> ${joinHtml(members.map(linkToContract), ', ')}
    <span class="facts">${joinHtml(versions, ' → ')}</span>${reason}
  </li>`;
}
