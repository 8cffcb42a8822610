import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { type Decide, startFaultyProxy } from '../support/faulty-proxy.ts';
import { startCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const names = Array.from({ length: 3 }, (_, number) => `shop.t${number}`);

/** A catalog with a gateway in front, and a file with a change for each of its contracts. */
async function openWorld(decide: Decide, configuration = '{}') {
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
  const world = await openWorld(() => ((requests += 1) <= 2 ? refusal('0') : undefined));
  const { code, stdout, stderr } = await runInProcess(['plan'], world);
  expect(code).toBe(0);
  expect(stdout).toContain('3 to update');
  expect(stderr).toContain('The catalog is rate-limiting requests: one at a time.\n');
});

test('a plan ends after the time allowed without one success', async () => {
  const world = await openWorld(
    () => refusal('0'),
    '{ dialect: standard, timeoutThrottledSeconds: 0.2 }',
  );
  const { code, stdout, stderr } = await runInProcess(['plan'], world);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain('[rate-limited]');
  expect(stderr).toContain('`timeoutThrottledSeconds`');
});

test('Ctrl-C ends the pause of an apply at once', async () => {
  const world = await openWorld(({ method }) => (method === 'PATCH' ? refusal('300') : undefined));
  const child = startCli(['apply', '--yes', '--format', 'json'], world);
  child.stderr.on('data', (line: Buffer) => {
    if (line.includes('waiting 300 s')) child.kill('SIGINT');
  });
  const output = text(child.stdout);
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(JSON.parse(await output)).toMatchObject({ summary: { applied: 0 } });
});
