import { describe, expect, test } from 'vitest';
import { staticToken } from '../../src/auth/token.ts';
import { createReader, createWriter } from '../../src/catalog/client.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { record } from '../support/recorder.ts';
import { arrange, changeOf } from './catalog.ts';
import { serveGitHub, type FakeGitHub, type FakePull } from './github-server.ts';
import {
  annotationsIn,
  headSha,
  mergeSha,
  pullRequestEvent,
  pushEvent,
  runAction,
  runWithoutWaiting,
  writeContract,
} from './run-action.ts';

const merged: FakePull = {
  number: 7,
  head: { sha: headSha },
  merge_commit_sha: mergeSha,
  merged_at: '2026-01-01T00:00:00Z',
};
/** Of another branch that holds the commit too. */
const other: FakePull = {
  ...merged,
  number: 6,
  head: { sha: 'e'.repeat(40) },
  merge_commit_sha: 'c'.repeat(40),
};

const two = { orders: changeOf('orders'), carts: changeOf('carts') };

/** A pull request that was planned, and is merged now. */
async function review(files: Readonly<Record<string, string>>, pulls = [other, merged]) {
  const world = await arrange(files, ['orders', 'carts']);
  const github = await serveGitHub();
  const planned = await runWithoutWaiting({ ...world, github, event: pullRequestEvent() });
  expect(planned.code).toBe(0);
  github.pulls.push(...pulls);
  const apply = {
    folder: world.folder,
    github,
    inputs: { ...world.inputs, command: 'apply' },
    event: pushEvent,
    environment: { GITHUB_RUN_ID: '200' },
  };
  return { ...world, github, apply, plan: { ...apply, inputs: world.inputs } };
}

const liveDescriptions = async (catalog: Sandbox) => liveValues(catalog, 'description');

/** One field of each contract, by its name. */
async function liveValues({ url, token }: Sandbox, field: string) {
  const reader = createReader(connectionTo({ url, token }));
  const found: Record<string, unknown> = {};
  for await (const { contracts } of reader.list()) {
    for (const { name = '', document } of contracts) found[name] = document[field];
  }
  return found;
}

function connectionTo({ url, token }: Pick<Sandbox, 'url' | 'token'>) {
  return {
    baseUrl: new URL(url),
    token: staticToken(token),
    pageSize: 'auto',
    timeoutMs: 10_000,
    version: 'test',
  } as const;
}

/** Somebody edits a live contract between review and apply. */
async function editLive(
  catalog: Sandbox,
  name: string,
  description = 'Edited live.',
): Promise<void> {
  const connection = connectionTo(catalog);
  for await (const { contracts } of createReader(connection).list()) {
    const contract = contracts.find((one) => one.name === name);
    if (!contract) continue;
    const patch = [{ op: 'replace', path: '/description', value: description }] as const;
    await createWriter(connection).patch(contract.id, patch);
  }
}

const bodyOf = (github: FakeGitHub) => github.comments[0]?.body ?? '';

const runLine = (run: number, verdict: string) =>
  new RegExp(
    `^- ${verdict} to the catalog \\(\\[run ${run}\\]\\(\\S+/actions/runs/${run}\\), [\\d: -]+ UTC\\)\\.`,
    'mu',
  );

test('a merged pull request is applied, and its comment says so', async () => {
  const { apply, github, catalog } = await review(two);
  const run = await runWithoutWaiting(apply);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(run.outputs).toMatchObject({ applied: '2', 'not-applied': '0', 'failure-reason': '' });
  expect(await liveDescriptions(catalog)).toEqual({ orders: 'New.', carts: 'New.' });
  expect(github.comments).toHaveLength(1);
  expect(bodyOf(github)).toMatch(runLine(200, '✅ Applied 2 of 2 changes'));

  const again = await runWithoutWaiting({ ...apply, environment: { GITHUB_RUN_ID: '201' } });
  expect(again.code).toBe(0);
  // A later run adds to it; what was reviewed and what the first one did stay.
  expect(bodyOf(github)).toContain('## contract-sync: 2 to update');
  expect(bodyOf(github)).toMatch(runLine(200, '✅ Applied 2 of 2 changes'));
  expect(bodyOf(github)).toMatch(runLine(201, '✅ Nothing to apply'));
});

