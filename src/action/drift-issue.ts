/** Keeps one issue about what the catalog has otherwise than the files, for a plan on a schedule. */

import { SyncError } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { differencesOf, fingerprintOf, hashOfChanges } from '../plan/seal.ts';
import { isIncomplete, type Plan } from '../plan/plan.ts';
import { fence, prose } from '../report/markdown-text.ts';
import { hasChanges, joinTotals, type Total, total } from '../report/problems.ts';
import { applyWorkflowBeside, commandToApply } from './event.ts';
import { createComment, listIssues } from './github.ts';
import { at, type GitHub, send } from './github-request.ts';
import type { Failure, RenderPage, StepResult } from './result.ts';
import { commentKey, datedRunLink, type Step } from './step.ts';

export async function reportDrift(
  step: Step,
  result: StepResult,
  render: RenderPage,
): Promise<Failure | undefined> {
  const { inputs, run, github, log } = step;
  if (!inputs.driftIssue || run.pullRequest || run.queued) return undefined;
  // Without a plan nothing is known: the issue stays as it is.
  if (result.kind !== 'plan' || result.plan.planHash === undefined) return undefined;
  if (!github) return { reason: 'github', message: 'The input `github-token` is empty.' };
  try {
    const permissions = 'permission `issues: write`';
    const done = await keepIssue(step, { ...github, permissions }, result.plan, render);
    log.text(`Issue: ${done}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const { message, hint } = error;
    return { reason: 'github', message: `Can't write the issue. ${message}`, hint };
  }
}

async function keepIssue(
  step: Step,
  github: GitHub,
  plan: Plan,
  render: RenderPage,
): Promise<string> {
  const opening = `<!-- contract-sync drift ${commentKey(step)} -->`;
  const known = (await listIssues(github)).find(({ body }) => body.startsWith(opening));
  const amounts = amountsOf(plan);
  if (amounts.length === 0) {
    if (!known) return 'needless';
    if (plan.errored || isIncomplete(plan) || hasChanges(plan))
      return `${known.number} stays open: the catalog differs from the files otherwise`;
    const words = `The catalog matches the files again: ${datedRunLink(step)}.`;
    await createComment(github, known.number, words);
    const change = { state: 'closed', state_reason: 'completed' };
    await send(github, 'PATCH', `/issues/${known.number}`, change);
    return `closed ${known.number}`;
  }
  const title = `${joinTotals(amounts)} in ${step.inputs.label ?? 'the catalog'}`;
  const issue = { title, body: bodyOf(step, plan, opening, render) };
  if (!known) {
    const { number } = at(await send(github, 'POST', '/issues', issue));
    return `opened ${Number(number)}`;
  }
  if (known.title === title && contentOf(known.body) === contentOf(issue.body))
    return `unchanged ${known.number}`;
  await send(github, 'PATCH', `/issues/${known.number}`, issue);
  return `updated ${known.number}`;
}

function amountsOf({ summary }: Plan): Total[] {
  const { drift, notApplied = 0, unknown = 0, missing, create = 0 } = summary;
  const absent = missing + create;
  return [
    ...total(drift, count(drift, 'contract was edited', 'contracts were edited')),
    ...total(notApplied, `${count(notApplied, 'contract', 'contracts')} not applied yet`),
    ...total(unknown, `${count(unknown, 'contract', 'contracts')} edited or not applied yet`),
    ...total(absent, count(absent, "contract isn't", "contracts aren't")),
  ];
}

// Leaves out the time of the check, which alone is no reason for an update.
function contentOf(body: string): string {
  return body.replaceAll('\r\n', '\n').split('\n').slice(2).join('\n').trim();
}

// Bytes: GitHub takes 65,536 characters.
const pageBudget = 60_000;

function bodyOf(step: Step, plan: Plan, opening: string, render: RenderPage): string {
  const { inputs, run } = step;
  const { drift, unknown = 0 } = plan.summary;
  const workflow = applyWorkflowBeside(run.workflow);
  const command = commandToApply(workflow, run.branch, 'overwrite', hashOfDrift(plan));
  const wayOut = ['The command for that apply:', '', fence('sh', [command]), ''];
  // A link to this run would change the issue with each run.
  const rest = 'The summary of the run above has all of it.';
  return [
    opening,
    `${prose(inputs.label ?? plan.catalogUrl)} · ${datedRunLink(step)}`,
    '',
    render({ budget: pageBudget, rest, medium: 'issue' }),
    ...(drift + unknown > 0 ? wayOut : []),
    'This issue closes when the catalog matches the files.',
  ].join('\n');
}

function hashOfDrift({ contracts, environment, arrays }: Plan): string {
  return hashOfChanges(
    contracts.flatMap((contract) => {
      if (contract.action === 'create') return [contract.fingerprint];
      const left = 'drift' in contract ? contract.drift.differences : [];
      const asked = contract.action === 'update' ? differencesOf(contract, arrays) : [];
      const differences = [...asked, ...left];
      const { id } = contract;
      return id === undefined || differences.length === 0 ? [] : [fingerprintOf(id, differences)];
    }),
    environment,
  );
}
