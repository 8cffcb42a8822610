import { describe, expect, it } from 'vitest';
import { parsePattern, startMatching } from '../../src/patch/pointer.ts';

function matches(text: string, place: string): boolean {
  let matching = startMatching([parsePattern(text) ?? []]);
  for (const token of place.split('/').slice(1)) matching = matching.below(token);
  return matching.isMatch;
}

describe('a pattern', () => {
  it.each([
    ['/sla', '/sla', true],
    ['/sla', '/slas', false],
    ['/sla', '/sla/unit', false],
    ['/schema/*/tags', '/schema/3/tags', true],
    ['/schema/*/tags', '/schema/tags', false],
    ['/schema/*/tags', '/schema/3/children/0/tags', false],
    ['/schema/**/tags', '/schema/tags', true],
    ['/schema/**/tags', '/schema/3/tags', true],
    ['/schema/**/tags', '/schema/3/children/0/tags', true],
    ['/schema/**/tags', '/schema/3/tags/0', false],
    ['/**/href', '/owners/0/href', true],
    ['/extension/**', '/extension', true],
    ['/extension/**', '/extension/a/b', true],
    ['/**/a/*/b', '/a/a/x/b', true],
    ['/a~1b/*', '/a~1b/x', false],
  ])('%s at %s: %s', (text, place, expected) => {
    expect(matches(text, place)).toBe(expected);
  });

  it('has its names escaped as a pointer has', () => {
    const matching = startMatching([parsePattern('/a~1b') ?? []]);
    expect(matching.below('a/b').isMatch).toBe(true);
  });

  it.each(['', 'schema', '/a~'])('is not the text %j', (text) => {
    expect(parsePattern(text)).toBeUndefined();
  });

  it('with many ** takes few steps, however deep it looks', () => {
    const start = startMatching([
      parsePattern(`${'/**'.repeat(60)}/zz${'/**/a'.repeat(60)}`) ?? [],
    ]);
    let matching = start;
    for (let depth = 0; depth < 200; depth += 1) matching = matching.below(depth % 2 ? 'a' : 'b');
    expect(matching.isMatch).toBe(false);
    expect(matching.below('zz').goesOn).toBe(true);
  });

  it('says when nothing can match any more', () => {
    const start = startMatching([parsePattern('/schema/*/tags') ?? []]);
    expect(start.below('sla').goesOn).toBe(false);
    expect(start.below('schema').goesOn).toBe(true);
  });
});
