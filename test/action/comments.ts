/** Comments of plans as GitHub has them, and the step that reads them. */

import {
  type CommentHeader,
  formatBody,
  packPlan,
  recordPlan,
} from '../../src/action/record/comment.ts';
import { commentKey, sharedInputs, type Step } from '../../src/action/step.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Plan, ReaderAgreement } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { updateOf } from '../support/contracts.ts';
import { noRepository } from '../support/git-folder.ts';
import {
  bot,
  connectionTo,
  type FakeComment,
  type GitHubState,
  serveGitHub,
} from './github-server.ts';

export const head = 'a'.repeat(40);
/** Of the merge of pull request 7, and of the run. */
export const sha = 'b'.repeat(40);
export const pull = {
  number: 7,
  head: { sha: head },
  merge_commit_sha: sha,
  merged_at: '2026-01-07',
};

const catalogUrl = 'https://catalog.example.com/api';
const step = {
  inputs: { catalogUrl },
  prefix: '',
  paths: [],
  run: { branch: 'main', sha, eventName: 'push', attempt: 1 },
  repository: noRepository,
};

/** A step of a push to main, with this GitHub. */
export async function stepWith(state: GitHubState, more: object = {}): Promise<Step> {
  const github = connectionTo(await serveGitHub(state));
  return { ...step, github, ...more } as unknown as Step;
}

/** Of one contract, whose description changes. */
export const planOf = (after: string, before: JsonObject = { description: 'Old.' }): Plan =>
  makePlan(catalogUrl, [updateOf(before, { description: after })], []);

/** What the comment of a plan records. */
export function recordOf(plan: Plan, shown = { commit: head, at: '2026-01-06T00:00:00Z' }) {
  const { changes, plans } = recordPlan(plan, undefined, shown);
  return { changes: changes.flat(), plans, planHash: plan.planHash, plan: packPlan(plan) };
}

const { plan, ...recorded } = recordOf(planOf('New.'));

/** Its members stand as those of a real one. */
export const header: CommentHeader = {
  key: commentKey(step as unknown as Step),
  inputs: sharedInputs(step as unknown as Step),
  label: 'prod',
  head,
  base: 'f'.repeat(40),
  branch: 'main',
  run: 1,
  attempt: 1,
  time: '2026-01-01T00:00:00Z',
  ...recorded,
  part: 1,
  parts: 1,
  plan,
};

const repository = 'https://github.com/acme/contracts';

let lastId = 0;

/** Of pull request 7, by our app, unless told otherwise. */
export function comment(
  more: Partial<CommentHeader> = {},
  own: Partial<FakeComment> = {},
): FakeComment {
  const body = formatBody(
    { ...header, ...more },
    { notes: [], page: '## contract-sync' },
    repository,
  );
  return { id: (lastId += 1), body, user: { login: bot }, pull: 7, ...own };
}

const missing = { kind: 'missing', why: 'not asked yet' } as const;
const agreement: ReaderAgreement = {
  state: 'held',
  readers: [
    { id: 'r', name: 'payouts', owners: ['olga'], agreers: ['@olga'], answer: missing },
    { id: 's', name: 'ledger', owners: ['olga'], agreers: ['@olga'], answer: { kind: 'possible' } },
  ],
  losses: [],
  unasked: [],
  announced: [],
  noticed: [],
  allowed: [],
};
/** A plan whose change waits for readers. */
export const asking = (after: string): Plan => {
  const plan = planOf(after);
  const contracts = plan.contracts.map((each) => ({ ...each, agreement }) as typeof each);
  return { ...plan, contracts };
};
