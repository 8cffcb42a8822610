import { describe, expect, test } from 'vitest';
import { record } from '../support/recorder.ts';
import { serve } from '../sandbox/openmetadata/served.ts';
import { makeFolder, serveCatalog } from '../support/workspace.ts';
import { liveContract } from './catalog.ts';
import { annotationsIn, pullRequestEvent, pushEvent } from './run-action.ts';
import {
  describing,
  docsOnly,
  expectRefused,
  openPlanned,
  openWorld,
  type World,
} from './review-world.ts';

const runLine = (verdict: string) =>
  new RegExp(
    `^- ${verdict} to the catalog \\(\\[run \\d+\\]\\(\\S+\\), [\\d: -]+ UTC\\)\\.$`,
    'mu',
  );

describe('runs catch up', () => {
  test('of three quick merges the run of the second is dropped, and the third applies both', async () => {
    const world = await openPlanned({ 7: 'carts', 8: 'orders', 9: 'refunds' });
    world.merge(7);
    expect((await world.apply()).outputs).toMatchObject({ applied: '1' });
    world.merge(8, 9);
    const run = await world.apply();
    expect(run).toMatchObject({ code: 0, stderr: '', outputs: { applied: '2' } });
    expect(await world.live()).toEqual({ carts: 'By 7.', orders: 'By 8.', refunds: 'By 9.' });
    for (const number of [7, 8, 9])
      expect(world.bodyOf(number)).toMatch(runLine('✅ Applied 1 of 1 change'));
  });
});

describe('the record of a pull request is fixed once it is merged', () => {
  test('a later plan leaves it, and logs that', async () => {
    const world = await openPlanned({ 7: 'orders', 8: 'carts' });
    world.merge(7);
    const before = world.bodyOf(7);
    const again = await world.plan(7);
    expect(again).toMatchObject({ code: 0, outputs: { updates: '1' } });
    expect(again.stdout).toContain('7: left as it was when the pull request was merged or closed');
    expect(world.bodyOf(7)).toBe(before);
    expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
    const settled = world.bodyOf(7);
    expect(settled).toMatch(runLine('✅ Applied 1 of 1 change'));
    for (const comment of ['update', 'recreate']) {
      expect((await world.plan(7, { comment })).stdout).toContain(
        'Comment of pull request 7: left as it was when the pull request was merged',
      );
    }
    expect(world.bodyOf(7)).toBe(settled);
  });

  test('and where it is merged while it is planned for the first time', async () => {
    const world: World = await openWorld({
      github: { onCreate: () => world.merge(7) },
    });
    world.openPull(7, describing('orders', 'By 7.'));
    expect((await world.plan(7)).stdout).toContain('7: left as it was when');
    expect(world.bodyOf(7)).toBe('');
  });
});

