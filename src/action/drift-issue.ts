/** One issue that tells of the edits of the catalog for as long as there are any. */

import { SyncError } from '../core/errors.ts';
import { count } from '../core/text.ts';
import { formatUtc } from '../core/time.ts';
import { fingerprintOf, hashOfChanges } from '../plan/fingerprint.ts';
import type { LeftDrift, Plan } from '../plan/plan.ts';
import { code, fence, prose } from '../report/markdown/text.ts';
import { describeDrift, driftedText } from '../report/model/drift.ts';
import { runLink } from './comment-note.ts';
import { applyWorkflowBeside } from './event.ts';
import type { GitHub, Issue } from './github.ts';
import type { Failure, StepResult } from './result.ts';
import { commentKey, type Step } from './step.ts';

/** Opens, updates or closes the issue; why that can't be done, if so. */
export async function reportDrift(
  step: Step,
  result: StepResult,
  shown: StepResult,
): Promise<Failure | undefined> {
  const { inputs, run, github, log } = step;
  if (!inputs.driftIssue || run.pullRequest || run.queued) return undefined;
  // Without a plan nothing is known: the issue stays as it is.
  if (result.kind !== 'plan' || shown.kind !== 'plan' || result.plan.planHash === undefined)
    return undefined;
  if (!github) return { reason: 'github', message: 'The input `github-token` is empty.' };
  try {
    const done = await keepIssue(step, github, {
      hash: hashOfDrift(result.plan),
      plan: shown.plan,
    });
    log.text(`Issue: ${done}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const message = `Can't write the issue. ${error.message}`;
    return { reason: 'github', message, hint: 'Give the job the permission `issues: write`.' };
  }
}

type Drift = { readonly plan: Plan; readonly hash: string };

async function keepIssue(step: Step, github: GitHub, drift: Drift): Promise<string> {
  const opening = `<!-- contract-sync drift ${commentKey(step)} -->`;
  const issues = await github.issues();
  const known = issues.find(({ body }) => body.startsWith(opening));
  if (drift.plan.summary.drift === 0) return known ? closeIssue(step, github, known) : 'needless';
  const issue = { title: titleOf(step, drift.plan), body: bodyOf(step, drift, opening) };
  if (!known) {
    const { number } = await github.createIssue(issue);
    return `opened ${number}`;
  }
  if (known.title === issue.title && contentOf(known) === contentOf(issue)) {
    return `unchanged ${known.number}`;
  }
  await github.updateIssue({ number: known.number, ...issue });
  return `updated ${known.number}`;
}

async function closeIssue(step: Step, github: GitHub, { number }: Issue): Promise<string> {
  const words = `The catalog matches the files again: ${runLink(step)}.`;
  await github.createComment(number, words);
  await github.closeIssue(number);
  return `closed ${number}`;
}

function titleOf({ inputs }: Step, { summary }: Plan): string {
  const where = inputs.label === undefined ? 'the catalog' : inputs.label;
  return `${count(summary.drift, 'contract was', 'contracts were')} edited in ${where}`;
}

/** When it was looked is no news. */
function contentOf({ body }: Pick<Issue, 'body'>): string {
  return body.replaceAll('\r\n', '\n').split('\n').slice(2).join('\n').trim();
}

/** UTF-16 code units: GitHub takes 65,536. */
const mostText = 55_000;

function bodyOf(step: Step, { plan, hash }: Drift, opening: string): string {
  const { contracts } = describeDrift(plan);
  const edits = plan.contracts.flatMap((contract) => ('drift' in contract ? [contract.drift] : []));
  const items = contracts.map(({ label, places }, index) => {
    const by = edits[index] === undefined ? '' : writtenBy(edits[index]);
    return `- ${code(label)}${by}\n\n${fence('text', driftedText(places))}\n`;
  });
  let length = 0;
  const kept = items.filter((item) => (length += item.length) <= mostText);
  const rest = items.length - kept.length;
  return [
    opening,
    `${prose(step.inputs.label ?? plan.catalogUrl)} · ${runLink(step)}`,
    '',
    'These contracts differ from their files: somebody edited the catalog, or a merge is not applied yet (catalog → file).',
    '',
    ...kept,
    ...(rest > 0 ? [`- … and ${rest} more`, ''] : []),
    '### What to do',
    '',
    '- To keep an edit, bring it into its file: `contract-sync pull`, or by hand.',
    `- To undo all of them: \`gh workflow run ${applyWorkflowBeside(step.run.workflow)} -f drift=overwrite -f expect-hash=${hash}\``,
    '',
    'This issue closes when the catalog matches the files.',
  ].join('\n');
}

function writtenBy({ updatedBy, updatedAt }: LeftDrift): string {
  const who = updatedBy === undefined ? '' : ` by ${prose(updatedBy)}`;
  const when = updatedAt === undefined ? '' : `, ${formatUtc(updatedAt)} UTC`;
  return who === '' && when === '' ? '' : `, last written${who}${when}`;
}

/** The hash of the plan that undoes all edits. */
function hashOfDrift({ contracts, environment }: Plan): string {
  return hashOfChanges(
    contracts.flatMap((contract) =>
      'drift' in contract ? [fingerprintOf(contract.id, contract.drift.differences)] : [],
    ),
    environment,
  );
}
