import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runAction as runHere } from '../../src/action/run.ts';
import { systemEffects } from '../../src/http/fetch.ts';
import { parseCommand, type RunnerCommand } from '../report/runner-commands.ts';
import { built } from '../support/built.ts';
import { start } from '../support/process.ts';
import { makeFolder } from '../support/workspace.ts';
import { arrange } from './catalog.ts';
import { type FakeGitHub, type GitHubState, serveGitHub } from './github-server.ts';

const bundle = await built('action.js');

export type ActionWorld = {
  readonly folder: string;
  readonly github?: FakeGitHub;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly event?: { readonly name: string; readonly payload?: object };
  readonly environment?: Readonly<Record<string, string>>;
};

export type ActionRun = {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** Milliseconds of each pause, of a run in this process. */
  readonly waits?: readonly number[];
  /** The commands that the runner would obey. */
  readonly commands: readonly RunnerCommand[];
};

export const headSha = 'a'.repeat(40);
const baseSha = 'f'.repeat(40);
const mergeSha = 'b'.repeat(40);

type Example = Readonly<Record<string, unknown>>;
type Shown = readonly { readonly name: string; readonly examples: readonly Example[] }[];

/** Read as text: as a module these four megabytes take 240, which each start of a program copies. */
const file = import.meta.resolve('@octokit/webhooks-examples/api.github.com/index.json');
const shown: Shown = JSON.parse(readFileSync(new URL(file), 'utf8'));
const examples = new Map(shown.map(({ name, examples: [first] }) => [name, first]));

/** GitHub's own example of an event, which is not to be changed. */
function exampleOf(name: string): Example {
  const example = examples.get(name);
  if (!example) throw new Error(`GitHub shows no ${name}`);
  return example;
}

const repositoryOfEvents = {
  repository: { full_name: 'acme/contracts', default_branch: 'main' },
};

type PullRequestOptions = {
  readonly name?: string;
  readonly number?: number;
  readonly head?: string;
  readonly base?: string;
  /** What it is to be merged into. */
  readonly branch?: string;
  readonly fork?: boolean;
  readonly merged?: boolean;
};

/** A pull request of a branch of the repository, or of a fork. */
export function pullRequestEvent(options: PullRequestOptions = {}) {
  const { name = 'pull_request', number = 7, head = headSha, fork = false, merged } = options;
  const { base = baseSha, branch = 'main' } = options;
  const example = exampleOf('pull_request');
  const pull = example['pull_request'] as Readonly<Record<string, object>>;
  const origin = { full_name: fork ? 'eve/contracts' : 'acme/contracts' };
  return {
    name,
    payload: {
      ...example,
      ...repositoryOfEvents,
      number,
      pull_request: {
        ...pull,
        number,
        merged: merged ?? false,
        head: { ...pull['head'], sha: head, repo: origin },
        base: {
          ...pull['base'],
          ref: branch,
          sha: base,
          repo: { full_name: 'acme/contracts' },
        },
      },
    },
  };
}

/** An event that tells of no pull request of ours. */
export const otherEvent = (name: 'issue_comment' | 'workflow_run') => ({
  name,
  payload: exampleOf(name),
});

export const pushEvent = { name: 'push', payload: {} };