describe('an edit of the catalog holds up no other change', () => {
  test('an edit of another contract stays and is listed apart, and the rest is applied', async () => {
    const world = await openWorld();
    await world.edit('carts', { description: 'By hand.' });
    world.openPull(7, describing('orders', 'By 7.'));
    const shown = await world.plan(7);
    expect(shown).toMatchObject({ code: 0, outputs: { updates: '1' } });
    const [asked = '', drift = ''] = world.bodyOf(7).split('### Drift');
    expect(asked).toContain('shop.sales.orders');
    expect(drift).toContain('shop.sales.carts');
    // The comment, twice, its creation, the check, and once what waits for its apply.
    expect(world.github.requests).toHaveLength(5);
    world.merge(7);
    expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
    expect(await world.live()).toMatchObject({ carts: 'By hand.', orders: 'By 7.' });
  });

  test('a blocked contract fails the job, and is named beside the landed ones', async () => {
    const world = await openWorld({ config: 'conflicts: block\n' });
    await world.edit('carts', { description: 'By hand.' });
    await world.review(7, { ...describing('carts', 'By 7.'), ...describing('orders', 'By 7.') });
    const run = await world.apply();
    expect(run.code).toBe(1);
    expect(run.outputs).toMatchObject({ applied: '1', 'failure-reason': 'incomplete-plan' });
    const title = '## contract-sync: ✅ Applied 1 of 1 change, 1 contract left\n\n';
    expect(world.bodyOf(7)).toContain(title);
    expect(world.bodyOf(7)).toMatch(
      /^- ✅ Applied 1 of 1 change to .* UTC\), 1 contract left: `shop\.sales\.carts` \(blocked\)\.$/mu,
    );
    expect(run.summary).toContain(
      `${title}✅ Applied 1 of 1 change to **the catalog**, 1 contract left.\n`,
    );
  });

  test('a clone without the base plans every difference, with a warning', async () => {
    const world = await openWorld();
    await world.edit('carts', { description: 'By hand.' });
    world.git('switch', '--quiet', '-c', 'work-7');
    world.commit(describing('orders', 'By 7.'));
    const head = world.git('rev-parse', 'HEAD');
    const run = await world.run(pullRequestEvent({ head }));
    expect(run).toMatchObject({ code: 0, outputs: { updates: '2' } });
    expect(run.stdout).toContain("This clone doesn't have the base");
    expect(run.stdout).toContain("The pull request's own policy judges this plan.");
    const strict = await world.run(pullRequestEvent({ head }), { inputs: { policy: 'base' } });
    expect(strict).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
    expect(strict.stdout).toContain("The policy of the base can't be used");
    const named = await world.run(pullRequestEvent({ head }), { inputs: { base: 'main' } });
    expect(named.outputs).toMatchObject({ updates: '1' });
    const unknown = await world.run(pullRequestEvent({ head }), { inputs: { base: 'nowhere' } });
    expect(unknown).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
  });
});

describe('a configuration that overwrites edits', () => {
  const overwriting = { config: 'drift: overwrite\n' };

  test('has the rule in the command that applies its plan', async () => {
    const world = await openPlanned({ 7: 'orders' }, overwriting);
    world.merge(7);
    await world.apply();
    world.openPull(8, describing('carts', 'By 8.'));
    await world.plan(8);
    await world.edit('orders', { description: 'By hand.' });
    world.merge(8);
    expect((await world.apply()).outputs['failure-reason']).toBe('plan-changed');
    expect(world.shownOf(8)).toContain('-f drift=overwrite -f expect-hash=');
    expect(await world.paste(world.shownOf(8))).toMatchObject({
      code: 0,
      outputs: { applied: '1' },
    });
    expect(await world.live()).toMatchObject({ orders: 'By 7.' });
  });
});

