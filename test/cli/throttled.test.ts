import { expect, onTestFinished, test, describe } from 'vitest';
import { type Decide, startFaultyProxy } from '../support/faulty-proxy.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';
import { openWorld } from '../support/world.ts';
import { record } from '../support/recorder.ts';

const names = Array.from({ length: 3 }, (_, number) => `shop.t${number}`);

/** A catalog with a gateway in front, and a file with a change for each of its contracts. */
async function openThrottled(decide: Decide, configuration = '{}') {
  const catalog = await serveCatalog({
    seed: names.map((name) => ({ name, fullyQualifiedName: name })),
  });
  const proxy = await startFaultyProxy(catalog.url);
  onTestFinished(proxy.close);
  proxy.behave(decide);
  const files = names.map((name) => [
    `contracts/${name}.yaml`,
    `fullyQualifiedName: ${name}\ndescription: New.\n`,
  ]);
  const folder = makeFolder({
    ...Object.fromEntries(files),
    'contract-sync.yaml': `catalog: ${configuration}\n`,
  });
  return { folder, environment: accessTo({ ...catalog, url: proxy.url }) };
}

function refusal(retryAfter: string) {
  return {
    moment: 'before commit',
    how: 429,
    headers: { 'retry-after': retryAfter },
  } as const;
}

test('a throttled plan reports the pause on standard error, and is made', async () => {
  let requests = 0;
  const world = await openThrottled(() => ((requests += 1) <= 2 ? refusal('0') : undefined));
  const { code, stdout, stderr } = await runInProcess(['plan'], world);
  expect(code).toBe(0);
  expect(stdout).toContain('3 to update');
  expect(stderr).toContain('The catalog is rate-limiting requests: one at a time.\n');
});

test('a plan ends after the time allowed without one success', async () => {
  const world = await openThrottled(
    () => refusal('0'),
    '{ dialect: standard, timeoutThrottledSeconds: 0.2 }',
  );
  const { code, stdout, stderr } = await runInProcess(['plan'], world);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('[rate-limited]');
  expect(stderr).toContain('`timeoutThrottledSeconds`');
});

/** So few that no limit on updates is checked. */
const nine = Array.from({ length: 9 }, (_, number) => `shop.t${number}`);

/** A catalog, and a file for each of its contracts. */
async function openNine(concurrency: number) {
  const world = await openWorld(
    nine.map((name) => ({ name, fullyQualifiedName: name })),
    Object.fromEntries(
      nine.map((name) => [
        `contracts/${name}.yaml`,
        `fullyQualifiedName: ${name}\ndescription: New.\n`,
      ]),
    ),
  );
  const { url, requests, mostInFlight } = await record(world.catalog.url);
  const flags = ['--page-size', '5', '--concurrency', String(concurrency), '--catalog-url', url];
  const run = async (...args: string[]) => world.run(...args, ...flags);
  return { run, requests, mostInFlight };
}

/** How many of the allowed ones come together is a matter of the machine. */
function expectInFlight(most: number, allowed: number): void {
  expect(most).toBeLessThanOrEqual(allowed);
  expect(most).toBeGreaterThanOrEqual(Math.min(allowed, 2));
}

describe.each([1, 3])('with --concurrency %i no more requests are in flight', (concurrency) => {
  test('of an apply', async () => {
    const { run, requests, mostInFlight } = await openNine(concurrency);
    expect((await run('apply', '--yes')).stdout).toContain('9 applied');
    // The release; the two pages of the list once for the plan, and once for what is stored in the end.
    expect(requests).toHaveLength(3 + nine.length + 2);
    expectInFlight(mostInFlight(), concurrency);
  });

  test('of a review, which reads histories', async () => {
    const { run, requests, mostInFlight } = await openNine(concurrency);
    const { planHash } = JSON.parse((await run('plan', '--format', 'json')).stdout);
    const part = nine.slice(0, 5).flatMap((name) => ['--only', name]);
    expect((await run('apply', '--yes', ...part)).stdout).toContain('5 applied');
    const rest = await run('apply', '--yes', '--expect-hash', planHash);
    expect(rest.stdout).toContain('4 applied');
    expect(requests.filter((line) => line.includes('/versions'))).toHaveLength(nine.length);
    expectInFlight(mostInFlight(), concurrency);
  });
});
