import { UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { type AuthEffects, staticToken } from '../../src/auth/token.ts';
import { createTokenSource } from '../../src/auth/source.ts';
import { ConfigError, type Diagnostic } from '../../src/core/diagnostic.ts';

test('a token is given without the line end of the file that it came from', async () => {
  expect(await staticToken('eyJhbGciOi.abc-_~+/==\r\n')()).toBe('eyJhbGciOi.abc-_~+/==');
});

test.each([
  ['', 'empty'],
  [' \n', 'empty'],
  ['Bearer s3cret', 'whitespace'],
  ['s3cret\ns3cret', 'whitespace'],
  ['"s3cret"', 'characters'],
  ['s3cret\u0000', 'characters'],
  ['s3cret\u200B', 'characters'],
  ['s3crét', 'characters'],
])('%j is refused by a message that does not show it', (token, complaint) => {
  const make = (): unknown => staticToken(token);
  expect(make).toThrow(ConfigError);
  expect(make).toThrow(complaint);
  expect(make).not.toThrow('s3cr');
});

describe('the end of a static token', () => {
  const now = Date.parse('2027-03-01T12:00:00Z');
  const seconds = now / 1000;

  function open(value: string): Diagnostic[] {
    const warnings: Diagnostic[] = [];
    const effects: Partial<AuthEffects> = {
      now: () => now,
      warn: (warning) => warnings.push(warning),
    };
    createTokenSource({ token: { value, origin: 'CONTRACT_SYNC_TOKEN' } }, effects);
    return warnings;
  }

  test('is an error before the first request once it has passed, with both clocks', () => {
    expect(() => open(`${expiring(seconds - 60)}sig`)).toThrow(
      "The token in CONTRACT_SYNC_TOKEN expired at 2027-03-01T11:59:00Z; this machine's clock says 2027-03-01T12:00:00Z.",
    );
    expect(() => open(`${expiring(seconds)}sig`)).toThrow('expired');
  });

  test('is warned of when it is near', () => {
    expect(open(`${expiring(seconds + 90)}sig`)).toMatchObject([
      { code: 'token-expires-soon', message: expect.stringContaining('in 90 seconds') },
    ]);
  });

  test.each([
    ['far', `${expiring(seconds + 3600)}sig`],
    ['not told by an opaque token', 'opaque'],
    ['not told by what only looks like a JWT', 'a.b.c'],
    ['a number that no clock has', `${expiring(1e300)}sig`],
  ])('is not reported when it is %s', (_, token) => {
    expect(open(token)).toEqual([]);
  });
});

/** Lacks a signature, which nobody here checks. */
function expiring(exp: number): string {
  return new UnsecuredJWT({ exp }).encode();
}
