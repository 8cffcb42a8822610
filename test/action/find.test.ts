/** Which merges an apply reads, and which of their comments approve what, as GitHub has them. */

import { describe, expect, test } from 'vitest';
import { readPending } from '../../src/action/base.ts';
import type { CommentHeader } from '../../src/action/record/comment.ts';
import { readRecords } from '../../src/action/record/find.ts';
import { liveOf } from '../support/contracts.ts';
import { lenientRules } from '../support/rules.ts';
import { comment, head, header, planOf, pull, recordOf, sha, stepWith } from './comments.ts';
import { bot, type FakeComment, type FakePull, type GitHubState } from './github-server.ts';

async function read(state: GitHubState, more = {}) {
  const waits: number[] = [];
  const runner = { sleep: async (milliseconds: number) => void waits.push(milliseconds) };
  const records = await readRecords(await stepWith(state, { runner, ...more }));
  return { ...records, waits };
}

const eve = { user: { login: 'eve' } };
const two = { parts: 2, plan: undefined };
const second = { ...two, part: 2 };
const elsewhere = { key: 'k', inputs: { ...header.inputs, 'catalog-url': 'https://b.example' } };
const incomplete = 'The record of pull request 7 is incomplete: ';
const edited = 'Somebody else edited the comment of pull request 7.';
const otherCatalog =
  'The plan of pull request 7 has another `catalog-url` ("https://b.example", here "https://catalog.example.com/api").';

test.for<[title: string, refusal: string | undefined, ...comments: readonly FakeComment[]]>([
  ['the comment as the plan wrote it', undefined, comment()],
  ['a comment that our app has written again', undefined, comment({}, { editor: bot })],
  ['a comment that somebody has edited', edited, comment({}, { editor: 'eve' })],
  ['a comment that an account has edited which is gone', edited, comment({}, { editor: null })],
  [
    "a comment that a user of our app's name has edited",
    edited,
    comment({}, { editor: 'github-actions' }),
  ],
  [
    'a plan of an earlier commit',
    `The plan of pull request 7 is of ${sha}, an earlier commit than its last one.`,
    comment({ head: sha }),
  ],
  [
    'a plan for another branch',
    'The plan of pull request 7 was made for the branch dev, not for main.',
    comment({ branch: 'dev' }),
  ],
  [
    'a comment without a plan',
    'Pull request 7 was left without a plan that can be applied.',
    comment({ planHash: undefined, plan: undefined }),
  ],
  [
    'a comment whose packed plan has other changes',
    'The comment of pull request 7 records other changes than those of its plan.',
    comment({ changes: recordOf(planOf('X.')).changes }),
  ],
  ['a comment without room for its plan', undefined, comment({ plan: undefined })],
  ['no comment', 'Pull request 7 has no comment with a plan.'],
  [
    'a comment of another account',
    'The plan of pull request 7 has another `github-token` ("account eve", here "account github-actions[bot]").',
    comment({}, eve),
  ],
  ['a comment of other inputs', otherCatalog, comment(elsewhere)],
  [
    'a comment of other inputs, though another account has forged one of ours',
    otherCatalog,
    comment({}, eve),
    comment(elsewhere),
  ],
  [
    'the outcome of an apply beside a plan of other inputs',
    otherCatalog,
    comment(elsewhere),
    comment({ isOutcome: true, planHash: undefined, plan: undefined }),
  ],
  ['a record of two comments', undefined, comment(two), comment(second)],
  [
    'a record whose second comment is missing',
    `${incomplete}part 2 of 2 is not among our comments.`,
    comment(two),
  ],
  [
    'a record whose second comment somebody has edited',
    `${incomplete}somebody else edited part 2 of 2.`,
    comment(two),
    comment(second, { editor: 'eve' }),
  ],
  [
    'a record whose second comment is of another account',
    `${incomplete}part 2 of 2 is not among our comments.`,
    comment(two),
    comment(second, eve),
  ],
  [
    'a record whose second comment is of another plan',
    `${incomplete}part 2 of 2 is not among our comments.`,
    comment(two),
    comment({ ...second, planHash: planOf('X.').planHash }),
  ],
  [
    'a record whose second comment is of another commit',
    `${incomplete}part 2 of 2 is not among our comments.`,
    comment(two),
    comment({ ...second, head: sha }),
  ],
  [
    'a record whose first comment is missing',
    `${incomplete}part 1 of 2 is not among our comments.`,
    comment(second),
  ],
])('%s: %s', async ([, refusal, ...comments]) => {
  const { own } = await read({ pulls: [pull], comments: [...comments] });
  expect(own?.refusal).toBe(refusal);
});

test('what an edited part of a record says counts for nothing', async () => {
  const comments = [comment(two), comment(second, { editor: 'eve' })];
  const { own } = await read({ pulls: [pull], comments });
  expect(own?.comment?.changes).toEqual(header.changes);
});