describe('a change that is not the reviewed one is not sent', () => {
  test('when the catalog was edited since', async () => {
    const { apply, github, catalog } = await review(two);
    await editLive(catalog, 'carts');
    const run = await runWithoutWaiting(apply);
    expect(run.code).toBe(1);
    expect(run.outputs['failure-reason']).toBe('plan-changed');
    expect(await liveDescriptions(catalog)).toEqual({ orders: 'New.', carts: 'Edited live.' });
    expect(bodyOf(github)).toMatch(runLine(200, '❌ Applied 1 of 2 changes'));
    expect(run.summary).toContain('### Since the review');
    expect(run.summary).toContain('+ description: "Edited live." → "New."');
  });

  test('when the files are not those of the review', async () => {
    const { apply, folder, catalog } = await review(two);
    writeContract(folder, 'contracts/carts.yaml', changeOf('carts', 'Never reviewed.'));
    const run = await runWithoutWaiting(apply);
    expect(run.outputs['failure-reason']).toBe('plan-changed');
    expect(run.summary).toContain('- description: "Old." → "New."');
    expect(run.summary).toContain('+ description: "Old." → "Never reviewed."');
    expect(await liveDescriptions(catalog)).toEqual({ orders: 'New.', carts: 'Old.' });
  });

  test('when the last commit of the pull request was never planned', async () => {
    const late = { ...merged, head: { sha: 'd'.repeat(40) } };
    const { apply, catalog } = await review(two, [late]);
    const run = await runWithoutWaiting(apply);
    expect(run.outputs['failure-reason']).toBe('plan-changed');
    expect(run.stdout).toContain('an earlier commit than its last one');
    expect(await liveDescriptions(catalog)).toEqual({ orders: 'Old.', carts: 'Old.' });
  });

  test('when somebody else wrote the comment', async () => {
    const { apply, github, catalog } = await review(two);
    const [comment] = github.comments;
    if (comment) comment.user.login = 'eve';
    const run = await runWithoutWaiting(apply);
    expect(run.outputs['failure-reason']).toBe('plan-changed');
    expect(await liveDescriptions(catalog)).toEqual({ orders: 'Old.', carts: 'Old.' });
  });
});

test('the message of a refused plan holds the command that applies it after all', async () => {
  const { apply, catalog } = await review(two);
  await editLive(catalog, 'carts');
  const refused = await runWithoutWaiting(apply);
  const [, hash = ''] =
    /gh workflow run contract-sync-apply\.yml --ref main -f expect-hash=(sha256:[0-9a-f]{64})/u.exec(
      refused.stdout,
    ) ?? [];
  const inputs = { ...apply.inputs, 'expect-hash': hash };
  const run = await runWithoutWaiting({ ...apply, inputs, event: { name: 'workflow_dispatch' } });
  expect(run).toMatchObject({ code: 0, outputs: { applied: '1' } });
});

test('an approved plan that has become empty is red, since nothing was done', async () => {
  const { apply, plan, github } = await review(two, []);
  const inputs = { ...apply.inputs, config: 'narrow.yaml' };
  writeContract(apply.folder, 'narrow.yaml', 'contracts: { exclude: ["**/carts.yaml"] }\n');
  const key = { ...plan.inputs, config: 'narrow.yaml' };
  await runWithoutWaiting({ ...apply, inputs: key, event: pullRequestEvent() });
  github.pulls.push(merged);
  writeContract(apply.folder, 'narrow.yaml', 'contracts: { exclude: ["**/orders.yaml"] }\n');
  const run = await runWithoutWaiting({ ...apply, inputs });
  expect(run.code).toBe(1);
  expect(run.outputs).toMatchObject({ 'failure-reason': 'plan-changed', applied: '0' });
  expect(run.stdout).toContain(
    "Changes of the reviewed plan can't be found now: shop.sales.orders.",
  );
});

