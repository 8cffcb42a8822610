import { expect, test } from 'vitest';
import { canonicalSegments, nearestPattern } from '../../src/contract/names.ts';

const names = [
  'Warehouse.finance.ledger',
  'warehouse.finance.payroll',
  'warehouse.sales.public.orders',
  'warehouse.sales.public.stg_orders',
  'lake."raw.v2".events',
].map(canonicalSegments);

test.for<[pattern: string, meant: string | undefined]>([
  ['warehouse.fiance.**', 'warehouse.finance.**'],
  ['warehose.finance.ledger', 'warehouse.finance.ledger'],
  ['warehouse.sales.pubic.ordres', 'warehouse.sales.public.orders'],
  ['warehouse.*.pubilc.*', 'warehouse.*.public.*'],
  ['**.payrol', '**.payroll'],
  ['warehouse.finance', 'warehouse.finance.**'],
  ['warehouse', 'warehouse.**'],
  ['lake."raw.v3".*', 'lake."raw.v2".*'],
  ['warehouse.finance.ledger.daily', undefined],
  ['marketing.**', undefined],
  ['warehouse.hr.**', undefined],
  ['**.fiance.**', undefined],
])('%s: %s was meant', ([pattern, meant]) => {
  expect(nearestPattern(canonicalSegments(pattern), names)).toBe(meant);
});

test('where there are no names, none is near', () => {
  expect(nearestPattern(canonicalSegments('a.**'), [])).toBeUndefined();
  expect(nearestPattern(canonicalSegments('**.a'), [])).toBeUndefined();
});
