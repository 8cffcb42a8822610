import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, completeEffects, type TokenSource } from '../../src/auth/token.ts';
import { createTokenSource } from '../../src/auth/source.ts';
import { logIn, logOut, type LoginEffects } from '../../src/auth/login.ts';
import { openTokenStore } from '../../src/auth/store.ts';
import { createReader } from '../../src/catalog/client.ts';
import { collect, connectTo, failureOf, sendJson } from '../support/server.ts';
import { makeFolder } from '../support/workspace.ts';
import {
  clientSecret,
  serveProvider,
  type ProviderOptions,
  type TestProvider,
} from './provider.ts';
import { serveTrusting } from './trusting.ts';

type Person = {
  readonly provider: TestProvider;
  readonly client: Client;
  readonly effects: LoginEffects;
  readonly file: string;
  readonly clock: { now: number };
  readonly waits: readonly number[];
};

/** A person who, when shown a code, lets the program wait twice and then does `act`. */
async function meet(
  act: (provider: TestProvider, code: string) => Promise<void> = (provider, code) =>
    provider.approve(code),
  options: ProviderOptions = {},
): Promise<Person & { readonly login: (other?: Partial<LoginEffects>) => Promise<unknown> }> {
  const provider = await serveProvider(options);
  const file = join(makeFolder(), 'state', 'contract-sync', 'tokens.json');
  const clock = { now: Date.now() };
  const waits: number[] = [];
  const shown: string[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds);
    clock.now += milliseconds;
    if (waits.length === 2) await act(provider, shown.join());
  };
  const store = openTokenStore(file);
  const effects = {
    ...completeEffects({ sleep, now: () => clock.now }),
    store,
  };
  const access = { scope: 'openid offline_access contracts' };
  const client = { issuer: provider.issuer, clientId: 'person', access };
  const login = (other: Partial<LoginEffects> = {}) =>
    logIn(client, { ...effects, ...other }, ({ user_code: code }) => void shown.push(code));
  return { provider, client, effects, file, clock, waits, login };
}

function tokensOf({ client, effects }: Person): TokenSource {
  const { issuer, clientId, access } = client;
  return createTokenSource({ issuer, clientId, ...access }, effects);
}

test("the catalog knows the user who logs in, and other users can't read the login", async () => {
  const person = await meet();
  await person.login();
  expect(person.waits).toEqual([5000, 5000]);
  const { issuer } = person.provider;
  const catalog = await serveTrusting(issuer);
  const connection = connectTo(new URL(catalog), { token: tokensOf(person) });
  expect(await collect(createReader(connection).list())).toMatchObject([{ contracts: [] }]);
  expect(statSync(person.file).mode & 0o777).toBe(0o600);
  expect(statSync(join(person.file, '..')).mode & 0o777).toBe(0o700);
});

test('an old login is renewed by its refresh token, which rotates, and is kept', async () => {
  const person = await meet();
  await person.login();
  const before = readFileSync(person.file, 'utf8');
  person.clock.now += 3_600_000;
  const token = tokensOf(person);
  const renewed = await token();
  expect(before).not.toContain(renewed);
  expect(readFileSync(person.file, 'utf8')).toContain(renewed);
  expect(await token(renewed)).not.toBe(renewed);
  expect(person.provider.requests.filter((line) => line === 'POST /token')).toHaveLength(4);
});

test('a fresh login is used as it is', async () => {
  const person = await meet();
  await person.login();
  const asked = person.provider.requests.length;
  await tokensOf(person)();
  expect(person.provider.requests).toHaveLength(asked);
});

test('a login that another run has renewed meanwhile is taken from the file', async () => {
  const person = await meet();
  await person.login();
  person.clock.now += 3_600_000;
  const old = person.effects.store.load(person.client);
  const renewed = await tokensOf(person)();
  const { load } = person.effects.store;
  let reads = 0;
  // This run had read the file before the other one wrote it.
  const late = { ...person.effects.store, load: () => (reads++ === 0 ? old : load(person.client)) };
  const token = tokensOf({ ...person, effects: { ...person.effects, store: late } });
  expect(await token()).toBe(renewed);
});

test('logging out forgets the login here and at the issuer', async () => {
  const person = await meet();
  await person.login();
  const old = person.effects.store.load(person.client);
  expect(await logOut(person.client, person.effects)).toEqual({ remains: undefined });
  expect(await logOut(person.client, person.effects)).toBeUndefined();
  expect(await failureOf(tokensOf(person)())).toMatchObject({
    code: 'login-needed',
    hint: 'Run: contract-sync login',
  });
  if (old) await person.effects.store.save(person.client, old);
  person.clock.now += 3_600_000;
  expect(await failureOf(tokensOf(person)())).toMatchObject({ code: 'login-needed' });
});

test('a login ends where the person refuses it', async () => {
  const person = await meet((provider, code) => provider.deny(code));
  expect(await failureOf(person.login())).toMatchObject({ code: 'login-refused' });
  expect(person.effects.store.load(person.client)).toBeUndefined();
});

