import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sanitizeLine } from '../../src/core/text.ts';

test.for([
  ['\u001B[2J\u001B[1;31mred', String.raw`\u001B[2J\u001B[1;31mred`],
  ['a\r\nb\tc', String.raw`a\u000D\nb\tc`],
  ['abc\u202Edef', String.raw`abc\u202Edef`],
  ['zero\u200Bwidth\uFEFF', String.raw`zero\u200Bwidth\uFEFF`],
  ['tag \u{E0041}', String.raw`tag \u{E0041}`],
  ['Grüße, 数据 🎉', 'Grüße, 数据 🎉'],
] as const)('%j is shown as %s', ([text, shown]) => {
  expect(sanitizeLine(text)).toBe(shown);
});

test('no text leaves a control or format character behind', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sanitizeLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    }),
  );
});
