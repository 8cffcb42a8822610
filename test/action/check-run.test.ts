import { expect, test } from 'vitest';
import { arrange, changeOf } from './catalog.ts';
import { serveGitHub } from './github-server.ts';
import { describing, openWorld } from './review-world.ts';
import { annotationsIn, pullRequestEvent, runWithoutWaiting, writeContract } from './run-action.ts';

test('with `checks: write` the plan is a check of its commit, with the verdict as its title', async () => {
  const world = await openWorld({ github: { mayCheck: true } });
  world.openPull(7, describing('orders', 'By 7.'));
  const run = await world.plan(7, { label: 'prod' });
  expect(run).toMatchObject({ code: 0 });
  expect(run.stdout).toContain('Check run: created.');
  expect(world.github.checkRuns).toMatchObject([
    {
      name: 'contract-sync: prod',
      head_sha: world.git('rev-parse', 'work-7'),
      status: 'completed',
      conclusion: 'success',
      details_url: 'https://github.com/acme/contracts/actions/runs/101',
      output: { title: '1 to update', summary: expect.stringContaining('+ By 7.') },
    },
  ]);
  world.openPull(8, { 'contracts/orders.yaml': 'fullyQualifiedName: [1]\n' });
  expect(await world.plan(8)).toMatchObject({ code: 1 });
  expect(world.github.checkRuns[1]).toMatchObject({
    name: 'contract-sync',
    conclusion: 'failure',
    output: { title: 'no plan could be made' },
  });
});

test('a plan that nobody can approve is a failed check', async () => {
  const world = await openWorld({
    github: {
      mayCheck: true,
      refuse: (line) => (line.endsWith('/comments') ? { status: 403 } : undefined),
    },
  });
  world.openPull(7, describing('orders', 'By 7.'));
  expect((await world.plan(7)).code).toBe(1);
  expect(world.github.checkRuns).toMatchObject([{ conclusion: 'failure' }]);
});

test.for([
  [403, 'Give the job the permission `checks: write`.'],
  [404, 'Give the job the permission `checks: write`.'],
  [502, 'Run the job again.'],
] as const)('without it all is as it was, and the log says why: %s', async ([status, advice]) => {
  const refuse = (line: string) => (line.endsWith('/check-runs') ? { status } : undefined);
  const world = await openWorld({ github: { mayCheck: true, refuse } });
  world.openPull(7, describing('orders', 'By 7.'));
  const run = await world.plan(7);
  expect(run).toMatchObject({ code: 0, outputs: { updates: '1', 'failure-reason': '' } });
  expect(run.stdout).toContain(`Check run: none. GitHub answered`);
  expect(run.stdout).toMatch(new RegExp(`with ${status}[^\\n]*\\. ${advice}\n`, 'u'));
  for (const kind of ['error', 'warning', 'notice']) expect(annotationsIn(run, kind)).toEqual([]);
  expect(world.bodyOf(7)).toContain('## contract-sync: 1 to update');
});

test('a large plan fits, and no secret is in it', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `table_${index}`);
  const files = names.map(
    (name) => [name, changeOf(name, `Ünlong ${name}. `.repeat(200))] as const,
  );
  const { folder, inputs, catalog } = await arrange(Object.fromEntries(files), names);
  writeContract(folder, 'contract-sync.yaml', 'limits: { updates: 100% }\n');
  writeContract(folder, 'contracts/table_0.yaml', changeOf('table_0', `It is ${catalog.token}.`));
  const github = await serveGitHub({ mayCheck: true });
  const run = await runWithoutWaiting({ folder, github, inputs, event: pullRequestEvent() });
  expect(run.code).toBe(0);
  const [{ output }] = github.checkRuns as [(typeof github.checkRuns)[number]];
  expect(output.summary.length).toBeLessThan(65_536);
  expect(output.summary).toContain('Some details are left out');
  expect(output.summary).not.toContain(catalog.token);
});

test('neither an apply nor a plan without a pull request makes a check', async () => {
  const world = await openWorld({ github: { mayCheck: true } });
  world.commit(describing('orders', 'By a push.'));
  await world.apply();
  await world.run({ name: 'schedule' });
  expect(world.github.checkRuns).toEqual([]);
});
