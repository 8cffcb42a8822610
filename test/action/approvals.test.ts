/** Whose approval counts for which change: those of comments, of pushes and of readers. */

import { describe, expect, test } from 'vitest';
import { askMergedPulls, askOpenPull } from '../../src/action/reader-reviews.ts';
import type { OurRecord, ReviewRecords } from '../../src/action/record/find.ts';
import { withRefusals } from '../../src/action/refusal.ts';
import { checkReview } from '../../src/action/review.ts';
import type { Step } from '../../src/action/step.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { openRepository } from '../../src/files/git/repository.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { reviewedChanges } from '../../src/review/compare.ts';
import type { Session } from '../../src/session.ts';
import { liveOf, updateOf } from '../support/contracts.ts';
import { commitFirst, git, revisionOf } from '../support/git-folder.ts';
import { lenientRules as rules } from '../support/rules.ts';
import { makeFolder } from '../support/workspace.ts';
import type { FakePull } from './github-server.ts';
import { asking, comment, head, header, planOf, recordOf, sha, stepWith } from './comments.ts';

const at = (minute: number) => `2026-01-06T00:0${minute}:00Z`;

/** Of the merge of a pull request whose comment shows this plan. */
function mergeOf(number: number, plan: Plan, more: object = {}): OurRecord {
  const of = { ...header, ...recordOf(plan, { commit: head, at: at(1) }), base: 'HEAD' };
  const shown = reviewedChanges(plan);
  const found = { header: of, isEdited: false, changes: of.changes, further: [], shown, ...more };
  const pull = { number, headSha: head, baseSha: '', mergeSha: sha };
  return { pull, comment: found, other: undefined, refusal: undefined } as unknown as OurRecord;
}

/** A catalog whose contract has these versions, the live one first. */
function sessionOf(...versions: readonly JsonObject[]): Session {
  const reader = {
    list: async function* () {
      yield { contracts: versions.slice(0, 1).map(liveOf) };
    },
    versions: async () => Promise.resolve({ entityType: 'dataContract', versions }),
  };
  return { reader, rules, product: standard } as unknown as Session;
}

const planWith = (before: JsonObject, managed: JsonObject): Plan =>
  makePlan(planOf('New.').catalogUrl, [updateOf(before, managed)], []);

