import type { Plan } from '../../plan/plan.ts';
import { type ContractReport, isGrave } from '../model/contracts.ts';
import type { ContractSinceReview } from '../model/outcomes.ts';
import type { Total } from '../model/problems.ts';
import { type ContractGroup, describePlan, type PlanReport, type PlanView } from '../model/plan.ts';
import { differenceText } from '../values.ts';
import { contractCard } from './contract.ts';
import { driftSection } from './drift.ts';
import { linkToContract, type RenderSource, sourcesBelow } from './link.ts';
import { type Html, html, joinHtml, nothing } from './markup.ts';
import { renderPage } from './page.ts';
import { problemList } from './problems.ts';
import { countedSection, nameList } from './section.ts';
import { transitionSection } from './transitions.ts';

export type HtmlOptions = PlanView & {
  /** Where the repository's files can be seen, without a slash at the end. */
  readonly files?: string;
  /** Where the plan comes from: a pull request, a commit, a run. */
  readonly origin?: readonly { readonly words: string; readonly address: string }[];
};

/** The plan as one page that folds, for plans too large for a comment. */
export function renderPlanHtml(plan: Plan, options: HtmlOptions): string {
  const report = describePlan(plan, options);
  const { verdict, lead: heading } = report;
  return renderPlanPage(report, { verdict, heading, ahead: nothing }, options);
}

type Lead = {
  /** In a few words, for the page's title. */
  readonly verdict: string;
  readonly heading: Total;
  /** What comes before the plan. */
  readonly ahead: Html;
};

/** The page of a plan, or of what became of it. */
export function renderPlanPage(report: PlanReport, lead: Lead, options: HtmlOptions): string {
  const place = sourcesBelow(options.files);
  const body = html`${pageHeader(report, lead.heading, options)}
    <main>${lead.ahead}${planSections(report, place)}</main>
    ${pageFooter(report)}`;
  return renderPage(`contract-sync: ${lead.verdict}`, body);
}

function pageHeader(report: PlanReport, heading: Total, { origin = [] }: HtmlOptions): Html {
  const { subject, totals } = report;
  const links = origin.map(({ words, address }) => html`<a href="${address}">${words}</a>`);
  const where = joinHtml(
    [
      html`contract-sync`,
      ...subject.map(({ name, value }) =>
        name === 'catalog' ? html`<code>${value}</code>` : html`${name} ${value}`,
      ),
      ...links,
    ],
    ' · ',
  );
  const pills = totals.map(
    ({ words, gravity = 'plain' }) => html`<li class="${gravity}">${words}</li>`,
  );
  return html` <header>
    <p class="facts">${where}</p>
    <h1 class="${heading.gravity}">${heading.words}</h1>
    <ul class="totals">
      ${pills}
    </ul>
  </header>`;
}

function planSections(report: PlanReport, place: RenderSource): Html {
  const { diagnostics, groups, contracts, leftOut } = report;
  const asked = groups.filter(({ cause }) => cause === 'file');
  const grave = asked.flatMap(onlyContracts(isGrave));
  const rest = asked.flatMap(onlyContracts((contract) => !isGrave(contract)));
  const unchanged = contracts.filter(({ verdict }) => verdict === 'unchanged');
  return html`${problemSection(diagnostics, place)}${reviewSection(report.sinceReview)}${[
    ...grave.map((group) => groupSection({ ...group, title: 'Blocked and breaking' }, place)),
    transitionSection(report),
    ...rest.map((group) => groupSection(group, place)),
    ...groups.filter(({ cause }) => cause === 'drift').map((group) => groupSection(group, place)),
    ...report.drift.map(driftSection),
    groupSection({ title: 'Unchanged', contracts: unchanged }, place),
    nameList(
      'Live contracts without a file, left alone',
      report.unmanaged.map(({ label, note }) => (note === undefined ? label : `${label}: ${note}`)),
    ),
    nameList(`Left out by ${leftOut.flags}`, leftOut.names),
  ]}`;
}

/** The group with those contracts alone; none of it without any. */
function onlyContracts(isWanted: (contract: ContractReport) => boolean) {
  return (group: ContractGroup): ContractGroup[] => {
    const contracts = group.contracts.filter(isWanted);
    return contracts.length > 0 ? [{ ...group, contracts }] : [];
  };
}

type HeadedGroup = Omit<ContractGroup, 'cause'>;

/** Few stand open: there is room to read them all. */
const mostOpen = 3;

function groupSection({ title, note, contracts }: HeadedGroup, place: RenderSource): Html {
  if (contracts.length === 0) return nothing;
  const isFew = contracts.filter(({ changes }) => changes.length > 0).length <= mostOpen;
  const cards = contracts.map((contract) =>
    contractCard(contract, { open: isGrave(contract) || isFew, place }),
  );
  const words = note === undefined ? nothing : html` <p class="note">${note}</p>`;
  return countedSection(title, contracts.length, html`${words}${cards}`);
}

function problemSection(problems: PlanReport['diagnostics'], place: RenderSource): Html {
  if (problems.length === 0) return nothing;
  return html` <section>
    <h2>Problems</h2>
    ${problemList(problems, place)}
  </section>`;
}

function reviewSection(contracts: readonly ContractSinceReview[]): Html {
  if (contracts.length === 0) return nothing;
  const items = contracts.map(({ label, verdict, differences }) => {
    const lines = differences.map(
      ({ sign, difference }) =>
        html`<span class="${sign}">${reviewSigns[sign]} ${differenceText(difference)}&#10;</span>`,
    );
    return html` <li>
      ${linkToContract(label)}: ${verdict}${lines.length > 0 ? html`<pre>${lines}</pre>` : nothing}
    </li>`;
  });
  return html` <section>
    <h2>Since the review</h2>
    <ul>
      ${items}
    </ul>
  </section>`;
}

const reviewSigns = { same: ' ', added: '+', removed: '-' } as const;

function pageFooter({ atRest, planHash }: PlanReport): Html {
  const hash = planHash === undefined ? [] : [html`plan hash <code>${planHash}</code>`];
  return html` <footer class="facts">
    ${joinHtml([...atRest.map((words) => html`${words}`), ...hash], ' · ')}
  </footer>`;
}