test('a run reads the plan of its pull request while GitHub lists it as open', async () => {
  const { own, waits } = await read({ pulls: [pull], comments: [comment()], indexLag: 2 });
  expect([own?.refusal, own?.pull.number, waits]).toEqual([undefined, 7, [1000, 2000]]);
});

test('the merge of a pull request is its own where the event names it, whatever its commit', async () => {
  const event = { number: 7, pullRequest: { number: 7, headSha: head, isMerged: true } };
  const run = { branch: 'main', sha: head, eventName: 'pull_request', ...event };
  const { all, own } = await read({ pulls: [pull], comments: [comment()] }, { run });
  expect([all.length, own?.pull.number]).toEqual([1, 7]);
});

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}`;

/** Merged on the day of its number, with a comment. */
function merged(number: number, more: Partial<CommentHeader> | null = {}, own = {}) {
  const of: FakePull = {
    number,
    head: { sha: head },
    merge_commit_sha: String(number).padStart(40, '0'),
    merged_at: day(number),
    ...own,
  };
  return { pull: of, comments: more ? [comment(more, { pull: number })] : [] };
}

const own = { pull, comments: [comment()] };
const applied = { applied: sha };
/** Merged without a comment, and touched after all others. */
const touched = (amount: number) =>
  Array.from({ length: amount }, (_, index) =>
    merged(100 + index, null, { merged_at: day(3), updated_at: day(30) }),
  );
const many = touched(1100);

const talk = Array.from({ length: 30 }, () =>
  comment({}, { body: 'I think …', user: { login: 'ann' } }),
);

type Merged = ReturnType<typeof merged>;

test.for<[title: string, numbers: readonly number[], isWhole: boolean, ...all: Merged[]]>([
  [
    'back to the last complete apply, the latest first',
    [7, 6, 5],
    true,
    merged(4),
    merged(5, applied),
    merged(6),
    own,
  ],
  ['of the same second', [7, 6], true, merged(6, {}, { merged_at: day(7) }), own],
  ['and no later one', [7, 6], true, merged(6), own, merged(8)],
  ['and none without a comment of ours', [7, 6], true, merged(5, null), merged(6), own],
  ['into its branch', [7], true, merged(6, {}, { branch: 'release' }), own],
  [
    'before many that were touched since',
    [7, 6, 5],
    true,
    merged(5, applied),
    merged(6),
    own,
    ...touched(220),
  ],
  [
    'up to a thousand, and says so',
    [7, 2],
    false,
    merged(2, {}, { updated_at: day(31) }),
    own,
    ...many,
  ],
  ['as far as its own where none was applied before', [7], true, own, ...many],
  [
    'whose comment stands behind 30 others, of its own pull request',
    [7, 6],
    true,
    merged(6),
    { pull, comments: [...talk, comment()] },
  ],
  ['though its own has no comment', [7, 6], true, merged(6), { pull, comments: [] }],
])('an apply reads the merges %s', async ([, numbers, isWhole, ...all]) => {
  const found = await read({
    pulls: all.map((each) => each.pull),
    comments: all.flatMap(({ comments }) => comments),
  });
  expect([found.all.map((each) => each.pull.number), found.isWhole]).toEqual([numbers, isWhole]);
  expect(found.own?.pull.number).toBe(7);
});

const waiting = (after: string) => recordOf(planOf(after));

describe('an edit of the catalog waits for', () => {
  const [six, seven] = [merged(6, waiting('Six.')), merged(7, waiting('Seven.'))];
  const landed = waiting('Seven.').changes.map((change) => ({ ...change, hasLanded: true }));
  const since = { id: liveOf().id, version: 0.2, updatedAt: 2, description: 'Seven.' };

  test.for<[title: string, number | undefined, all: Merged[], before?: string, version?: object]>([
    ['the merge that makes it', 7, [seven]],
    ['the later of two merges of one place', 7, [six, seven]],
    ['no merge that was made of another value', undefined, [seven], 'By hand.'],
    [
      'no merge whose change has landed',
      undefined,
      [merged(7, { ...waiting('Seven.'), changes: landed })],
    ],
    ['no merge whose change a version shows', undefined, [seven], 'Old.', since],
    ['no merge whose comment approves nothing', undefined, [merged(7, { head: sha })]],
  ])('%s', async ([, number, all, before = 'Old.', version]) => {
    const pulls = all.map((each) => each.pull);
    const comments = all.flatMap((each) => each.comments);
    const pendingAt = await readPending(await stepWith({ pulls, comments }));
    const live = liveOf({ description: before });
    const versions = version ? [{ ...version }] : [];
    const found = pendingAt(live, { place: '/description', before }, versions, lenientRules);
    expect(found?.waitsFor).toBe(number);
  });
});
