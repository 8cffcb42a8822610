import { expect, test } from 'vitest';
import type { IssuedToken } from '../../src/auth/store.ts';
import { cacheToken, type Want } from '../../src/auth/token.ts';
import { failureOf } from '../support/server.ts';

/** Tokens `t1`, `t2`, … that live so long, by a clock that is set by hand. */
function makeIssuer(lifetimeMs?: number) {
  const clock = { now: 1_000_000, issued: 0, fails: false };
  const patience: string[] = [];
  const told: string[] = [];
  const issue = async (want: Want): Promise<IssuedToken> => {
    patience.push(want.patience);
    if (clock.fails) throw new Error('The issuer is down');
    clock.issued += 1;
    const accessToken = `t${clock.issued}`;
    return lifetimeMs === undefined
      ? { accessToken }
      : { accessToken, expiresAt: clock.now + lifetimeMs };
  };
  const tell = (line: string): void => void told.push(line);
  return { clock, patience, told, token: cacheToken(issue, () => clock.now, tell) };
}

test.each([
  { lifetime: 3_600_000, renewedAt: 3_540_000 },
  { lifetime: 60_000, renewedAt: 54_000 },
])('a token of $lifetime ms is renewed at $renewedAt', async ({ lifetime, renewedAt }) => {
  const { clock, token } = makeIssuer(lifetime);
  expect(await token()).toBe('t1');
  clock.now += renewedAt - 1;
  expect(await token()).toBe('t1');
  clock.now += 1;
  expect(await token()).toBe('t2');
});

test('a token without an end is kept', async () => {
  const { clock, token } = makeIssuer();
  await token();
  clock.now += 1e12;
  expect(await token()).toBe('t1');
});

test('many who ask at once wait for one request', async () => {
  const { clock, token } = makeIssuer(60_000);
  expect(new Set(await Promise.all(Array.from({ length: 50 }, () => token())))).toEqual(
    new Set(['t1']),
  );
  clock.now += 59_000;
  await Promise.all(Array.from({ length: 50 }, () => token()));
  expect(clock.issued).toBe(2);
});

test('a token that many saw rejected is replaced once, and the new one is not', async () => {
  const { clock, token } = makeIssuer(60_000);
  await token();
  const renewed = await Promise.all(Array.from({ length: 50 }, () => token('t1')));
  expect(new Set(renewed)).toEqual(new Set(['t2']));
  expect(await token('t1')).toBe('t2');
  expect(clock.issued).toBe(2);
});

test('while the old token lives, an issuer that is down stops nothing', async () => {
  const { clock, token } = makeIssuer(60_000);
  await token();
  clock.now += 55_000;
  clock.fails = true;
  expect(await token()).toBe('t1');
  clock.now += 5000;
  expect(await failureOf(token())).toMatchObject({ message: 'The issuer is down' });
  clock.fails = false;
  expect(await token()).toBe('t2');
});

test('an issuer that restarts early is tried every ten seconds, and then with patience', async () => {
  const { clock, patience, told, token } = makeIssuer(600_000);
  await token();
  clock.fails = true;
  for (clock.now += 540_000; clock.now < 1_600_000; clock.now += 5000) {
    expect(await token()).toBe('t1');
  }
  expect(await failureOf(token())).toMatchObject({ message: 'The issuer is down' });
  expect(patience).toEqual(['short', ...Array.from({ length: 6 }, () => 'once'), 'long']);
  expect(told[0]).toBe('The issuer is down The current token is valid for another 60 s.');
});

test('while one waits for an early renewal, the others go on with the old token', async () => {
  const clock = { now: 0 };
  const { promise, resolve } = Promise.withResolvers<IssuedToken>();
  const answers = [Promise.resolve({ accessToken: 't1', expiresAt: 60_000 }), promise];
  const token = cacheToken(
    () => answers.shift() ?? Promise.reject(new Error('one too many')),
    () => clock.now,
  );
  await token();
  clock.now = 55_000;
  const first = token();
  expect(await Promise.all([token(), token()])).toEqual(['t1', 't1']);
  clock.now = 61_000;
  const late = token();
  resolve({ accessToken: 't2', expiresAt: 120_000 });
  expect(await Promise.all([first, late])).toEqual(['t2', 't2']);
});
