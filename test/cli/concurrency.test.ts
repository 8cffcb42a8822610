import { expect, test } from 'vitest';
import { record } from '../recorder.ts';
import { runInProcess } from '../run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../workspace.ts';

/** So few that no limit on updates is checked. */
const names = Array.from({ length: 9 }, (_, number) => `shop.t${number}`);

test.for([1, 3])('with --concurrency %i no more requests are in flight', async (concurrency) => {
  const catalog = await serveCatalog({
    seed: names.map((name) => ({ name, fullyQualifiedName: name })),
    latencyMs: 20,
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
  const args = ['apply', '--yes', '--page-size', '5', '--concurrency', String(concurrency)];
  const run = await runInProcess(args, { folder, environment: accessTo({ ...catalog, url }) });
  expect(run.stdout).toContain('9 applied');
  expect(requests).toHaveLength(2 + names.length);
  expect(mostInFlight()).toBe(concurrency);
});
