import { composed } from '../../src/core/text.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalSegments, isBlank, writeSegments } from '../../src/contract/names.ts';

test.for<[string, string]>([
  ['another case', 'Warehouse.FINANCE.Ledger'],
  ['quotes that need not be', '"warehouse".finance."ledger"'],
  ['blanks around segments', ' warehouse . finance\t.ledger \u00A0'],
  ['characters without width', 'ware\u200Bhouse.\uFEFFfi\u00ADnance.led\u2060ger\u200D'],
  ['invisible tags and controls', 'warehouse\u{E0041}.finance\u0000.ledger\u202E'],
  ['ligatures', 'warehouse.\uFB01nance.ledger'],
  ['wide letters', '\uFF57arehouse.finance.ledger'],
  ['wide full stops', 'warehouse\uFF0Efinance\uFF0Eledger'],
  ['wide quotes that need not be', '\uFF02warehouse\uFF02.finance.ledger'],
  ['a quote that is never closed', 'warehouse".finance.ledger'],
])('a name with %s is the same name to a rule', ([, name]) => {
  expect(canonicalSegments(name)).toEqual(['warehouse', 'finance', 'ledger']);
});

test.for<[string, string, string]>([
  ['é, composed or not', 'caf\u00E9', 'cafe\u0301'],
  ['ß and its capitals', 'stra\u00DFe', 'STRASSE'],
  ['σ at the end of a word', 'οδος', 'ΟΔΟΣ'],
  ['σ in front of a wildcard', 'οδοσ*', 'οδος*'],
  ['the dotted capital İ', '\u0130x', 'I\u0307x'],
])('%s are one', ([, one, other]) => {
  expect(canonicalSegments(one)).toEqual(canonicalSegments(other));
});

test.for<[string, string, string]>([
  ['segments that a dot separates', 'a.b', 'ab'],
  ['a segment with a dot of its own', 'a."b.c"', 'a.b.c'],
  ['an empty segment', 'a..b', 'a.b'],
  ['another letter', 'warehouse.finance', 'warehouse.fmance'],
])('%s make another name', ([, one, other]) => {
  expect(canonicalSegments(one)).not.toEqual(canonicalSegments(other));
});

test('what is canonical already stays as it is, and can be written as a pattern', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const segments = canonicalSegments(name);
      expect(segments.map((segment) => canonicalSegments(`"${segment}"`))).toEqual(
        segments.map((segment) => [segment]),
      );
      expect(canonicalSegments(writeSegments(segments))).toEqual(segments);
    }),
    { numRuns: 2000 },
  );
});

test('a segment with a dot is quoted, as OpenMetadata does', () => {
  expect(writeSegments(['address', 'po.box'])).toBe('address."po.box"');
});

test('a thousand quotes take no time to speak of', () => {
  expect(canonicalSegments('"'.repeat(100_001))).toEqual(['']);
  expect(canonicalSegments('".'.repeat(100_001))).toHaveLength(50_002);
});

test.for(['', ' ', '.', '""."\u200B"', '\u00AD', '\u3164.\u115F'])('%j is no name', (name) => {
  expect(isBlank(name)).toBe(true);
});

test.for(['a', '_', '-', '数', '"."', '..a'])('%j is one', (name) => {
  expect(isBlank(name)).toBe(false);
});

test('composing changes no other letter', () => {
  expect(composed('Cafe\u0301 \uFB01 \u200B')).toBe('Caf\u00E9 \uFB01 \u200B');
});
