import { expect, test } from 'vitest';
import { openmetadata } from '../../../src/catalog/products/openmetadata/openmetadata.ts';
import { type LiveContract, parseLiveContract } from '../../../src/contract/contract.ts';
import type { JsonObject } from '../../../src/core/json.ts';

function live(members: JsonObject): LiveContract {
  const contract = parseLiveContract({ id: 'x', ...members });
  if (!contract) throw new Error('no contract');
  return contract;
}

const spoken = live({
  name: 'orders',
  fullyQualifiedName: 'warehouse.shop.sales.orders.dataContract_orders',
  entity: { id: 'e', type: 'table', fullyQualifiedName: 'wrong' },
});

test("OpenMetadata's entity is named by its contract, the document stays as it came", () => {
  const completed = openmetadata.fromWire(spoken);
  expect(completed.entity).toEqual({
    id: 'e',
    type: 'table',
    fullyQualifiedName: 'warehouse.shop.sales.orders',
  });
  expect(completed.document).toBe(spoken.document);
  const unnamed = live({ name: 'orders' });
  expect(openmetadata.fromWire(unnamed)).toBe(unnamed);
});
