/** What a plan and an apply write into comments. */

import { expect, test } from 'vitest';
import { formatBody, markLanded, parseHeader } from '../../src/action/record/comment.ts';
import { readRecords } from '../../src/action/record/find.ts';
import { markStaleComments, settleRecords } from '../../src/action/record/settle.ts';
import { reportComment } from '../../src/action/record/write.ts';
import type { AppliedResult, StepResult } from '../../src/action/result.ts';
import type { Step } from '../../src/action/step.ts';
import type { GitHub } from '../../src/action/github-request.ts';
import { type Outcome, summarizeOutcomes } from '../../src/apply/outcome.ts';
import { erroredPlan, makePlan, markOf } from '../../src/plan/seal.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import {
  asking,
  comment,
  head,
  header,
  planOf,
  pull,
  recordOf,
  sha,
  stepWith,
} from './comments.ts';
import type { FakeComment, FakePull, GitHubState } from './github-server.ts';

const { id } = liveOf();
const fullyQualifiedName = 'shop.sales.orders';
const { source } = desiredOf({});
const run = {
  branch: 'main',
  sha,
  eventName: 'push',
  runId: 9,
  page: 'https://github.com/acme/contracts/actions/runs/9',
  startedAt: '2026-01-08T00:00:00Z',
  repositoryPage: 'https://github.com/acme/contracts',
};
const { 'catalog-url': catalogUrl = '' } = header.inputs;

async function open(
  state: GitHubState,
  given: { readonly mode?: string; readonly isOwn?: boolean },
) {
  const { mode = 'update', isOwn = true } = given;
  const step = await stepWith(state, {
    inputs: { catalogUrl, comment: mode },
    run: { ...run, ...(!isOwn && { sha: head, eventName: 'schedule' }) },
    redactor: { redact: (text: string) => text },
  });
  return { step, github: step.github as GitHub };
}

const outcome = (result: Outcome['result']): Outcome => ({
  result,
  id,
  fullyQualifiedName,
  error: result === 'applied' ? null : { code: 'a-code', message: 'No.' },
});

type Given = {
  readonly outcomes?: readonly Outcome['result'][];
  readonly isUnchanged?: boolean;
  readonly isOwn?: boolean;
  readonly mode?: string;
  readonly comments?: FakeComment[];
  readonly pulls?: FakePull[];
  /** What somebody does once the comments are read. */
  readonly meanwhile?: (comments: FakeComment[]) => void;
};

async function settle(given: Given) {
  const { outcomes = [], isUnchanged, comments = [comment()], pulls = [pull] } = given;
  const { step, github } = await open({ comments, pulls }, given);
  const unchanged = { action: 'unchanged', id, fullyQualifiedName, source, problems: [] } as const;
  const plan = isUnchanged ? makePlan('', [unchanged], []) : planOf('New.');
  const records = await readRecords(step);
  given.meanwhile?.(comments);
  const results = outcomes.map(outcome);
  const hasFailed = results.some(({ error }) => error !== null);
  await settleRecords(step, github, {
    kind: 'apply',
    plan,
    outcomes: summarizeOutcomes(plan, results),
    records,
    failure: hasFailed ? { reason: 'apply-failed', message: 'It failed.' } : undefined,
  });
  return comments;
}

/** Of each comment, what a later run reads in it. */
const readAgain = (comments: readonly FakeComment[]) =>
  comments.map(({ pull: number, body }) => {
    const { applied, changes = [] } = parseHeader(body) ?? {};
    const landed = changes.map(({ hasLanded }) => (hasLanded ? 'landed' : 'pending'));
    const noted = body.includes('/runs/9') ? ['noted'] : [];
    return [number, ...landed, ...(applied === undefined ? [] : ['applied']), ...noted].join(' ');
  });

const six = { ...pull, number: 6, merge_commit_sha: '6'.repeat(40), merged_at: '2026-01-06' };
const two = () => ({ pulls: [six, pull], comments: [comment({}, { pull: 6 }), comment()] });

test.for<[title: string, Given, ...expected: string[]]>([
  ['a change that was applied', { outcomes: ['applied'] }, '7 landed applied noted'],
  ['a change that failed', { outcomes: ['failed'] }, '7 pending noted'],
  ['a change that the catalog has already', { isUnchanged: true }, '7 landed applied noted'],
  [
    'a change that is not found, of a contract that needs none',
    { isUnchanged: true, outcomes: ['not-found'] },
    '7 pending noted',
  ],
  [
    'a change that two pull requests show',
    { ...two(), outcomes: ['applied'] },
    '6 landed',
    '7 landed applied noted',
  ],
  [
    'a change of another run',
    { ...two(), outcomes: ['applied'], isOwn: false },
    '6 landed',
    '7 landed applied noted',
  ],
  [
    'a change in the second comment of a record',
    {
      outcomes: ['applied'],
      comments: [
        comment({ changes: [], parts: 2, plan: undefined }),
        comment({ part: 2, parts: 2, plan: undefined }),
      ],
    },
    '7 applied noted',
    '7 landed',
  ],
  [
    'a pull request without changes that a run by hand finds',
    { isOwn: false, comments: [comment({ changes: [], plan: undefined })] },
    '7 applied',
  ],
  ['a run whose comments are off', { outcomes: ['applied'], mode: 'off' }, '7 landed applied'],
  [
    'a comment that somebody edits meanwhile',
    {
      outcomes: ['applied'],
      meanwhile: (all) => {
        const [first] = all;
        if (first) first.editor = 'eve';
      },
    },
    '7 pending',
  ],
  [
    'a change that another run records meanwhile',
    {
      outcomes: ['failed'],
      meanwhile: (all) => {
        const changes = markLanded(header.changes, new Set([markOf(id)]));
        all.splice(0, 1, comment({ changes }));
      },
    },
    '7 landed noted',
  ],
])('%s is recorded so', async ([, given, ...expected]) => {
  expect(readAgain(await settle(given))).toEqual(expected);
});

