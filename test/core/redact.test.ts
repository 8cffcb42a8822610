import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedactor, redactTexts } from '../../src/core/redact.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJib3QifQ.c2lnbmF0dXJlLXRoYXQtaXMtc2VjcmV0';

function escapeSigns(text: string, escape: (code: number) => string): string {
  return text.replaceAll(/[^\dA-Za-z]/gu, (sign) => escape(sign.charCodeAt(0)));
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

describe('a secret is hidden', () => {
  const secret = 'p+ss "w0rd"/%=ä';
  test.each([
    ['as it is', secret],
    ['in a URL', encodeURIComponent(secret)],
    ['in a form', new URLSearchParams({ a: secret }).toString()],
    ['in JSON', JSON.stringify({ secret })],
    ['in a URL, with small letters', encodeURIComponent(secret).toLowerCase()],
    ['in a URL, twice', encodeURIComponent(encodeURIComponent(secret))],
    ['in JSON, with its slashes escaped', JSON.stringify({ secret }).replaceAll('/', '\\/')],
    ['in JSON, with all signs escaped', escapeSigns(secret, (code) => `\\u${hex(code, 4)}`)],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ secret }).replaceAll('/', '\\/'))],
    ['in HTML, by names', 'p&plus;ss &quot;w0rd&quot;&sol;%&equals;ä'],
    ['in HTML, by numbers', escapeSigns(secret, (code) => `&#${code};`)],
    ['in HTML, by hexadecimal numbers', escapeSigns(secret, (code) => `&#x${hex(code, 3)};`)],
    ['in HTML, twice', escapeSigns(secret, (code) => `&amp;#X${hex(code, 1).toUpperCase()};`)],
    ['in hex', Buffer.from(secret).toString('hex')],
    ['in large hex', Buffer.from(secret).toString('hex').toUpperCase()],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64 in a URL', encodeURIComponent(Buffer.from(secret).toString('base64'))],
    ['in base64 of a line', Buffer.from(`${secret}\n`).toString('base64')],
    ['in base64 behind a name', Buffer.from(`me:${secret}`).toString('base64')],
    ['in base64 behind a longer name', Buffer.from(`you:${secret}?`).toString('base64')],
    ['in base64url behind a name', Buffer.from(`me:${secret}`).toString('base64url')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
  ])('%s', (_, form) => {
    const { hide, redact } = createRedactor();
    hide(secret);
    expect(redact(`before ${form} after`)).toMatch(/^before \S*\*\*\*\S* after$/u);
    expect(redact(form)).not.toMatch(/w0rd|cCtzcyAid|Arc3MgInc|K3NzICJ3|702b7373/iu);
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

test('any secret vanishes from the texts of a document, its keys too', () => {
  const secrets = fc
    .string({ unit: 'binary', minLength: 8 })
    .filter((text) => /\w{3}/u.test(text) && text.trim().length >= 8);
  const controls = fc.constant('tok\b\f\u0001"\\en-of-it');
  fc.assert(
    fc.property(fc.oneof(secrets, controls), fc.string({ unit: 'binary' }), (secret, around) => {
      const { hide, redact } = createRedactor();
      hide(secret);
      const { list } = redactTexts(
        { list: [1, `${around}${secret}`, { [secret]: null }] },
        { redact },
      );
      expect(list).not.toContain(secret.trim());
      expect(JSON.stringify(list)).not.toContain(JSON.stringify(secret.trim()).slice(1, -1));
    }),
  );
});

test("texts without a secret stay as they are, and words don't count as secrets", () => {
  const { hide, redact } = createRedactor();
  for (const word of ['', 'token', jwt]) hide(word);
  expect(redact('a token and *** and header eyJhbGciOiJSUzI1NiJ9')).toBe(
    'a token and *** and header eyJhbGciOiJSUzI1NiJ9',
  );
});

test.for(['-begins-with-a-sign', '+/=+/=+/=', '%%%%%%%%%%'])(
  '%s is looked for in time',
  (secret) => {
    const { hide, redact } = createRedactor();
    hide(secret);
    for (const piece of ['\\', '%25', '&amp;', '&#0', 'amp;', '+']) {
      const start = performance.now();
      redact(`${piece.repeat(200_000)}!`);
      expect(performance.now() - start).toBeLessThan(2000);
    }
    expect(redact(`see ${'\\'.repeat(9)}${secret}`)).toBe('see ***');
  },
);

test('another masker gets each secret once', () => {
  const told: string[] = [];
  const { hide } = createRedactor((secret) => told.push(secret));
  for (const secret of [jwt, jwt, 'another-secret', 'short']) hide(secret);
  expect(told).toEqual([jwt, 'another-secret']);
});

test('a long secret takes no time to speak of, nor does a long text', () => {
  const { hide, redact } = createRedactor();
  const key = '+/='.repeat(5000);
  hide(key);
  hide(jwt);
  const text = '%5C&amp;+\\'.repeat(200_000);
  expect(redact(text)).toBe(text);
  expect(redact(key)).toMatch(/^(?:\*\*\*)+$/u);
});
