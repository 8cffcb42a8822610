import { describe, expect, test } from 'vitest';
import { record } from '../support/recorder.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

/** So few that no limit on updates is checked. */
const names = Array.from({ length: 9 }, (_, number) => `shop.t${number}`);

/** A catalog, and a file for each of its contracts. */
async function openWorld(concurrency: number) {
  const catalog = await serveCatalog({
    seed: names.map((name) => ({ name, fullyQualifiedName: name })),
  });
  const folder = makeFolder(
    Object.fromEntries(
      names.map((name) => [
        `contracts/${name}.yaml`,
        `fullyQualifiedName: ${name}\ndescription: New.\n`,
      ]),
    ),
  );
  const { url, requests, mostInFlight } = await record(catalog.url);
  const flags = ['--page-size', '5', '--concurrency', String(concurrency)];
  const environment = accessTo({ ...catalog, url });
  const run = async (...args: string[]) =>
    runInProcess([...args, ...flags], { folder, environment });
  return { run, requests, mostInFlight };
}

describe.each([1, 3])('with --concurrency %i no more requests are in flight', (concurrency) => {
  test('of an apply', async () => {
    const { run, requests, mostInFlight } = await openWorld(concurrency);
    expect((await run('apply', '--yes')).stdout).toContain('9 applied');
    // The release; the two pages of the list once for the plan, and once for what is stored in the end.
    expect(requests).toHaveLength(3 + names.length + 2);
    expect(mostInFlight()).toBe(concurrency);
  });

  test('of a review, which reads histories', async () => {
    const { run, requests, mostInFlight } = await openWorld(concurrency);
    const { planHash } = JSON.parse((await run('plan', '--format', 'json')).stdout);
    const part = names.slice(0, 5).flatMap((name) => ['--only', name]);
    expect((await run('apply', '--yes', ...part)).stdout).toContain('5 applied');
    const rest = await run('apply', '--yes', '--expect-hash', planHash);
    expect(rest.stdout).toContain('4 applied');
    expect(requests.filter((line) => line.includes('/versions'))).toHaveLength(names.length);
    expect(mostInFlight()).toBe(concurrency);
  });
});
