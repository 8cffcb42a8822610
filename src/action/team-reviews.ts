/** Whether the teams that `reviews` names have approved what a plan does. */

import { contractLabel } from '../contract/identity.ts';
import type { PolicyChange } from '../config/policy.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { listFirst } from '../core/text.ts';
import { isBreaking, isRetirement, type Plan, plannedChanges } from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import type { Evidence } from '../review/agreement.ts';
import { accountsOf, type Forge } from './forge.ts';
import { type PullRequest, readPull } from './github.ts';
import { changeText, type PlanPolicy } from './policy.ts';
import { marksOf, pendingChanges } from './record/comment.ts';
import { approvingRecords, recordsShowing, type ReviewRecords } from './record/find.ts';
import type { Step } from './step.ts';

type Need = { readonly what: string; readonly teams: readonly string[] };
type PulledNeed = Need & { readonly pulls: readonly PullRequest[] };

/** What the teams of `reviews` have yet to approve in the planned pull request. */
export async function judgeOpenPull(
  { run, github, forge }: Step,
  plan: Plan,
  policy: PlanPolicy,
  rules: Rules,
): Promise<Diagnostic[]> {
  const { number } = run;
  if (number === undefined) return [];
  const { reviews } = policy.base?.rules ?? rules;
  const needs = [...needsOf(plan, { ...rules, reviews }), ...needsOfPolicy(policy, reviews)];
  if (needs.length === 0) return [];
  const pull = run.pullRequest ?? (github && (await readPull(github, number)));
  const pulls = pull ? [pull] : [];
  return unmetProblems(
    needs.map((need) => ({ ...need, pulls })),
    forge,
  );
}

/** What they have yet to approve of an apply, by the pull requests that show each change. */
export async function judgeMerged(
  { forge }: Step,
  approved: Plan,
  records: ReviewRecords,
  rules: Rules,
): Promise<Diagnostic[]> {
  const approving = approvingRecords(records.all);
  const needs = needsOf(approved, rules).map((need): PulledNeed => {
    const marks = marksOf(need.change);
    const exact = recordsShowing(records, need.change);
    const showing = approving.filter(({ comment }) =>
      pendingChanges(comment.changes).some(({ contract }) => marks.includes(contract)),
    );
    return { ...need, pulls: (exact.length > 0 ? exact : showing).map(({ pull }) => pull) };
  });
  return unmetProblems(needs, forge);
}

function needsOf(plan: Plan, { reviews, lifecycle }: Rules) {
  return plannedChanges(plan).flatMap((change) => {
    const kinds = { breaking: isBreaking(change), retirement: isRetirement(change, lifecycle) };
    return (['breaking', 'retirement'] as const)
      .filter((kind) => kinds[kind] && reviews[kind].length > 0)
      .map((kind) => ({
        change,
        what: `${contractLabel(change)} (${kind})`,
        teams: reviews[kind],
      }));
  });
}

function needsOfPolicy({ base }: PlanPolicy, reviews: Rules['reviews']): Need[] {
  const needs: Need[] = base
    ? base.changed.map((change) => ({
        what: changeText(change),
        teams: teamsToAsk(change, reviews),
      }))
    : [{ what: "a policy that can't be compared with the base's", teams: reviews.limits }];
  return needs.filter(({ teams }) => teams.length > 0);
}

function teamsToAsk({ key, loosens }: PolicyChange, reviews: Rules['reviews']) {
  const [section, name] = key.split('.');
  if (section === 'limits') return reviews.limits;
  if (section !== 'reviews' || !loosens) return [];
  // The teams that the change would no longer ask.
  return name === 'breaking' || name === 'retirement' || name === 'limits' ? reviews[name] : [];
}

async function unmetProblems(needs: readonly PulledNeed[], forge: Forge): Promise<Diagnostic[]> {
  const accounts = await accountsOf(
    needs.flatMap(({ teams }) => teams),
    forge,
  );
  const unmet: PulledNeed[] = [];
  for (const need of needs) if (!(await isMet(need, accounts, forge))) unmet.push(need);
  return [...Map.groupBy(unmet, ({ teams }) => teams.join(' or '))].map(([names, group]) => {
    const unread = (group[0]?.teams ?? []).flatMap((team) => {
      const known = accounts.get(team) ?? [];
      return 'unread' in known ? [`The members of ${team} can't be read: ${known.unread}`] : [];
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

async function isMet({ teams, pulls }: PulledNeed, accounts: Evidence['accounts'], forge: Forge) {
  const people = new Set(
    teams.flatMap((team) => {
      const known = accounts.get(team) ?? [];
      return 'unread' in known ? [] : known;
    }),
  );
  if (people.size === 0 || pulls.length === 0) return false;
  for (const { number, headSha } of pulls) {
    const approvals = await forge.approvals(number);
    if (!approvals.some(({ login, commit }) => commit === headSha && people.has(login)))
      return false;
  }
  return true;
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
