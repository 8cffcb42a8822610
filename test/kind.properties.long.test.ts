import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { DialectSetting, ServerRelease } from '../src/catalog/products/products.ts';
import { createReader } from '../src/catalog/client.ts';
import { deepEqual, type JsonObject } from '../src/core/json.ts';
import type { ContractPlan, Plan } from '../src/plan/plan.ts';
import { patchOf } from '../src/plan/change.ts';
import { planFiles } from '../src/commands/plan.ts';
import { connectTo, idOf, sendJson, serve } from './support/server.ts';
import { rounds } from './support/rounds.ts';
import { lenientRules } from './support/rules.ts';
import { makeFolder } from './support/workspace.ts';

const statuses = ['Draft', 'Deprecated', 'Active', 'Approved', 'In Review', 'Live'] as const;

const liveFields = fc.record(
  {
    entityStatus: fc.constantFrom(...statuses),
    description: fc.constantFrom('Old.', 'New.'),
    schema: fc.constantFrom([{ name: 'a', dataType: 'INT', dataLength: 1, tags: [] }], []),
    sla: fc.constantFrom({ timezone: 'GMT+00:00 (Europe/London)' }, {}),
    owners: fc.constantFrom([{ id: 'x', type: 'user', name: 'ada' }], []),
  },
  { requiredKeys: [] },
);

const fileFields = fc.record(
  {
    entityStatus: fc.constantFrom('Draft', 'Deprecated', 'Active', 'Approved', null),
    description: fc.constantFrom('Old.', 'New.', null),
    schema: fc.constantFrom([{ name: 'a', dataType: 'INT' }], [], null),
    sla: fc.constantFrom({}, null),
    owners: fc.constantFrom([{ type: 'user', name: 'ada' }], []),
    termsOfUse: fc.constant('Be kind.'),
  },
  { requiredKeys: [] },
);

const releases: readonly ServerRelease[] = [
  { kind: 'known', version: '1.12.6', product: 'openmetadata' },
  { kind: 'unsupported', version: '1.9.3', product: 'openmetadata' },
  { kind: 'other' },
  { kind: 'unread', why: 'status 503' },
];

/** Plans with each setting, and in `auto` once more with the list turned round. */
async function planAll(contracts: readonly JsonObject[], folder: string, release: ServerRelease) {
  const planIn = async (dialect: DialectSetting, data = contracts): Promise<Plan> => {
    const server = await serve(({ path }, response) => {
      if (path.includes('/dataContracts')) sendJson(response, { data: [...data], paging: {} });
      else sendJson(response, {}, 404);
    });
    const { plan } = await planFiles({
      catalogUrl: 'http://catalog.test/api',
      files: { root: folder, include: ['**/*.yaml'], exclude: [], allowEmpty: true },
      reader: createReader(connectTo(server.url)),
      rules: { ...lenientRules, limits: { ...lenientRules.limits, from: 1000 } },
      dialect,
      askRelease: async () => release,
    });
    return plan;
  };
  return {
    auto: await planIn('auto'),
    turned: await planIn('auto', contracts.toReversed()),
    standard: await planIn('standard'),
    openmetadata: await planIn('openmetadata'),
  };
}

function planOf(plan: Plan, id: string): ContractPlan | undefined {
  return plan.contracts.find((each) => 'id' in each && each.id === id);
}

function effect(plan: ContractPlan | undefined): JsonObject | undefined {
  return plan && { action: plan.action, patch: 'target' in plan ? patchOf(plan.changes) : [] };
}

/** Where a dialect is set, an error of a file ends the whole plan. */
function expectAsIn(plan: Plan, own: ContractPlan, id: string): void {
  if (plan.planHash !== undefined) expect(effect(own)).toEqual(effect(planOf(plan, id)));
}

type Evidence = {
  readonly seen: ReadonlySet<string | undefined>;
  readonly release: ServerRelease;
};

function weigh({ seen, release }: Evidence) {
  const isReleased = release.kind === 'known';
  return {
    pro: isReleased || seen.has('Approved') || seen.has('In Review'),
    contra: seen.has('Active'),
  };
}

function expectEvident(
  id: string,
  { auto, standard, openmetadata }: Awaited<ReturnType<typeof planAll>>,
  evidence: Evidence,
): void {
  const { pro, contra } = weigh(evidence);
  const [own, first, second] = [auto, standard, openmetadata].map((plan) => planOf(plan, id));
  if (!own) return;
  if (pro !== contra) {
    if (own.action !== 'blocked') expectAsIn(pro ? openmetadata : standard, own, id);
    return;
  }
  if (own.action === 'update')
    for (const plan of [standard, openmetadata]) expectAsIn(plan, own, id);
  if (first?.action === 'update' && second)
    expect(own.action === 'update').toBe(deepEqual(effect(first), effect(second)));
}

function expectKnownStatus(plan: ContractPlan | undefined, evidence: Evidence): void {
  const written = plan?.action === 'update' ? plan.transition?.to : undefined;
  const { pro, contra } = weigh(evidence);
  const isReleased = evidence.release.kind === 'known';
  if (written === 'Approved') expect(isReleased || evidence.seen.has('Approved')).toBe(true);
  if (written === 'Active') expect(contra && !pro).toBe(true);
}

test('auto sends what both kinds would send, or what the evidence says, or nothing', async () => {
  const pairs = fc.array(fc.tuple(liveFields, fc.option(fileFields)), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(pairs, fc.constantFrom(...releases), async (given, release) => {
      const contracts = given.map(([live], number) => ({
        id: idOf(number),
        name: 'c',
        fullyQualifiedName: `shop.t${number}.dataContract_c`,
        version: 0.1,
        updatedAt: 1_700_000_000_000,
        ...live,
      }));
      const files = given.flatMap(([, file], number) =>
        file ? [[`${number}.yaml`, stringify({ id: idOf(number), ...file })]] : [],
      );
      const folder = makeFolder(Object.fromEntries(files));
      const plans = await planAll(contracts, folder, release);
      expect(plans.turned).toEqual(plans.auto);
      const seen = new Set<string | undefined>(contracts.map(({ entityStatus }) => entityStatus));
      for (const { id } of contracts) {
        expectEvident(id, plans, { seen, release });
        expectKnownStatus(planOf(plans.auto, id), { seen, release });
      }
    }),
    { numRuns: rounds(60) },
  );
});
