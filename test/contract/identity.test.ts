import { expect, test } from 'vitest';
import { contractLabel } from '../../src/contract/identity.ts';

const table = 'warehouse.shop.sales.orders';

test.for([
  { identity: { fullyQualifiedName: 'a.b', name: 'c', id: 'd' }, label: 'a.b' },
  { identity: { name: 'orders', entity: { fullyQualifiedName: table } }, label: table },
  { identity: { name: 'daily', entity: { fullyQualifiedName: table } }, label: `${table} (daily)` },
  { identity: { name: 'orders', entity: { id: 'e' } }, label: 'e (orders)' },
  { identity: { name: 'orders' }, label: 'orders' },
  { identity: { id: 'd' }, label: 'd' },
])('$identity is called $label', ({ identity, label }) => {
  expect(contractLabel(identity)).toBe(label);
});
