import { describe, expect, onTestFinished, test } from 'vitest';
import { startFaultyProxy } from '../support/faulty-proxy.ts';
import { changeOf, liveContract } from './catalog.ts';
import { openWorld } from './review-world.ts';

const config = 'limits: { updates: 100% }\n';

const namesOf = (length: number) => Array.from({ length }, (_, index) => `table_${index}`);

/** All contracts in one file, since a thousand files take git and the disk their time. */
const describing = (names: readonly string[], description: string) => ({
  'contracts/all.yaml': names.map((name) => changeOf(name, description)).join('---\n'),
});

/** Pull request 7 changes all of so many contracts, and is planned. */
async function openPlanned(length: number) {
  const names = namesOf(length);
  const seed = names.map((name) => liveContract(name));
  const world = await openWorld({ names: [], config, catalog: { seed } });
  world.commit(describing(names, 'Old.'));
  world.openPull(7, describing(names, 'By 7.'));
  const proxy = await startFaultyProxy(world.catalog.url);
  onTestFinished(proxy.close);
  const inputs = { 'catalog-url': proxy.url };
  expect((await world.plan(7, inputs)).code).toBe(0);
  const apply = async () => world.apply({ inputs });
  return { world, names, proxy, plan: async () => world.plan(7, inputs), apply };
}

describe('a review of more changes than one comment can record', () => {
  test('keeps no part of an earlier plan', async () => {
    const { world, names, plan, apply } = await openPlanned(1500);
    const { comments, pulls, requests } = world.github;
    const ids = comments.map(({ id }) => id);
    requests.length = 0;
    await plan();
    // Only the first one has the link to the run.
    expect(requests.filter((line) => /^(?:PATCH|POST \S+comments|DELETE)/u.test(line))).toEqual([
      `PATCH /repos/acme/contracts/issues/comments/${ids[0]}`,
    ]);
    const push = async (files: Parameters<typeof world.commit>[0]) => {
      world.git('switch', '--quiet', 'work-7');
      world.commit(files);
      pulls[0] = { number: 7, head: { sha: world.git('rev-parse', 'HEAD') } };
      await plan();
    };
    await push(describing(names, 'By 7 too.'));
    expect(comments.map(({ id }) => id)).toEqual(ids);
    const few = names.slice(0, 9);
    await push({
      ...describing(names.slice(9), 'Old.'),
      'contracts/few.yaml': describing(few, 'By 7.')['contracts/all.yaml'],
    });
    expect(comments.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    world.merge(7);
    expect(await apply()).toMatchObject({ code: 0, outputs: { applied: '9' } });
  });
});