describe('a change without a review is not sent, and the others are', () => {
  test('an edit of the value that would be overwritten', async () => {
    const world = await openWorld();
    world.openPull(7, { ...describing('orders', 'By 7.'), ...describing('carts', 'By 7.') });
    await world.plan(7);
    await world.edit('carts', { description: 'By hand.' });
    world.merge(7);
    const run = await world.apply();
    expect(run.code).toBe(1);
    expect(run.outputs).toMatchObject({ applied: '1', 'failure-reason': 'plan-changed' });
    expect(await world.live()).toMatchObject({ carts: 'By hand.', orders: 'By 7.' });
    expect(world.bodyOf(7)).toMatch(runLine('❌ Applied 1 of 2 changes'));
    expect(run.summary).toContain('### Since the review');
    expect(run.summary).toContain('+ description: "By hand." → "By 7."');
    const next = 'To apply it as it is now, run the command `gh workflow run …` that stands below.';
    for (const text of [run.stdout, run.summary]) expect(text).toContain(next);
    expect(run.stdout).not.toContain('have the new plan reviewed');
    const command =
      /gh workflow run contract-sync-apply\.yml --ref main -f expect-hash=(sha256:[0-9a-f]{64})/u;
    for (const text of [run.stdout, run.summary, world.bodyOf(7)]) expect(text).toMatch(command);

    // Nothing of it is forgotten until somebody has decided.
    world.openPull(8, docsOnly);
    world.merge(8);
    expect((await world.apply()).outputs['failure-reason']).toBe('plan-changed');

    const byHand = await world.paste(world.shownOf(7));
    expect(byHand).toMatchObject({ code: 0, outputs: { applied: '1' } });
    expect(await world.live()).toMatchObject({ carts: 'By 7.' });
    expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '0' } });
  });

  test('the way out has all that the next run would do: also what failed, and no edit', async () => {
    const world = await openWorld();
    world.openPull(7, { ...describing('orders', 'By 7.'), ...describing('carts', 'By 7.') });
    await world.plan(7);
    await world.edit('carts', { description: 'By hand.' });
    await world.edit('refunds', { description: 'By hand.' });
    world.merge(7);
    const token = await world.catalog.issueToken({ subject: 'reader', permissions: ['list'] });
    await world.apply({ inputs: { token } });
    const run = await world.apply({ inputs: { token } });
    const problem = annotationsIn(run, 'error').find(({ message }) =>
      message.includes('changed after the review'),
    );
    expect(problem?.message).toContain('The summary has the command that applies');
    expect(await world.paste(world.shownOf(7))).toMatchObject({
      code: 0,
      outputs: { applied: '2' },
    });
    expect(await world.live()).toEqual({ carts: 'By 7.', orders: 'By 7.', refunds: 'By hand.' });
    expect(world.bodyOf(7)).not.toContain('gh workflow run');
  });

  test('a push without a pull request, also once a pull request follows', async () => {
    const world = await openPlanned({ 7: 'orders' });
    world.merge(7);
    await world.apply();
    world.commit(describing('carts', 'By a push.'));
    expect((await world.apply()).outputs['failure-reason']).toBe('plan-changed');
    await world.planAll({ 8: 'refunds' });
    world.merge(8);
    const run = await world.apply();
    expect(run).toMatchObject({ code: 1, outputs: { applied: '1' } });
    expect(run.stdout).toContain('No review approves these changes: shop.sales.carts.');
    expect(await world.live()).toMatchObject({ carts: 'Old.', refunds: 'By 8.' });
  });

  test('a clone that is too shallow applies what needs no base, and refuses the rest', async () => {
    const world = await openPlanned({ 7: 'carts', 8: 'orders' });
    world.merge(7, 8);
    await world.edit('orders', { displayName: 'By hand' });
    const shallow = makeFolder();
    world.git('clone', '--quiet', '--depth', '1', `file://${world.folder}`, shallow);
    const push = { name: 'push', payload: {} };
    const run = await world.run(push, { inputs: { command: 'apply' } }, shallow);
    expect(run).toMatchObject({ code: 0, outputs: { applied: '2' } });
    expect(run.stdout).toContain('Set `fetch-depth: 0` in actions/checkout.');
  });
});

describe('an apply of other inputs than those of the plan names them, and offers no way past the review', () => {
  const environments = { config: 'environments: { dev: {}, prod: {} }\n' };

  test('another catalog and environment', async () => {
    const world = await openWorld(environments);
    await world.review(7, describing('orders', 'By 7.'), { environment: 'dev' });
    const { url } = await record(world.catalog.url);
    const [own] = world.github.comments;
    const forged = own?.body.replaceAll(world.catalog.url, url).replace('"dev"', '"prod"') ?? '';
    world.github.comments.push({ id: 1, body: forged, user: { login: 'eve' }, pull: 7 });
    for (const _again of [1, 2]) {
      const run = await world.apply({ inputs: { 'catalog-url': url, environment: 'prod' } });
      expectRefused(run);
      expect(run.stdout).toContain(
        `The plan of pull request 7 has another \`catalog-url\` ("${world.catalog.url}", here "${url}") and another \`environment\` ("dev", here "prod").`,
      );
      expect(run.stdout + run.summary).not.toContain('gh workflow run');
      expect(world.github.comments.map(({ body }) => body).join('')).not.toContain('gh workflow');
    }
    const same = await world.apply({ inputs: { environment: 'dev' } });
    expect(same).toMatchObject({ code: 0, outputs: { applied: '1' } });
  });
});

