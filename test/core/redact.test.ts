import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/core/redact.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJib3QifQ.c2lnbmF0dXJlLXRoYXQtaXMtc2VjcmV0';

describe('a secret is not told', () => {
  const secret = 'p+ss "w0rd"/%';
  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ a: secret }).toString()],
    ['in JSON', JSON.stringify({ secret })],
    ['in base64', btoa(secret)],
    ['in base64url', Buffer.from(secret).toString('base64url')],
  ])('%s', (_, form) => {
    const { hide, redact } = createRedactor();
    hide(secret);
    expect(redact(`before ${form} after`)).toMatch(/^before \S*\*\*\*\S* after$/u);
    expect(redact(form)).not.toMatch(/w0rd|cCtzcyAid/u);
  });

  test('of several lines, line by line', () => {
    const { hide, redact } = createRedactor();
    hide(
      '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n',
    );
    expect(redact('-----BEGIN PRIVATE KEY-----')).toBe('-----BEGIN PRIVATE KEY-----');
    expect(redact('what is hkiG9w0BAQEFAASC?')).toBe('what is ***?');
  });

  test('of which a server quotes a part: the signature of a token', () => {
    const { hide, redact } = createRedactor();
    hide(jwt);
    expect(redact(`${jwt}!`)).toBe('***!');
    expect(redact('c2lnbmF0dXJlLXRoYXQtaXMtc2VjcmV0 is bad')).toBe('*** is bad');
  });
});

test('any secret of some length vanishes from any text', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 40 });
  const secret = fc
    .string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 })
    .filter((value) => value.trim().length >= 8 && !value.startsWith('-----'));
  fc.assert(
    fc.property(text, secret, text, (before, hidden, after) => {
      const { hide, redact } = createRedactor();
      hide(hidden);
      expect(redact(`${before}${hidden}${after}`)).not.toContain(hidden.trim());
    }),
  );
});

test('texts without a secret stay as they are, and words are no secrets', () => {
  const { hide, redact } = createRedactor();
  for (const word of ['', 'token', jwt]) hide(word);
  expect(redact('a token and *** and header eyJhbGciOiJSUzI1NiJ9')).toBe(
    'a token and *** and header eyJhbGciOiJSUzI1NiJ9',
  );
});

test('whoever else masks is told each secret once', () => {
  const told: string[] = [];
  const { hide } = createRedactor((secret) => told.push(secret));
  for (const secret of [jwt, jwt, 'another-secret', 'short']) hide(secret);
  expect(told).toEqual([jwt, 'another-secret']);
});
