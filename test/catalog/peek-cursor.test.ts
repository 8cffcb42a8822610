import fc from 'fast-check';
import { expect, test } from 'vitest';
import { peekCursor } from '../../src/catalog/peek-cursor.ts';

test('the cursor at the end of a page is the one that parsing finds, spaced as it may be', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.nat(2),
      fc.nat(60),
      (after, isFirst, indent, cut) => {
        const paging = isFirst ? { after, total: 3 } : { before: '"after":"x"', total: 3, after };
        const page = JSON.stringify(
          { data: [{ id: 'a', paging: { after: 'x' } }], paging },
          null,
          indent,
        );
        const bytes = new TextEncoder().encode(page);
        const chunks = [
          bytes.subarray(0, cut),
          bytes.subarray(cut, 2 * cut),
          bytes.subarray(2 * cut),
        ];
        expect(peekCursor(chunks)).toBe(after === '' ? undefined : after);
      },
    ),
  );
});

test.each([
  '{"data":[]}',
  '{"data":[],"paging":{"total":3}}',
  '{"data":[],"paging":{"after":null}}',
  '{"paging":{"after":"x"},"data":[]}',
  '{"data":[{"paging":{"after":"x"}}]}',
  '{"data":[],"paging":{"after":"\\q"}}',
  '{"data":[],"paging":{"after":"x"',
  '',
])('nothing is guessed from %s', (page) => {
  expect(peekCursor([new TextEncoder().encode(page)])).toBeUndefined();
});

test('only the end is looked at, so that no page is slow to look through', () => {
  for (const part of ['"paging":{', '"paging":{"after":"', '"after":"\\\\', ' ', '{']) {
    expect(peekCursor([new TextEncoder().encode(part.repeat(400_000))])).toBeUndefined();
  }
});
