/** `reviews` of the configuration: what needs an approving review of a GitHub team. */

import { expect, test } from 'vitest';
import { judgeMerged, judgeOpenPull } from '../../src/action/team-reviews.ts';
import { shortFingerprint } from '../../src/action/record/comment.ts';
import type { OurRecord } from '../../src/action/record/find.ts';
import type { Step } from '../../src/action/step.ts';
import { SyncError } from '../../src/core/diagnostic.ts';
import { makePlan, markOf } from '../../src/plan/seal.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { desiredOf, updateOf } from '../support/contracts.ts';
import { liveContract } from './catalog.ts';
import { describing, openWorld } from './review-world.ts';
import { pullRequestEvent } from './run-action.ts';

const member = 41;
const teams = { 'data-platform': [40, member], governance: [50] };
const reviews =
  'reviews: { breaking: data-platform, retirement: data-platform, limits: data-platform }\n';
const policy = `compatibility: { active: warn }\n${reviews}`;
const file = (fields: string) => ({
  'contracts/orders.yaml': `fullyQualifiedName: shop.sales.orders\ndescription: "Old."\n${fields}`,
});
const column = (name: string) => ({ name, dataType: 'INT' });
const breaking = file('schema: [{ name: id, dataType: INT }]\n');

async function openActive(config = policy, known: Readonly<Record<string, number[]>> = teams) {
  const active = { entityStatus: 'Active', schema: [column('id'), column('amount')] };
  const seed = [liveContract('orders', active), liveContract('carts', active)];
  const github = { pulls: [], teams: known };
  return openWorld({ names: ['orders', 'carts'], config, catalog: { seed }, github });
}

test('a breaking change is red until somebody of the team has approved the last commit', async () => {
  const world = await openActive();
  world.openPull(7, breaking);
  const red = await world.plan(7);
  expect(red).toMatchObject({
    code: 1,
    outputs: { 'failure-reason': 'unsafe-plan', breaking: '1' },
  });
  expect(world.shownOf(7)).toContain('If you merge this, nothing is applied');
  expect(red.stdout).toContain(
    'This needs an approving review by the team data-platform: shop.sales.orders (breaking).',
  );
  expect(world.shownOf(7)).toContain('approve the last commit of pull request 7');
  world.giveReviews(7, [{}]);
  expect(await world.plan(7)).toMatchObject({ code: 0, outputs: { breaking: '1' } });
  expect(world.shownOf(7)).not.toContain('review by the team');
  world.merge(7);
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
});

test('a change that was merged without the review is not applied until it has it', async () => {
  const world = await openActive();
  await world.review(7, { ...breaking, ...describing('carts', 'By 7.') });
  const refused = await world.apply();
  expect(refused).toMatchObject({ code: 1, outputs: { 'failure-reason': 'unsafe-plan' } });
  expect(refused.stdout).toContain('This needs an approving review by the team data-platform');
  const dispatched = await world.dispatch({ 'expect-hash': refused.outputs['plan-hash'] ?? '' });
  expect(dispatched).toMatchObject({ code: 1, outputs: { 'failure-reason': 'unsafe-plan' } });
  expect(await world.live()).toEqual({ orders: 'Old.', carts: 'Old.' });
  world.giveReviews(7, [{}]);
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '2' } });
});

test.for([
  ['in its file', file('entityStatus: Deprecated\n'), ''],
  [
    'by its deletion',
    { 'contracts/orders.yaml': null },
    'unmanaged: deprecate\nscope: [shop.sales.*]\n',
  ],
] as const)(
  'a retirement %s needs the review, and no other change does',
  async ([, files, more]) => {
    const world = await openActive(`${reviews}${more}`);
    world.openPull(7, describing('carts', 'By 7.'));
    expect((await world.plan(7)).code).toBe(0);
    expect(world.github.requests.join('\n')).not.toMatch(/reviews|members/u);
    world.openPull(8, files);
    const red = await world.plan(8);
    expect(red.code).toBe(1);
    expect(red.stdout).toContain('shop.sales.orders (retirement)');
    world.giveReviews(8, [{}]);
    expect((await world.plan(8)).code).toBe(0);
  },
);

test.for([
  ['limits: { updates: 9 }\n', '`limits.updates` 2 → 9'],
  ['limits: { updates: 90% }\n', '`limits.updates` 2 → 90%'],
  ['limits: { updates: 2 }\n', '`reviews.limits` data-platform → none'],
] as const)(
  'a pull request with %s needs the review, by the policy of the base',
  async ([text, says]) => {
    const before = 'limits: { updates: 2 }\nreviews: { limits: data-platform }\n';
    const world = await openActive(before);
    const kept = says.startsWith('`limits') ? 'reviews: { limits: data-platform }\n' : '';
    world.openPull(7, { 'contract-sync.yaml': `${text}${kept}` });
    for (const more of [{}, { policy: 'head' }]) {
      const red = await world.plan(7, more);
      expect(red.code).toBe(1);
      expect(red.stdout).toContain(`by the team data-platform: ${says}`);
    }
    world.giveReviews(7, [{}]);
    expect((await world.plan(7)).code).toBe(0);
  },
);

