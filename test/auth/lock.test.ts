import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock, openTokenStore } from '../../src/auth/store.ts';
import { run } from '../support/process.ts';
import { makeFolder } from '../support/workspace.ts';

const program = join(import.meta.dirname, 'save-login.ts');

/** A clock that moves only while somebody sleeps. */
function fakeClock(start = Date.now()) {
  let time = start;
  return {
    now: () => time,
    sleep: async (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test('logins of several processes at once all stay', async () => {
  const folder = makeFolder();
  const file = join(folder, 'tokens.json');
  const clients = Array.from({ length: 8 }, (_, index) => `client-${index}`);
  await Promise.all(
    clients.map(async (client) => {
      const ended = await run(process.execPath, [program, file, client]);
      expect(ended).toMatchObject({ code: 0 });
    }),
  );
  const store = openTokenStore(file);
  for (const clientId of clients) {
    expect(store.load({ issuer: 'https://id.test', clientId })).toEqual({
      accessToken: `token of ${clientId}`,
    });
  }
  expect(readdirSync(folder)).toEqual(['tokens.json']);
});

test('one works after the other, and a failure gives the lock back', async () => {
  const file = join(makeFolder(), 'tokens.json');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'a') throw new Error('no');
  };
  const results = await Promise.allSettled(
    ['a', 'b', 'c'].map((name) => withLock(file, work(name))),
  );
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(order.map((line) => line.split(' ')[1])).toEqual(
    results.flatMap(() => ['begins', 'ends']),
  );
  expect(existsSync(`${file}.lock`)).toBe(false);
});

test('the lock of a process that has died is taken away at once', async () => {
  const file = join(makeFolder(), 'tokens.json');
  // Above the largest id that Linux and macOS give.
  writeFileSync(`${file}.lock`, `99999999 ${hostname()}`);
  const clock = fakeClock();
  const begin = clock.now();
  expect(await withLock(file, () => 'done', clock)).toBe('done');
  expect(clock.now()).toBe(begin);
});

test('the lock of another machine is taken away when it is old', async () => {
  const file = join(makeFolder(), 'tokens.json');
  writeFileSync(`${file}.lock`, '1 elsewhere');
  const long = Date.now() / 1000 - 121;
  utimesSync(`${file}.lock`, long, long);
  expect(await withLock(file, () => 'done', fakeClock())).toBe('done');
});

test('a lock that is taken anew while its staleness is looked at is left alone', async () => {
  const file = join(makeFolder(), 'tokens.json');
  const lock = `${file}.lock`;
  writeFileSync(lock, `99999999 ${hostname()}`);
  const clock = fakeClock();
  const now = (): number => {
    // Asked for the last look, just before the lock would be removed.
    if (existsSync(`${lock}.removal`)) writeFileSync(lock, `${process.pid} ${hostname()}`);
    return clock.now();
  };
  await expect(withLock(file, () => 'done', { ...clock, now })).rejects.toThrow(
    expect.objectContaining({ code: 'logins-locked' }),
  );
  expect(readFileSync(lock, 'utf8')).toBe(`${process.pid} ${hostname()}`);
  expect(readdirSync(dirname(file))).toEqual(['tokens.json.lock']);
});

test('a process that died while removing a lock holds no other up', async () => {
  const file = join(makeFolder(), 'tokens.json');
  for (const name of ['lock', 'lock.removal'])
    writeFileSync(`${file}.${name}`, `99999999 ${hostname()}`);
  expect(await withLock(file, () => 'done', fakeClock())).toBe('done');
  expect(readdirSync(dirname(file))).toEqual([]);
});

test('a lock that somebody keeps is waited for, and not for ever', async () => {
  const file = join(makeFolder(), 'tokens.json');
  writeFileSync(`${file}.lock`, `${process.pid} ${hostname()}`);
  const clock = fakeClock();
  const begin = clock.now();
  await expect(withLock(file, () => 'done', clock)).rejects.toThrow(
    expect.objectContaining({ code: 'logins-locked' }),
  );
  expect(clock.now() - begin).toBe(90_000);
  expect(existsSync(`${file}.lock`)).toBe(true);
});

test('a process that was taken for dead leaves the next lock alone', async () => {
  const file = join(makeFolder(), 'tokens.json');
  await withLock(file, () => writeFileSync(`${file}.lock`, '1 elsewhere'));
  expect(readFileSync(`${file}.lock`, 'utf8')).toBe('1 elsewhere');
});
