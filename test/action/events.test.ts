import { describe, expect, test } from 'vitest';
import { record } from '../support/recorder.ts';
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

describe('an event that the Action cannot serve is refused before the catalog is asked', () => {
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

  test('an apply for a pull request that is not merged, whatever is approved', async () => {
    const { asked, inputs, ...world } = await watched();
    const applied = { ...inputs, command: 'apply', 'auto-approve': 'true' };
    const run = await runAction({ ...world, inputs: applied, event: pullRequestEvent() });
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("Pull request 7 isn't merged");
    expect(asked).toEqual([]);
  });
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

test('a folder that is not there is told as such', async () => {
  const { folder } = await arrange({});
  const run = await runAction({ folder, inputs: { 'working-directory': 'nowhere' } });
  expect(run.code).toBe(1);
  expect(run.outputs['failure-reason']).toBe('configuration');
  expect(annotationsIn(run, 'error')[0]?.message).toContain(
    'The folder "nowhere" of the input `working-directory` doesn\'t exist.',
  );
});
