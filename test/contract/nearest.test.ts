import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createNearNames, isWithin } from '../../src/contract/nearest.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 6 });

test('a text is within as many slips as have been made of it', () => {
  const slip = fc.record({ isDropped: fc.boolean(), at: fc.nat(6) });
  fc.assert(
    fc.property(word, fc.array(slip, { maxLength: 2 }), (text, slips) => {
      const made = slips.reduce(
        (letters, { isDropped, at }) =>
          isDropped ? letters.toSpliced(at, 1) : letters.toSpliced(at, 0, 'c'),
        Array.from(text),
      );
      expect(isWithin(text, made.join(''), slips.length)).toBe(true);
    }),
  );
});

test('and not within fewer', () => {
  expect(isWithin('orders', 'orders', 0)).toBe(true);
  expect(isWithin('orders', 'order', 0)).toBe(false);
  expect(isWithin('orders', 'ordres', 1)).toBe(true);
  expect(isWithin('orders', 'odrres', 1)).toBe(false);
  expect(isWithin('orders', 'carts', 2)).toBe(false);
});

const nameOf = (number: number) => ({
  fullyQualifiedName: `warehouse.sales.public.table_${String(number).padStart(6, '0')}_of_2024`,
});

test('ten thousand files against the names of a hundred thousand contracts take no time', () => {
  const names = createNearNames();
  for (let number = 0; number < 100_000; number += 1) names.note(nameOf(number));
  const start = performance.now();
  for (let number = 0; number < 10_000; number += 1) {
    names.nearest({ fullyQualifiedName: `warehouse.sales.public.tbale_x${number}_of_2024` });
  }
  expect(performance.now() - start).toBeLessThan(10_000);
  expect(createNearNames().nearest(nameOf(1))).toBeUndefined();
});
