import { describe, expect, test } from 'vitest';
import {
  applyWorkflowBeside,
  checkBranch,
  checkEvent,
  readWorkflowRun,
} from '../../src/action/event.ts';
import { openStep, type Runner } from '../../src/action/step.ts';
import { createRedactor } from '../../src/core/redact.ts';
import { record } from '../support/recorder.ts';
import { makeFolder } from '../support/workspace.ts';
import { arrange } from './catalog.ts';
import { serveGitHub } from './github-server.ts';
import { annotationsIn, otherEvent, pullRequestEvent, runAction } from './run-action.ts';

/** A world whose catalog tells what it was asked. */
async function watched() {
  const { folder, catalog } = await arrange();
  const recorder = await record(catalog.url);
  const inputs = { 'catalog-url': recorder.url, token: catalog.token };
  return { folder, inputs, github: await serveGitHub(), asked: recorder.requests };
}

describe("an event that the Action can't serve is refused before the first request to the catalog", () => {
  test.for([
    { event: pullRequestEvent({ name: 'pull_request_target' }), says: 'Use `pull_request`' },
    { event: otherEvent('issue_comment'), says: 'Use `pull_request` for plans' },
    { event: otherEvent('workflow_run'), says: 'Use `pull_request` for plans' },
  ])('$event.name', async ({ event, says }) => {
    const { asked, ...world } = await watched();
    const run = await runAction({ ...world, event });
    expect(run).toMatchObject({ code: 1, stderr: '' });
    expect(run.outputs['failure-reason']).toBe('configuration');
    const [error] = annotationsIn(run, 'error');
    expect(error?.message).toContain(`The event \`${event.name}\` isn't supported.`);
    expect(error?.message).toContain(says);
    expect(asked).toEqual([]);
  });

  test('an apply for an open pull request is refused, even with approvals', async () => {
    const { asked, inputs, ...world } = await watched();
    const applied = { ...inputs, command: 'apply', 'auto-approve': 'true' };
    const run = await runAction({ ...world, inputs: applied, event: pullRequestEvent() });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("Pull request 7 isn't merged");
    const queue = {
      name: 'merge_group',
      payload: { merge_group: { base_ref: 'refs/heads/main' } },
    };
    const queued = await runAction({ ...world, inputs: applied, event: queue });
    expect(queued.stdout).toContain("A merge group isn't merged");
    expect(asked).toEqual([]);
  });
});

describe('an apply takes the default branch and those of `apply-branches` alone', () => {
  const repository = { default_branch: 'trunk' };
  const merged = (branch: string) => ({
    ...pullRequestEvent({ merged: true, branch }).payload,
    repository,
  });
  const byPull = (branch: string) => ({ reference: 'refs/pull/7/merge', event: merged(branch) });
  type Row = {
    readonly reference: string;
    readonly event: object;
    readonly named?: string[];
    readonly asked?: string;
    readonly says?: string;
  };
  const on = (branch: string) => ({ reference: `refs/heads/${branch}`, event: { repository } });
  test.for<Row>([
    { ...on('trunk') },
    { ...on('work'), says: 'it is neither the default branch, trunk, nor named in' },
    { ...on('release/1'), named: ['main', 'release/*'] },
    { ...on('release/1/x'), named: ['release/*'], says: '`apply-branches` (release/*)' },
    { ...on('{a,b}'), named: ['{a,b}'] },
    { ...byPull('trunk') },
    { ...byPull('work'), says: 'The branch "work" isn\'t applied' },
    { reference: 'refs/tags/trunk', event: { repository }, says: 'not "refs/tags/trunk"' },
    {
      reference: 'refs/pull/7/merge',
      event: { repository },
      named: ['**'],
      says: 'takes a branch',
    },
    // On a schedule, GitHub may send no repository.
    { reference: 'refs/heads/trunk', event: {}, asked: 'trunk' },
    { reference: 'refs/heads/work', event: {}, asked: 'trunk', says: 'the default branch, trunk' },
    { reference: 'refs/heads/trunk', event: {}, says: "Can't tell whether" },
  ])('%#: $reference, $named', async ({ reference, event, named = [], asked, says }) => {
    const folder = makeFolder({ event: JSON.stringify(event) });
    const environment = { GITHUB_EVENT_PATH: `${folder}/event`, GITHUB_REF: reference };
    const run = readWorkflowRun(environment);
    const check = checkBranch(run, named, async () => Promise.resolve(asked));
    const refusal = await check.catch((error: unknown) => String(error));
    if (says === undefined) expect(refusal).toBeUndefined();
    else expect(refusal).toContain(says);
  });
});