describe('an apply', () => {
  const before = { description: 'Old.', version: 0.1, updatedAt: 1 };
  const landed = { ...before, description: 'New.', version: 0.2, updatedAt: 2 };
  const undone = { ...before, version: 0.3, updatedAt: 3 };
  const reviewed = planOf('New.', before);
  const pushed = { inputs: { command: 'apply', autoApprove: true } };

  test.for([
    [1, ['update'], 'that somebody made and took back meanwhile'],
    [2, [], 'that its first attempt may have made, and that was taken back'],
  ] as const)('sends in attempt %i %j of a change %s', async ([attempt, sent]) => {
    const own = mergeOf(7, reviewed);
    const step = await stepWith({}, { inputs: { command: 'apply' }, run: { attempt } });
    const records = { all: [own], own, isWhole: true };
    const versions = [undone, landed, before].map((each) => ({ ...liveOf().document, ...each }));
    const fresh = planOf('New.', undone);
    const { approved } = await checkReview(fresh, records, step, sessionOf(...versions));
    expect(approved.contracts.map(({ action }) => action)).toEqual(sent);
  });

  test.for([
    ['sends what two merges changed together', [undone, before], ['update']],
    ['sends nothing of two merges together once one was made', [undone, landed, before], []],
  ] as const)('%s', async ([, versions, sent]) => {
    const named = { displayName: 'Orders' };
    const all = [mergeOf(8, planWith(before, named)), mergeOf(7, reviewed)];
    const step = await stepWith({}, { inputs: { command: 'apply' } });
    const fresh = planWith(undone, { ...named, description: 'New.' });
    const states = versions.map((each) => ({ ...liveOf().document, ...each }));
    const records = { all, own: undefined, isWhole: true };
    const { approved } = await checkReview(fresh, records, step, sessionOf(...states));
    expect(approved.contracts.map(({ action }) => action)).toEqual(sent);
  });

  const six = { number: 6, head: { sha }, merge_commit_sha: sha, merged_at: '2026-01-01' };
  const open = { number: 7, head: { sha: head } };

  test.for<[title: string, pulls: FakePull[], sent: number, message?: string, depth?: number]>([
    ['what was pushed where there never was a pull request', [], 1],
    ['what was pushed where the history has no merge of one', [six], 1],
    ['what was pushed while a pull request is open', [open], 1, 'Fixes #7'],
    ['nothing of a squash merge that GitHub reports late', [open], 0, 'Change (#7)'],
    ['nothing of a merge that GitHub reports late', [open], 0, 'Merge pull request #7 from a/b'],
    ['nothing of a rebase that GitHub reports late', [{ ...open, head: { sha: 'HEAD' } }], 0],
    ['what was pushed to a shallow clone without pull requests', [], 1, 'Pushed', 1],
    ['nothing where the clone is too shallow to show the last merge', [six], 0, 'Pushed', 1],
  ])('with auto-approve sends %s', async ([, pulls, sent, message = 'Pushed', depth = 9]) => {
    const folder = makeFolder({ 'a.yaml': 'a\n' });
    commitFirst(folder);
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', message);
    const clone = makeFolder();
    git(folder, 'clone', '--quiet', '--depth', String(depth), `file://${folder}`, clone);
    const last = revisionOf(folder);
    const listed = pulls.map((pull) =>
      pull.head.sha === 'HEAD' ? { ...pull, head: { sha: last } } : pull,
    );
    const step = await stepWith(
      { pulls: listed, indexLag: pulls.includes(six) ? 0 : 99 },
      { ...pushed, repository: openRepository(clone) },
    );
    const { approved } = await checkReview(
      reviewed,
      { all: [], own: undefined, isWhole: true },
      step,
      sessionOf(before),
    );
    expect(approved.contracts).toHaveLength(sent);
  });

  test('with auto-approve sends nothing of a pull request without a plan, even while GitHub lists none', async () => {
    const refusal = 'Pull request 7 has no comment with a plan.';
    const own = { ...mergeOf(7, reviewed), comment: undefined, refusal };
    const records = { all: [own], own, isWhole: true };
    const step = await stepWith({}, pushed);
    const { approved } = await checkReview(reviewed, records, step, sessionOf(before));
    expect(approved.contracts).toEqual([]);
  });
});

const refusal = 'Pull request 8 has no comment with a plan.';
const refusing = (plan: Plan, parts = 1) => ({
  ...mergeOf(8, plan, { header: { ...header, parts } }),
  refusal,
});
const unapproved = 'No review approves these changes: shop.sales.orders.';
const elsewhere = planOf('New.', { id: 'e', fullyQualifiedName: 'shop.returns' });
const hidden = 'GitHub knows of no merged pull request for the commit bbbbbbb.';

test.for<[title: string, records: Partial<ReviewRecords>, ...says: string[]]>([
  ['that no pull request has merged', {}, `${hidden} ${unapproved}`],
  [
    'whose own pull request approves nothing',
    { all: [refusing(elsewhere)], own: refusing(elsewhere) },
    `${refusal} ${unapproved}`,
  ],
  [
    'that another refused comment shows',
    { all: [refusing(planOf('X.'))] },
    `${refusal} ${unapproved}`,
  ],
  [
    'that an incomplete record may show',
    { all: [refusing(elsewhere, 2)] },
    `${refusal} ${unapproved}`,
  ],
  ['that no refused comment shows', { all: [refusing(elsewhere)] }, `${hidden} ${unapproved}`],
  [
    'that was reviewed with another value',
    { all: [mergeOf(7, planOf('X.'))] },
    'shop.sales.orders changed after the review.',
  ],
  [
    'whose review may be older than those that were read',
    { isWhole: false },
    'More pull requests were merged since the last complete apply than the 1000 that can be looked at.',
    `${hidden} ${unapproved}`,
  ],
])('an apply refuses a change %s', async ([, records, ...says]) => {
  const step = await stepWith({});
  const all = { all: [], own: undefined, isWhole: true, ...records };
  const approval = await checkReview(planOf('New.'), all, step, sessionOf({}));
  const { diagnostics } = withRefusals(approval, all, step);
  expect(diagnostics.map(({ message }) => message)).toEqual(says);
});

