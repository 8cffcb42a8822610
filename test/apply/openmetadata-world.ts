import { apply, type Apply } from '../../src/apply/apply.ts';
import type { Outcome } from '../../src/apply/outcome.ts';
import type { CatalogConnection } from '../../src/catalog/catalog.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan } from '../../src/plan/seal.ts';
import type { ContractPlan, Plan } from '../../src/plan/plan.ts';
import { adoptConventions, type Rules } from '../../src/plan/rules.ts';
import { lenientRules } from '../support/rules.ts';
import { makeContract, serve, type Served } from '../sandbox/openmetadata/served.ts';
import { clientOf, connectTo, desiredOf, hasty, listAll } from './world.ts';

export const statuses = [
  'Draft',
  'In Review',
  'Approved',
  'Deprecated',
  'Rejected',
  'Unprocessed',
] as const;

/** Every move is allowed: what the catalog makes of it is the question. */
export const rules: Rules = adoptConventions(
  {
    ...lenientRules,
    lifecycle: {
      statuses,
      transitions: statuses.flatMap((from) => statuses.map((to) => ({ from, to }))),
    },
  },
  openmetadata,
);

/** A contract of orders as OpenMetadata holds it, and the way from a plan to its outcome. */
export async function openOrders(content: JsonObject = {}, catalog?: Served) {
  const served = catalog ?? (await serve());
  const contract = await makeContract(served, content);
  const connect = async (user: string, changes: Partial<CatalogConnection> = {}) =>
    connectTo({ url: served.url, token: await served.tokenOf(user) }, changes);
  const admin = await connect('admin');
  const planOne = async (managed: JsonObject, own: Partial<Rules> = {}): Promise<ContractPlan> => {
    const live = (await listAll(admin)).find(({ id }) => id === contract.id);
    if (!live) throw new Error('It is not listed.');
    return planUpdate(live, desiredOf(live, managed), { ...rules, ...own });
  };
  return {
    served,
    contract,
    connect,
    planOne,
    plan: async (managed: JsonObject): Promise<Plan> =>
      makePlan(served.url, [await planOne(managed)], []),
    edit: (operations: JsonValue, user?: string) => contract.patch(operations, user),
    run: async (plan: Plan, options: Partial<Apply> = {}, user = 'admin'): Promise<Outcome> => {
      const [outcome] = await runAll(plan, await connect(user), options);
      if (!outcome) throw new Error('Nothing was applied.');
      return outcome;
    },
  };
}

/** What became of the changes of a plan. */
export async function runAll(
  plan: Plan,
  connection: CatalogConnection,
  options: Partial<Apply> = {},
): Promise<readonly Outcome[]> {
  const { outcomes } = await apply({
    plan,
    ...clientOf(connection),
    rules,
    product: openmetadata,
    release: '1.12.6',
    concurrency: 1,
    effects: { ...hasty, now: () => 1_790_000_000_000 },
    ...options,
  });
  return outcomes;
}
