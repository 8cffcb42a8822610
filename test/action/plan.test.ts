import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { expectValid } from '../support/schema.ts';
import { makeFolder } from '../support/workspace.ts';
import { arrange, changeOf } from './catalog.ts';
import { bot, serveGitHub } from './github-server.ts';
import {
  arrangePull,
  annotationsIn,
  headSha,
  pullRequestEvent,
  runAction,
  runWithoutWaiting,
  writeContract,
} from './run-action.ts';

test('the first plan creates the comment, the second updates it, the same does nothing', async () => {
  const { folder, github, world } = await arrangePull();
  const first = await runWithoutWaiting(world);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain('## contract-sync: 1 to update');
  expect(github.comments[0]?.body).toContain('+ New.');

  github.requests.length = 0;
  const same = await runWithoutWaiting({ ...world, environment: { GITHUB_RUN_ID: '101' } });
  expect(same.stdout).toContain('Comment of pull request 7: unchanged.');
  expect(
    github.requests.filter((line) => /^(?:PATCH|POST \S+comments|DELETE)/u.test(line)),
  ).toEqual([]);

  writeContract(folder, 'contracts/orders.yaml', changeOf('orders', 'Newer.'));
  await runWithoutWaiting({ ...world, environment: { GITHUB_RUN_ID: '102' } });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.body).toContain('+ Newer.');
});

test("where git fails, the plan shows git's error, that it has no base, and whose policy judges", async () => {
  const { folder, world } = await arrangePull();
  writeFileSync(join(folder, '.git'), 'gitdir: /nowhere/at/all\n');
  const run = await runWithoutWaiting(world);
  expect(run.code).toBe(0);
  expect(annotationsIn(run, 'warning')).toMatchObject([
    {
      message: expect.stringContaining(
        "files: fatal: not a git repository: /nowhere/at/all. The pull request's own policy judges this plan.\nIn a container",
      ),
    },
  ]);
});

test('a first plan sends GitHub four requests', async () => {
  const { github, world } = await arrangePull();
  const run = await runAction(world);
  expect(run.stdout).toMatch(/^contract-sync \d+\.\d+\.\d+, Node \d+\./u);
  expect(github.requests.toSorted()).toEqual([
    'POST /graphql',
    'POST /graphql',
    'POST /repos/acme/contracts/check-runs',
    'POST /repos/acme/contracts/issues/7/comments',
  ]);
});

test('a run without a plan adds a note above the earlier plan, which stays', async () => {
  const { inputs, github, world } = await arrangePull();
  await runWithoutWaiting({ ...world, inputs: { ...inputs, label: 'prod --> <1>' } });
  const [header = '', about] = (github.comments[0]?.body ?? '').split('\n');
  // A label can't end the hidden header.
  expect(header.indexOf('-->')).toBe(header.length - 3);
  expect(about).toMatch(
    /^\*\*prod --&#62; &#60;1&#62;\*\* · commit `a{7}` · \[run 100\]\(\S+\) · \d{4}-[\d: -]+ UTC$/u,
  );
  const environment = { GITHUB_RUN_ID: '101' };
  const failed = { ...world, inputs: { ...inputs, token: 'no.such.token' }, environment };
  expect((await runWithoutWaiting(failed)).code).toBe(1);
  expect((await runWithoutWaiting(failed)).code).toBe(1);
  const body = github.comments[0]?.body ?? '';
  expect(body.split('This plan is out of date: [run 101]')).toHaveLength(2);
  expect(body).toContain('## contract-sync: 1 to update');
  await runWithoutWaiting({ ...world, inputs, environment: { GITHUB_RUN_ID: '102' } });
  expect(github.comments[0]?.body).not.toContain('out of date');
});

