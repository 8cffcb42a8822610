import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { formatCursor, parseCursor } from '../../src/sandbox/list.ts';

const key = fc.record({ name: fc.string({ unit: 'grapheme' }), id: fc.string() });

test.prop([key])('a cursor is read back as it was made', (key) => {
  expect(parseCursor(formatCursor(key))).toEqual(key);
});

test.prop([fc.oneof(fc.string(), fc.base64String(), fc.json().map(toBase64Url))])(
  'a made-up cursor is refused',
  (text) => {
    expect(parseCursor(text)).toBeUndefined();
  },
);

test.prop([key, fc.constantFrom('=', ' ', '!', 'A')])(
  'a cursor with more text at its end is refused',
  (key, end) => {
    expect(parseCursor(formatCursor(key) + end)).toBeUndefined();
  },
);

function toBase64Url(text: string): string {
  return Buffer.from(text).toString('base64url');
}
