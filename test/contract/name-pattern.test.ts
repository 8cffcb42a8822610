import fc from 'fast-check';
import { expect, test } from 'vitest';
import { indexPatterns, matchesName, canonicalSegments } from '../../src/contract/names.ts';

function matches(pattern: string, name: string): boolean {
  return matchesName([canonicalSegments(pattern)], [name]);
}

test.for([
  { pattern: 'a.b', yes: ['a.b', 'A.b', '"a".b'], no: ['a', 'a.b.c', 'a.bb'] },
  { pattern: '*', yes: ['a', ''], no: ['a.b'] },
  { pattern: 'a.*', yes: ['a.b', 'a.'], no: ['a', 'a.b.c'] },
  { pattern: 'a.stg_*', yes: ['a.stg_', 'a.stg_x'], no: ['a.stg', 'a.xstg_'] },
  { pattern: 'a.*_old_*.z', yes: ['a.x_old_y.z', 'a._old__old_.z'], no: ['a.xold_y.z'] },
  { pattern: '**', yes: ['a', 'a.b.c', ''], no: [] },
  { pattern: 'a.**', yes: ['a', 'a.b', 'a.b.c'], no: ['b.a', 'ab'] },
  { pattern: '**.z', yes: ['z', 'a.z', 'a.b.z', 'z.z'], no: ['a.zz', 'z.a'] },
  { pattern: 'a.**.b.**.c', yes: ['a.b.c', 'a.x.b.b.y.c'], no: ['a.c', 'a.b.x'] },
  { pattern: 'a.{b,c}', yes: ['a.{b,c}'], no: ['a.b'] },
  { pattern: 'a.[bc]?', yes: ['a.[bc]?'], no: ['a.b', 'a.b?'] },
  { pattern: 'a.*', yes: ['a..hidden'.slice(0, 2), 'a."b.c"'], no: ['a."b.c".d'] },
  { pattern: 'a."b.*".d', yes: ['a."b.c".d'], no: ['a.b.c.d'] },
  { pattern: 'a.b*', yes: ['a."b.c"', 'a."b"', 'A.Bc'], no: ['a.b.c', '"a.b"'] },
  { pattern: 'a."b', yes: ['a.b', 'a".b'], no: ['a.c'] },
])('$pattern matches $yes and not $no', ({ pattern, yes, no }) => {
  expect(yes.filter((name) => !matches(pattern, name))).toEqual([]);
  expect(no.filter((name) => matches(pattern, name))).toEqual([]);
});

test('any of the patterns and any of the names is enough, and without any nothing matches', () => {
  const patterns = ['x', 'a.**'].map(canonicalSegments);
  expect(matchesName(patterns, ['b', 'a.b'])).toBe(true);
  expect(matchesName(patterns, [])).toBe(false);
  expect(matchesName([], ['a'])).toBe(false);
});

test('it matches what the equal regular expression matches', () => {
  const segment = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 4 }).map((c) => c.join(''));
  const pattern = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 4 });
  const name = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 }), {
    minLength: 1,
    maxLength: 5,
  });
  fc.assert(
    fc.property(pattern, name, (pattern, name) => {
      expect(matches(pattern.join('.'), name.join('.'))).toBe(
        expressionOf(pattern).test(`${name.join('.')}.`),
      );
    }),
    { numRuns: 2000 },
  );
});

/** Each segment with a dot behind it, so that `**` may stand for none. */
function expressionOf(pattern: readonly string[]): RegExp {
  const parts = pattern.map((segment) =>
    segment === '**' ? '(?:[^.]*\\.)*' : `${segment.replaceAll('*', '[^.]*')}\\.`,
  );
  return new RegExp(`^${parts.join('')}$`, 'u');
}

test('a hostile pattern takes no longer than its length times that of the name', () => {
  const pattern = `${'*a'.repeat(200)}*b`;
  const name = 'a'.repeat(20_000);
  expect(matches(pattern, name)).toBe(false);
  expect(matches(`${'**.a.'.repeat(200)}b`, 'a.'.repeat(20_000))).toBe(false);
});

const text = fc.array(fc.constantFrom('a', 'b', 'A', '*', '.', '**', '"', 'é', ' '), {
  maxLength: 7,
});

test('an index finds what each pattern matches by itself, in the order of the patterns', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), fc.array(text, { maxLength: 3 }), (some, all) => {
      const items = some.map((parts) => ({ pattern: canonicalSegments(parts.join('')) }));
      const names = all.map((parts) => parts.join('').replaceAll('*', ''));
      const expected = items.filter(({ pattern }) => matchesName([pattern], names));
      expect(indexPatterns(items)(names)).toEqual(expected);
    }),
    { numRuns: 1000 },
  );
});