test.for([
  { run: 'of an earlier push', head: 'c'.repeat(40), at: '2026', isKept: true },
  { run: 'of the same push, started before', head: headSha, at: '9999', isKept: true },
  { run: 'of the same push, run again since', head: headSha, at: '2026', isKept: false },
])('the plan of a newer run and a run $run: it stays: $isKept', async ({ head, at, isKept }) => {
  const { folder, github, world } = await arrangePull();
  await runWithoutWaiting({ ...world, environment: { GITHUB_RUN_ID: '200' } });
  const [comment] = github.comments;
  if (comment) comment.body = comment.body.replace(/"time":"\d{4}/u, `"time":"${at}`);
  writeContract(folder, 'contracts/orders.yaml', changeOf('orders', 'Of run 199.'));
  const event = pullRequestEvent({ head });
  const older = await runWithoutWaiting({ ...world, event, environment: { GITHUB_RUN_ID: '199' } });
  const words = isKept ? 'left as a later run wrote it' : 'updated';
  expect(older.stdout).toContain(`Comment of pull request 7: ${words}.`);
  expect(github.comments[0]?.body.includes('Of run 199.')).toBe(!isKept);
});

test.for([
  { place: 'before', time: 2000, result: 'updated', left: [1] },
  { place: 'before', time: 9999, result: 'left as a later run wrote it', left: [1] },
  { place: 'after', time: 9999, result: 'left as a later run wrote it', left: [1001, 9000] },
] as const)(
  'of two comments made at once, the other $place ours and of $time, the oldest stays, with the text of the later run',
  async ({ place, time, result, left }) => {
    const { github, world } = await arrangePull({
      onCreate: (comments) => {
        const body = (comments[0]?.body ?? '').replace(/"time":"\d{4}/u, `"time":"${time}`);
        if (place === 'before') comments.unshift({ id: 1, body, user: { login: bot } });
        else comments.push({ id: 9000, body, user: { login: bot } });
      },
    });
    const run = await runWithoutWaiting(world);
    expect(run.stdout).toContain(`Comment of pull request 7: ${result}.`);
    expect(github.comments.map(({ id }) => id)).toEqual(left);
    const later = time === 9999 ? '"time":"9999' : '"time":"20';
    expect(github.comments.at(place === 'before' ? 0 : -1)?.body).toContain(later);
  },
);

test('a plan without changes makes no comment, and updates one that is there', async () => {
  const { folder, github, world } = await arrangePull();
  writeContract(folder, 'contracts/orders.yaml', changeOf('orders', 'Old.'));
  const none = await runWithoutWaiting(world);
  expect(none.outputs).toMatchObject({ 'has-changes': 'false', updates: '0', unchanged: '1' });
  expect(github.comments).toEqual([]);
  writeContract(folder, 'contracts/orders.yaml', changeOf('orders'));
  await runWithoutWaiting(world);
  writeContract(folder, 'contracts/orders.yaml', changeOf('orders', 'Old.'));
  await runWithoutWaiting({ ...world, environment: { GITHUB_RUN_ID: '101' } });
  expect(github.comments[0]?.body).toContain('## contract-sync: no changes');
});

test('comment: recreate writes a new one, also where another run deletes the old one first; off writes no comment', async () => {
  let isGone = false;
  const { github, world } = await arrangePull({
    refuse: (line) => (isGone && line.startsWith('DELETE') ? { status: 404 } : undefined),
  });
  await runWithoutWaiting({ ...world, inputs: { ...world.inputs, comment: 'off' } });
  expect(github.comments).toEqual([]);
  await runWithoutWaiting(world);
  const [first] = github.comments.map(({ id }) => id);
  await runWithoutWaiting({ ...world, inputs: { ...world.inputs, comment: 'recreate' } });
  expect(github.comments).toHaveLength(1);
  expect(github.comments[0]?.id).not.toBe(first);
  isGone = true;
  const again = { ...world, inputs: { ...world.inputs, comment: 'recreate' } };
  expect(await runWithoutWaiting(again)).toMatchObject({ code: 0, outputs: { updates: '1' } });
});

