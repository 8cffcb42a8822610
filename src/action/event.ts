import { readFileSync } from 'node:fs';
import { isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Runner } from './runner.ts';

/** What started the workflow, and where it runs. */
export type WorkflowRun = {
  readonly eventName: string;
  /** `owner/name`. */
  readonly repository: string;
  /** The commit that the workflow runs for; of a pull request, a merge of it. */
  readonly sha: string;
  /** The name of the workflow's file. */
  readonly workflow: string;
  readonly runId: number;
  readonly attempt: number;
  readonly apiUrl: string;
  readonly graphqlUrl: string;
  readonly serverUrl: string;
  /** When the step began, ISO 8601. */
  readonly startedAt: string;
  /** The folder of the checked-out repository. */
  readonly workspace: string;
  readonly temporary: string;
  /** What no other step of the job is called; fit for the name of a file. */
  readonly step: string;
  /** Of the events `pull_request` and `pull_request_target`. */
  readonly pullRequest?: PullRequest & {
    readonly isFork: boolean;
    readonly isMerged: boolean;
    /** From where secrets are kept: a fork's branch, or Dependabot's. */
    readonly untrusted: boolean;
  };
  /** The branch that pull requests are merged into; absent where the event is of no branch. */
  readonly branch?: string;
  /** The pull request that stands last in a merge group, and the commit that it is put on top of. */
  readonly queued?: { readonly number: number; readonly baseSha: string };
};

export type PullRequest = {
  readonly number: number;
  readonly headSha: string;
  /** The commit that it was to be merged into. */
  readonly baseSha: string;
};

/** A pull request with the commit that its merge made, if it is merged. */
export type MergedPull = PullRequest & {
  readonly mergeSha?: string;
  /** ISO 8601. */
  readonly mergedAt?: string;
};

export function readWorkflowRun({ environment }: Pick<Runner, 'environment'>): WorkflowRun {
  const read = (name: string, otherwise: string) => environment[name] || otherwise;
  const event = readEvent(environment['GITHUB_EVENT_PATH']);
  const workspace = read('GITHUB_WORKSPACE', process.cwd());
  const pullRequest = pullRequestOf(event, read('GITHUB_ACTOR', ''));
  const queued = queuedPullRequestOf(event);
  const branch = branchOf(event, read('GITHUB_REF', ''));
  return {
    eventName: read('GITHUB_EVENT_NAME', ''),
    repository: read('GITHUB_REPOSITORY', ''),
    sha: read('GITHUB_SHA', ''),
    workflow: workflowOf(read('GITHUB_WORKFLOW_REF', '')),
    runId: Number(read('GITHUB_RUN_ID', '0')),
    attempt: Number(read('GITHUB_RUN_ATTEMPT', '1')),
    apiUrl: read('GITHUB_API_URL', 'https://api.github.com'),
    graphqlUrl: read('GITHUB_GRAPHQL_URL', 'https://api.github.com/graphql'),
    serverUrl: read('GITHUB_SERVER_URL', 'https://github.com'),
    startedAt: new Date().toISOString(),
    workspace,
    temporary: read('RUNNER_TEMP', workspace),
    step: read('GITHUB_ACTION', 'step').replaceAll(/[^\w-]/gu, '_'),
    ...(pullRequest && { pullRequest }),
    ...(queued && { queued }),
    ...(branch !== undefined && { branch }),
  };
}

/** `owner/name/.github/workflows/contract-sync-apply.yml@refs/heads/main`. */
function workflowOf(reference: string): string {
  const [, file = applyWorkflow] = /\/([\w.-]+\.ya?ml)@/u.exec(reference) ?? [];
  return file;
}

/** As it is called where examples are copied, or `init` has written it. */
const applyWorkflow = 'contract-sync-apply.yml';

/** The file that applies what another workflow plans: their names differ in that word. */
export function applyWorkflowBeside(workflow: string): string {
  const name = workflow.replace(/(?<![a-z])(?:plan|drift)(?![a-z])/u, 'apply');
  return name === workflow ? applyWorkflow : name;
}

function readEvent(path: string | undefined): JsonObject {
  if (!path) return {};
  const event: JsonValue = JSON.parse(readFileSync(path, 'utf8'));
  return isObject(event) ? event : {};
}

function pullRequestOf(event: JsonObject, actor: string): WorkflowRun['pullRequest'] {
  const pull = member(event, 'pull_request');
  const head = member(pull, 'head');
  const number = pull['number'];
  const headSha = head['sha'];
  if (typeof number !== 'number' || typeof headSha !== 'string') return undefined;
  // A fork that was deleted is null.
  const baseSha = member(pull, 'base')['sha'];
  const isFork =
    member(head, 'repo')['full_name'] !== member(member(pull, 'base'), 'repo')['full_name'];
  const untrusted = isFork || actor === 'dependabot[bot]';
  return {
    number,
    headSha,
    baseSha: typeof baseSha === 'string' ? baseSha : '',
    isFork,
    isMerged: pull['merged'] === true,
    untrusted,
  };
}

/** The queue's branch is named `…/pr-12-<sha of the base>`. */
function queuedPullRequestOf(event: JsonObject): WorkflowRun['queued'] {
  const { head_ref: reference, base_sha: baseSha } = member(event, 'merge_group');
  const name = typeof reference === 'string' ? reference : '';
  const [, number] = /\/pr-(\d+)-[0-9a-f]+$/u.exec(name) ?? [];
  if (number === undefined) return undefined;
  return { number: Number(number), baseSha: typeof baseSha === 'string' ? baseSha : '' };
}

/** `refs/heads/main`, of a pull request bare. */
function branchOf(event: JsonObject, reference: string): string | undefined {
  const ofPull = member(member(event, 'pull_request'), 'base')['ref'];
  if (typeof ofPull === 'string') return ofPull;
  const ofQueue = member(event, 'merge_group')['base_ref'];
  const name = typeof ofQueue === 'string' ? ofQueue : reference;
  return name.startsWith(heads) ? name.slice(heads.length) : undefined;
}

const heads = 'refs/heads/';

function member(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
