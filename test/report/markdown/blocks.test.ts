import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fitPieces, type Piece } from '../../../src/report/markdown-text.ts';

const long = 'x'.repeat(50);

describe('blocks in a budget', () => {
  test('stand whole where they fit', () => {
    const blocks: Piece[] = [['title'], ['a long table', 'a table', '']];
    expect(fitPieces(blocks, 100)).toEqual({ text: 'title\n\na long table', complete: true });
  });

  test('all lose their last detail before one of them loses everything', () => {
    const blocks: Piece[] = [
      [`${long}1`, 'brief 1', ''],
      [`${long}2`, 'brief 2', ''],
    ];
    expect(fitPieces(blocks, 75).text).toBe(`${long}1\n\nbrief 2`);
    expect(fitPieces(blocks, 30).text).toBe('brief 1\n\nbrief 2');
    expect(fitPieces(blocks, 10).text).toBe('brief 1');
    expect(fitPieces(blocks, 10).complete).toBe(false);
  });

  test('where even the least is too much, the first ones stay', () => {
    expect(fitPieces([['title'], [long], ['end']], 20).text).toBe('title\n\nend');
  });

  test('never take more bytes than allowed, in any language', () => {
    const block = fc
      .array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 4 })
      .map(([first = '', ...rest]): Piece => [first, ...rest]);
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), fc.nat(120), (blocks, budget) => {
        const { text, complete } = fitPieces(blocks, budget);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
        if (complete) {
          expect(text).toBe(
            blocks
              .map(([whole]) => whole)
              .filter((whole) => whole !== '')
              .join('\n\n'),
          );
        }
      }),
    );
  });
});
