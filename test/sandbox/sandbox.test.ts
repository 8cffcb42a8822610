import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Patch } from '../../src/patch/operation.ts';
import { startSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { list, orders, ordersId, patch, send, serve } from './served.ts';

const change: Patch = [{ op: 'replace', path: '/description', value: 'new' }];

function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'catalog.db');
}

async function codeOfFailure(options: SandboxOptions): Promise<unknown> {
  try {
    await (await startSandbox(options)).close();
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
  return undefined;
}

test('the sandbox listens on the loopback address alone', async () => {
  const { url } = await serve();
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api$/u);
});

test('a port that is taken is refused with its number', async () => {
  const { url } = await serve();
  const port = Number(new URL(url).port);
  await expect(startSandbox({ port })).rejects.toThrow(
    expect.objectContaining({ code: 'sandbox-port', message: expect.stringContaining(`${port}`) }),
  );
});

test('contracts, history and tokens survive a restart', async () => {
  const dataFile = temporaryFile();
  const first = await startSandbox({ dataFile, seed: [orders] });
  const { body } = await patch(first, ordersId, change);
  const issued = await first.issueToken({ subject: 'ada', permissions: ['list'] });
  await first.close();

  const second = await serve({ dataFile, seed: [{ name: 'ignored' }] });
  expect(second.token).toBe(first.token);
  const headers = { Authorization: `Bearer ${issued}` };
  const listing = await send(second, '/v1/dataContracts', { headers });
  expect(listing.body.paging.total).toBe(1);
  expect(listing.body.data[0].description).toBe('new');
  const history = await send(second, `/v1/dataContracts/${ordersId}/versions`);
  expect(history.body.versions.map((text: string) => JSON.parse(text))).toEqual([body, orders]);
});

test('a data file without contracts is seeded', async () => {
  const dataFile = temporaryFile();
  await (await startSandbox({ dataFile })).close();
  const sandbox = await serve({ dataFile, seed: [orders] });
  expect((await list(sandbox)).body.paging.total).toBe(1);
});

test('every answered patch is there after the process is killed', async () => {
  const dataFile = temporaryFile();
  const child = spawn(process.execPath, [
    fileURLToPath(import.meta.resolve('./serve-file.ts')),
    dataFile,
    JSON.stringify([orders]),
  ]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  const running = {
    ...JSON.parse(line),
    readOnlyToken: '',
    issueToken: undefined,
    close: undefined,
  };
  for (const value of ['a', 'b', 'c']) {
    const answer = await patch(running, ordersId, [{ op: 'replace', path: '/description', value }]);
    expect(answer.status).toBe(200);
  }
  child.kill('SIGKILL');
  await once(child, 'exit');

  const sandbox = await serve({ dataFile });
  expect((await list(sandbox)).body.data[0]).toMatchObject({ description: 'c', version: 0.4 });
  const history = await send(sandbox, `/v1/dataContracts/${ordersId}/versions`);
  expect(history.body.versions).toHaveLength(4);
});

test('several processes may begin with the same new data file', async () => {
  const dataFile = temporaryFile();
  const seed = JSON.stringify([orders, { name: 'carts' }]);
  const file = fileURLToPath(import.meta.resolve('./serve-file.ts'));
  const begun = Array.from({ length: 4 }, async () => {
    const child = spawn(process.execPath, [file, dataFile, seed]);
    onTestFinished(() => void child.kill('SIGKILL'));
    child.stderr.resume();
    const lines = createInterface(child.stdout);
    return Promise.race([once(lines, 'line'), once(lines, 'close')]);
  });
  const said = await Promise.all(begun);
  expect(said.map((words) => words.length)).toEqual([1, 1, 1, 1]);
  expect((await list(await serve({ dataFile }))).body.paging.total).toBe(2);
});

test('two sandboxes on one data file see each other, counts included', async () => {
  const dataFile = temporaryFile();
  const one = await serve({ dataFile, seed: [orders] });
  const two = await serve({ dataFile });
  const drafts = '?status=Draft';
  expect((await list(two, drafts)).body.paging.total).toBe(1);
  await patch(one, ordersId, [{ op: 'replace', path: '/entityStatus', value: 'Active' }]);
  expect((await list(one, drafts)).body.paging.total).toBe(0);
  expect((await list(two, drafts)).body.paging.total).toBe(0);
});

test('a file that is no database, or that of another program, is left alone', async () => {
  const text = temporaryFile();
  writeFileSync(text, 'These are notes, and no database at all: they must stay as they are.');
  expect(await codeOfFailure({ dataFile: text })).toBe('sandbox-data-file');

  const foreign = temporaryFile();
  const database = new DatabaseSync(foreign);
  database.exec('CREATE TABLE notes (text TEXT)');
  database.close();
  expect(await codeOfFailure({ dataFile: foreign })).toBe('sandbox-data-file');
});

test('a data file in a folder that does not exist is refused by its name', async () => {
  const dataFile = join(temporaryFile(), 'missing', 'catalog.db');
  await expect(startSandbox({ dataFile })).rejects.toThrow(dataFile);
});

test('close ends at once, with connections open, and may be called again', async () => {
  const sandbox = await startSandbox({ seed: [orders] });
  const { hostname, port } = new URL(sandbox.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  await list(sandbox);
  const ended = once(socket, 'close');
  await sandbox.close();
  await ended;
  await sandbox.close();
  await expect(list(sandbox)).rejects.toThrow('fetch failed');
});

test('close cuts off a request that waits for its answer', async () => {
  // Each request asks the clock for the age of its token.
  const clock = new EventEmitter();
  const now = () => {
    clock.emit('asked');
    return Date.now();
  };
  const sandbox = await startSandbox({ seed: [orders], latencyMs: 3_600_000, now });
  const arrival = once(clock, 'asked');
  const refused = expect(list(sandbox)).rejects.toThrow('fetch failed');
  await arrival;
  await sandbox.close();
  await refused;
});

test('a data file that breaks while in use is told as JSON, without a stack', async () => {
  const dataFile = temporaryFile();
  const sandbox = await serve({ dataFile, seed: [orders] });
  const database = new DatabaseSync(dataFile);
  database.exec('DROP TABLE contracts');
  database.close();
  const { status, body } = await list(sandbox);
  expect(status).toBe(500);
  expect(Object.keys(body)).toEqual(['code', 'errorType', 'message']);
  expect(body.message).not.toMatch(/\n|\.ts/u);
});

test('latency comes on top of each answer', async () => {
  const sandbox = await serve({ seed: [orders], latencyMs: 20 });
  const before = performance.now();
  const { status } = await list(sandbox);
  // Timers may fire a millisecond early.
  expect(performance.now() - before).toBeGreaterThanOrEqual(19);
  expect(status).toBe(200);
});