test.for([
  ['fails where the plan of the pull request had changes', header.changes, 1],
  ['succeeds where it had none', [], 0],
] as const)('an apply that finds nothing at its `paths` %s', async ([, changes, problems]) => {
  const step = await stepWith({});
  const fresh = makePlan(planOf('New.').catalogUrl, [], []);
  const differing = ['paths'];
  const otherPlan = { header: { ...header, changes }, isOurs: true, differing, words: '' };
  const own = { ...refusing(fresh), comment: undefined, other: otherPlan };
  const approval = { fresh, approved: fresh, refused: [] };
  const found = withRefusals(approval, { all: [own], own, isWhole: true }, step);
  expect(found.diagnostics).toHaveLength(problems);
});

/** Olga's approvals, by pull request: the commit, and when. */
const forgeOf = (approvals: Readonly<Record<number, readonly [commit: string, time: string]>>) => ({
  author: async () => Promise.resolve('mira'),
  approvals: async (number: number) => {
    const [commit = '', time = ''] = approvals[number] ?? [];
    return Promise.resolve(commit ? [{ login: 'olga', commit, at: time }] : []);
  },
  members: async () => Promise.resolve([]),
});

function answerIn({ contracts: [contract] }: Plan) {
  const readers = contract?.action === 'update' ? (contract.agreement?.readers ?? []) : [];
  const answers = readers.map(({ answer }) =>
    answer.kind === 'missing' ? answer.why : answer.kind,
  );
  return answers.join(', ');
}

const plan = asking('New.');
const landed = recordOf(plan).changes.map((change) => ({ ...change, hasLanded: true }));
const unseen = 'no pull request shows exactly this change';

test.for<[title: string, approved: number[], all: OurRecord[], answer: string]>([
  ['of the first of two that show it', [8], [mergeOf(8, plan), mergeOf(7, plan)], 'agreed'],
  ['of the second of two that show it', [7], [mergeOf(8, plan), mergeOf(7, plan)], 'agreed'],
  ['of none of two that show it', [], [mergeOf(8, plan), mergeOf(7, plan)], 'not agreed yet'],
  ['of one that shows another change', [7], [mergeOf(7, asking('X.'))], unseen],
  ['of one whose change has landed', [7], [mergeOf(7, plan, { changes: landed })], unseen],
  ['of one whose comment somebody edited', [7], [mergeOf(7, plan, { isEdited: true })], unseen],
])('after an approval %s, a reader has answered so', async ([, approved, all, answer]) => {
  const forge = forgeOf(Object.fromEntries(approved.map((each) => [each, [head, at(2)]])));
  const records = { all, own: undefined, isWhole: true };
  const asked = await askMergedPulls({ forge } as unknown as Step, plan, records);
  expect(answerIn(asked)).toBe(`${answer}, possible`);
});

const c1 = 'c'.repeat(40);
const shown = { ...recordOf(plan, { commit: c1, at: at(1) }), head: c1 };
const own = { run: { branch: 'main', number: 7, pullRequest: { number: 7, headSha: head } } };
const queue = { run: { branch: 'main', number: 7 } };
const early = 'olga approved before this change was shown';

type Row = [title: string, approved: string, step: object, isNews: boolean, answer: string];

test.for<[...Row, ...comments: ReturnType<typeof comment>[]]>([
  ['of the commit that showed it', c1, own, false, 'agreed', comment(shown)],
  ['of the last commit, which still has it', head, own, false, 'agreed', comment(shown)],
  ['of a commit that no plan has shown', head, queue, false, early, comment(shown)],
  [
    'while somebody has edited the comment',
    c1,
    own,
    true,
    early,
    comment(shown, { editor: 'eve' }),
  ],
  ['before there is a comment', head, own, true, early],
])('of an open pull request, an approval %s', async ([, commit, more, isNews, answer, ...all]) => {
  const forge = forgeOf({ 7: [commit, at(2)] });
  const asked = await askOpenPull(await stepWith({ comments: all }, { ...more, forge }), plan);
  expect([asked.isNews, answerIn(asked.plan)]).toEqual([isNews, `${answer}, possible`]);
});
