import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import type { Outcomes } from '../../src/apply/outcome.ts';
import { startFaultyProxy, type Decide } from '../support/faulty-proxy.ts';
import { connectTo, historyOf, listAll } from '../apply/world.ts';
import { type CliWorld, preloading, startCli } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { idOf, serve } from '../support/server.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const count = 6;
/** An apply of six appends, as a process of its own, whose requests can be seen and stopped. */
async function startApply(decide: Decide, environment: CliWorld['environment'] = {}) {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const catalog = await serveCatalog({
    seed: numbers.map((number) => ({ id: idOf(number), name: `t${number}`, semantics: [] })),
  });
  const proxy = await startFaultyProxy(catalog.url);
  onTestFinished(proxy.close);
  proxy.behave(decide);
  const folder = makeFolder(
    Object.fromEntries(
      numbers.map((number) => [
        `contracts/${number}.yaml`,
        `id: ${idOf(number)}\nsemantics: [{ name: positive, rule: x }]\n`,
      ]),
    ),
  );
  const start = () =>
    startCli(
      ['apply', '--yes', '--concurrency', '2', '--format', 'json', '--report', 'report.json'],
      { folder, environment: { ...accessTo({ ...catalog, url: proxy.url }), ...environment } },
    );
  const child = start();
  const told = text(child.stderr);
  const output = text(child.stdout);
  return { child, start, output, told, folder, catalog };
}

test.for([
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
] as const)('$signal stops new requests and exits with $code', async ({ signal, code }) => {
  const patched: string[] = [];
  const { child, output, told, folder } = await startApply(({ method, path }) => {
    if (method !== 'PATCH') return;
    patched.push(path);
    if (patched.length === 1) child.kill(signal);
  });
  expect(await once(child, 'close')).toEqual([code, null]);
  const outcomes: Outcomes = JSON.parse(await output);
  expectValid('outcomes', outcomes);
  expect(outcomes.summary).toMatchObject({
    applied: patched.length,
    skipped: count - patched.length,
  });
  // What was under way with the first one.
  expect(patched.length).toBeLessThanOrEqual(2);
  expect(await told).toContain('Interrupted: no further change is sent');
  expect(outcomes.outcomes.at(-1)?.error).toMatchObject({ code: 'interrupted' });
  expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual(outcomes);
});

/** Sends the process a SIGINT while it takes the first answer to a change. */
const interruptedByAnswer = `
  import { subscribe, unsubscribe } from 'node:diagnostics_channel';
  const channel = 'http.client.response.finish';
  const interrupt = ({ request }) => {
    if (request.method !== 'PATCH') return;
    unsubscribe(channel, interrupt);
    process.kill(process.pid, 'SIGINT');
  };
  subscribe(channel, interrupt);`;

test('a signal that comes together with an answer is heard before anything else is sent', async () => {
  let patches = 0;
  const { child, output } = await startApply(({ method }) => {
    patches += Number(method === 'PATCH');
  }, preloading(interruptedByAnswer));
  expect(await once(child, 'close')).toEqual([130, null]);
  expect(JSON.parse(await output)).toMatchObject({ summary: { applied: 2, skipped: count - 2 } });
  expect(patches).toBe(2);
});

