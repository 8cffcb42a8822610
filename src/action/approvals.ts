/** Who has approved what a plan does: the teams that `reviews` names, and those who read what it breaks. */

import { contractLabel } from '../contract/identity.ts';
import { type Diagnostic, SyncError } from '../core/diagnostic.ts';
import { listFirst } from '../core/text.ts';
import {
  type AgreementReader,
  type ContractPlan,
  heldChanges,
  isBreaking,
  isRetirement,
  type Plan,
  plannedChanges,
  type ReaderAgreement,
  type UpdatePlan,
} from '../plan/plan.ts';
import type { Rules } from '../plan/rules.ts';
import { type Evidence, judgeAgreement, type ShownChange } from '../review/agreement.ts';
import { type Forge, type PullRequest, readPull } from './github.ts';
import { changeText, type PlanPolicy } from './policy.ts';
import { marksOf, pendingChanges, shortFingerprint, shownIn } from './record/comment.ts';
import {
  approvingRecords,
  findComments,
  type OurRecord,
  type ReviewRecords,
} from './record/find.ts';
import type { Step } from './step.ts';

/** Asks the readers by the reviews of the planned pull request. `isNews`: its comment asks anew. */
export async function askOpenPull(step: Step, plan: Plan) {
  const { run, github, forge } = step;
  const number = run.queued?.number ?? run.pullRequest?.number;
  const held = heldChanges(plan);
  if (number === undefined || held.length === 0) return { plan, isNews: true };
  const record = github && (await findComments(step, github, number)).record;
  const earlier = (change: UpdatePlan) =>
    record && !record.isEdited ? shownIn(record, change) : undefined;
  // This plan shows the same change of the last commit, whose comment is yet to be written.
  const head = run.pullRequest?.headSha ?? [];
  const asked = await askEach(plan, forge, (change) => {
    const shown = earlier(change);
    return [{ number, shown: shown && { ...shown, commits: shown.commits.concat(head) } }];
  });
  return { plan: asked, isNews: !held.every(earlier) };
}

/** Asks the readers by the reviews of the pull requests whose comments show exactly these changes. */
export async function askMergedPulls(
  { forge }: Step,
  plan: Plan,
  records: ReviewRecords,
): Promise<Plan> {
  const approving = approvingRecords(records.all);
  return askEach(plan, forge, (change) =>
    showingExactly(approving, change).map(({ pull, comment }) => ({
      number: pull.number,
      shown: shownIn(comment, change),
    })),
  );
}

/** Where a change was shown, and since when it has its fingerprint there. */
type Showing = { readonly number: number; readonly shown: ShownChange | undefined };

async function askEach(
  plan: Plan,
  forge: Forge,
  showing: (change: UpdatePlan) => readonly Showing[],
): Promise<Plan> {
  const contracts: ContractPlan[] = [];
  for (const contract of plan.contracts) {
    if (contract.action !== 'update' || contract.agreement?.state !== 'held') {
      contracts.push(contract);
      continue;
    }
    let agreement = heldBecause(contract.agreement, 'no pull request shows exactly this change');
    for (const { number, shown } of showing(contract)) {
      if (agreement.state !== 'held') break;
      agreement = await judgeBy(number, shown, contract.agreement, forge);
    }
    contracts.push({ ...contract, agreement });
  }
  return { ...plan, contracts };
}

async function judgeBy(
  number: number,
  shown: ShownChange | undefined,
  agreement: ReaderAgreement,
  forge: Forge,
): Promise<ReaderAgreement> {
  const agreers = agreement.readers.flatMap((reader) => reader.agreers);
  try {
    const [author, approvals] = [await forge.author(number), await forge.approvals(number)];
    const accounts = await accountsOf(agreers, forge);
    return judgeAgreement(agreement, { author, approvals, shown, accounts });
  } catch (error) {
    if (!(error instanceof SyncError)) throw error;
    const why = `the reviews of pull request ${number} can't be read: ${error.message}`;
    return heldBecause(agreement, why);
  }
}

function heldBecause(agreement: ReaderAgreement, why: string): ReaderAgreement {
  const readers = agreement.readers.map((reader): AgreementReader => {
    if (reader.answer.kind !== 'missing') return reader;
    return { ...reader, answer: { kind: 'missing', why } };
  });
  return { ...agreement, readers };
}

async function accountsOf(names: readonly string[], forge: Forge): Promise<Evidence['accounts']> {
  const accounts = new Map<string, readonly string[] | { readonly unread: string }>();
  for (const name of new Set(names)) {
    const bare = name.replace(/^@/u, '');
    if (name.startsWith('@') && !bare.includes('/')) {
      accounts.set(name, [bare.toLowerCase()]);
      continue;
    }
    try {
      accounts.set(name, await forge.members(bare));
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      accounts.set(name, { unread: error.message });
    }
  }
  return accounts;
}

type Need = { readonly what: string; readonly teams: readonly string[] };
type PulledNeed = Need & { readonly pulls: readonly PullRequest[] };

/** What the teams of `reviews` have yet to approve in the planned pull request. */
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
    const exact = showingExactly(approving, need.change);
    const showing = approving.filter(({ comment }) =>
      pendingChanges(comment.changes).some(({ contract }) => marks.includes(contract)),
    );
    return { ...need, pulls: (exact.length > 0 ? exact : showing).map(({ pull }) => pull) };
  });
  return unmetProblems(needs, forge);
}

// What an apply has landed had its approval, which counts for no later pull request.
function showingExactly(records: readonly OurRecord[], change: { readonly fingerprint: string }) {
  const short = shortFingerprint(change.fingerprint);
  return records.filter(({ comment }) =>
    pendingChanges(comment.changes).some(({ fingerprint }) => fingerprint === short),
  );
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
