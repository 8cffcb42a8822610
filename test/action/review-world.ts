/** A repository with branches and merges, its pull requests on GitHub, and the runs of its workflows. */

import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { staticToken } from '../../src/auth/token.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import type { LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Patch } from '../../src/patch/evaluate.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import {
  branchOff,
  type Committed,
  commitFirst,
  git as gitIn,
  gitInTurn,
  revisionOf,
} from '../support/git-folder.ts';
import { makeFolder, serveCatalog } from '../support/workspace.ts';
import { changeOf, liveContract } from './catalog.ts';
import { type FakeReview, serveGitHub, type GitHubState } from './github-server.ts';
import {
  type ActionRun,
  pullRequestEvent,
  type runAction,
  runWithoutWaiting,
} from './run-action.ts';

type Inputs = Readonly<Record<string, string>>;

type WorldOptions = {
  readonly names?: readonly string[];
  /** The configuration on main. */
  readonly config?: string;
  readonly catalog?: SandboxOptions;
  readonly github?: GitHubState;
  /** As a process of its own, or in this one. */
  readonly runStep?: typeof runAction;
};

/** Null removes one; a link takes the place of a file or folder. */
type Files = Readonly<Record<string, Committed>>;

type RunOptions = {
  readonly inputs?: Inputs;
  readonly id?: number;
  /** Of the commit that is checked out, where that is known. */
  readonly sha?: string;
  readonly reference?: string;
};

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Files on main are what the catalog holds, unless told otherwise. */
export async function openWorld(options: WorldOptions = {}) {
  const { names = ['carts', 'orders', 'refunds'], config = '' } = options;
  const { runStep = runWithoutWaiting } = options;
  const catalog = await serveCatalog({
    seed: names.map((name) => liveContract(name)),
    ...options.catalog,
  });
  const github = await serveGitHub(options.github);
  const folder = makeFolder({
    'contract-sync.yaml': config,
    ...Object.fromEntries(
      names.map((name) => [`contracts/${name}.yaml`, changeOf(name, 'Old.')] as const),
    ),
  });
  const git = (...args: readonly string[]): string => gitIn(folder, ...args).trim();
  commitFirst(folder);
  let lastRun = 100;
  const nextRun = () => String((lastRun += 1));
  const inputs = { 'catalog-url': catalog.url, token: catalog.token };
  const place = (files: Files): void => {
    for (const [file, text] of Object.entries(files)) {
      const path = join(folder, file);
      mkdirSync(dirname(path), { recursive: true });
      rmSync(path, { recursive: true, force: true });
      if (typeof text === 'string') writeFileSync(path, text);
      else if (text) symlinkSync(text.link, path);
    }
  };

  const run = async (
    event: { readonly name: string; readonly payload?: object },
    { inputs: more = {}, id, sha = revisionOf(folder), reference }: RunOptions = {},
    folderOfRun = folder,
  ): Promise<ActionRun> =>
    runStep({
      folder: folderOfRun,
      github,
      inputs: { ...inputs, ...more },
      event,
      environment: {
        GITHUB_RUN_ID: id === undefined ? nextRun() : String(id),
        GITHUB_SHA: sha,
        ...(reference !== undefined && { GITHUB_REF: reference }),
      },
    });

  const switchToMain = (): void => {
    const head = readFileSync(join(folder, '.git/HEAD'), 'utf8').trim();
    if (head !== 'ref: refs/heads/main') git('switch', '--quiet', 'main');
  };

  /** A branch off main with one commit, and its pull request. */
  const openPull = (number: number, files: Files, from = 'main') => {
    branchOff(folder, `work-${number}`, from, `Change ${number}`, files);
    const head = revisionOf(folder, `work-${number}`);
    github.pulls.push({ number, head: { sha: head } });
    return number;
  };

  /** Of the merge that GitHub makes of the pull request for its checks. */
  const plan = async (number: number, more: Inputs = {}, branch = 'main') => {
    const [base, head] = [revisionOf(folder, 'main'), revisionOf(folder, `work-${number}`)];
    switchToMain();
    // Detaches what is checked out, without a git.
    writeFileSync(join(folder, '.git/HEAD'), `${base}\n`);
    git('merge', '--quiet', '--no-ff', '-m', 'Merge', `work-${number}`);
    const event = pullRequestEvent({ number, head, base, branch });
    const planned = await run(event, { inputs: more });
    switchToMain();
    return planned;
  };

  /** Into main, in turn. */
  const merge = (...numbers: readonly number[]) => {
    for (const number of numbers) {
      switchToMain();
      git('merge', '--quiet', '--no-ff', '-m', `Merge ${number}`, `work-${number}`);
      const sha = revisionOf(folder);
      const index = github.pulls.findIndex((pull) => pull.number === number);
      const [pull] = github.pulls.splice(index, 1);
      if (!pull) throw new Error(`There is no pull request ${number}`);
      const [minute, second] = [github.pulls.length, number].map((each) =>
        String(each).padStart(2, '0'),
      );
      const time = `2026-01-01T00:${minute}:${second}Z`;
      github.pulls.push({ ...pull, merge_commit_sha: sha, merged_at: time });
    }
  };

  /** By accounts, each an approval of the last commit unless told otherwise. */
  const giveReviews = (number: number, given: readonly Partial<FakeReview>[]): void => {
    const index = github.pulls.findIndex((pull) => pull.number === number);
    const [pull] = github.pulls.splice(index, 1);
    if (!pull) throw new Error(`There is no pull request ${number}`);
    const all = given.map((review): FakeReview => ({
      user: { id: 41, login: 'member-41' },
      state: 'APPROVED',
      commit_id: pull.head.sha,
      // GitHub has whole seconds; people take some.
      submitted_at: new Date(Date.now() + 1000).toISOString().replace(/\.\d+/u, ''),
      ...review,
    }));
    github.pulls.push({ ...pull, reviews: [...(pull.reviews ?? []), ...all] });
  };

  const bodyOf = (number: number): string =>
    github.comments.find(({ pull }) => pull === number)?.body ?? '';

  return {
    catalog,
    github,
    folder,
    git,
    write: (files: Files) => {
      place(files);
      git('add', '--all', '.');
    },
    run,

    /** A commit on what is checked out. */
    commit: (files: Files) => {
      place(files);
      gitInTurn(folder, 'add --all .', 'commit --quiet -m Change');
    },

    openPull,
    giveReviews,
    plan,
    merge,

    /** Opened, planned and merged; its run is another matter. */
    review: async (number: number, files: Files, more?: Inputs) => {
      openPull(number, files);
      await plan(number, more);
      merge(number);
    },

    /** Pull requests that change a contract each, all planned. */
    planAll: async (changes: Readonly<Record<number, string>>) => {
      const numbers = Object.keys(changes).map(Number);
      for (const number of numbers) {
        openPull(number, describing(changes[number] ?? '', `By ${number}.`));
      }
      for (const number of numbers) expect((await plan(number)).code).toBe(0);
    },

    /** On a push to main, of whatever is checked out. */
    apply: async (more: RunOptions = {}) =>
      run(
        { name: 'push', payload: { ref: 'refs/heads/main' } },
        { ...more, inputs: { command: 'apply', ...more.inputs } },
      ),

    /** What a merge queue checks: the pull request on top of those in front of it. */
    queue: async (number: number, ahead: readonly number[] = [], more: Inputs = {}) => {
      git('checkout', '--quiet', '--detach', 'main');
      for (const each of ahead) git('merge', '--quiet', '--no-ff', '-m', 'Ahead', `work-${each}`);
      const baseSha = revisionOf(folder);
      git('merge', '--quiet', '--no-ff', '-m', 'Queue', `work-${number}`);
      const group = {
        head_ref: `refs/heads/gh-readonly-queue/main/pr-${number}-${baseSha}`,
        base_ref: 'refs/heads/main',
        base_sha: baseSha,
      };
      const event = { name: 'merge_group', payload: { merge_group: group } };
      const checked = await run(event, { inputs: { ...more, 'expect-hash': 'approved' } });
      git('switch', '--quiet', 'main');
      return checked;
    },

    /** By hand. */
    dispatch: async (more: Inputs = {}) =>
      run({ name: 'workflow_dispatch' }, { inputs: { command: 'apply', ...more } }),

    /** Does what the only command in the text says, which has to stand in a block of its own. */
    paste: async (text: string) => {
      const [, command = '', ...more] = /```sh\n\s*(gh [^\n]+)\n\s*```/u.exec(text) ?? [];
      expect(more).toEqual([]);
      expect(text.match(/sha256:[0-9a-f]{64}/gu)).toHaveLength(1);
      const [, ref, ...given] =
        /^gh workflow run contract-sync-apply\.yml --ref (\S+)(?: -f (drift)=(\S+))? -f (expect-hash)=(\S+)$/u
          .exec(command)
          ?.filter(Boolean) ?? [];
      expect(ref).toBe(git('branch', '--show-current'));
      const pairs = given.flatMap((name, index) =>
        index % 2 === 0 ? [[name, given[index + 1] ?? '']] : [],
      );
      return run(
        { name: 'workflow_dispatch' },
        { inputs: { command: 'apply', ...Object.fromEntries(pairs) } },
      );
    },

    /** What the catalog says of each contract. */
    live: async (field = 'description') => {
      const found: Record<string, unknown> = {};
      for (const { name = '', document } of await listLive(catalog)) found[name] = document[field];
      return found;
    },

    /** Somebody edits a contract in the catalog. */
    edit: async (name: string, change: JsonObject): Promise<void> => {
      const contract = (await listLive(catalog)).find((one) => one.name === name);
      if (!contract) throw new Error(`There is no contract ${name}`);
      const patch: Patch = Object.entries(change).map(([field, value]) => ({
        op: 'add',
        path: `/${field}`,
        value,
      }));
      await createWriter(connectionTo(catalog)).patch(contract.id, patch);
    },

    bodyOf,
    /** What people see of it: its header is a comment in itself. */
    shownOf: (number: number): string => bodyOf(number).split('\n').slice(1).join('\n'),
  };
}

/** Nothing is applied, since no review approves it. */
export function expectRefused({ outputs, stdout }: ActionRun, says = ''): void {
  expect(outputs).toMatchObject({ applied: '0', 'failure-reason': 'plan-changed' });
  expect(stdout).toContain(says);
}

type Access = Pick<Sandbox, 'url' | 'token'>;

const connectionTo = ({ url, token }: Access) =>
  ({
    baseUrl: new URL(url),
    token: staticToken(token),
    pageSize: 'auto',
    timeoutMs: 10_000,
    version: 'test',
  }) as const;

export async function listLive(catalog: Access) {
  const found: LiveContract[] = [];
  for await (const page of createReader(connectionTo(catalog)).list())
    found.push(...page.contracts);
  return found;
}

/** With pull requests that change a contract each, all planned. */
export async function openPlanned(
  changes: Readonly<Record<number, string>>,
  options?: WorldOptions,
) {
  const world = await openWorld(options);
  await world.planAll(changes);
  return world;
}

/** The file of a contract that says so of itself. */
export const describing = (name: string, description: string) => ({
  [`contracts/${name}.yaml`]: changeOf(name, description),
});

export const docsOnly = { 'NOTES.md': 'Only words.\n' };
