import { expect, test } from 'vitest';
import { contractLabel, identitiesOfTwo } from '../../src/contract/identity.ts';
import type { Identity } from '../../src/contract/contract.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';

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

const asset = (name: string) => ({ id: `${name}-id`, fullyQualifiedName: `shop.${name}` });
const fileOf = (identity: Identity) => ({ ...desiredOf({}), identity });
const liveOne = (name: string) =>
  liveOf({ id: name, name, fullyQualifiedName: `shop.${name}.main`, entity: asset(name) });
const orders = liveOne('orders');

test.for<[string, Identity, string | undefined]>([
  ['its own name', { id: 'orders', fullyQualifiedName: 'shop.orders.main' }, undefined],
  ['a name that no contract has', { id: 'orders', fullyQualifiedName: 'shop.carts' }, undefined],
  [
    "another's qualified name",
    { id: 'orders', fullyQualifiedName: 'shop.refunds.main' },
    '`id`, and shop.refunds.main (refunds) by its `fullyQualifiedName`',
  ],
  [
    "another's name below its asset",
    { id: 'orders', name: 'refunds', entity: { fullyQualifiedName: 'shop.refunds' } },
    '`id`, and shop.refunds.main (refunds) by its `name` and `entity.fullyQualifiedName`',
  ],
  [
    "another's asset, and no name",
    { id: 'orders', entity: { fullyQualifiedName: 'shop.refunds' } },
    '`id`, and shop.refunds.main (refunds) by its `entity.fullyQualifiedName`',
  ],
  [
    "its own name, and another's name and asset",
    { fullyQualifiedName: 'shop.orders.main', name: 'refunds', entity: { id: 'refunds-id' } },
    '`fullyQualifiedName`, and shop.refunds.main (refunds) by its `name` and `entity.id`',
  ],
  [
    "its own name, and another's asset",
    { id: 'orders', name: 'orders', entity: { fullyQualifiedName: 'shop.refunds' } },
    '`id`, and shop.refunds.main (refunds) by its `entity.fullyQualifiedName`',
  ],
])('a file that is paired with a contract has %s', ([, identity, conflict]) => {
  const pairs = [{ live: liveOne('refunds') }, { live: orders, desired: fileOf(identity) }];
  const message = `The file names two live contracts: shop.orders.main (orders) by its ${conflict}.`;
  const told = identitiesOfTwo(pairs, pairs).map((problem) => problem.message);
  expect(told).toEqual(conflict === undefined ? [] : [message]);
});

test('an `id` chooses between two contracts of one name', () => {
  const identity = { id: 'orders', fullyQualifiedName: 'shop.orders.main' };
  const pairs = [{ live: { ...orders, id: 'twin' } }, { live: orders, desired: fileOf(identity) }];
  expect(identitiesOfTwo(pairs, pairs)).toEqual([]);
});
