/** Breaking changes that wait for those who read what goes, from the pull request to the receipt. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OpenMetadataOptions } from '../../src/sandbox/openmetadata/server.ts';
import { serve } from '../sandbox/openmetadata/served.ts';
import { expectValid } from '../support/schema.ts';
import type { GitHubState } from './github-server.ts';
import { openWorld } from './review-world.ts';
import { type ActionRun, pullRequestEvent } from './run-action.ts';

const column = (name: string) => ({ name, dataType: 'INT' });
const asset = 'lin.shop.sales.customers';
const names = ['id', 'iban', 'email'];

const reader = (last: string, owner: string) => ({
  type: 'table',
  fullyQualifiedName: `lin.shop.sales.${last}`,
  columns: names.map(column),
  owners: [{ type: 'team', name: owner }],
});
const contractOf = (last: string, columns: readonly string[] = names) => ({
  name: last,
  entity: { type: 'table', fullyQualifiedName: `lin.shop.sales.${last}` },
  entityStatus: 'Approved',
  schema: columns.map(column),
});

const seed = {
  teams: ['finance', 'growth', 'audit'].map((name) => ({ name })),
  assets: [reader('payouts', 'finance'), reader('campaigns', 'growth'), reader('ledger', 'audit')],
  lineage: ['payouts', 'campaigns', 'ledger'].map((last) => ({
    from: asset,
    to: `lin.shop.sales.${last}`,
    columns: { iban: ['iban'] },
  })),
  contracts: ['customers', 'payouts', 'campaigns', 'ledger'].map((last) => contractOf(last)),
};

const policy =
  'catalog: { dialect: openmetadata }\ncompatibility: { approved: warn }\nreviews: { breaking: readers, fallback: platform }\n';
const handles = 'handles: { finance: "@acme/finance", growth: "@Gil" }';
const comment = `comment: { mention: owners, ${handles} }\n`;
const teams = { finance: [50, 51], platform: [60] };

const fileOf = (last: string, columns: readonly string[], description = 'Sold.') =>
  `fullyQualifiedName: lin.shop.sales.${last}.dataContract_${last}\ndescription: "${description}"\nschema:\n${columns.map((each) => `  - { name: ${each}, dataType: INT }\n`).join('')}`;
const withoutIban = { 'contracts/customers.yaml': fileOf('customers', ['id', 'email']) };
const others = {
  'contracts/campaigns.yaml':
    'fullyQualifiedName: lin.shop.sales.campaigns.dataContract_campaigns\ndescription: "Sent."\n',
};

type Opened = { readonly config?: string; readonly github?: GitHubState } & OpenMetadataOptions;

async function open({ config = policy + comment, github = {}, ...options }: Opened = {}) {
  const world = await openWorld({ names: [], config, github: { pulls: [], teams, ...github } });
  const catalog = await serve({ seed, ...options });
  const inputs = { 'catalog-url': catalog.url, token: await catalog.tokenOf('admin') };
  return {
    ...world,
    catalog,
    inputs,
    plan: async (number: number, more = {}) => world.plan(number, { ...inputs, ...more }),
    apply: async (more = {}) => world.apply({ inputs: { ...inputs, ...more } }),
    dispatch: async (more = {}) => world.dispatch({ ...inputs, ...more }),
    columns: async () => {
      const path = `/dataContracts/name/${asset}.dataContract_customers`;
      const { body } = await catalog.ask('GET', path);
      return body.schema.map(({ name }: { readonly name: string }) => name);
    },
  };
}

const by = (login: string) => ({ user: { id: 1, login } });
const receiptOf = (run: ActionRun) =>
  JSON.parse(readFileSync(run.outputs['receipt-file'] ?? '', 'utf8'));

const refresh = async (world: Awaited<ReturnType<typeof open>>, number: number) => ({
  run: await world.plan(number),
  shown: world.shownOf(number),
});

test('a column that three teams read goes once all three have agreed', async () => {
  const world = await open();
  world.openPull(7, { ...withoutIban, ...others });
  const red = await world.plan(7);
  expect(red).toMatchObject({ code: 1, outputs: { 'failure-reason': 'incomplete-plan' } });
  expect(red.stdout).toContain(
    'Held for growth (campaigns.iban), audit (ledger.iban) and finance (payouts.iban).',
  );
  const [, , ...shown] = world.shownOf(7).split('\n');
  expect(shown.slice(0, 13).join('\n')).toMatchInlineSnapshot(`
    "## contract-sync: 2 to update, 1 breaking, 1 held

    > [!CAUTION]
    > Merging is held for growth &#40;campaigns.iban&#41;, audit &#40;ledger.iban&#41; and finance &#40;payouts.iban&#41;.

    | Contract | Reader | Who can agree | Agreement |
    | --- | --- | --- | --- |
    | <code>lin.<wbr>shop.<wbr>sales.<wbr>customers.<wbr>dataContract&#95;customers</code> | \`campaigns.iban\` &#40;growth&#41; | @Gil | not agreed yet |
    | <code>lin.<wbr>shop.<wbr>sales.<wbr>customers.<wbr>dataContract&#95;customers</code> | \`ledger.iban\` &#40;audit&#41; | the team \`platform\` | not agreed yet |
    | <code>lin.<wbr>shop.<wbr>sales.<wbr>customers.<wbr>dataContract&#95;customers</code> | \`payouts.iban\` &#40;finance&#41; | @acme/finance | not agreed yet |

    Have &#64;<wbr>Gil, the team platform and &#64;<wbr>acme/finance approve the pull request, then run the job again. Or name it in \`allow\` with a place, a reason and \`until\`.
    "
  `);
  expect(shown.join('\n')).toContain(
    'If it is merged nevertheless, it updates 1 contract in **the catalog**. 1 contract waits until the readers agree.',
  );

  world.giveReviews(7, [by('gil'), by('member-50')]);
  const less = await refresh(world, 7);
  expect(less.run.code).toBe(1);
  expect(less.shown).toContain('Merging is held for audit');
  expect(less.shown).toMatch(/`payouts.iban` .* \| `@acme\/finance` \| member-50 agreed on /u);

  world.merge(7);
  const part = await world.apply();
  expect(part).toMatchObject({
    code: 1,
    outputs: { applied: '1', 'not-applied': '1', 'failure-reason': 'incomplete-plan' },
  });
  expect(part.stdout).toContain('Held for audit (ledger.iban): not agreed yet.');
  expect(part.summary).toMatch(/^## contract-sync: ❌ Applied 1 of 2 changes\n/u);
  expect(await world.columns()).toEqual(names);
  expect(world.shownOf(7)).toContain('Held for audit');

  world.giveReviews(7, [by('member-60')]);
  const done = await world.apply();
  expect(done).toMatchObject({ code: 0, outputs: { applied: '1' } });
  expect(await world.columns()).toEqual(['id', 'email']);
  const receipt = receiptOf(done);
  expectValid('receipt', receipt);
  expect(receipt.changes).toMatchObject([
    {
      result: 'applied',
      fingerprint: expect.stringMatching(/^sha256:/u),
      pullRequest: 7,
      agreement: {
        state: 'agreed',
        readers: [
          { name: 'campaigns', answer: { kind: 'agreed', by: 'gil' } },
          { name: 'ledger', answer: { kind: 'agreed', by: 'member-60' } },
          { name: 'payouts', answer: { kind: 'agreed', by: 'member-50' } },
        ],
      },
    },
  ]);
});

const all = [by('gil'), by('member-51'), by('member-60')];

test('the policy of the base says who can agree: a pull request that changes it approves nothing', async () => {
  const world = await open();
  const easier = 'comment: { handles: { finance: "@eve", growth: "@eve", audit: "@eve" } }\n';
  world.openPull(7, { ...withoutIban, 'contract-sync.yaml': policy + easier });
  await world.plan(7);
  world.giveReviews(7, [by('eve')]);
  const { run, shown } = await refresh(world, 7);
  expect(run.code).toBe(1);
  expect(run.stdout).toContain('loosens its own checks: `comment.handles`');
  expect(shown).toContain('own, and merge that one before this one.');
  expect(shown).toMatch(/If you merge this, nothing is applied .*\n\n> \[!CAUTION\]\n> Held for /u);
  expect(shown).not.toContain('Merging is held');
  world.merge(7);
  expect(await world.apply()).toMatchObject({ code: 1, outputs: { applied: '0' } });
  expect(await world.columns()).toEqual(names);
});

const refuse = (path: RegExp, status: 403 | 502) => (request: string) =>
  path.test(request) ? ({ status } as const) : undefined;

test.for<[string, GitHubState, RegExp]>([
  [
    "members that can't be read",
    { refuse: refuse(/\/members/u, 403) },
    /the members of .*acme\/finance can't be read/u,
  ],
  [
    "reviews that can't be read",
    { refuse: refuse(/\/reviews/u, 502) },
    /the reviews of pull request 7 can't be read/u,
  ],
])('%s hold the change, and the others land', async ([, github, says]) => {
  const world = await open({ github });
  world.openPull(7, { ...withoutIban, ...others });
  await world.plan(7);
  world.giveReviews(7, all);
  expect((await world.plan(7)).code).toBe(1);
  expect(world.shownOf(7)).toMatch(says);
  world.merge(7);
  const run = await world.apply();
  expect(run).toMatchObject({ code: 1, outputs: { applied: '1', 'not-applied': '1' } });
  expect(run.stdout).toMatch(says);
  expect(await world.columns()).toEqual(names);
});

test('a comment that is written anew on each push mentions its readers once', async () => {
  const world = await open();
  world.openPull(7, withoutIban);
  await world.plan(7, { comment: 'recreate' });
  expect(world.shownOf(7)).toContain('@acme/finance |');
  await world.plan(7, { comment: 'recreate' });
  expect(world.shownOf(7)).toContain('`@acme/finance` |');
  expect(world.shownOf(7)).not.toContain(' @Gil');
});

test('a review can start the plan that counts it', async () => {
  const world = await open();
  world.openPull(7, withoutIban);
  await world.plan(7);
  world.giveReviews(7, all);
  const [head, base] = [world.git('rev-parse', 'work-7'), world.git('rev-parse', 'main')];
  world.git('checkout', '--quiet', '--detach', 'main');
  world.git('merge', '--quiet', '--no-ff', '-m', 'Merge', 'work-7');
  const event = pullRequestEvent({ name: 'pull_request_review', number: 7, head, base });
  expect((await world.run(event, { inputs: world.inputs })).code).toBe(0);
  expect(world.shownOf(7)).not.toContain('Merging is held');
});
