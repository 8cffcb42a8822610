import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayUrl, withoutSecrets } from '../../src/http/address.ts';
import { rounds } from '../support/rounds.ts';

test('a URL in a message shows no credentials and no unknown query values', () => {
  const url = new URL('https://me:pw@a.example/api?limit=5&signature=s3cret&after=c');
  expect(displayUrl(url)).toBe('https://a.example/api?limit=5&signature=…&after=…');
});

describe('the secrets of a URL that somebody wrote are cut out', () => {
  test.for([
    ['https://me:pw@a.example/api', 'https://***@***'],
    ['https://me:p?w@a.example/api', 'https://***@***'],
    ['https://me%3Apw%40a.example', 'https://***@***'],
    ['me:pw@a.example', 'https://***@***'],
    ['https://a.example/api?token=pw', 'https://a.example/api?***'],
    ['http://[::1]:8585/api#token=pw', 'http://[::1]:8585/api#***'],
    ['https://me:pw', '***'],
    ['me:pw', '***'],
    ['https://a example?token=pw', '***'],
    ['https://a.example/api;access_token=pw', '***'],
    ['https://a.example/api%3Ftoken%3Dpw', '***'],
  ])('%s → %s', ([text = '', shown]) => {
    expect(withoutSecrets(text)).toBe(shown);
  });

  test.for([
    'https://a.example/api',
    'http://localhost:8585/api/',
    'http://[::1]:8585/api',
    'https://a.example/tenant=b;c/%40team',
    'a.example/api',
    'localhost:8585/api',
    'ftp://a.example',
    '',
  ])('%s has no secret to cut out', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  const signs = 'a b 1 : / @ ? # [ ] % \\ . -'.split(' ').concat(' ');
  const part = fc.string({ unit: fc.constantFrom(...signs), maxLength: 6 });
  const scheme = fc.constantFrom('https://', 'http://', 'https:/', 'https:', 'https//', '', 'x://');

  test('of anything like a URL: a password', () => {
    fc.assert(
      fc.property(scheme, part, part, part, (start, user, before, host) => {
        fc.pre(!host.includes('@'));
        const shown = withoutSecrets(`${start}${user}:${before}SECRET@${host}`);
        expect(shown).not.toContain('SECRET');
      }),
      { numRuns: rounds(1000) },
    );
  });

  test('and a query', () => {
    fc.assert(
      fc.property(
        scheme,
        part,
        fc.constantFrom('?', '#', '%3F'),
        part,
        (start, host, sign, more) => {
          fc.pre(sign !== '%3F' || URL.parse(`${start}${host}`) === null);
          expect(withoutSecrets(`${start}${host}${sign}a${more}SECRET`)).not.toMatch(/aSECRET/u);
        },
      ),
      { numRuns: rounds(1000) },
    );
  });
});
