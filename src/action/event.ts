import { readFileSync } from 'node:fs';
import { ConfigError } from '../core/diagnostic.ts';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { listFirst, quote, shellWord } from '../core/text.ts';
import { parseGlob } from '../files/find/glob.ts';
import type { DriftRule } from '../plan/rules.ts';
import { at, textOf } from './github-request.ts';
import type { Inputs } from './inputs.ts';

type WorkflowRun = Readonly<ReturnType<typeof readWorkflowRun>>;

export function readWorkflowRun(environment: NodeJS.ProcessEnv) {
  const read = (name: string, otherwise = '') => environment[name] || otherwise;
  const file = environment['GITHUB_EVENT_PATH'];
  const parsed: JsonValue = file ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const event = isObject(parsed) ? parsed : {};
  const reference = read('GITHUB_WORKFLOW_REF');
  const [, workflow = applyWorkflow] = /\/([\w.-]+\.ya?ml)@/u.exec(reference) ?? [];
  const workspace = read('GITHUB_WORKSPACE', process.cwd());
  const pullRequest = pullRequestOf(event, read('GITHUB_ACTOR'));
  const queued = queuedPullRequestOf(event);
  const repository = read('GITHUB_REPOSITORY');
  const sha = read('GITHUB_SHA');
  const repositoryPage = `${read('GITHUB_SERVER_URL', 'https://github.com')}/${repository}`;
  const runId = Number(read('GITHUB_RUN_ID', '0'));
  return {
    eventName: read('GITHUB_EVENT_NAME'),
    repository,
    repositoryPage,
    sha,
    // GitHub runs a workflow on a merge of the pull request, a commit that readers don't know.
    shownSha: pullRequest?.headSha ?? sha,
    workflow,
    runId,
    page: `${repositoryPage}/actions/runs/${runId}`,
    attempt: Number(read('GITHUB_RUN_ATTEMPT', '1')),
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    graphqlUrl: read('GITHUB_GRAPHQL_URL', 'https://api.github.com/graphql'),
    /** ISO 8601. */
    startedAt: new Date().toISOString(),
    workspace,
    temporary: read('RUNNER_TEMP', workspace),
    // The step's id in its job, fit for a file name.
    step: read('GITHUB_ACTION', 'step').replaceAll(/[^\w-]/gu, '_'),
    // For the events `pull_request` and `pull_request_target`.
    pullRequest,
    queued,
    /** Of the pull request that is planned. */
    number: queued?.number ?? pullRequest?.number,
    reference: read('GITHUB_REF'),
    branch: branchOf(event, read('GITHUB_REF')),
    // Not all events say it.
    defaultBranch: textOf(at(event, 'repository')['default_branch']) || undefined,
  };
}

const applyWorkflow = 'contract-sync-apply.yml';

export function applyWorkflowBeside(workflow: string): string {
  const name = workflow.replace(/(?<![a-z])(?:plan|drift)(?![a-z])/u, 'apply');
  return name === workflow ? applyWorkflow : name;
}

export function commandToApply(
  workflow: string,
  branch: string | undefined,
  drift: DriftRule | undefined,
  hash: string,
): string {
  return [
    `gh workflow run ${workflow}`,
    // git takes nearly any character in the name of a branch.
    ...(branch === undefined ? [] : [`--ref ${shellWord(branch)}`]),
    ...(drift === undefined ? [] : [`-f drift=${drift}`]),
    `-f expect-hash=${hash}`,
  ].join(' ');
}

function pullRequestOf(event: JsonObject, actor: string) {
  const pull = at(event, 'pull_request');
  const base = at(pull, 'base');
  const { number } = pull;
  const { sha: headSha } = at(pull, 'head');
  if (typeof number !== 'number' || typeof headSha !== 'string') return undefined;
  // The repository of a deleted fork is null.
  const isFork = at(pull, 'head', 'repo')['full_name'] !== at(base, 'repo')['full_name'];
  return {
    number,
    headSha,
    baseSha: textOf(base['sha']),
    isFork,
    isMerged: pull['merged'] === true,
    // Runs of a fork or Dependabot get no secrets.
    untrusted: isFork || actor === 'dependabot[bot]',
  };
}

