import { describe, expect, test } from 'vitest';
import { didYouMean, suggest } from '../../src/core/text.ts';

const words = ['description', 'entityStatus', 'schema', 'sla', 'owners', 'entity', 'id'];

describe('a word that is nearly known', () => {
  test.each([
    ['descripton', 'description', 'a letter is missing'],
    ['desscription', 'description', 'a letter is too many'],
    ['descriptoin', 'description', 'two letters are swapped'],
    ['discription', 'description', 'a letter is another'],
    ['SCHEMA', 'schema', 'case does not count'],
    ['owner', 'owners', 'the singular'],
    ['entityStauts', 'entityStatus', 'a swap in a long word'],
    ['status', 'entityStatus', 'a part of it'],
    ['sal', 'sla', 'a swap in a short word'],
  ])('%s suggests %s: %s', (word, expected) => {
    expect(suggest(word, words)).toBe(expected);
    expect(didYouMean(word, words)).toBe(`Did you mean "${expected}"?`);
  });
});

describe('a word that is far from all', () => {
  test.each(['whatever', '', 'x', 'ity', 'q'.repeat(100_000)])('%.10s suggests nothing', (word) => {
    expect(suggest(word, words)).toBeUndefined();
    expect(didYouMean(word, words)).toBeUndefined();
  });
});