/** A commit on main of its own. */
function push(world: World, name: string): void {
  world.commit(describing(name, 'By a push.'));
}

describe('auto-approve is for what came without a pull request', () => {
  const inputs = { 'auto-approve': 'true' };

  test('not for an unplanned one, whose run was dropped', async () => {
    const world = await openWorld();
    world.openPull(7, describing('orders', 'Nobody has seen this.'));
    world.merge(7);
    push(world, 'carts');
    const run = await world.apply({ inputs });
    expect(run.outputs).toMatchObject({ applied: '1', 'failure-reason': 'plan-changed' });
    expect(run.stdout).toContain('No review approves these changes: shop.sales.orders.');
    expect(await world.live()).toMatchObject({ orders: 'Old.', carts: 'By a push.' });
  });

  test('nor for a hand edit that the run of a pull request has refused to overwrite', async () => {
    const world = await openPlanned({ 7: 'orders' });
    await world.edit('orders', { description: 'By hand.' });
    world.merge(7);
    expect((await world.apply({ inputs })).outputs['failure-reason']).toBe('plan-changed');
    push(world, 'carts');
    for (const drift of ['leave', 'overwrite']) {
      const run = await world.apply({ inputs: { ...inputs, drift } });
      expect(run.outputs['failure-reason']).toBe('plan-changed');
      expect(run.stdout).toContain(`--ref main -f drift=${drift} -f expect-hash=`);
      expect(await world.live()).toMatchObject({ orders: 'By hand.', carts: 'By a push.' });
    }
  });

  test('but for pushes after it, also while another pull request is open', async () => {
    const world = await openPlanned({ 7: 'orders', 8: 'refunds' });
    world.merge(7);
    expect((await world.apply({ inputs })).outputs).toMatchObject({ applied: '1' });
    push(world, 'carts');
    expect(await world.apply({ inputs })).toMatchObject({ code: 0, outputs: { applied: '1' } });
    expect(await world.live()).toMatchObject({ carts: 'By a push.', refunds: 'Old.' });
  });
});

describe('a reviewed change that the plan lacks fails the run', () => {
  test('a token that sees nothing', async () => {
    const world = await openWorld();
    const empty = await serveCatalog({
      seed: [liveContract('others')],
      token: world.catalog.token,
    });
    let isBlind = false;
    const { catalog } = world;
    const { url } = await record(catalog.url, undefined, () => (isBlind ? empty.url : catalog.url));
    const inputs = { 'catalog-url': url };
    await world.review(7, describing('orders', 'By 7.'), inputs);
    isBlind = true;
    const blind = await world.apply({ inputs });
    expectRefused(blind);
    isBlind = false;
    expect(await world.apply({ inputs })).toMatchObject({ code: 0, outputs: { applied: '1' } });
  });

  const excluding = { 'contract-sync.yaml': 'contracts: { exclude: ["**/orders.yaml"] }\n' };
  const gone = "Changes of the reviewed plan can't be found now: shop.sales.orders.";

  test.for([
    {
      name: 'other paths than those of the plan',
      inputs: { paths: 'contracts/carts.yaml' },
      says: 'The plan of pull request 7 has another `paths` (none, here "contracts/carts.yaml"). Nothing of it',
    },
    { name: 'a configuration that leaves the file out', files: excluding, says: gone },
  ])('$name', async ({ inputs = {}, files, says }) => {
    const world = await openPlanned({ 7: 'orders' });
    world.merge(7);
    if (files) world.commit(files);
    expectRefused(await world.apply({ inputs }), says);
  });

  test('unless a later commit has removed the file', async () => {
    const world = await openPlanned({ 7: 'orders', 8: 'carts' });
    world.merge(7);
    world.openPull(9, { 'contracts/orders.yaml': null });
    await world.plan(9);
    world.merge(9, 8);
    expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
  });
});

