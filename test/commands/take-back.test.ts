import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { staticToken } from '../../src/auth/token.ts';
import { createReader } from '../../src/catalog/client.ts';
import { standard } from '../../src/catalog/products/standard.ts';
import { planFiles } from '../../src/commands/plan.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { contractProblems, type Plan } from '../../src/plan/plan.ts';
import { defaultRules, type Exception } from '../../src/plan/rules.ts';
import { noRepository } from '../support/git-folder.ts';
import { makeFolder, serveCatalog } from '../support/workspace.ts';

const minute = 60_000;
const hour = 60 * minute;
const merged = Date.parse('2026-03-02T09:00Z');

const id = { name: 'id', dataType: 'BIGINT' };
const fax = { name: 'fax', dataType: 'TEXT' };
const zip = { name: 'zip', dataType: 'TEXT' };

const description = 'Orders.';
const former = { version: 1.4, updatedAt: merged - 90 * hour, schema: [id], description };
const added = { version: 1.5, updatedAt: merged, schema: [id, fax], description };
const shared = {
  name: 'orders',
  fullyQualifiedName: 'shop.orders',
  entityStatus: 'Active',
};

type Case = {
  readonly versions?: readonly JsonObject[];
  readonly live?: JsonObject;
  readonly file?: JsonObject;
  readonly age?: number;
  readonly revert?: number;
  readonly allow?: readonly Exception[];
};

async function planOf(given: Case): Promise<Plan> {
  const { versions = [former], live = added, file = { schema: [id] }, age = 20 * minute } = given;
  const { allow = [] } = given;
  const catalog = await serveCatalog({ seed: [{ ...shared, versions, ...live }] });
  const { compatibility } = defaultRules;
  const root = makeFolder({ 'a.yaml': stringify({ fullyQualifiedName: 'shop.orders', ...file }) });
  const connection = {
    token: staticToken(catalog.token),
    pageSize: 'auto',
    timeoutMs: 10_000,
  } as const;
  return planFiles(
    {
      catalogUrl: catalog.url,
      files: { root, include: ['**/*.yaml'], exclude: [] },
      repository: noRepository,
      reader: createReader({ baseUrl: new URL(catalog.url), version: 'test', ...connection }),
      rules: {
        ...defaultRules,
        compatibility: { ...compatibility, revert: given.revert ?? compatibility.revert },
        exceptions: allow,
        exceptionsFor: () => allow,
      },
      product: standard,
    },
    merged + age,
  );
}

test('what takes back a version of a short while ago breaks consumers, and is not blocked', async () => {
  const plan = await planOf({});
  expect(plan).toMatchObject({ errored: false, summary: { update: 1, blocked: 0, breaking: 1 } });
  expect(plan.contracts.flatMap(contractProblems)).toEqual([
    {
      code: 'takes-back',
      severity: 'warning',
      message:
        'This takes back version 1.5 (20 minutes ago): the contract gets what version 1.4 had.',
      hint: "So breaking changes don't block it. Check that nobody relies on that version yet.",
      source: { file: 'a.yaml', line: 1, column: 1 },
    },
    {
      code: 'column-removed',
      severity: 'warning',
      message: 'Column fax is removed.',
      source: { file: 'a.yaml', line: 3, column: 3 },
      impact: 'breaking',
      place: 'schema.fax',
    },
  ]);
});

test("an ended exception doesn't block a change that takes back another", async () => {
  const entry = { rule: 'column-removed', reason: 'agreed', until: '2026-03-01' } as const;
  const source = { file: 'contract-sync.yaml', line: 1, column: 1 };
  const pattern = ['shop', '**'];
  const ended = { ...entry, pattern, expired: true, isShared: false, source };
  const plan = await planOf({ allow: [ended] });
  expect(plan.summary).toMatchObject({ update: 1, blocked: 0 });
});

test.for([
  ['is an hour ahead', -40 * minute, 1],
  ['is an hour behind', 80 * minute, 1],
  ['is an hour behind, a day later', 24.5 * hour, 0],
] as const)(
  'a catalog whose clock %s moves the last moment to take back by as much',
  async ([, age, update]) => {
    expect((await planOf({ age })).summary).toMatchObject({ update });
  },
);

test('its review holds, however old that version has become by then', async () => {
  const [early, late] = await Promise.all([planOf({}), planOf({ age: 23 * hour })]);
  expect(late.contracts).not.toEqual(early.contracts);
  expect(late.planHash).toBe(early.planHash);
});

test('where the review came in time and the apply too late, the plan says so, and the way on', async () => {
  const plan = await planOf({ age: 30 * hour });
  expect(plan).toMatchObject({ summary: { update: 0, blocked: 1 } });
  expect(plan.contracts.flatMap(contractProblems)).toMatchObject([
    {
      code: 'column-removed',
      severity: 'error',
      message: 'Column fax is removed.',
      hint: 'This takes back version 1.5 (30 hours ago), which is older than `compatibility.revert` allows, whenever it was reviewed. Agree it with consumers and add it to `allow`, or: contract-sync rollback shop.orders --to 1.4 --reason "…"',
    },
  ]);
  const [old] = (await planOf({ age: 8 * 24 * hour })).contracts.flatMap(contractProblems);
  expect(old?.hint).toMatch(/^Revert it, or agree it with consumers/u);
});

test.for<Case & { readonly is: string }>([
  { is: 'the version is as old as `revert`', age: 24 * hour },
  { is: 'the configuration has `revert: 0`', revert: 0 },
  {
    is: 'it takes back a part of the version',
    live: { ...added, schema: [id, fax, zip] },
    file: { schema: [id, zip] },
  },
  {
    is: 'it does more than that',
    file: { schema: [id], description: 'All orders.' },
  },
  {
    is: 'somebody edited the contract in the catalog since',
    versions: [former, added],
    live: { ...added, version: 1.6, updatedAt: merged + minute, description: 'All orders.' },
  },
  { is: 'the catalog knows no version before it', versions: [] },
  {
    is: 'the version before had another column there',
    versions: [{ ...former, schema: [id, zip] }],
  },
  {
    is: 'readers had the column for years, and the last version brings it back after a slip',
    versions: [
      { ...added, version: 1.3, updatedAt: merged - 9000 * hour },
      { ...former, updatedAt: merged - hour },
    ],
  },
])('it stays blocked where $is', async (given) => {
  const plan = await planOf(given);
  expect(plan.summary).toMatchObject({ update: 0, blocked: 1 });
  expect(plan.contracts.flatMap(contractProblems)).toContainEqual(
    expect.objectContaining({ code: 'column-removed', severity: 'error' }),
  );
});