test('outputs are paths and counts; the plan file holds the whole plan', async () => {
  const { folder, inputs } = await arrange({ orders: changeOf('orders') }, ['orders', 'carts']);
  const run = await runWithoutWaiting({ folder, inputs });
  expect(run.outputs).toMatchObject({
    'has-changes': 'true',
    'plan-hash': expect.stringMatching(/^sha256:[0-9a-f]{64}$/u),
    updates: '1',
    unmanaged: '1',
    'failure-reason': '',
  });
  const plan = JSON.parse(readFileSync(run.outputs['plan-file'] ?? '', 'utf8'));
  expectValid('plan', plan);
  expect(plan.planHash).toBe(run.outputs['plan-hash']);
  expect(readFileSync(run.outputs['summary-file'] ?? '', 'utf8').trim()).toBe(run.summary.trim());
  expect(run.summary).toContain('## contract-sync: 1 to update');
  const checked = await runWithoutWaiting({ folder, inputs: { ...inputs, command: 'validate' } });
  expect(checked.outputs).toHaveProperty('summary-file');
  expect(checked.outputs).not.toHaveProperty('html-file');
});

test('the report is also an HTML page with links to the pull request, the commit and the run', async () => {
  const { folder, inputs, world } = await arrangePull();
  const description = `Seen with ${inputs.token}.`;
  writeContract(folder, 'contracts/orders.yaml', changeOf('orders', description));
  const run = await runWithoutWaiting(world);
  const page = readFileSync(run.outputs['html-file'] ?? '', 'utf8');
  expect(page).toMatch(/<h1 class="good">1 to update<\/h1>/u);
  expect(page).toMatch(
    /<p class="note good">Merging this pull request updates 1 contract in <span class="strong">the catalog<\/span>\.<\/p>/u,
  );
  for (const address of ['pull/7', `commit/${headSha}`, 'actions/runs/100']) {
    expect(page).toContain(`<a href="https://github.com/acme/contracts/${address}">`);
  }
  expect(page).toContain(`blob/${headSha}/contracts/orders.yaml#L`);
  expect(page).toContain('Seen with ***.');
  expect(page).not.toContain(inputs.token);
});

test('a plan file that cannot be written, or that a link leads elsewhere, is a mistake of the input', async () => {
  const { folder, inputs } = await arrange();
  const outside = makeFolder({ 'plan.json': 'theirs' });
  symlinkSync(outside, join(folder, 'out'));
  symlinkSync(join(outside, 'plan.json'), join(folder, 'link.json'));
  const linked = ['out/plan.json', 'out/new/plan.json', 'link.json'];
  for (const file of [...linked, 'contracts/orders.yaml/plan.json']) {
    const run = await runWithoutWaiting({ folder, inputs: { ...inputs, 'plan-file': file } });
    expect(run).toMatchObject({ code: 1, outputs: { 'failure-reason': 'configuration' } });
    const why = linked.includes(file) ? ': a symbolic link leads elsewhere.' : 'plan.json.';
    expect(annotationsIn(run, 'error')[0]?.message).toContain(why);
  }
  expect(readdirSync(outside)).toEqual(['plan.json']);
  expect(readFileSync(join(outside, 'plan.json'), 'utf8')).toBe('theirs');
});

test('problems are shown at their lines, as many as GitHub shows, the worst first', async () => {
  const { inputs } = await arrange({}, ['orders']);
  const files = Array.from({ length: 25 }, (_, index) => index);
  const broken = makeFolder(
    Object.fromEntries(
      files.map((index) => [
        `team/contracts/${index}.yaml`,
        `${changeOf(`table_${index}`)}descripton: Typo.\n`,
      ]),
    ),
  );
  const run = await runWithoutWaiting({
    folder: broken,
    inputs: { ...inputs, 'working-directory': 'team' },
    event: pullRequestEvent(),
  });
  expect(run.code).toBe(1);
  expect(run.outputs['failure-reason']).toBe('invalid-contracts');
  const errors = annotationsIn(run, 'error');
  expect(errors).toHaveLength(10);
  expect(errors[0]?.properties).toMatchObject({
    file: 'team/contracts/0.yaml',
    line: '3',
    title: 'unknown-key',
  });
  expect(errors.at(-1)?.message).toBe('The contract files have errors.');
  expect(run.summary).toContain('25 errors');
});

