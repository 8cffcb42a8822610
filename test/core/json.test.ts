import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson, compareCodeUnits, deepEqual, type JsonValue } from '../../src/core/json.ts';
import { documents, pairsOf, withMembersReversed } from '../patch/documents.ts';

/** As a catalog's answer is read: with own members of any name, and without a negative zero. */
function parsed(value: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(value)) as JsonValue;
}

describe('two JSON values are equal', () => {
  test('exactly when Node says so', () => {
    fc.assert(
      fc.property(pairsOf(documents), ([left, right]) => {
        const [a, b] = [parsed(left), parsed(right)];
        expect(deepEqual(a, b)).toBe(isDeepStrictEqual(a, b));
        expect(deepEqual(a, withMembersReversed(parsed(a)))).toBe(true);
      }),
      { numRuns: 2000 },
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
  test('is the same exactly for equal values, and says them', () => {
    fc.assert(
      fc.property(pairsOf(documents), ([left, right]) => {
        const [a, b] = [parsed(left), parsed(right)];
        expect(canonicalJson(a) === canonicalJson(b)).toBe(deepEqual(a, b));
        expect(JSON.parse(canonicalJson(a))).toEqual(a);
      }),
      { numRuns: 1000 },
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