test('auto-approve is no approval of a pull request whose last commit was not planned', async () => {
  const late = { ...merged, head: { sha: 'd'.repeat(40) } };
  const { apply, catalog } = await review(two, [late]);
  const run = await runWithoutWaiting({
    ...apply,
    inputs: { ...apply.inputs, 'auto-approve': 'true' },
  });
  expect(run.outputs['failure-reason']).toBe('plan-changed');
  expect(await liveDescriptions(catalog)).toEqual({ orders: 'Old.', carts: 'Old.' });
});

test.each([
  ['somebody', 'eve'],
  ['an account that is gone', null],
  ["a user of our app's name", 'github-actions'],
])('a comment that %s has edited approves nothing', async (_, editor) => {
  const { apply, github, catalog } = await review(two);
  const [comment] = github.comments;
  if (comment) comment.editor = editor;
  const run = await runWithoutWaiting(apply);
  expect(run.outputs['failure-reason']).toBe('plan-changed');
  expect(run.stdout).toContain('Somebody else edited the comment of pull request 7.');
  expect(await liveDescriptions(catalog)).toEqual({ orders: 'Old.', carts: 'Old.' });
});

test('the rest of a reviewed plan is applied where a part of it has landed', async () => {
  const { apply, catalog } = await review(two);
  await editLive(catalog, 'carts', 'New.');
  const run = await runWithoutWaiting(apply);
  expect(run.code).toBe(0);
  expect(run.outputs).toMatchObject({ applied: '1', 'failure-reason': '' });
});

test('a change that does not land is red, and the others are told', async () => {
  const { apply, github, catalog } = await review(two);
  const readOnly = await catalog.issueToken({ subject: 'reader', permissions: ['list'] });
  const run = await runWithoutWaiting({ ...apply, inputs: { ...apply.inputs, token: readOnly } });
  expect(run.code).toBe(1);
  expect(run.outputs['failure-reason']).toBe('apply-failed');
  expect(bodyOf(github)).toMatch(runLine(200, '❌ Applied 0 of 2 changes'));
  expect(bodyOf(github)).toContain(
    '  - ❌ `shop.sales.carts`: The owner of the access token lacks',
  );
  // The approval is as it was: the job can run again.
  const again = await runWithoutWaiting({ ...apply, environment: { GITHUB_RUN_ATTEMPT: '2' } });
  expect(again.code).toBe(0);
});

test('a run that is cancelled ends what it began, and tells what it did not', async () => {
  const { folder, catalog } = await arrange(two);
  writeContract(folder, 'contract-sync.yaml', 'catalog: { concurrency: 1 }\n');
  let cancel: (() => void) | undefined;
  let isCancelled = false;
  const recorder = await record(catalog.url, (line) => {
    isCancelled ||= line.startsWith('PATCH');
    // The runner sends each signal once; whatever stands between may pass it on once more.
    if (isCancelled) cancel?.();
  });
  const inputs = { command: 'apply', 'catalog-url': recorder.url, token: catalog.token };
  const world = { folder, inputs: { ...inputs, 'auto-approve': 'true' }, event: pushEvent };
  const run = await runAction(world, (given) => {
    cancel = given;
  });
  expect(run.code).toBe(1);
  expect(run.outputs).toMatchObject({ applied: '1', 'not-applied': '1' });
  expect(run.summary).toContain('## contract-sync: ❌ Applied 1 of 2 changes\n');
});

