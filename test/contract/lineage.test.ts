import { expect, test } from 'vitest';
import { findReaders, type Lineage } from '../../src/contract/lineage.ts';

/** `a → b`, and `a → b: amount > net` where columns are known. */
function lineageOf(...lines: readonly string[]): Lineage {
  const edges = lines.map((line) => {
    const [, from = '', to = '', known] = /^(\w+) → (\w+)(?:: (.*))?$/u.exec(line) ?? [];
    const columns = (known?.split(', ') ?? []).map((each) => {
      const [source = '', target = ''] = each.split(' > ');
      return {
        from: source.split('+').map((name) => `s.${from}.${name}`),
        to: `s.${to}.${target}`,
      };
    });
    return { from, to, columns };
  });
  const ids = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const assets = ids.map((id) => {
    return { id, type: 'table', fullyQualifiedName: `s.${id}`, isDeleted: id.startsWith('gone') };
  });
  return {
    asset: { id: 'a', type: 'table', fullyQualifiedName: 's.a', isDeleted: false },
    assets,
    edges,
  };
}

const readersOf = (lineage: Lineage, ...columns: readonly string[]) =>
  findReaders(lineage, columns.length > 0 ? columns.map((each) => `s.a.${each}`) : undefined).map(
    ({ name, distance, columns: own }) => `${distance} ${name}${own ? `.${own.join('+')}` : ''}`,
  );

test('three steps are followed, the shortest way counts, and a cycle ends', () => {
  const lineage = lineageOf('a → b', 'b → c', 'c → d', 'd → e', 'a → c', 'c → a', 'b → b');
  expect(readersOf(lineage)).toEqual(['1 b', '1 c', '2 d', '3 e']);
  expect(readersOf(lineageOf('a → b', 'b → c', 'c → d', 'd → e'))).toEqual(['1 b', '2 c', '3 d']);
  expect(readersOf(lineageOf('a → a'))).toEqual([]);
});

test('a deleted reader is left out, its own readers are not', () => {
  expect(readersOf(lineageOf('a → gone', 'gone → c', 'x → y'))).toEqual(['2 c']);
});

test('columns are followed from step to step, to those that come from several too', () => {
  const lineage = lineageOf('a → b: amount > net, id > key', 'b → c: net+key > sum');
  expect(readersOf(lineage, 'amount')).toEqual(['1 b.net', '2 c.sum']);
  expect(readersOf(lineage, 'id', 'amount')).toEqual(['1 b.key+net', '2 c.sum']);
  expect(readersOf(lineage, 'note')).toEqual(['1 b.', '2 c.']);
});

test('where one of two ways knows no columns, the asset as a whole is downstream', () => {
  const known = ['a → b: amount > net', 'a → c: amount > net', 'b → d: net > net'];
  expect(readersOf(lineageOf(...known, 'c → d: net > rest'), 'amount')).toContain('2 d.net+rest');
  expect(readersOf(lineageOf(...known, 'c → d'), 'amount')).toContain('2 d');
});

test('a nested column changes with the one around it, and the other way round', () => {
  const lineage = lineageOf('a → b: address.city > town, addressee > name');
  expect(readersOf(lineage, 'address')).toEqual(['1 b.town']);
  expect(readersOf(lineage, 'address.city.code')).toEqual(['1 b.town']);
  expect(readersOf(lineage, 'address.street')).toEqual(['1 b.']);
});
