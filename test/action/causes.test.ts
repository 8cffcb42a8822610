/** Each cause of a failure has words of its own, where people look first. */

import { describe, expect, test } from 'vitest';
import { arrange, changeOf } from './catalog.ts';
import { serveGitHub } from './github-server.ts';
import {
  arrangePull,
  annotationsIn,
  pullRequestEvent,
  runWithoutWaiting,
  writeContract,
} from './run-action.ts';
import { describing, openWorld } from './review-world.ts';

describe('an issue that is not written says why', () => {
  test.for([
    [{ status: 410, body: { message: 'Issues are disabled for this repo' } }, 'Turn on issues'],
    [{ status: 502 }, 'Run the job again.'],
    [{ status: 403 }, 'Give the job the permission `issues: write`.'],
  ] as const)('%j', async ([refusal, says]) => {
    const refuse = (line: string) => (line.endsWith('/issues') ? refusal : undefined);
    const world = await openWorld({ github: { refuse } });
    await world.edit('carts', { description: 'By hand.' });
    const run = await world.run({ name: 'schedule' }, { inputs: { 'drift-issue': 'true' } });
    expect(run.outputs['failure-reason']).toBe('github');
    const [error] = annotationsIn(run, 'error');
    expect(error?.message).toContain(`with ${refusal.status}`);
    expect(error?.message.split('\n')[1]?.slice(0, says.length)).toBe(says);
  });
});

test("GitHub's reason of a 422 is shown", async () => {
  const errors = [
    'Too long',
    { resource: 'IssueComment', code: 'unprocessable', field: 'data', message: 'Body is spam' },
    { resource: 'IssueComment', code: 'invalid', field: 'body' },
  ];
  const refusal = { status: 422, body: { message: 'Validation Failed', errors } } as const;
  const { world } = await arrangePull({
    refuse: (line) => (line.startsWith('POST /repos') ? refusal : undefined),
  });
  const run = await runWithoutWaiting(world);
  const [error] = annotationsIn(run, 'error');
  expect(error?.message).toContain(
    'with 422: Validation Failed (Too long, Body is spam, invalid body).',
  );
});

test('each change that failed is annotated at its file with its reason', async () => {
  const { folder, inputs, catalog } = await arrange({
    orders: changeOf('orders'),
    carts: changeOf('carts'),
  });
  const token = await catalog.issueToken({ subject: 'reader', permissions: ['list'] });
  const given = { ...inputs, token, command: 'apply', 'auto-approve': 'true', comment: 'off' };
  const run = await runWithoutWaiting({
    folder,
    inputs: given,
    event: { name: 'push', payload: {} },
  });
  expect(annotationsIn(run, 'error')).toMatchObject([
    ...['carts', 'orders'].map((name) => ({
      message: expect.stringMatching(new RegExp(`^shop\\.sales\\.${name}: .*permission`, 'u')),
      properties: { file: `contracts/${name}.yaml`, line: '1', title: 'forbidden' },
    })),
    { message: expect.stringMatching(/^2 of 2 changes failed: shop\.sales\.carts: .*permission/u) },
  ]);
});

test('a failed apply ends with what to do, in the log and in the comment', async () => {
  const world = await openWorld();
  await world.review(7, { ...describing('orders', 'By 7.'), ...describing('carts', 'By 7.') });
  const token = await world.catalog.issueToken({ subject: 'reader', permissions: ['list'] });
  const failed = await world.apply({ inputs: { token } });
  const next = 'Fix what it says, then run the job again: it sends what has not landed.';
  expect(annotationsIn(failed, 'error').at(-1)?.message).toMatch(new RegExp(`\\n${next}$`, 'u'));
  const shown = world.shownOf(7).replaceAll('&#58;', ':');
  expect(shown).toContain(`\n\n  ${next}\n`);
  expect(shown).toContain('  - ❌ `shop.sales.carts`: The owner of the access token lacks');
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '2' } });
});

test('an outcome that is not written into the comment fails the job until a run writes it', async () => {
  let isDown = true;
  const refuse = (line: string) =>
    isDown && line.startsWith('PATCH') ? ({ status: 403 } as const) : undefined;
  const world = await openWorld({ github: { refuse } });
  await world.review(7, describing('orders', 'By 7.'));
  const run = await world.apply();
  expect(run).toMatchObject({ code: 1, outputs: { applied: '1', 'failure-reason': 'github' } });
  const [error] = annotationsIn(run, 'error');
  expect(error?.message).toMatch(
    /^Can't write the outcome to the pull request\. .* 403\. Until the job is run again and writes it, what was applied still counts as approved\./u,
  );
  expect(error?.message).toContain('`pull-requests: write`');
  // The catalog has the change already, and the approval is as little spent as before.
  expect(await world.apply()).toMatchObject({ code: 1, outputs: { applied: '0' } });
  isDown = false;
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '0' } });
  expect(world.bodyOf(7)).toContain('✅ Applied 1 of 1 change');
});