test('a login ends at a refusal in the words of Entra ID too', async () => {
  const person = await meet(undefined, {
    intercept: ({ url }, response) => {
      if (url !== '/token') return false;
      sendJson(response, { error: 'authorization_declined' }, 400);
      return true;
    },
  });
  expect(await failureOf(person.login())).toMatchObject({ code: 'login-refused' });
});

test('a login without an approval ends with its code', async () => {
  const person = await meet(async () => undefined);
  person.clock.now = 0;
  expect(await failureOf(person.login())).toMatchObject({ code: 'login-needed' });
  expect(person.waits).toHaveLength(12);
});

test('an issuer that answers slow_down is polled less often', async () => {
  let asked = 0;
  const person = await meet((provider, code) => provider.approve(code), {
    intercept: ({ url }, response) => {
      if (url !== '/token' || asked++ > 0) return false;
      sendJson(response, { error: 'slow_down' }, 400);
      return true;
    },
  });
  await person.login();
  expect(person.waits).toEqual([5000, 10_000]);
});

test('an interrupted login ends, and stores no token', async () => {
  const person = await meet();
  const controller = new AbortController();
  const sleep = completeEffects({}).sleep;
  const begun = logIn(
    person.client,
    { ...person.effects, sleep },
    () => controller.abort(),
    controller.signal,
  );
  expect(await failureOf(begun)).toMatchObject({ name: 'AbortError' });
  expect(person.effects.store.load(person.client)).toBeUndefined();
});

/** No answer at all, so many times from the first poll on. */
function losing(times: number): ProviderOptions {
  let lost = 0;
  return {
    intercept: ({ url }, response) => {
      if (url !== '/token' || lost >= times) return false;
      lost += 1;
      response.destroy();
      return true;
    },
  };
}

test('a login goes on over lost connections, less often, and says so', async () => {
  const told: string[] = [];
  const person = await meet((provider, code) => provider.approve(code), losing(3));
  const effects = { ...person.effects, tell: (line: string) => void told.push(line) };
  await person.login(effects);
  expect(person.waits).toEqual([5000, 10_000, 15_000, 20_000]);
  expect(told).toHaveLength(3);
  expect(told[0]).toMatch(/^Can't connect .* Still waiting …$/u);
  expect(person.effects.store.load(person.client)).toBeDefined();
});

test("a login that the issuer has ended is an error with the issuer's reason", async () => {
  const refusal = { error: 'invalid_grant', error_description: 'Session not active' };
  let isEnded = false;
  const person = await meet(undefined, {
    intercept: ({ url }, response) => {
      if (url !== '/token' || !isEnded) return false;
      sendJson(response, refusal, 400);
      return true;
    },
  });
  await person.login();
  isEnded = true;
  person.clock.now += 3_600_000;
  expect(await failureOf(tokensOf(person)())).toMatchObject({
    code: 'login-needed',
    message: `Your login has expired at ${person.provider.issuer} for the client person (invalid_grant: Session not active).`,
  });
});

/** Somebody who is logged in at an issuer that has gone down since. */
async function meetDown() {
  let isDown = false;
  const person = await meet(undefined, {
    intercept: (_, response) => {
      if (isDown) response.destroy();
      return isDown;
    },
  });
  await person.login();
  isDown = true;
  return person;
}

test('logging out while the issuer is down forgets the login, and says which tokens still work', async () => {
  const person = await meetDown();
  expect(await logOut(person.client, person.effects)).toEqual({
    remains: expect.stringMatching(
      /^Can't connect to the issuer .* The access token still works until 20\S+Z, and the refresh token until the issuer revokes it\.$/u,
    ),
  });
  expect(person.effects.store.load(person.client)).toBeUndefined();
});

test('a run waits 20 s for an issuer that restarts, and logs that', async () => {
  let upAt = 0;
  const clock = { now: Date.now() };
  const { issuer } = await serveProvider({
    intercept: (_, response) => {
      if (clock.now < upAt) response.destroy();
      return clock.now < upAt;
    },
  });
  const told: string[] = [];
  const token = createTokenSource(
    { issuer, clientId: 'basic', clientSecret: { value: clientSecret, origin: 'x' } },
    {
      now: () => clock.now,
      sleep: async (milliseconds) => {
        clock.now += milliseconds;
      },
      tell: (line) => told.push(line),
    },
  );
  const first = await token();
  clock.now += 3_600_000;
  upAt = clock.now + 20_000;
  expect(await token()).not.toBe(first);
  expect(clock.now - upAt).toBeLessThan(5000);
  expect(told).toEqual([
    expect.stringMatching(/ Trying again (?:in .* s|now) \(for up to 60 s\)\.$/u),
  ]);
});

test('runs that wait for a renewal all take it, however short its life', async () => {
  const person = await meet(undefined, { lifetimeSeconds: 20 });
  await person.login();
  person.clock.now += 3_600_000;
  const before = person.provider.requests.length;
  const tokens = [1, 2, 3].map(() => tokensOf(person)());
  expect(new Set(await Promise.all(tokens)).size).toBe(1);
  const asked = person.provider.requests.slice(before).filter((line) => line === 'POST /token');
  expect(asked).toHaveLength(1);
});
