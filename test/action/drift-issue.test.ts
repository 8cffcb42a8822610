import { describe, expect, test } from 'vitest';
import { record } from '../support/recorder.ts';
import { serveCatalog } from '../support/workspace.ts';
import { liveContract } from './catalog.ts';
import { reportDrift } from '../../src/action/drift-issue.ts';
import { commentKey } from '../../src/action/step.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planOf, stepWith } from './comments.ts';
import { bot, type GitHubState } from './github-server.ts';
import { describing, openWorld, type World } from './review-world.ts';

const look = async (world: World) =>
  world.run({ name: 'schedule' }, { inputs: { 'drift-issue': 'true', label: 'prod' } });

test('fail-on: changes turns red where it is not known who changed the catalog', async () => {
  const world = await openWorld();
  await world.edit('carts', { description: 'By hand.' });
  const token = await world.catalog.issueToken({ subject: 'reader', permissions: ['list'] });
  const inputs = { 'drift-issue': 'true', 'fail-on': 'changes', token };
  const run = await world.run({ name: 'schedule' }, { inputs });
  expect(run.outputs).toMatchObject({ 'has-changes': 'false', 'failure-reason': 'changes' });
  expect(run.stdout).toContain('The catalog differs from the files: 1 edited or not applied yet.');
});

test('one issue is opened, updated and closed as the catalog is edited and mended', async () => {
  const world = await openWorld();
  const { issues, comments } = world.github;
  expect(await look(world)).toMatchObject({ code: 0, stderr: '' });
  expect(issues).toEqual([]);

  await world.edit('carts', { description: 'By hand.' });
  const found = await look(world);
  expect(found).toMatchObject({ code: 0, outputs: { 'has-changes': 'false' } });
  expect(issues).toMatchObject([{ title: '1 contract was edited in prod', state: 'open' }]);
  const body = () => issues[0]?.body ?? '';
  expect(body()).toMatch(/^- `shop\.sales\.carts`, last written by admin$/mu);
  expect(body()).toContain('description: "Old." → "By hand."');
  expect(body()).toContain('`contract-sync pull`');

  expect(body()).not.toContain('no changes');
  expect(body().match(/undo/gu)).toHaveLength(1);

  const first = body();
  expect((await look(world)).stdout).toContain('Issue: unchanged 500.');
  expect(body()).toBe(first);

  await world.edit('orders', { description: 'By hand, too.' });
  await look(world);
  expect(issues).toMatchObject([{ title: '2 contracts were edited in prod' }]);

  // Its command undoes what it shows.
  const undone = await world.paste(body());
  expect(undone).toMatchObject({ code: 0, outputs: { applied: '2' } });
  expect(await world.live()).toMatchObject({ carts: 'Old.', orders: 'Old.' });
  await look(world);
  expect(issues).toMatchObject([{ state: 'closed' }]);
  expect(comments).toMatchObject([{ pull: 500, body: expect.stringContaining('again') }]);
});

/** The catalog can be swapped for another one, at the same address. */
async function openSwapped(config = '') {
  const world = await openWorld({ config });
  let { url: other } = world.catalog;
  const recorder = await record(world.catalog.url, undefined, () => other);
  const swap = async (...names: readonly string[]) => {
    const seed = names.map((name) => liveContract(name));
    ({ url: other } = await serveCatalog({ seed, token: world.catalog.token }));
  };
  const lookAgain = async (more = {}) => {
    const inputs = { 'drift-issue': 'true', label: 'prod', 'catalog-url': recorder.url, ...more };
    return world.run({ name: 'schedule' }, { inputs });
  };
  await world.edit('carts', { description: 'By hand.' });
  await lookAgain();
  const [issue] = world.github.issues;
  if (!issue) throw new Error('no issue');
  return { world, swap, lookAgain, issue };
}