describe('a plan that cannot be recorded fails the step', () => {
  const locked = { message: 'Unable to create comment because issue is locked.' };
  test.for([
    { refusal: { status: 403 }, says: 'pull-requests: write', asked: 1 },
    { refusal: { status: 403, body: locked }, says: 'Unlock the conversation', asked: 1 },
    { refusal: { status: 401 }, says: '`github-token` is wrong or has expired', asked: 1 },
    { refusal: { status: 502 }, says: 'with 502', asked: 4 },
    { refusal: 'reset', says: "Can't reach", asked: 4 },
  ] as const)('$says', async ({ refusal, says, asked }) => {
    const { github, world } = await arrangePull({
      refuse: (line) => (line.endsWith('/comments') ? refusal : undefined),
    });
    const run = await runWithoutWaiting(world);
    expect(run.code).toBe(1);
    expect(run.outputs).toMatchObject({ 'failure-reason': 'github', updates: '1' });
    const [error] = annotationsIn(run, 'error');
    expect(error?.message).toContain("Can't write the plan to the pull request");
    expect(error?.message).toContain(says);
    expect(github.requests.filter((line) => line.endsWith('/comments'))).toHaveLength(asked);
  });

  test('without a token of GitHub', async () => {
    const { folder, inputs } = await arrange();
    const run = await runWithoutWaiting({ folder, inputs, event: pullRequestEvent() });
    expect(run.code).toBe(1);
    expect(run.outputs['failure-reason']).toBe('github');
    expect(run.stdout).toContain('The input `github-token` is empty');
    const off = { ...inputs, comment: 'off' };
    expect((await runWithoutWaiting({ folder, inputs: off, event: pullRequestEvent() })).code).toBe(
      0,
    );
  });
});

describe('a hiccup of GitHub is waited out', () => {
  const timeout = { errors: [{ message: 'Something went wrong while executing your query.' }] };
  const secondary = { message: 'You have exceeded a secondary rate limit.' };
  test.for([
    { at: 'POST /repos', refusal: { status: 502 } },
    { at: 'POST /repos', refusal: { status: 429, headers: { 'retry-after': '7' } }, wait: 7000 },
    { at: 'POST /repos', refusal: { status: 403, body: secondary }, wait: 60_000 },
    { at: 'POST /graphql', refusal: { status: 200, body: { errors: [secondary] } }, wait: 60_000 },
    { at: 'POST /repos', refusal: 'reset' },
    { at: 'POST /graphql', refusal: { status: 200, body: timeout } },
  ] as const)('%j', async ({ at, refusal, ...more }) => {
    let left = 1;
    const { github, world } = await arrangePull({
      refuse: (line) => (line.startsWith(at) && (left -= 1) === 0 ? refusal : undefined),
    });
    const run = await runWithoutWaiting(world);
    expect(run.code).toBe(0);
    expect(github.comments).toHaveLength(1);
    expect(run.waits).toHaveLength(1);
    const wait = 'wait' in more ? more.wait : 0;
    expect(run.waits[0]).toBeGreaterThanOrEqual(wait);
    expect(run.stdout).toMatch(
      new RegExp(`Trying again ${wait === 0 ? '(?:in|now)' : `in ${wait / 1000}[.\\d]`}`, 'u'),
    );
  });
});

test('a plan too large for a comment or a check is shown in less detail, with a link to the rest', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `table_${index}`);
  const { folder, github, world } = await arrangePull(
    { mayCheck: true },
    Object.fromEntries(
      names.map((name) => [name, changeOf(name, `${name}: ${'A long tëxt. '.repeat(200)}`)]),
    ),
  );
  writeContract(folder, 'contract-sync.yaml', 'limits: { updates: 100% }\n');
  const run = await runWithoutWaiting(world);
  expect(run.code).toBe(0);
  const body = github.comments[0]?.body ?? '';
  expect(body.length).toBeLessThan(65_536);
  expect(body).toContain('## contract-sync: 400 to update');
  expect(body).toContain('Some details are left out');
  expect(body).toContain('https://github.com/acme/contracts/actions/runs/100');
  expect(Buffer.byteLength(run.summary)).toBeLessThan(1_048_576);
  const check = github.checkRuns[0]?.output.summary ?? '';
  expect(check.length).toBeLessThan(65_536);
  expect(check).toContain('Some details are left out');
});