test("in a clone without the base, the pull request's own `reviews` decide, with a warning", async () => {
  const world = await openActive();
  world.openPull(7, { ...breaking, 'contract-sync.yaml': 'compatibility: { active: warn }\n' });
  world.git('switch', '--quiet', 'work-7');
  const run = await world.run(pullRequestEvent({ number: 7 }));
  expect(run.code).toBe(0);
  expect(run.stdout).toContain("The pull request's own policy judges this plan.");
  world.openPull(8, describing('carts', 'By 8.'));
  world.git('switch', '--quiet', 'work-8');
  const asked = await world.run(pullRequestEvent({ number: 8 }));
  expect(asked.code).toBe(1);
  expect(asked.stdout).toContain(": a policy that can't be compared with the base's.");
  expect((await world.plan(7)).code).toBe(1);
});

test("where the members of a team can't be read, plan and apply say so, and refuse", async () => {
  const world = await openActive(policy, {});
  world.openPull(7, breaking);
  world.giveReviews(7, [{}]);
  expect((await world.plan(7)).code).toBe(1);
  world.merge(7);
  const run = await world.apply();
  expect(run.code).toBe(1);
  for (const said of [world.shownOf(7), run.stdout]) {
    expect(said).toMatch(/The members of data-platform can't be read/u);
    expect(said).toMatch(/\/orgs\/acme\/teams\/data-platform\/members with 404/u);
    expect(said).toContain('GitHub App');
  }
  expect(await world.live('schema')).toMatchObject({ orders: [column('id'), column('amount')] });
});

test('the merge queue needs the review too', async () => {
  const world = await openActive();
  world.openPull(7, breaking);
  await world.plan(7);
  const red = await world.queue(7);
  expect(red.code).toBe(1);
  expect(red.stdout).toContain('by the team data-platform: shop.sales.orders (breaking)');
  world.giveReviews(7, [{}]);
  expect((await world.queue(7)).code).toBe(0);
});

const rules = {
  ...defaultRules,
  reviews: { ...defaultRules.reviews, breaking: ['data-platform'], retirement: ['governance'] },
};

/** Each approved by this account, at this commit; Mira is in each team. */
type Approvals = Readonly<Record<number, readonly [login: string, commit: string]>>;

function stepWith(approvals: Approvals): Step {
  const forge = {
    approvals: async (number: number) => {
      const [login, commit] = approvals[number] ?? [];
      return Promise.resolve(login === undefined ? [] : [{ login, commit, at: '' }]);
    },
    members: async (team: string) => {
      if (team === 'hidden') throw new SyncError('github', 'No.');
      return Promise.resolve(['mira']);
    },
  };
  return {
    run: { number: 7, pullRequest: { number: 7, headSha: 'head' } },
    forge,
  } as unknown as Step;
}

test.for([
  { loosens: true, found: ['review-missing'] },
  { loosens: false, found: [] },
])(
  'a change of a team in `reviews` that loosens it, $loosens, lacks the approval of that team: $found',
  async (row) => {
    const setting = 'reviews.retirement';
    const changed = [{ setting, key: setting, before: ['a'], after: [], loosens: row.loosens }];
    const policy = { base: { rules, changed } } as never;
    const problems = await judgeOpenPull(stepWith({}), makePlan('', [], []), policy, defaultRules);
    expect(problems.map(({ code }) => code)).toEqual(row.found);
  },
);

const finding = { code: 'column-removed', severity: 'warning', message: 'Removed.' } as const;
const change = {
  ...updateOf({ description: 'Old.' }, { description: 'New.' }),
  problems: [{ ...finding, source: desiredOf({}).source, impact: 'breaking' as const }],
};

function recordOf(number: number, fingerprint = 'other', hasLanded = false): OurRecord {
  const changes = [{ contract: markOf(change.id), fingerprint, hasLanded }];
  const comment = { isEdited: false, changes };
  return { pull: { number, headSha: 'head' }, comment } as unknown as OurRecord;
}

const exact = shortFingerprint(change.fingerprint);
const mira = ['mira', 'head'] as const;
const lacking = (pulls: string) =>
  `Have one of its members approve the last commit of pull request ${pulls}, then run this job again.`;
const unshown = 'No pull request shows all of it: bring it by one.';

type Judged = readonly [
  title: string,
  Approvals,
  all: OurRecord[],
  hint?: string | undefined,
  teams?: string[],
];

test.for<Judged>([
  ['a member', { 7: mira }, [recordOf(7, exact)]],
  ['a member of one of two teams', { 7: mira }, [recordOf(7, exact)], undefined, ['hidden', 'a']],
  ['somebody else', { 7: ['eve', 'head'] }, [recordOf(7, exact)], lacking('7')],
  ['a member, for an earlier commit', { 7: ['mira', 'old'] }, [recordOf(7, exact)], lacking('7')],
  ['a member, where it is shown exactly', { 7: mira }, [recordOf(8), recordOf(7, exact)]],
  [
    'a member in one of two pull requests that change its contract',
    { 7: mira },
    [recordOf(8), recordOf(7)],
    lacking('8 and 7'),
  ],
  ['a member, for what has landed since', { 7: mira }, [recordOf(7, exact, true)], unshown],
  [
    'a member, for another change that has landed',
    { 7: mira },
    [recordOf(7, 'other', true)],
    unshown,
  ],
])('a breaking change that is approved by %s', async ([, approvals, all, hint, teams]) => {
  const given = { ...rules.reviews, ...(teams && { breaking: teams }) };
  const found = await judgeMerged(
    stepWith(approvals),
    makePlan('', [change], []),
    { all, own: undefined, isWhole: true },
    { ...rules, reviews: given },
  );
  expect(found.map((each) => each.hint)).toEqual(hint === undefined ? [] : [hint]);
});