test('a second Ctrl-C ends the process at once', async () => {
  const { child, output } = await startApply(({ method }) => {
    if (method !== 'PATCH') return undefined;
    child.kill('SIGINT');
    // No answer ever comes, so only a second signal can end it; two that come at once are one.
    const again = setInterval(() => child.kill('SIGINT'), 50);
    child.once('close', () => clearInterval(again));
    return { moment: 'before commit', how: 'silence' };
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  expect(await output).toBe('');
});

test('Ctrl-C in a pause reports at once that the final read is still to come', async () => {
  const { child, told } = await startApply(({ method }) =>
    method === 'PATCH'
      ? { moment: 'before commit', how: 429, headers: { 'retry-after': '60' } }
      : undefined,
  );
  let shown = '';
  child.stderr.on('data', (chunk: Buffer) => {
    const before = shown;
    shown += chunk.toString();
    const comes = (words: string) => !before.includes(words) && shown.includes(words);
    if (comes('rate-limiting')) child.kill('SIGINT');
    if (!comes('takes at most 5 s')) return;
    // Two that come at once are one.
    const again = setInterval(() => child.kill('SIGINT'), 50);
    child.once('close', () => clearInterval(again));
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  expect(await told).toContain(
    'those in flight finish, and reading what has landed takes at most 5 s.',
  );
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s before the plan is reported as such',
  async (signal) => {
    const { child, output, told } = await startApply(({ method }) => {
      if (method !== 'GET') return undefined;
      // A runner and a shell may both send it: it is told all the same.
      for (let times = 0; times < 3; times++) child.kill(signal);
      return { moment: 'before commit', how: 'silence' };
    });
    expect(await once(child, 'close')).toEqual([null, signal]);
    expect(JSON.parse(await output)).toMatchObject({
      diagnostics: [{ code: 'interrupted', severity: 'error' }],
    });
    expect(await told).toBe('Interrupted: no plan was made.\n');
  },
);

test('an interrupted doctor ends its findings with a note', async () => {
  const { url } = await serve(() => child.kill('SIGINT'));
  const child = startCli(['doctor'], {
    folder: makeFolder(),
    environment: { CONTRACT_SYNC_URL: url.href, CONTRACT_SYNC_TOKEN: 'token' },
  });
  const [told, output] = [text(child.stderr), text(child.stdout)];
  expect(await once(child, 'close')).toEqual([null, 'SIGINT']);
  expect(await told).toBe('Interrupted.\n');
  expect(await output).toMatch(/^✓ url .*\n✓ proxy .*\n✓ token .*\n$/u);
});

test('killed in the middle, twice, and run again, it converges and doubles nothing', async () => {
  let patches = 0;
  const killAt = new Map([[2, () => child.kill('SIGKILL')]]);
  const { child, start, folder, catalog } = await startApply(({ method }) => {
    patches += Number(method === 'PATCH');
    killAt.get(patches)?.();
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  const second = start();
  killAt.set(4, () => second.kill('SIGKILL'));
  expect(await once(second, 'close')).toEqual([null, 'SIGKILL']);
  const world = { folder, environment: accessTo(catalog) };
  expect((await runInProcess(['apply', '--yes'], world)).code).toBe(0);
  expect((await runInProcess(['plan', '--detailed-exitcode'], world)).code).toBe(0);
  const direct = connectTo(catalog);
  for (const { id, document } of await listAll(direct)) {
    expect(document['semantics']).toEqual([{ name: 'positive', rule: 'x' }]);
    expect(await historyOf(id, direct)).toHaveLength(2);
  }
});

test('a killed apply leaves a report by which a rollback takes back its landed changes alone', async () => {
  let patches = 0;
  const { child, folder, catalog } = await startApply(({ method }) => {
    patches += Number(method === 'PATCH');
    if (patches === 3) child.kill('SIGKILL');
  });
  expect(await once(child, 'close')).toEqual([null, 'SIGKILL']);
  const report: Outcomes = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'));
  expectValid('outcomes', report);
  expect(report).toMatchObject({ partial: true, summary: { unverified: count } });
  const direct = connectTo(catalog);
  const versionsOf = async () =>
    Promise.all(
      (await listAll(direct)).map(async ({ id }) => (await historyOf(id, direct)).length),
    );
  const before = await versionsOf();
  const environment = accessTo({ ...catalog, url: report.catalogUrl ?? '' });
  const world = { folder, environment };
  const back = await runInProcess(['rollback', '--run', 'report.json', '--yes'], world);
  expect(back).toMatchObject({ code: 0, stderr: '' });
  expect(back.stdout).toContain('[run-partial]');
  // What had landed has a third version, the rest is as it was.
  expect(await versionsOf()).toEqual(before.map((versions) => (versions === 2 ? 3 : 1)));
  const live = await listAll(direct);
  expect(live.map(({ document }) => document['semantics'])).toEqual(live.map(() => []));
});