describe('a contract that is to be created', () => {
  const config = 'create: true\ncatalog: { dialect: openmetadata }\n';
  const created = {
    'contracts/orders.yaml':
      'name: orders\nentity: { type: table, fullyQualifiedName: shop.sales.web.orders }\nentityStatus: Draft\n',
  };

  async function reviewed() {
    const world = await openWorld({ names: [], config });
    const { url, tokenOf } = await serve();
    const inputs = { 'catalog-url': url, token: await tokenOf('admin') };
    world.openPull(7, created);
    const run = await world.plan(7, inputs);
    expect(run).toMatchObject({ code: 0, outputs: { 'has-changes': 'true' } });
    world.merge(7);
    return { world, inputs };
  }

  test('is a difference, and no update, until it is applied as it was reviewed', async () => {
    const { world, inputs } = await reviewed();
    const run = await world.run(pushEvent, { inputs: { ...inputs, 'fail-on': 'changes' } });
    expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'changes' } });
    expect(run.stdout).toContain('The catalog differs from the files: 1 to create.');
    const landed = { applied: '1', 'not-applied': '0' };
    expect(await world.apply({ inputs })).toMatchObject({ code: 0, outputs: landed });
    expect(await world.apply({ inputs })).toMatchObject({ code: 0, outputs: { applied: '0' } });
  });
});

describe('a merge queue', () => {
  test('succeeds while the review holds, also for the second of a group, until a value is edited', async () => {
    const world = await openPlanned({ 7: 'carts', 8: 'orders' });
    expect(await world.queue(7)).toMatchObject({ code: 0, outputs: { updates: '1' } });
    expect(await world.queue(8, [7])).toMatchObject({ code: 0, outputs: { updates: '1' } });
    await world.edit('orders', { description: 'By hand.' });
    const run = await world.queue(8);
    expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'plan-changed' } });
  });
});

describe('a pull request that changes the policy gets a warning', () => {
  const blocking = 'protected: ["shop.sales.orders"]\n';

  test('and is judged by that of the base, unless its own is to judge', async () => {
    const world = await openWorld({ config: blocking });
    world.openPull(7, { 'contract-sync.yaml': '', ...describing('orders', 'By 7.') });
    const own = await world.plan(7, { policy: 'head' });
    expect(own).toMatchObject({ code: 0, outputs: { updates: '1', blocked: '0' } });
    const loosened =
      'This pull request loosens its own checks&#58; `protected` removes shop.sales.orders.';
    expect(world.bodyOf(7)).toMatch(/^## .*\n\n> \[!WARNING\]\n> This pull request loosens/mu);
    expect(world.bodyOf(7)).toContain(loosened);
    expect(world.bodyOf(7)).toContain(
      'By that of the base, it is &#34;nothing&#58; 1 blocked&#34;.',
    );
    for (const policy of ['base', '']) {
      const base = await world.plan(7, { policy });
      expect(base).toMatchObject({ code: 1, outputs: { updates: '0', blocked: '1' } });
      expect(world.bodyOf(7)).toContain(loosened);
      expect(world.bodyOf(7)).toContain('merge that one before this one');
    }
    // What was shown as blocked was not approved, whatever the policy of main says after the merge.
    world.merge(7);
    expect((await world.apply()).outputs).toMatchObject({ applied: '0' });
    expect(await world.live()).toMatchObject({ orders: 'Old.' });
  });

  test('also where it adds a configuration nearer by', async () => {
    const world = await openWorld({ config: blocking });
    const nearer = { 'contracts/contract-sync.yaml': 'contracts: { include: ["*.yaml"] }\n' };
    world.openPull(7, { ...nearer, ...describing('orders', 'By 7.') });
    const inputs = { policy: 'base', 'working-directory': 'contracts' };
    expect(await world.plan(7, inputs)).toMatchObject({ code: 1, outputs: { blocked: '1' } });
  });

  test('or that it is unknown, where the policy of the base has an error', async () => {
    const world = await openWorld({ config: 'limits: { updates: [' });
    world.openPull(7, { 'contract-sync.yaml': 'limits: { updates: 100% }\n' });
    expect((await world.plan(7)).code).toBe(0);
    expect(world.bodyOf(7)).toMatch(/is unknown\S+ the policy of the base can't be read/u);
  });
});
