import { SyncError } from '../core/diagnostic.ts';
import { count } from '../core/text.ts';
import { formatUtc } from '../core/time.ts';
import { differencesOf, fingerprintOf, hashOfChanges } from '../plan/change.ts';
import { contractLabel } from '../contract/identity.ts';
import { isIncomplete, type Plan } from '../plan/plan.ts';
import { mergedWords } from '../report/history.ts';
import { driftBlocks } from '../report/lists.ts';
import { listedLines } from '../report/markdown.ts';
import { code, fence, prose } from '../report/markdown-text.ts';
import { hasChanges, joinTotals, type Total, total } from '../report/problems.ts';
import { applyWorkflowBeside, commandToApply } from './event.ts';
import { createComment, type GitHub, type Issue, listIssues, send } from './github.ts';
import { objectOf } from './github-request.ts';
import type { Failure, StepResult } from './result.ts';
import { commentKey, datedRunLink, type Step } from './step.ts';

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
    const drift = { hash: hashOfDrift(result.plan), plan: shown.plan };
    const permissions = 'permission `issues: write`';
    const done = await keepIssue(step, { ...github, permissions }, drift);
    log.text(`Issue: ${done}.`);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    return {
      reason: 'github',
      message: `Can't write the issue. ${error.message}`,
      hint: error.hint,
    };
  }
}

type Drift = { readonly plan: Plan; readonly hash: string };

async function keepIssue(step: Step, github: GitHub, drift: Drift): Promise<string> {
  const opening = `<!-- contract-sync drift ${commentKey(step)} -->`;
  const known = (await listIssues(github)).find(({ body }) => body.startsWith(opening));
  const amounts = amountsOf(drift.plan);
  if (amounts.length === 0) {
    if (!known) return 'needless';
    if (drift.plan.errored || isIncomplete(drift.plan) || hasChanges(drift.plan))
      return `${known.number} stays open: the catalog differs from the files otherwise`;
    const words = `The catalog matches the files again: ${datedRunLink(step)}.`;
    await createComment(github, known.number, words);
    const change = { state: 'closed', state_reason: 'completed' };
    await send(github, 'PATCH', `/issues/${known.number}`, change);
    return `closed ${known.number}`;
  }
  const issue = { title: titleOf(step, amounts), body: bodyOf(step, drift, opening) };
  if (!known) {
    const { number } = objectOf(await send(github, 'POST', '/issues', issue));
    return `opened ${Number(number)}`;
  }
  if (known.title === issue.title && contentOf(known) === contentOf(issue))
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

function titleOf({ inputs }: Step, amounts: readonly Total[]): string {
  return `${joinTotals(amounts)} in ${inputs.label ?? 'the catalog'}`;
}

// Leaves out the time of the check, which alone is no reason for an update.
function contentOf({ body }: Pick<Issue, 'body'>): string {
  return body.replaceAll('\r\n', '\n').split('\n').slice(2).join('\n').trim();
}

// UTF-16 code units: GitHub takes 65,536.
const mostText = 55_000;

function bodyOf(step: Step, { plan, hash }: Drift, opening: string): string {
  const blocks = [
    ...driftBlocks(plan).flatMap(({ lead, items }) => [
      `${lead?.words}:\n`,
      ...items.map(({ label, lines }) => {
        const by = writtenBy(plan, label);
        return `- ${code(label)}${by}\n\n${fence('text', listedLines(lines))}\n`;
      }),
    ]),
    ...notApplied(plan),
    ...absent(plan),
  ];
  let length = 0;
  const kept = blocks.filter((block) => (length += block.length) <= mostText);
  const rest = blocks.length - kept.length;
  const { drift, unknown = 0 } = plan.summary;
  return [
    opening,
    `${prose(step.inputs.label ?? plan.catalogUrl)} · ${datedRunLink(step)}`,
    '',
    ...kept,
    ...(rest > 0 ? [`- … and ${rest} more`, ''] : []),
    ...(drift + unknown > 0 ? waysOut(step, hash) : []),
    'This issue closes when the catalog matches the files.',
  ].join('\n');
}

function waysOut({ run }: Step, hash: string): readonly string[] {
  const workflow = applyWorkflowBeside(run.workflow);
  const command = commandToApply(workflow, run.branch, { drift: 'overwrite', hash });
  return [
    '### What to do',
    '',
    'To keep an edit, bring it into its file: `contract-sync pull`, or edit it.',
    '',
    'To undo all of them, run:',
    '',
    fence('sh', [command]),
    '',
  ];
}

function notApplied({ contracts }: Plan): readonly string[] {
  const items = contracts.flatMap((contract) => {
    const changes = 'changes' in contract ? contract.changes : [];
    const places = changes.flatMap(({ label, mergedIn, waitsFor }) =>
      mergedIn === undefined ? [] : [`${label}: ${mergedWords(mergedIn, waitsFor)}`],
    );
    if (places.length === 0) return [];
    return [`- ${code(contractLabel(contract))}\n\n${fence('text', places)}\n`];
  });
  if (items.length === 0) return [];
  const contain = count(items.length, 'contract lacks', 'contracts lack');
  return [
    `${contain} what is merged; nobody edited it, and the next apply brings it about:\n`,
    ...items,
  ];
}

function absent({ contracts }: Plan): readonly string[] {
  const items = contracts.flatMap((contract) => {
    if (contract.action !== 'missing' && contract.action !== 'create') return [];
    const next = contract.action === 'create' ? ': the next apply creates it' : '';
    return [`- ${code(contractLabel(contract))}${next}\n`];
  });
  const lead =
    'The catalog lacks these, or the token may not see them. If somebody deleted one, restore it there or delete its file:\n';
  return items.length === 0 ? [] : [lead, ...items];
}

function writtenBy({ contracts }: Plan, label: string): string {
  const edited = contracts.find(
    (contract) => 'drift' in contract && contractLabel(contract) === label,
  );
  const { updatedBy, updatedAt } = (edited && 'drift' in edited && edited.drift) || {};
  const who = updatedBy === undefined ? '' : ` by ${prose(updatedBy)}`;
  const when = updatedAt === undefined ? '' : `, ${formatUtc(updatedAt)} UTC`;
  return who === '' && when === '' ? '' : `, last written${who}${when}`;
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
