/** The catalog of the recorded lineage: a table, what is read from it, and who owns that. */

import type { Seed } from '../../src/sandbox/openmetadata/seed.ts';
import type { Served } from '../sandbox/openmetadata/served.ts';

export const asset = 'lin.shop.sales.orders';
export const contractName = `${asset}.dataContract_orders`;
export const finance = [{ type: 'team', name: 'finance' }];
const column = (of: string) => ({ name: of, dataType: 'INT' });

export const table = (last: string, owners: typeof finance = finance) => ({
  type: 'table',
  fullyQualifiedName: `lin.shop.sales.${last}`,
  columns: [column('order_id'), column('amount'), column('note')],
  owners,
});

/** The catalog of the captures. */
export const seed: Seed = {
  teams: [{ name: 'finance' }],
  assets: [
    table('orders_daily'),
    table('orders_monthly'),
    {
      type: 'dashboard',
      fullyQualifiedName: 'bi.revenue',
      displayName: 'Revenue',
      owners: finance,
    },
  ],
  lineage: [
    {
      from: asset,
      to: 'lin.shop.sales.orders_daily',
      columns: { amount: ['amount', 'order_id'] },
    },
    { from: 'lin.shop.sales.orders_daily', to: 'lin.shop.sales.orders_monthly' },
    { from: 'lin.shop.sales.orders_monthly', to: 'bi.revenue' },
  ],
  contracts: [
    {
      name: 'orders',
      entity: { type: 'table', fullyQualifiedName: asset },
      entityStatus: 'Approved',
      schema: [column('order_id'), column('amount'), column('note')],
    },
    {
      name: 'monthly',
      entity: { type: 'table', fullyQualifiedName: 'lin.shop.sales.orders_monthly' },
      entityStatus: 'Approved',
      schema: [column('order_id')],
    },
  ],
};

export const fileWith = (...columns: readonly string[]) =>
  `fullyQualifiedName: ${contractName}\nschema:\n${columns.map((each) => `  - { name: ${each}, dataType: INT }\n`).join('')}`;
export const withoutAmount = fileWith('order_id', 'note');

/** One more table that reads from the asset. */
export async function addReader({ ask }: Served, name: string): Promise<void> {
  const columns = [column('id')];
  const { body: made } = await ask('POST', '/tables', {
    body: { name, databaseSchema: 'lin.shop.sales', columns },
  });
  const { body: from } = await ask('GET', `/tables/name/${asset}`);
  const edge = {
    fromEntity: { id: from.id, type: 'table' },
    toEntity: { id: made.id, type: 'table' },
  };
  await ask('PUT', '/lineage', { body: { edge } });
}
