import { expect, test } from 'vitest';
import { openmetadata } from '../../../src/catalog/products/openmetadata/openmetadata.ts';
import { standard } from '../../../src/catalog/products/standard.ts';
import { type LiveContract, parseLiveContract } from '../../../src/contract/contract.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { planUpdate } from '../../../src/plan/update.ts';
import { desiredOf, liveOf } from '../../support/contracts.ts';
import { lenientRules } from '../../support/rules.ts';

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

test.for([
  [standard, ['/schema/10']],
  [openmetadata, ['/schema/0', '/schema/10']],
] as const)('$0.title gets a column from 1 to 10 in moves that it takes', ([product, paths]) => {
  const columns = 'abcdefghijklmn'.split('').map((name) => ({ name, dataType: 'INT' }));
  const schema = columns.toSpliced(1, 1).toSpliced(10, 0, ...columns.slice(1, 2));
  const rules = { ...lenientRules, conventions: product };
  const planned = planUpdate(liveOf({ schema: columns }), desiredOf({ schema }), rules);
  const changes = planned.action === 'unchanged' ? [] : planned.changes;
  expect(changes.filter(({ kind }) => kind === 'move').map(({ path }) => path)).toEqual(paths);
});
