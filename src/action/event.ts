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
  /** The pull request that stands last in a merge group. */
  readonly queuedPullRequest?: number;
};

export type PullRequest = {
  readonly number: number;
  readonly headSha: string;
  /** The commit that it was to be merged into. */
  readonly baseSha: string;
};

export function readWorkflowRun({ environment }: Pick<Runner, 'environment'>): WorkflowRun {
  const read = (name: string, otherwise: string) => environment[name] || otherwise;
  const event = readEvent(environment['GITHUB_EVENT_PATH']);
  const workspace = read('GITHUB_WORKSPACE', process.cwd());
  const pullRequest = pullRequestOf(event, read('GITHUB_ACTOR', ''));
  const queuedPullRequest = queuedPullRequestOf(event);
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
    ...(queuedPullRequest !== undefined && { queuedPullRequest }),
  };
}

/** `owner/name/.github/workflows/apply.yml@refs/heads/main`. */
function workflowOf(reference: string): string {
  const [, file = 'apply.yml'] = /\/([\w.-]+\.ya?ml)@/u.exec(reference) ?? [];
  return file;
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
function queuedPullRequestOf(event: JsonObject): number | undefined {
  const reference = member(event, 'merge_group')['head_ref'];
  const name = typeof reference === 'string' ? reference : '';
  const [, number] = /\/pr-(\d+)-[0-9a-f]+$/u.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

function member(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}