test('an apply takes back the warning and the command of the run before', async () => {
  const failed = '- ❌ Applied 0 of 1 change.\n\n  To apply it anyway:\n\n  ```sh\n  gh run\n  ```';
  const notes = ['> [!WARNING]\n> This plan is out of date.', failed];
  const [own] = await settle({
    outcomes: ['applied'],
    comments: [
      {
        ...comment(),
        body: formatBody(header, { notes, page: '## contract-sync: 1 to update' }, ''),
      },
    ],
  });
  const [, ...shown] = own?.body.split('\n') ?? [];
  expect(shown.join('\n')).toMatchInlineSnapshot(`
    "**prod** · commit \`aaaaaaa\` · [run 1](https://github.com/acme/contracts/actions/runs/1) · 2026-01-01 00:00 UTC

    ## contract-sync: ✅ Applied 1 of 1 change

    - ❌ Applied 0 of 1 change.
    - ✅ Applied 1 of 1 change to the catalog ([run 9](https://github.com/acme/contracts/actions/runs/9), 2026-01-08 00:00 UTC).

    <details>
    <summary>The plan before the merge</summary>

    ## contract-sync: 1 to update

    </details>"
  `);
});

test.for<[string, GitHubState, number]>([
  ['of an open pull request', { pulls: [{ ...pull, merged_at: null }] }, 1],
  ['of one that was merged meanwhile', { pulls: [pull], indexLag: 99 }, 0],
  [
    'which shows other contracts',
    {
      pulls: [{ ...pull, merged_at: null }],
      comments: [comment({ changes: [], plan: undefined })],
    },
    0,
  ],
])('a change that was applied outdates the plan %s: %#', async ([, state, amount]) => {
  const comments = state.comments ?? [comment()];
  const { step, github } = await open({ ...state, comments }, {});
  const outcomes = summarizeOutcomes({}, [outcome('applied')]);
  expect(await markStaleComments(step, github, { outcomes } as AppliedResult)).toBe(amount);
  expect(comments[0]?.body.includes('changed `shop.sales.orders`. Re-run')).toBe(amount > 0);
});

const planned = { kind: 'plan', plan: planOf('New.') } as StepResult;
const unplanned = {
  kind: 'plan',
  plan: erroredPlan({ catalogUrl }, []),
  failure: { reason: 'catalog', message: 'It is down.' },
} as StepResult;
const edited = { editor: 'eve' };

/** What is said of the comment of pull request 7, and the headers of all of them. */
async function reported(
  result: StepResult,
  comments: FakeComment[],
  mergedAt: string | null = null,
) {
  const said: string[] = [];
  const pullRequest = { number: 7, headSha: head };
  const { step } = await open({ pulls: [{ ...pull, merged_at: mergedAt }], comments }, {});
  const inputs = { ...step.inputs, label: 'prod' };
  const log = { text: (line: string) => void said.push(line) };
  const of = { ...step, inputs, log, run: { ...step.run, pullRequest, attempt: 1 } };
  await reportComment(of as unknown as Step, result, () => '## contract-sync');
  const headers = comments.map(({ body }) => parseHeader(body));
  return { said: said.at(-1), headers };
}

test.for<[title: string, StepResult, FakeComment[], says: string]>([
  ['that is the first one', planned, [], 'created'],
  ['over one that is the same', planned, [comment({ base: '' })], 'unchanged'],
  ['over one that somebody edited', planned, [comment({ base: '' }, edited)], 'updated'],
  ['that fails, over an earlier one', unplanned, [comment()], 'updated'],
  ['that fails, over one that somebody edited', unplanned, [comment({}, edited)], 'needless'],
  ['that fails, where there is none', unplanned, [], 'needless'],
])('of a plan %s, the comment is as it should be', async ([, result, comments, says]) => {
  expect((await reported(result, comments)).said).toBe(`Comment of pull request 7: ${says}.`);
});

test.for([
  ['is the commit of the apply, where nothing failed', undefined, sha],
  ['is none after a failure', { reason: 'apply-failed', message: 'No.' }, undefined],
] as const)(
  'beside a comment that somebody edited, what was applied %s',
  async ([, failure, applied]) => {
    const comments = [comment({}, edited)];
    const { step } = await open({ pulls: [pull], comments }, {});
    const records = await readRecords(step);
    const plan = planOf('New.');
    const result = { kind: 'apply', plan, outcomes: summarizeOutcomes(plan, []), records, failure };
    const { headers } = await reported(result as StepResult, comments, pull.merged_at);
    expect(headers).toMatchObject([{ isOutcome: true, changes: [], applied }]);
  },
);

test('a plan takes over nothing of what an edited comment says that it has shown', async () => {
  const shown = { commit: sha, at: '2020-01-01T00:00:00Z' };
  const forged = comment(recordOf(asking('New.'), shown), edited);
  const result = { kind: 'plan', plan: asking('New.') } as StepResult;
  const [written] = (await reported(result, [forged])).headers;
  expect(written?.plans?.map(({ commit }) => commit)).toEqual([head]);
});