test('a configuration error in a new pull request leaves a comment', async () => {
  const world = await openWorld();
  world.openPull(7, { 'contract-sync.yaml': 'missing: [\n', ...describing('orders', 'By 7.') });
  const run = await world.plan(7);
  expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
  expect(world.bodyOf(7)).toContain('## contract-sync: no plan could be made');
  expect(world.bodyOf(7)).toContain('contract-sync.yaml');
  world.git('switch', '--quiet', 'work-7');
  world.commit({ 'contract-sync.yaml': '' });
  world.git('switch', '--quiet', 'main');
  expect((await world.plan(7)).code).toBe(0);
  expect(world.bodyOf(7)).toContain('## contract-sync: 1 to update');
  expect(world.github.comments).toHaveLength(1);
});

test.for([
  ['an event that is refused', {}, 'pull_request_target'],
  ['an apply for a pull request', { command: 'apply' }],
  ['no catalog', { 'catalog-url': '' }],
  ['no token', { token: '' }],
  ['a token that the catalog refuses', { token: 'wrong.wrong.wrong' }],
  ['an environment that the configuration lacks', { environment: 'prod' }],
  ['a configuration that is not there', { config: 'nowhere.yaml' }],
  ['paths that are not there', { paths: 'nowhere' }],
  ['a base that is not there', { base: 'nowhere' }],
] as const)(
  '%s leaves no comment on the pull request, whose author cannot mend it',
  async ([, more, name]) => {
    const { github, world } = await arrangePull();
    const event = pullRequestEvent(name === undefined ? {} : { name });
    const run = await runWithoutWaiting({ ...world, event, inputs: { ...world.inputs, ...more } });
    expect(run.code).toBe(1);
    expect(github.comments).toEqual([]);
  },
);

test('a refused event leaves the comment of the plan as it is', async () => {
  const { github, world } = await arrangePull();
  await runWithoutWaiting(world);
  const [before] = structuredClone(github.comments);
  const event = pullRequestEvent({ name: 'pull_request_target' });
  expect((await runWithoutWaiting({ ...world, event })).code).toBe(1);
  expect(github.comments).toEqual([before]);
});

test.for<readonly [string, Readonly<Record<string, string>>]>([
  ['a misnamed configuration', { 'contract-sync.yml': '' }],
  ['a contract that cannot be read', { 'contracts/orders.yaml': 'description: [\n' }],
])('%s of the pull request is commented', async ([, files]) => {
  const { github, world } = await arrangePull();
  for (const [file, text] of Object.entries(files)) writeContract(world.folder, file, text);
  expect((await runWithoutWaiting(world)).code).toBe(1);
  expect(github.comments).toHaveLength(1);
});

test('a URL that is copied from a comment holds no invisible character', async () => {
  const { github, world } = await arrangePull();
  const run = await runWithoutWaiting(world);
  for (const text of [github.comments[0]?.body ?? '', run.summary]) {
    expect(text).not.toMatch(/\p{Cf}/u);
  }
});

test("the comment names one commit, and isn't edited when main moves", async () => {
  const world = await openWorld();
  world.openPull(7, describing('orders', 'By 7.'));
  await world.plan(7);
  const head = world.git('rev-parse', 'work-7');
  const [, ...lines] = world.bodyOf(7).split('\n');
  const named = lines.join('\n').match(/\b[0-9a-f]{7,40}\b/gu) ?? [];
  expect(named.every((commit) => head.startsWith(commit))).toBe(true);
  world.commit({ 'NOTES.md': 'Main moves.\n' });
  expect((await world.plan(7)).stdout).toContain('Comment of pull request 7: unchanged.');
});

test.each([
  ['a fork', { event: pullRequestEvent({ fork: true }) }],
  ['Dependabot', { event: pullRequestEvent(), environment: { GITHUB_ACTOR: 'dependabot[bot]' } }],
])(
  '%s has no secrets: its files are checked, and the step says why there is no plan',
  async (_, origin) => {
    const { folder } = await arrange();
    const github = await serveGitHub({ refuse: () => ({ status: 403 }) });
    const inputs = { 'catalog-url': '', token: '' };
    const run = await runWithoutWaiting({ folder, github, inputs, ...origin });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const said = expect.stringContaining('comes from a fork or from Dependabot');
    expect(annotationsIn(run, 'notice')).toMatchObject([{ message: said }]);
    expect(run.summary).toEqual(said);
    expect(run.summary).toContain('## contract-sync: 1 contract in 1 file');
    writeContract(folder, 'contracts/orders.yaml', 'fullyQualifiedName: [1]\n');
    const broken = await runWithoutWaiting({ folder, github, ...origin });
    expect(broken).toMatchObject({ code: 1, outputs: { 'failure-reason': 'invalid-contracts' } });
    expect(annotationsIn(broken, 'notice')).toMatchObject([{ message: said }]);
  },
);
