import { expect, test } from 'vitest';
import { describing, openWorld } from './review-world.ts';
import { annotationsIn } from './run-action.ts';

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

test('a plan that is not written into a comment is a failed check', async () => {
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

test('neither an apply nor a plan without a pull request makes a check', async () => {
  const world = await openWorld({ github: { mayCheck: true } });
  world.commit(describing('orders', 'By a push.'));
  await world.apply();
  await world.run({ name: 'schedule' });
  expect(world.github.checkRuns).toEqual([]);
});
