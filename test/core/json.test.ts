import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  canonicalJson,
  compareCodeUnits,
  deepEqual,
  InexactNumber,
  type JsonValue,
  parseJson,
} from '../../src/core/json.ts';
import { documents, pairsOf, withMembersReversed } from '../patch/documents.ts';
import { rounds } from '../support/rounds.ts';

/** As a catalog's answer is read: with own members of any name, and without a negative zero. */
function parsed(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

describe('two JSON values are equal', () => {
  test('exactly when Node does', () => {
    fc.assert(
      fc.property(pairsOf(documents), ([left, right]) => {
        const [a, b] = [parsed(left), parsed(right)];
        expect(deepEqual(a, b)).toBe(isDeepStrictEqual(a, b));
        expect(deepEqual(a, withMembersReversed(parsed(a)))).toBe(true);
      }),
      { numRuns: rounds(1000) },
    );
  });

  test.for([
    ['{"__proto__": {}}', '{"a": {}}'],
    ['{"__proto__": {}}', '{}'],
    ['{"__proto__": 1}', '{"__proto__": 2}'],
    ['{"constructor": {}}', '{"a": {}}'],
    ['{"toString": null}', '{}'],
    ['{"a": null}', '{"b": null}'],
    ['{"a": 1}', '{"a": 1, "b": 1}'],
    ['{"0": 1}', '[1]'],
    ['[]', '{}'],
    ['null', '{}'],
    ['1', '"1"'],
  ] as const)('but %s is not %s', ([left, right]) => {
    const [a, b] = [JSON.parse(left) as JsonValue, JSON.parse(right) as JsonValue];
    expect(deepEqual(a, b)).toBe(false);
    expect(deepEqual(b, a)).toBe(false);
    expect(deepEqual(a, JSON.parse(left) as JsonValue)).toBe(true);
  });
});

describe('the canonical text', () => {
  test('is the same exactly for equal values, and parses to them', () => {
    fc.assert(
      fc.property(pairsOf(documents), ([left, right]) => {
        const [a, b] = [parsed(left), parsed(right)];
        expect(canonicalJson(a) === canonicalJson(b)).toBe(deepEqual(a, b));
        expect(JSON.parse(canonicalJson(a))).toEqual(a);
      }),
      { numRuns: rounds(500) },
    );
  });

  test('sorts members by their UTF-16 code units (RFC 8785 §3.2.3)', () => {
    const members = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    expect(members.toSorted(compareCodeUnits)).toEqual([
      '\r',
      '1',
      '\u0080',
      '\u00f6',
      '\u20ac',
      '\u{1f600}',
      '\ufb33',
    ]);
    expect(canonicalJson({ b: [1, 2], a: { d: null, c: '\n' } })).toBe(
      '{"a":{"c":"\\n","d":null},"b":[1,2]}',
    );
  });
});

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
  property.prop([written], { numRuns: rounds(1000) })(
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
