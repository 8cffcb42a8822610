import { matchesGlob } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { complainAboutGlob, parseGlob } from '../../../src/files/find/glob.ts';
import { rounds } from '../../support/rounds.ts';

const character = fc.constantFrom('a', 'b', 'B', '-', ',', '_');
const name = fc.string({ unit: character, minLength: 1, maxLength: 4 });
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

// Without a brace of one text: Node takes `{a},b}` for two, as some shells do.
const piece = fc.oneof(
  name,
  fc.constantFrom('*', '?', '[ab]', '[a-z]', '[!b]', '[^a-b]', '{a,b}', '{a*,{b,B}}', '{,a}b'),
  fc.constantFrom('}', ']', '{', '{b/a,a}', '{a/,b}', '{,/b}', '/'),
);
const glob = fc
  .array(
    fc.oneof(
      fc.constant('**'),
      fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('')),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts) => parts.join('/'));

test('a glob matches what it matches in Node', () => {
  const counts = { yes: 0, no: 0 };
  fc.assert(
    fc.property(glob, fc.array(path, { minLength: 20, maxLength: 20 }), (text, paths) => {
      const matches = parseGlob(text);
      for (const each of paths) {
        const isMatch = matchesGlob(each, text);
        counts[isMatch ? 'yes' : 'no'] += 1;
        expect([each, matches(each)]).toEqual([each, isMatch]);
      }
    }),
    { numRuns: rounds(1000) },
  );
  expect(counts.yes).toBeGreaterThan(1000);
  expect(counts.no).toBeGreaterThan(1000);
});

describe('a glob is refused', () => {
  test.each([
    [`contracts/${'*(a|a)'.repeat(12)}`, 'uses "*(…)", which has no meaning here'],
    [`${'!('.repeat(40)}a${')'.repeat(40)}`, 'uses "!(…)", which has no meaning here'],
    ['@(a|b).yaml', 'uses "@(…)", which has no meaning here'],
    ['*a'.repeat(33), 'has more than 32 wildcards'],
    ['?'.repeat(33), 'has more than 32 wildcards'],
    ['a'.repeat(1001), 'is longer than 1000 characters'],
    ['{a,b}'.repeat(10), 'expands to too many patterns'],
    ['{1..9}', 'uses a range in braces'],
    ['[[:alpha:]]', 'uses a character class'],
  ])('%s: it %s', (text, complaint) => {
    expect(complainAboutGlob(text)).toBe(complaint);
  });

  test.each([
    'contracts/**/*.{yaml,yml}',
    '**/*-*-*/[a-z]?.yaml',
    'a(b)/c.yaml',
    '(*)',
    '*'.repeat(50),
  ])('but not %s', (text) => {
    expect(complainAboutGlob(text)).toBeUndefined();
  });
});

test('the most laborious of globs takes few steps for each character of a name', () => {
  const matches = parseGlob(`${'*a'.repeat(31)}*b`);
  const paths = Array.from({ length: 2000 }, (_, number) => `${'a'.repeat(250)}${number}`);
  // By backtracking, a single one of them would outlast any patience.
  expect(paths.filter(matches)).toEqual([]);
});