describe('freshness', () => {
  const queued = {
    name: 'merge_group',
    payload: { merge_group: { head_ref: `refs/heads/gh-readonly-queue/main/pr-7-${mergeSha}` } },
  };
  const expectApproved = { 'expect-hash': 'approved' };

  test('a plan in the merge queue is green while the reviewed plan holds', async () => {
    const { plan, github } = await review(two);
    const before = bodyOf(github);
    const run = await runWithoutWaiting({
      ...plan,
      event: queued,
      inputs: { ...plan.inputs, ...expectApproved },
    });
    expect(run.code).toBe(0);
    expect(bodyOf(github)).toBe(before);
  });

  test('and red when it is no longer what would be applied', async () => {
    const { plan, catalog } = await review(two);
    await editLive(catalog, 'carts');
    const run = await runWithoutWaiting({
      ...plan,
      event: queued,
      inputs: { ...plan.inputs, ...expectApproved },
    });
    expect(run.code).toBe(1);
    expect(run.outputs['failure-reason']).toBe('plan-changed');
  });

  test('on a schedule the last merge is green after its apply, and red after an edit', async () => {
    const { apply, plan, catalog } = await review(two);
    const scheduled = {
      ...plan,
      event: { name: 'schedule' },
      inputs: { ...plan.inputs, ...expectApproved },
    };
    await runWithoutWaiting(apply);
    expect((await runWithoutWaiting(scheduled)).code).toBe(0);
    await editLive(catalog, 'carts');
    expect((await runWithoutWaiting(scheduled)).outputs['failure-reason']).toBe('plan-changed');
  });
});

async function pushed(pulls: FakePull[], indexLag = 0) {
  const world = await arrange(two);
  const github = await serveGitHub({ pulls, indexLag });
  return { ...world, github, event: pushEvent, inputs: { ...world.inputs, command: 'apply' } };
}

describe('without a reviewed plan', () => {
  test('a direct push is refused', async () => {
    const world = await pushed([]);
    const run = await runWithoutWaiting(world);
    expect(run.code).toBe(1);
    expect(run.outputs['failure-reason']).toBe('plan-changed');
    expect(run.waits).toEqual([1000, 2000, 4000]);
    expect(annotationsIn(run, 'error')[0]?.message).toContain('no merged pull request');
    expect(await liveDescriptions(world.catalog)).toEqual({ orders: 'Old.', carts: 'Old.' });
  });

  test('a direct push is applied with auto-approve', async () => {
    const world = await pushed([]);
    const run = await runWithoutWaiting({
      ...world,
      inputs: { ...world.inputs, 'auto-approve': 'true' },
    });
    expect(run.code).toBe(0);
    expect(await liveDescriptions(world.catalog)).toEqual({ orders: 'New.', carts: 'New.' });
  });

  test('a contract whose file has a wrong id is not retired, and the step is red', async () => {
    const world = await pushed([]);
    writeContract(
      world.folder,
      'contracts/orders.yaml',
      `id: ${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}\n`,
    );
    writeContract(
      world.folder,
      'contract-sync.yaml',
      'scope: ["shop.**"]\nunmanaged: deprecate\nmissing: report\n',
    );
    const inputs = { ...world.inputs, 'auto-approve': 'true' };
    const run = await runWithoutWaiting({ ...world, inputs });
    expect(run.code).toBe(1);
    expect(annotationsIn(run, 'error')[0]?.message).toContain('contracts/orders.yaml:1');
    expect(await liveDescriptions(world.catalog)).toEqual({ orders: 'Old.', carts: 'New.' });
    expect(await liveValues(world.catalog, 'entityStatus')).toEqual({
      orders: 'Draft',
      carts: 'Draft',
    });
  });

  test('the index of merged pull requests is given time', async () => {
    const world = await pushed([], 2);
    await runWithoutWaiting({
      ...world,
      event: pullRequestEvent(),
      inputs: { ...world.inputs, command: 'plan' },
    });
    world.github.pulls.push(merged);
    const run = await runWithoutWaiting({ ...world, environment: { GITHUB_RUN_ID: '200' } });
    expect(run).toMatchObject({ code: 0, waits: [1000, 2000] });
  });
});
