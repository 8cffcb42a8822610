import { describe, expect, test } from 'vitest';
import { chooseDialect } from '../../../src/catalog/dialects/choose.ts';
import { openmetadata } from '../../../src/catalog/dialects/openmetadata/openmetadata.ts';
import { parseLiveContract } from '../../../src/contract/live.ts';
import type { LiveContract } from '../../../src/contract/contract.ts';
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

describe('auto', () => {
  test("tells OpenMetadata by its contracts' names", () => {
    expect(chooseDialect('auto', spoken).name).toBe('openmetadata');
  });

  test('takes any other catalog by the interface', () => {
    expect(chooseDialect('auto', live({ name: 'orders' })).name).toBe('standard');
    const other = live({ name: 'orders', fullyQualifiedName: 'shop.orders' });
    expect(chooseDialect('auto', other).name).toBe('standard');
  });
});

test('a dialect that is set is not guessed', () => {
  expect(chooseDialect('standard', spoken).name).toBe('standard');
  expect(chooseDialect('openmetadata', live({})).name).toBe('openmetadata');
});

test("OpenMetadata's entity is named by its contract, the document stays as it came", () => {
  const completed = openmetadata.complete(spoken);
  expect(completed.entity).toEqual({
    id: 'e',
    type: 'table',
    fullyQualifiedName: 'warehouse.shop.sales.orders',
  });
  expect(completed.document).toBe(spoken.document);
  const unnamed = live({ name: 'orders' });
  expect(openmetadata.complete(unnamed)).toBe(unnamed);
});
