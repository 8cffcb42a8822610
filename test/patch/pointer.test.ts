import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../src/core/json.ts';
import {
  formatPointer,
  parseIndex,
  parsePattern,
  parsePointer,
  startMatching,
  valueAt,
} from '../../src/patch/pointer.ts';
import { rounds } from '../support/rounds.ts';

describe('a JSON Pointer', () => {
  it('survives being written and read, with any tokens', () => {
    const property = fc.property(fc.array(fc.string({ unit: 'grapheme' })), (tokens) => {
      expect(parsePointer(formatPointer(tokens))).toEqual(tokens);
    });
    fc.assert(property, { numRuns: rounds(1000) });
  });

  it.each(['a', 'a/b', '/~', '/a~2', '/~~', ' /a', '#/a'])('is not the text %j', (text) => {
    expect(parsePointer(text)).toBeUndefined();
  });

  it('names the values of the example of RFC 6901 §5', () => {
    const document: JsonValue = {
      foo: ['bar', 'baz'],
      '': 0,
      'a/b': 1,
      'c%d': 2,
      'e^f': 3,
      'g|h': 4,
      'i\\j': 5,
      'k"l': 6,
      ' ': 7,
      'm~n': 8,
    };
    const named = ['/foo/0', '/', '/a~1b', '/c%d', '/e^f', '/g|h', '/i\\j', '/k"l', '/ ', '/m~0n'];
    const values = named.map((text) => valueAt(document, parsePointer(text) ?? []));
    expect(values).toEqual(['bar', 0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(valueAt(document, [])).toBe(document);
  });

  it('names nothing past the end of an array, in a scalar, or on a prototype', () => {
    const document: JsonValue = { list: [1], text: 'abc' };
    const missing = [
      ['list', '1'],
      ['list', '-'],
      ['list', '00'],
      ['list', 'length'],
      ['text', '0'],
      ['text', 'length'],
      ['toString'],
      ['constructor', 'name'],
      ['__proto__'],
      ['none', 'deeper'],
    ];
    for (const pointer of missing) expect(valueAt(document, pointer)).toBeUndefined();
  });

  it.each([
    ['0', 0],
    ['10', 10],
    ['01', undefined],
    ['-1', undefined],
    ['+1', undefined],
    ['1e0', undefined],
    ['', undefined],
    ['-', undefined],
  ])('has the array index %j as %s', (token, index) => {
    expect(parseIndex(token)).toBe(index);
  });
});

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
      parsePattern(`${'/**'.repeat(30)}/zz${'/**/a'.repeat(30)}`) ?? [],
    ]);
    let matching = start;
    for (let depth = 0; depth < 200; depth += 1) matching = matching.below(depth % 2 ? 'a' : 'b');
    expect(matching.isMatch).toBe(false);
    expect(matching.below('zz').goesOn).toBe(true);
  });

  it('ends where nothing below can match', () => {
    const start = startMatching([parsePattern('/schema/*/tags') ?? []]);
    expect(start.below('sla').goesOn).toBe(false);
    expect(start.below('schema').goesOn).toBe(true);
  });
});