describe('the issue closes only after a complete plan without drift', () => {
  test.for([
    { lacks: 'a contract that was edited', config: '', kept: ['orders', 'refunds'], code: 1 },
    {
      lacks: 'one, which is reported',
      config: 'missing: report\n',
      kept: ['orders', 'refunds'],
      code: 0,
    },
    { lacks: 'all that the token sees', config: '', kept: ['others'], code: 1 },
  ])('the catalog lacks $lacks', async ({ config, kept, code }) => {
    const { swap, lookAgain, issue } = await openSwapped(config);
    await swap(...kept);
    expect(await lookAgain()).toMatchObject({ code });
    const title = kept.length === 2 ? "1 contract isn't in prod" : "3 contracts aren't in prod";
    expect(issue).toMatchObject({ state: 'open', title });
    expect(issue.body).toContain('`shop.sales.carts`');
    expect(issue.body).not.toContain('drift=overwrite');
    await swap('carts', 'orders', 'refunds');
    await lookAgain();
    expect(issue.state).toBe('closed');
  });

  test('edits that the next apply overwrites are edits', async () => {
    const { lookAgain, issue } = await openSwapped('drift: overwrite\n');
    expect(await lookAgain()).toMatchObject({ code: 0 });
    expect(issue).toMatchObject({ state: 'open', title: '1 contract was edited in prod' });
    expect(issue.body).toContain('By hand.');
  });

  test('a file that cannot be read leaves it as it was', async () => {
    const { world, lookAgain, issue } = await openSwapped();
    const before = issue.body;
    world.commit({ 'contracts/carts.yaml': 'fullyQualifiedName: shop.sales.carts\n descr: x\n' });
    expect(await lookAgain()).toMatchObject({ code: 1 });
    expect(issue).toMatchObject({ state: 'open', body: before });
  });
});

test('neither a commit that touches no contract nor another run is news for the issue', async () => {
  const { world, swap, lookAgain, issue } = await openSwapped('missing: report\n');
  await swap('orders', 'refunds');
  await lookAgain();
  expect(issue.body).toContain('/blob/HEAD/contracts/carts.yaml#L1)');
  world.commit({ 'NOTES.md': 'Main moves.\n' });
  expect((await lookAgain()).stdout).toContain('Issue: unchanged 500.');
});

test('an issue of somebody else, a pull request and an issue of another catalog are left alone', async () => {
  const world = await openWorld();
  await world.edit('carts', { description: 'By hand.' });
  await look(world);
  const [own] = world.github.issues;
  if (!own) throw new Error('no issue');
  const others = [
    { ...own, number: 1, user: { login: 'eve' } },
    { ...own, number: 2, pull_request: {} },
    { ...own, number: 3, body: own.body.replace(/drift \w+/u, 'drift 0') },
    { ...own, number: 4, body: `> ${own.body}` },
  ];
  world.github.issues.unshift(...others);
  world.github.issues.push({ ...own, number: 5, state: 'closed', user: { login: bot } });
  await world.edit('carts', { description: 'Old.' });
  expect((await look(world)).stdout).toContain('Issue: closed 500.');
  expect(world.github.issues.filter(({ state }) => state === 'open')).toHaveLength(4);
});

test('a merged change is in the issue until it is applied', async () => {
  const world = await openWorld();
  await world.review(7, describing('orders', 'By 7.'));
  await look(world);
  expect(world.github.issues).toMatchObject([{ state: 'open' }]);
  await world.apply();
  await look(world);
  expect(world.github.issues).toMatchObject([{ state: 'closed' }]);
});

const known = (state: object) =>
  ({ action: 'unchanged', id: 'a', problems: [], ...state }) as never;
const error = { code: 'a-code', severity: 'error', message: 'No.', scope: 'contract' } as const;

test.for<[title: string, plan: Plan, state: 'open' | 'closed']>([
  ['closes', makePlan('', [known({})], []), 'closed'],
  [
    'stays open while an error may hide drift',
    makePlan('', [], [{ ...error, scope: 'plan' }]),
    'open',
  ],
  [
    'stays open while a contract has an error',
    makePlan('', [known({ problems: [error] })], []),
    'open',
  ],
  ['stays open while a change is to be applied', planOf('New.'), 'open'],
])('after a plan without drift, the issue %s', async ([, plan, state]) => {
  const inputs = { catalogUrl: plan.catalogUrl, driftIssue: true };
  const run = { page: '', runId: 9, startedAt: '2026-01-08' };
  const log = { text: () => undefined };
  const issues: NonNullable<GitHubState['issues']> = [];
  const step = await stepWith({ issues }, { inputs, run, log });
  const body = `<!-- contract-sync drift ${commentKey(step)} -->`;
  issues.push({ number: 500, title: '', body, state: 'open', user: { login: bot } });
  await reportDrift(step, { kind: 'plan', plan }, () => '');
  expect(issues[0]?.state).toBe(state);
});
