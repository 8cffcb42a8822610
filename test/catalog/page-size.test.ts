import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPageSize, smallerPageSize, startPageSize, tenthOf } from '../../src/catalog/walk.ts';

const setting = fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1, max: 1_000_000 }));

test('a size settles within two pages, whatever comes', () => {
  fc.assert(
    fc.property(
      setting,
      fc.array(fc.nat(5000), { minLength: 4, maxLength: 4 }),
      (start, counts) => {
        const [a = 0, b = 0, c = 0, d = 0] = counts;
        const settled = nextPageSize(nextPageSize(startPageSize(start), a, b), c, d);
        expect(settled.settled).toBe(true);
        expect(nextPageSize(settled, d, a)).toEqual(settled);
      },
    ),
  );
});

test('refused sizes come down to one that every documented maximum allows, or give up', () => {
  fc.assert(
    fc.property(setting, (start) => {
      let steps = 0;
      let size = startPageSize(start);
      for (let next = smallerPageSize(size); next; next = smallerPageSize(size)) {
        expect(next.limit).toBeLessThan(size.limit);
        size = next;
        steps += 1;
      }
      expect(size.limit).toBeLessThanOrEqual(100);
      expect(steps).toBeLessThanOrEqual(2);
    }),
  );
});

test('sizes of which too much comes get down to one contract within six steps', () => {
  fc.assert(
    fc.property(setting, (start) => {
      let steps = 0;
      let size = startPageSize(start);
      for (let next = tenthOf(size); next; next = tenthOf(size)) {
        size = next;
        steps += 1;
      }
      expect(size).toEqual({ limit: 1, settled: size.settled });
      expect(steps).toBeLessThanOrEqual(6);
    }),
  );
});
