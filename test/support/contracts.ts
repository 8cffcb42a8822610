import {
  type DesiredContract,
  type LiveContract,
  parseLiveContract,
} from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { planUpdate } from '../../src/plan/update.ts';
import type { UpdatePlan } from '../../src/plan/plan.ts';
import { defaultRules } from '../../src/plan/rules.ts';

/** A live contract of `shop.sales.orders`, with these fields. */
export function liveOf(fields: JsonObject = {}): LiveContract {
  const live = parseLiveContract({
    id: '11111111-1111-4111-8111-111111111111',
    fullyQualifiedName: 'shop.sales.orders',
    version: 0.1,
    ...fields,
  });
  if (!live) throw new Error('no contract');
  return live;
}

/** A file that manages these fields; each stands on a line of its own. */
export function desiredOf(managed: JsonObject): DesiredContract {
  const fields = Object.keys(managed);
  return {
    identity: { fullyQualifiedName: 'shop.sales.orders' },
    managed,
    source: { file: 'orders.yaml', line: 1, column: 1 },
    locate: ([field = '']) => ({
      file: 'orders.yaml',
      line: 2 + fields.indexOf(field),
      column: 1,
    }),
  };
}

/** The change that makes the managed fields of a contract of the others, or of `before`. */
export function updateOf(before: JsonObject, managed: JsonObject): UpdatePlan {
  const planned = planUpdate(liveOf(before), desiredOf(managed), defaultRules);
  if (planned.action === 'unchanged') throw new Error('no change');
  return planned;
}
