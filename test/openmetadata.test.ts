import { onTestFinished, describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '../src/core/json.ts';
import type { Plan } from '../src/plan/plan.ts';
import { startOpenMetadata } from '../src/sandbox/openmetadata/server.ts';
import { record } from './support/recorder.ts';
import { runInProcess } from './support/run-program.ts';
import { accessTo, makeFolder } from './support/workspace.ts';
import { expectValid } from './support/schema.ts';

const fqn = 'shop.sales.web.orders.dataContract_orders';
const id = '7f1c2b0e-5d3a-4c8e-9a41-2f6d0b8e3c55';

const live: JsonObject = {
  id,
  name: 'orders',
  entity: { type: 'table', fullyQualifiedName: 'shop.sales.web.orders' },
  entityStatus: 'Draft',
  description: 'Orders.',
  schema: [
    { name: 'id', dataType: 'BIGINT' },
    { name: 'amount', dataType: 'DECIMAL', precision: 10, scale: 2 },
  ],
  semantics: [{ name: 'positive', description: 'No refunds.', rule: '{}', enabled: true }],
  sla: { refreshFrequency: { interval: 1, unit: 'day' } },
};

/** A file with all that the live contract has. */
const whole = `fullyQualifiedName: ${fqn}
entityStatus: Draft
description: Orders.
schema:
  - { name: id, dataType: BIGINT }
  - { name: amount, dataType: DECIMAL, precision: 10, scale: 2 }
semantics:
  - { name: positive, description: No refunds., rule: '{}' }
sla:
  refreshFrequency: { interval: 1, unit: day }
`;

/** A catalog that holds that contract, and a folder whose files are planned against it. */
async function open(seed: JsonObject = {}, configuration = '') {
  const sandbox = await startOpenMetadata({ seed: { contracts: [{ ...live, ...seed }] } });
  onTestFinished(sandbox.close);
  const recorder = await record(sandbox.url);
  const environment = accessTo({ ...sandbox, url: recorder.url });
  const run = async (command: string, file: string, ...flags: string[]) => {
    const config: Record<string, string> =
      configuration === '' ? {} : { 'contract-sync.yaml': configuration };
    const folder = makeFolder({ 'contracts/orders.yaml': file, ...config });
    return runInProcess([command, ...flags], { folder, environment });
  };
  return {
    requests: recorder.requests,
    run,
    plan: async (file: string): Promise<Plan> => {
      const { stdout } = await run('plan', file, '--format', 'json');
      const plan = JSON.parse(stdout);
      expectValid('plan', plan);
      return plan;
    },
    apply: async (file: string) => run('apply', file, '--yes', '--format', 'json'),
  };
}

test('a file with the values of the catalog changes nothing, with defaults or without', async () => {
  const { plan } = await open();
  expect((await plan(whole)).summary).toMatchObject({ unchanged: 1, update: 0 });
});

/** What a file says instead, and what a reader sees of it. */
const edits: readonly (readonly [
  what: string,
  from: string,
  to: string,
  shown: readonly (readonly [
    label: string,
    before: JsonValue | undefined,
    after: JsonValue | undefined,
  ])[],
])[] = [
  [
    'dates beside another change',
    'description: Orders.',
    "description: New.\neffectiveFrom: 2026-01-01\neffectiveUntil: '2026-12-31T23:00:00-01:00'",
    [
      ['description', 'Orders.', 'New.'],
      ['effectiveFrom', undefined, '2026-01-01'],
      ['effectiveUntil', undefined, '2027-01-01'],
    ],
  ],
  [
    'the old word for approved',
    'Status: Draft',
    'Status: Active',
    [['entityStatus', 'Draft', 'Approved']],
  ],
  [
    'a time zone',
    'sla:',
    'sla:\n  timezone: GMT+01:00 (Europe/Paris)',
    [['sla.timezone', 'GMT+00:00 (Europe/London)', 'GMT+01:00 (Europe/Paris)']],
  ],
];

describe('an edit is shown in the words of the file, stored, and planned once:', () => {
  test.for(edits)('%s', async ([, from, to, shown]) => {
    const { plan, apply } = await open();
    const file = whole.replace(from, to);
    const [contract] = (await plan(file)).contracts;
    expect(contract).toMatchObject({ action: 'update', predictedVersions: ['0.2'] });
    const changes = contract && 'changes' in contract ? contract.changes : [];
    const values = changes.map(({ label, before, after, inWords }) => {
      const shownSides = { before, after, ...inWords };
      return [label, shownSides.before, shownSides.after];
    });
    expect(new Set(values)).toEqual(new Set(shown));
    const { stdout, code } = await apply(file);
    expect(JSON.parse(stdout).outcomes).toMatchObject([{ result: 'applied', error: null }]);
    expect(code).toBe(0);
    expect((await plan(file)).summary).toMatchObject({ unchanged: 1, update: 0 });
  });
});

test('a move that only a reviewer can make is a warning of the plan, as Active too', async () => {
  const seed = { entityStatus: 'In Review', reviewers: [{ type: 'user', name: 'mira' }] };
  const { run } = await open(seed, 'catalog: { dialect: openmetadata }\n');
  const { stdout, code } = await run('plan', whole.replace('Status: Draft', 'Status: Active'));
  expect(stdout).toContain(
    'Only a reviewer of the contract can move it from In Review to Approved: user mira.',
  );
  expect(stdout).toContain('needs-reviewer');
  expect(code).toBe(0);
});

test('reviewers are requested with the list where a file names a status that only they may set', async () => {
  const { plan, requests } = await open({ entityStatus: 'In Review' });
  await plan(whole.replace('Status: Draft', 'Status: Approved'));
  await plan(whole);
  const lists = requests.filter((line) => line.includes('/v1/dataContracts?'));
  expect(lists).toHaveLength(2);
  expect(lists[0]).toContain('fields=reviewers');
  expect(lists[1]).not.toContain('fields');
});

test('a configured lifecycle wins, whichever word it has for approved', async () => {
  const configuration = `catalog: { dialect: openmetadata }
lifecycle:
  statuses: [Draft, Active]
  transitions: [{ from: Active, to: Draft }]
`;
  const { plan } = await open({ entityStatus: 'Approved' }, configuration);
  expect((await plan(whole)).summary).toMatchObject({ update: 1, blocked: 0 });
});

test('a pull takes Approved where the lifecycle says Active, and the dialect is found out', async () => {
  const lifecycle = `lifecycle:
  statuses: [Draft, Active, Deprecated]
  transitions: [{ from: Draft, to: Active }, { from: Active, to: Draft }]
`;
  const { run } = await open({ entityStatus: 'Approved' }, lifecycle);
  const draft = `fullyQualifiedName: ${fqn}\nentityStatus: Draft\n`;
  const { code, stdout } = await run('pull', draft);
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('+entityStatus: Approved'),
  });
  const active = await run('pull', draft.replace('Draft', 'Active'));
  expect(active.stdout).toContain('Nothing to pull');
});
