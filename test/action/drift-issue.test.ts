import { describe, expect, test } from 'vitest';
import { record } from '../support/recorder.ts';
import { serveCatalog } from '../support/workspace.ts';
import { liveContract } from './catalog.ts';
import { bot } from './github-server.ts';
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
  expect(body()).toMatch(/^- `shop\.sales\.carts`, last written by admin, \d{4}-\d\d-\d\d /mu);
  expect(body()).toContain('description: "Old." → "By hand."');
  expect(body()).toContain('`contract-sync pull`');

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
  test('a contract that was edited and then deleted stands in it', async () => {
    const { swap, lookAgain, issue } = await openSwapped();
    await swap('orders', 'refunds');
    expect(await lookAgain()).toMatchObject({ code: 1 });
    expect(issue).toMatchObject({ state: 'open', title: "1 contract isn't in prod" });
    expect(issue.body).toContain('- `shop.sales.carts`');
    expect(issue.body).not.toContain('drift=overwrite');
    await swap('carts', 'orders', 'refunds');
    await lookAgain();
    expect(issue.state).toBe('closed');
  });

  test('so it does where missing contracts are only reported', async () => {
    const { swap, lookAgain, issue } = await openSwapped('missing: report\n');
    await swap('orders', 'refunds');
    expect(await lookAgain()).toMatchObject({ code: 0 });
    expect(issue).toMatchObject({ state: 'open', title: "1 contract isn't in prod" });
  });

  test('a token that sees nothing', async () => {
    const { swap, lookAgain, issue } = await openSwapped();
    await swap('others');
    expect(await lookAgain()).toMatchObject({ code: 1 });
    expect(issue).toMatchObject({ state: 'open', title: "3 contracts aren't in prod" });
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

test('an issue of somebody else, a pull request and another catalog are none of ours', async () => {
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

test('an edit at a time that no calendar has is told all the same', async () => {
  const edited = liveContract('carts', { description: 'By hand.', updatedAt: 9e15 });
  const world = await openWorld({ names: ['carts'], catalog: { seed: [edited] } });
  expect(await look(world)).toMatchObject({ code: 0, stderr: '' });
  expect(world.github.issues).toHaveLength(1);
});

test('a catalog that cannot be read leaves the issue as it is', async () => {
  const world = await openWorld();
  await world.edit('carts', { description: 'By hand.' });
  await look(world);
  const inputs = { 'drift-issue': 'true', label: 'prod', token: 'no.such.token' };
  expect((await world.run({ name: 'schedule' }, { inputs })).code).toBe(1);
  expect(world.github.issues).toMatchObject([{ state: 'open' }]);
});

const refuse = (line: string) =>
  line.endsWith('/issues') ? ({ status: 403 } as const) : undefined;

test('an issue that may not be written is red, and says which permission it takes', async () => {
  const world = await openWorld({ github: { refuse } });
  await world.edit('carts', { description: 'By hand.' });
  const run = await look(world);
  expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'github' } });
  expect(run.stdout).toContain('issues: write');
});

test('what is merged and not applied yet is in the issue until it is', async () => {
  const world = await openWorld();
  await world.review(7, describing('orders', 'By 7.'));
  await look(world);
  expect(world.github.issues).toMatchObject([{ state: 'open' }]);
  await world.apply();
  await look(world);
  expect(world.github.issues).toMatchObject([{ state: 'closed' }]);
});