test('the catalog is the input’s: a file of the pull request cannot send the token elsewhere', async () => {
  const { folder, inputs } = await arrange();
  const thief = await serveGitHub();
  writeContract(
    folder,
    'contract-sync.yaml',
    `catalog: { url: "${thief.url}" }\nauth: { issuer: "${thief.url}", clientId: x }\n`,
  );
  const off = { ...inputs, comment: 'off' };
  const good = await runWithoutWaiting({ folder, inputs: off, event: pullRequestEvent() });
  expect(good.code).toBe(0);
  const without = await runWithoutWaiting({ folder, inputs: { token: inputs.token } });
  expect(without.outputs['failure-reason']).toBe('configuration');
  const bare = { 'catalog-url': inputs['catalog-url'] };
  const noToken = await runWithoutWaiting({ folder, inputs: bare, event: pullRequestEvent() });
  expect(noToken).toMatchObject({ code: 1, outputs: { 'failure-reason': 'auth' } });
  expect(noToken.stdout).toContain('Set the input `token`');
  expect(thief.requests).toEqual([]);
});

test('an environment above the working directory counts, and a warning says that the input overrides its catalog', async () => {
  const { folder, inputs } = await arrange();
  writeContract(
    folder,
    'contract-sync.yaml',
    'environments: { prod: { catalog: { url: "https://other.example/api" }, protected: ["**"] } }\n',
  );
  const given = {
    ...inputs,
    comment: 'off',
    environment: 'prod',
    'working-directory': 'contracts',
  };
  const run = await runWithoutWaiting({ folder, inputs: given });
  expect(run.outputs).toMatchObject({ blocked: '1' });
  const annotated = run.commands.map(({ properties }) => [properties['title'], properties['file']]);
  expect(annotated).toContainEqual(['contract-protected', 'contracts/orders.yaml']);
  expect(annotated).toContainEqual(['catalog-url-overridden', 'contract-sync.yaml']);
  expect(run.stdout).toContain('the input `catalog-url`');
  expect(run.stdout).toContain('Environment: prod');
});

test('a bug of ours ends in one error, and its stack starts no workflow command', async () => {
  const { folder, inputs } = await arrange({});
  writeContract(folder, 'event.json', '\n::stop-commands::x\n##[add-mask]x');
  const run = await runAction({
    folder,
    inputs,
    environment: { GITHUB_EVENT_PATH: `${folder}/event.json` },
  });
  expect(run).toMatchObject({ code: 1, stderr: '' });
  expect(run.outputs['failure-reason']).toBe('internal');
  expect(run.commands.map(({ name }) => name)).toEqual(['add-mask', 'error']);
});

test('a token that stands in a contract shows nowhere', async () => {
  const { folder, github, catalog, world } = await arrangePull({ mayCheck: true });
  writeContract(folder, 'contracts/orders.yaml', changeOf('orders', `It is ${catalog.token}.`));
  const run = await runAction(world);
  expect(run.code).toBe(0);
  const mask = `::add-mask::${catalog.token}`;
  expect(run.stdout.split('\n').filter((line) => line.includes(catalog.token))).toEqual([mask]);
  expect(run.summary).not.toContain(catalog.token);
  expect(github.checkRuns[0]?.output.summary).toContain('***');
  expect(github.checkRuns[0]?.output.summary).not.toContain(catalog.token);
  expect(github.comments[0]?.body).toContain('***');
  expect(github.comments[0]?.body).not.toContain(catalog.token);
  // Packed, it could not be seen, and anybody could unpack it.
  expect(github.comments[0]?.body).not.toContain('"plan":');
});
