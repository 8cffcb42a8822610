import { expect, test } from 'vitest';
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
