import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openTokenStore, readSecretFile, tokensFile } from '../../src/auth/store.ts';
import { makeFolder } from '../support/workspace.ts';

const key = { issuer: 'https://id.test', clientId: 'person' };
const login = { accessToken: 'access', refreshToken: 'refresh', expiresAt: 1 };

describe('a file that holds a secret', () => {
  test.each([0o640, 0o604, 0o644, 0o620, 0o777])('is refused with mode %o', (mode) => {
    const folder = makeFolder({ 'my token.txt': 's3cret' });
    const file = join(folder, 'my token.txt');
    chmodSync(file, mode);
    expect(() => readSecretFile(file)).toThrow(
      expect.objectContaining({
        code: 'loose-permissions',
        message: expect.stringContaining(`0${mode.toString(8)}`),
        hint: `Run: chmod 600 '${file}'`,
      }),
    );
  });

  test.each([0o600, 0o400])('is read with mode %o', (mode) => {
    const folder = makeFolder({ token: 's3cret' });
    chmodSync(join(folder, 'token'), mode);
    expect(readSecretFile(join(folder, 'token'))).toBe('s3cret');
  });
});

describe('the store of logins', () => {
  test('keeps one login for each issuer and client, and leaves no other file behind', async () => {
    const folder = makeFolder();
    const file = join(folder, 'tokens.json');
    const store = openTokenStore(file);
    const other = { ...key, clientId: 'other' };
    await store.save(key, login);
    await store.save(other, { accessToken: 'other' });
    await store.save(key, { ...login, accessToken: 'newer' });
    expect(openTokenStore(file).load(key)).toEqual({ ...login, accessToken: 'newer' });
    await store.hold(key, (login) => login.save(undefined));
    expect([store.load(key), store.load(other)]).toEqual([undefined, { accessToken: 'other' }]);
    expect(readdirSync(folder)).toEqual(['tokens.json']);
  });

  test('takes away what runs that were killed over it left beside it', async () => {
    const left = [99_999_999, process.pid].map(
      (pid) => `.contract-sync-${pid}-${'0'.repeat(12)}.tmp`,
    );
    const folder = makeFolder(Object.fromEntries(left.map((name) => [name, '{"lo'])));
    const store = openTokenStore(join(folder, 'tokens.json'));
    await store.save(key, login);
    expect(store.load(key)).toEqual(login);
    expect(readdirSync(folder)).toEqual(['tokens.json']);
  });

  test('that others may read is refused, and one that is broken is not quoted', async () => {
    const folder = makeFolder({ 'tokens.json': '{"logins": s3cret' });
    const file = join(folder, 'tokens.json');
    const store = openTokenStore(file);
    chmodSync(file, 0o644);
    expect(() => store.load(key)).toThrow(expect.objectContaining({ code: 'loose-permissions' }));
    chmodSync(file, 0o600);
    const broken = expect.objectContaining({ code: 'unreadable-logins', cause: undefined });
    await expect(store.save(key, login)).rejects.toThrow(broken);
    expect(readFileSync(file, 'utf8')).toBe('{"logins": s3cret');
  });

  test('is where the XDG base directory specification has state', () => {
    expect(tokensFile({ XDG_STATE_HOME: '/s', HOME: '/h' })).toBe('/s/contract-sync/tokens.json');
    // That specification has relative paths ignored: they would lead into somebody's repository.
    for (const XDG_STATE_HOME of ['', 'state', './state']) {
      expect(tokensFile({ XDG_STATE_HOME, HOME: '/h' })).toBe(
        '/h/.local/state/contract-sync/tokens.json',
      );
    }
    expect(isAbsolute(tokensFile({ HOME: '' }))).toBe(true);
  });
});