// The queue's branch is named `…/pr-12-<sha of the base>`.
function queuedPullRequestOf(event: JsonObject) {
  const { head_ref: reference, base_sha: baseSha } = at(event, 'merge_group');
  const [, number] = /\/pr-(\d+)-[0-9a-f]+$/u.exec(textOf(reference)) ?? [];
  return number === undefined ? undefined : { number: Number(number), baseSha: textOf(baseSha) };
}

// The reference is `refs/heads/main`, for a pull request a bare name.
function branchOf(event: JsonObject, reference: string): string | undefined {
  const ofPull = at(event, 'pull_request', 'base')['ref'];
  if (typeof ofPull === 'string') return ofPull;
  const ofQueue = at(event, 'merge_group')['base_ref'];
  const name = typeof ofQueue === 'string' ? ofQueue : reference;
  return /^refs\/heads\/(.*)$/su.exec(name)?.[1];
}

export function checkEvent(
  { eventName, pullRequest }: WorkflowRun,
  { command, allowForks }: Inputs,
  hasCredential: boolean,
): void {
  const instead = otherEvents[eventName];
  if (instead !== undefined) refuse(`The event \`${eventName}\` isn't supported.`, instead);
  const isMerged = eventName !== 'merge_group' && pullRequest?.isMerged !== false;
  if (command === 'apply' && !isMerged) {
    const subject = pullRequest ? `Pull request ${pullRequest.number}` : 'A merge group';
    refuse(
      `${subject} isn't merged, so its changes can't be applied.`,
      'Run `apply` on pushes to the branch that pull requests are merged into, as examples/workflows/contract-sync-apply.yml does.',
    );
  }
  const isAtRisk = command !== 'validate' && hasCredential;
  if (isAtRisk && pullRequest?.isFork && !allowForks) {
    refuse(
      `Pull request ${pullRequest.number} comes from a fork, and the job has credentials of the catalog.`,
      'Give forks no secrets, or set the input `allow-forks` if everybody who can open a pull request may use them.',
    );
  }
}

/** Everybody who can push a branch could apply it by its plan's hash, without the `reviews` that it deletes. */
export async function checkBranch(
  { branch, reference, defaultBranch }: WorkflowRun,
  applyBranches: readonly string[],
  askDefault: () => Promise<string | undefined>,
): Promise<void> {
  if (branch === undefined) {
    const hint = 'Run it for the default branch, or for one named in the input `apply-branches`.';
    refuse(`\`apply\` takes a branch, not ${quote(reference)}.`, hint);
  }
  if (applyBranches.some((glob) => glob === branch || parseGlob(glob)(branch))) return;
  const known = defaultBranch ?? (await askDefault());
  if (known === branch) return;
  const named = applyBranches.length > 0 ? ` (${listFirst(applyBranches, 5)})` : '';
  refuse(
    known === undefined
      ? `Can't tell whether ${quote(branch)} is the default branch: the event doesn't say so, and \`github-token\` is empty.`
      : `The branch ${quote(branch)} isn't applied: it is neither the default branch, ${known}, nor named in \`apply-branches\`${named}.`,
    'Merge it, or name it in the input `apply-branches`.',
  );
}

/** The workflow runs the Action where it can't do what it is asked to. */
export class EventError extends ConfigError {}

function refuse(message: string, hint: string): never {
  throw new EventError('unsupported-event', message, { hint });
}

const otherEvents: Readonly<Record<string, string>> = {
  // The checkout is the base: the plan would show no changes.
  pull_request_target:
    'Use `pull_request`: this event checks out the base, so nothing of the pull request is planned.',
  issue_comment:
    'Use `pull_request` for plans and `push` for applies: this event names neither the commit nor the pull request.',
  workflow_run:
    'Use `pull_request` for plans and `push` for applies: this event checks out the default branch.',
};