/** The environment that the runner gives a step, and nothing besides. */
function environmentOf({ folder, github, inputs = {}, event, environment }: ActionWorld) {
  const files = makeFolder({
    output: '',
    summary: '',
    event: JSON.stringify({ ...repositoryOfEvents, ...event?.payload }),
  });
  mkdirSync(join(files, 'temp'));
  const given = {
    ...(github && { 'github-token': github.token }),
    comment: 'update',
    'auto-approve': 'false',
    ...inputs,
  };
  return {
    PATH: process.env['PATH'] ?? '',
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: folder,
    GITHUB_OUTPUT: join(files, 'output'),
    GITHUB_STEP_SUMMARY: join(files, 'summary'),
    GITHUB_EVENT_PATH: join(files, 'event'),
    GITHUB_EVENT_NAME: event?.name ?? 'workflow_dispatch',
    GITHUB_REPOSITORY: 'acme/contracts',
    GITHUB_SHA: mergeSha,
    GITHUB_REF: 'refs/heads/main',
    GITHUB_RUN_ID: '100',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_ACTOR: 'ann',
    GITHUB_API_URL: github?.url ?? 'http://127.0.0.1:1',
    GITHUB_GRAPHQL_URL: `${github?.url ?? 'http://127.0.0.1:1'}/graphql`,
    GITHUB_SERVER_URL: 'https://github.com',
    RUNNER_TEMP: join(files, 'temp'),
    ...Object.fromEntries(
      Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]),
    ),
    ...environment,
  };
}

/** The world of pull request 7, whose head changes these contracts. */
export async function arrangePull(
  state: GitHubState = {},
  files?: Readonly<Record<string, string>>,
  names?: readonly string[],
) {
  const arranged = await arrange(files, names);
  const { folder, inputs } = arranged;
  const github = await serveGitHub(state);
  return { ...arranged, github, world: { folder, github, inputs, event: pullRequestEvent() } };
}

/** Runs the bundle as the runner does; `onStart` is given what cancels the run. */
export async function runAction(
  world: ActionWorld,
  onStart?: (cancel: () => void) => void,
): Promise<ActionRun> {
  const environment: Record<string, string> = environmentOf(world);
  const child = start(process.execPath, [bundle], { cwd: world.folder, env: environment });
  onStart?.(() => void child.kill('SIGINT'));
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    }),
  ]);
  return {
    code,
    stdout,
    stderr,
    outputs: parseOutputs(readFileSync(environment['GITHUB_OUTPUT'] ?? '', 'utf8')),
    summary: readFileSync(environment['GITHUB_STEP_SUMMARY'] ?? '', 'utf8'),
    commands: commandsIn(stdout.split('\n')),
  };
}

/** Runs the sources in this process, so that pauses take no time: what they would have been. */
export async function runWithoutWaiting(world: ActionWorld) {
  const environment: Record<string, string> = environmentOf(world);
  const lines: string[] = [];
  const waits: number[] = [];
  const outputs: Record<string, string> = {};
  let summary = '';
  const code = await runHere({
    environment,
    input: (name) => (environment[`INPUT_${name.toUpperCase()}`] ?? '').trim(),
    print: (line) => void lines.push(line),
    mask: () => undefined,
    idToken: undefined,
    setOutput: (name, value) => {
      outputs[name] = String(value);
    },
    addSummary: (markdown) => {
      summary += markdown;
      return Promise.resolve();
    },
    useProxy: () => undefined,
    fetch: systemEffects.fetch,
    sleep: (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
    interruption: () => new AbortController().signal,
  });
  const stdout = lines.join('\n');
  return { code, waits, outputs, summary, stdout, stderr: '', commands: commandsIn(lines) };
}

function commandsIn(lines: readonly string[]): RunnerCommand[] {
  return lines.map(parseCommand).filter((command) => command !== undefined);
}

/** `name<<delimiter`, lines, `delimiter`. */
function parseOutputs(file: string): Record<string, string> {
  const entries = file.matchAll(/^([^\n<]+)<<(\S+)\n([\s\S]*?)\n\2$/gmu);
  return Object.fromEntries([...entries].map(([, name = '', , value = '']) => [name, value]));
}

/** What people see of a log: the runner swallows the secrets that it is told to mask. */
export function logOf({ stdout }: Pick<ActionRun, 'stdout'>): string {
  return stdout.replaceAll(/^::add-mask::.*\n/gmu, '');
}

export function annotationsIn({ commands }: Pick<ActionRun, 'commands'>, name: string) {
  return commands.filter((command) => command.name === name);
}

export function writeContract(folder: string, file: string, content: string): void {
  writeFileSync(join(folder, file), content);
}
