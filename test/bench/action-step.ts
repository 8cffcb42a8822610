import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

export type Step = {
  readonly folder: string;
  readonly repository: string;
  /** What Node is called with: the bundle, or next to nothing. */
  readonly args: readonly string[];
  readonly github: { readonly url: string };
  readonly catalog: Pick<Sandbox, 'url' | 'token'>;
};

/** Milliseconds from the start of the process to its first line, and to its end. */
export async function timeStep(step: Step, command: 'plan' | 'validate') {
  const start = performance.now();
  const child = spawn(process.execPath, step.args, {
    cwd: step.repository,
    env: environmentOf(step, command),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let line = 0;
  child.stdout.on('data', () => {
    line ||= performance.now() - start;
  });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
  return { line, end: performance.now() - start };
}

function environmentOf({ folder, repository, github, catalog }: Step, command: string) {
  const temporary = join(folder, 'temp');
  mkdirSync(temporary, { recursive: true });
  const write = (name: string, text = '') => {
    const file = join(temporary, name);
    writeFileSync(file, text);
    return file;
  };
  return {
    PATH: process.env['PATH'],
    GITHUB_ACTIONS: 'true',
    GITHUB_WORKSPACE: repository,
    GITHUB_OUTPUT: write('output'),
    GITHUB_STEP_SUMMARY: write('summary'),
    GITHUB_EVENT_PATH: write('event', JSON.stringify(pullRequest)),
    GITHUB_EVENT_NAME: 'pull_request',
    GITHUB_REPOSITORY: 'acme/contracts',
    GITHUB_SHA: 'b'.repeat(40),
    GITHUB_RUN_ID: '1',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_API_URL: github.url,
    GITHUB_GRAPHQL_URL: `${github.url}/graphql`,
    GITHUB_SERVER_URL: 'https://github.com',
    RUNNER_TEMP: temporary,
    INPUT_COMMAND: command,
    'INPUT_CATALOG-URL': catalog.url,
    INPUT_TOKEN: catalog.token,
    'INPUT_GITHUB-TOKEN': 'token',
    INPUT_COMMENT: 'update',
    'INPUT_AUTO-APPROVE': 'false',
  };
}

const side = { sha: 'a'.repeat(40), repo: { full_name: 'acme/contracts' } };
const pullRequest = { number: 7, pull_request: { number: 7, head: side, base: side } };

/** GitHub with a pull request of no comment and no files, each answer so many milliseconds late. */
export async function serveGitHub(latencyMs: number) {
  const server = createServer((request, response) => {
    void sleep(latencyMs).then(() => response.end(JSON.stringify(answerTo(request.url ?? ''))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answerTo(path: string) {
  if (path.endsWith('/files?per_page=100&page=1')) return [];
  if (path !== '/graphql') return { id: 1 };
  const comments = { nodes: [], pageInfo: { hasNextPage: false } };
  return {
    data: { viewer: { login: 'bot' }, repository: { pullRequest: { comments } } },
  };
}
