/** Which teams have to approve a change, by `reviews` of the configuration, and whether they have. */

import { endsUse } from '../contract/conventions.ts';
import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { listFirst } from '../core/text.ts';
import { isBreaking, type Plan, plannedChanges } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { type Forge, type PullRequest, readPull } from './github.ts';
import { changeText, type PlanPolicy } from './policy.ts';
import { marksOf, pendingChanges, shortFingerprint } from './record/comment.ts';
import { approvingRecords, type ReviewRecords } from './record/find.ts';
import type { Step } from './step.ts';

type Need = { readonly what: string; readonly teams: readonly string[] };
type PulledNeed = Need & { readonly pulls: readonly PullRequest[] };

/** Judges the plan of a pull request: only that can be reviewed. */
export async function judgeOpenPull(
  { run, github, forge }: Step,
  plan: Plan,
  policy: PlanPolicy,
  rules: Rules,
): Promise<Diagnostic[]> {
  const number = run.queued?.number ?? run.pullRequest?.number;
  if (number === undefined) return [];
  const { reviews } = policy.base?.rules ?? rules;
  const needs = [...needsOf(plan, { ...rules, reviews }), ...needsOfPolicy(policy, reviews)];
  if (needs.length === 0) return [];
  const pull = run.pullRequest ?? (github && (await readPull(github, number)));
  const pulled = needs.map((need) => ({ ...need, pulls: pull ? [pull] : [] }));
  return unmetProblems(pulled, forge);
}

function needsOfPolicy({ base }: PlanPolicy, reviews: Rules['reviews']): Need[] {
  if (!base) {
    const what = "a policy that can't be compared with the base's";
    return reviews.limits.length > 0 ? [{ what, teams: reviews.limits }] : [];
  }
  const { readers: _, ...teamsOf } = reviews;
  const known = new Map(Object.entries(teamsOf));
  return base.changed.flatMap((change) => {
    const [section, name = ''] = change.key.split('.');
    const taken = section === 'reviews' && change.loosens ? known.get(name) : undefined;
    const teams = (section === 'limits' ? reviews.limits : taken) ?? [];
    return teams.length > 0 ? [{ what: changeText(change), teams }] : [];
  });
}

/** Problems of what an apply would send: each change is looked up in the pull requests that show it. */
export async function judgeMerged(
  { forge }: Step,
  approved: Plan,
  records: ReviewRecords,
  rules: Rules,
): Promise<Diagnostic[]> {
  const approving = approvingRecords(records.all);
  const needs = needsOf(approved, rules).map((need): PulledNeed => {
    const marks = marksOf(need.change);
    const showing = approving.filter(({ comment }) =>
      pendingChanges(comment.changes).some(({ contract }) => marks.includes(contract)),
    );
    const short = shortFingerprint(need.change.fingerprint);
    const exact = showing.filter(({ comment }) =>
      comment.changes.some(({ fingerprint }) => fingerprint === short),
    );
    return { ...need, pulls: (exact.length > 0 ? exact : showing).map(({ pull }) => pull) };
  });
  return unmetProblems(needs, forge);
}

function needsOf(plan: Plan, { reviews, lifecycle }: Rules) {
  return plannedChanges(plan).flatMap((change) => {
    const { to } = change.transition ?? {};
    const isEnd = typeof to === 'string' && endsUse(to, lifecycle);
    const kinds = { breaking: isBreaking(change), retirement: isEnd };
    return (['breaking', 'retirement'] as const)
      .filter((kind) => kinds[kind] && reviews[kind].length > 0)
      .map((kind) => ({
        change,
        what: `${contractLabel(change)} (${kind})`,
        teams: reviews[kind],
      }));
  });
}

async function unmetProblems(
  needs: readonly PulledNeed[],
  forge: Forge | undefined,
): Promise<Diagnostic[]> {
  const approvers = new Map<number, readonly string[]>();
  const members = new Map<string, readonly string[]>();
  const faults = new Map<string, string>();
  for (const { number, headSha } of needs.flatMap((need) => need.pulls)) {
    const approvals = (await forge?.approvals(number)) ?? [];
    const ofHead = approvals.filter(({ commit }) => commit === headSha);
    approvers.set(
      number,
      ofHead.map(({ login }) => login),
    );
  }
  for (const team of new Set(needs.flatMap(({ teams }) => teams))) {
    try {
      if (forge) members.set(team, await forge.members(team));
      else faults.set(team, 'The input `github-token` is empty.');
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      faults.set(team, error.message);
    }
  }
  const isMet = ({ teams, pulls }: PulledNeed): boolean =>
    pulls.length > 0 &&
    pulls.every(({ number }) =>
      approvers
        .get(number)
        ?.some((user) => teams.some((team) => members.get(team)?.includes(user))),
    );
  const unmet = needs.filter((need) => !isMet(need));
  return [...Map.groupBy(unmet, ({ teams }) => teams.join(' or '))].map(([names, group]) => {
    const unread = (group[0]?.teams ?? []).flatMap((team) => {
      const fault = faults.get(team);
      return fault === undefined ? [] : [`The members of ${team} can't be read: ${fault}`];
    });
    const changes = group.map(({ what }) => what);
    const needed = `This needs an approving review by the team ${names}: ${listFirst(changes, mostNames)}.`;
    return {
      code: 'review-missing',
      severity: 'error',
      message: [needed, ...unread].join(' '),
      hint: unread.length > 0 ? readableHint : hintFor(group),
    };
  });
}

const mostNames = 5;

const readableHint =
  "Give the input `github-token` the token of a GitHub App that can read the organization's members, which the job's own can't.";

function hintFor(group: readonly PulledNeed[]): string {
  if (group.some(({ pulls }) => pulls.length === 0))
    return 'No pull request shows all of it: bring it by one.';
  const numbers = new Set(group.flatMap(({ pulls }) => pulls.map(({ number }) => number)));
  const pulls = `pull request ${[...numbers].join(' and ')}`;
  return `Have one of its members approve the last commit of ${pulls}, then run this job again.`;
}
