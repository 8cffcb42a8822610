import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { deepEqual, InexactNumber, parseJson } from '../../src/core/json.ts';

const written = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 24n }), fc.bigInt({ min: 0n, max: 2n ** 54n })),
    fc.stringMatching(/^(?:\.\d{1,24})?$/u),
    fc.oneof(
      fc.constant(''),
      fc.integer({ min: -400, max: 400 }).map((power) => `e${power}`),
    ),
  )
  .map((parts) => parts.join(''));

/** The number as a fraction of two integers. */
function fractionOf(text: string): readonly [bigint, bigint] {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e([-+]?\d+))?$/u.exec(text) ?? [];
  const power = Number(exponent) - fraction.length;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return power < 0 ? [digits, 10n ** BigInt(-power)] : [digits * 10n ** BigInt(power), 1n];
}

describe('a number of a JSON text', () => {
  property.prop([written], { numRuns: 2000 })(
    'is one exactly where writing it gives it again',
    (text) => {
      const value = parseJson(`{"at":[${text}]}`);
      const [a, b] = fractionOf(text);
      const double = Number(text);
      const [c, d] = Number.isFinite(double) ? fractionOf(JSON.stringify(double)) : [1n, 0n];
      const expected = d !== 0n && a * d === c * b ? double : new InexactNumber(text);
      expect(value).toEqual({ at: [expected] });
    },
  );

  test.each(['1.0', '1e2', '-0', '0e999', '9007199254740994', '0.30000000000000004', '1E+23'])(
    '%s survives',
    (text) => expect(parseJson(text)).toBe(Number(text)),
  );

  test.each([
    '12345678901234567890',
    '9007199254740993',
    '-1e400',
    '1e-400',
    '0.1000000000000000055',
    '123456789012345e-330',
  ])('%s does not, and is written as it was', (text) => {
    const value = parseJson(text);
    expect(value).toBeInstanceOf(InexactNumber);
    expect(JSON.stringify([value])).toBe(`[${text}]`);
  });

  test('is equal to the same number in other words, and to no double', () => {
    const same = parseJson('[12345678901234567890, 12345678901234567890.0, 1234567890123456789e1]');
    const [first, second, third] = same as InexactNumber[];
    expect([deepEqual(first, second), deepEqual(first, third)]).toEqual([true, true]);
    expect(deepEqual(first, Number(first))).toBe(false);
    expect(deepEqual(first, parseJson('12345678901234567891'))).toBe(false);
  });
});