test('the default branch comes from GitHub if the event does not name it', async () => {
  const { asked: _, inputs, ...world } = await watched();
  const event = { name: 'schedule', payload: { repository: undefined } };
  const run = await runAction({ ...world, inputs: { ...inputs, command: 'apply' }, event });
  expect(run.stdout).toContain('GitHub knows of no merged pull request');
  expect(world.github.requests).toContain('GET /repos/acme/contracts');
});

test('a fork whose job has credentials is refused, unless an input allows it', async () => {
  const { asked, inputs, ...world } = await watched();
  const event = pullRequestEvent({ fork: true });
  const refused = await runAction({ ...world, inputs, event });
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('Pull request 7 comes from a fork');
  expect(asked).toEqual([]);
  const allowed = { ...inputs, 'allow-forks': 'True' };
  const run = await runAction({ ...world, inputs: allowed, event });
  expect(run).toMatchObject({ code: 0, outputs: { updates: '1' } });
});

test('a job with credentials validates the files of a fork, and plans none of them', () => {
  const { payload } = pullRequestEvent({ fork: true });
  const folder = makeFolder({ event: JSON.stringify(payload) });
  const run = readWorkflowRun({ GITHUB_EVENT_PATH: `${folder}/event` });
  const check = (command: string) => () => checkEvent(run, { command } as never, true);
  expect(check('validate')).not.toThrow();
  expect(check('plan')).toThrow('Pull request 7 comes from a fork');
});

test('a catalog and files written otherwise have the same comment', async () => {
  const { asked: _, inputs, github, ...world } = await watched();
  const event = pullRequestEvent();
  const paths = 'contracts/orders.yaml';
  await runAction({ ...world, github, event, inputs: { ...inputs, paths } });
  const catalogUrl = `${inputs['catalog-url']}/`;
  const again = { ...inputs, 'catalog-url': catalogUrl, paths: `./${paths}` };
  await runAction({ ...world, github, event, inputs: again });
  expect(github.comments).toHaveLength(1);
});

test.each([
  ['contract-sync-plan.yml', 'contract-sync-apply.yml'],
  ['contract-sync-drift.yml', 'contract-sync-apply.yml'],
  ['contract-sync-plan-sales-dev.yml', 'contract-sync-apply-sales-dev.yml'],
  ['plan.yml', 'apply.yml'],
  ['planets.yaml', 'contract-sync-apply.yml'],
])('what %s shows is applied by %s', (workflow, applies) => {
  expect(applyWorkflowBeside(workflow)).toBe(applies);
});

const queue = { merge_group: { base_ref: 'refs/heads/main', head_ref: 'refs/heads/x/pr-7-a' } };

test.for<[title: string, event: object, command: string, drift: string | undefined]>([
  ['shows an edit that an apply would overwrite as one', {}, 'plan', 'leave'],
  ['of a pull request goes by the configuration', pullRequestEvent().payload, 'plan', undefined],
  ['of a merge queue goes by the configuration', queue, 'plan', undefined],
  ['that applies goes by the configuration', {}, 'apply', undefined],
])('with `drift-issue`, a run %s', ([, event, command, drift]) => {
  const folder = makeFolder({ event: JSON.stringify(event) });
  const inputs: Readonly<Record<string, string>> = { command, 'drift-issue': 'true' };
  const runner = {
    environment: { GITHUB_EVENT_PATH: `${folder}/event`, GITHUB_WORKSPACE: folder },
    input: (name: string) => inputs[name] ?? '',
  } as unknown as Runner;
  expect(
    openStep(
      runner,
      createRedactor(() => undefined),
    ).inputs.drift,
  ).toBe(drift);
});
