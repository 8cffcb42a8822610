/** Who is downstream of a breaking change, against a catalog that answers as the captures do. */

import { describe, expect, test } from 'vitest';
import { defaultRules, type Rules } from '../../src/plan/rules.ts';
import {
  type ContractPlan,
  contractProblems,
  type Downstream,
  type Plan,
} from '../../src/plan/plan.ts';
import type { SourcePosition } from '../../src/core/diagnostic.ts';
import { systemEffects } from '../../src/http/fetch.ts';
import { planPage, renderPlanText } from '../../src/report/plan.ts';
import { renderHtml } from '../../src/report/html.ts';
import { renderMarkdown } from '../../src/report/markdown.ts';
import { plain } from '../../src/report/blocks.ts';
import { comparePlans } from '../../src/review/compare.ts';
import {
  addReader,
  asset,
  contractName as name,
  fileWith,
  seed,
  table,
  withoutAmount,
} from './lineage.ts';
import { openWorld, type World } from './world.ts';

const judging = (compatibility: Partial<Rules['compatibility']> = {}): Partial<Rules> => ({
  compatibility: { ...defaultRules.compatibility, ...compatibility },
});

async function planWith(
  world: World,
  text: string,
  run: Parameters<World['plan']>[1] = {},
): Promise<Plan> {
  return world.plan([text], { rules: judging(), ...run });
}

function downstreamOf({ contracts }: Plan): Downstream | undefined {
  return contracts.flatMap((each) => ('downstream' in each ? [each.downstream] : []))[0];
}

function namesOf(downstream: Downstream | undefined): string[] {
  return downstream && 'assets' in downstream
    ? downstream.assets.map(
        (each) => each.name + (each.columns ? `.${each.columns.join('+')}` : ''),
      )
    : [];
}

function lineOf(plan: Plan): string | undefined {
  const text = renderPlanText(plan, { palette: plain, detail: 'changes' });
  return /^ {2}(?:read by|downstream unknown|no downstream).*$/mu.exec(text)?.[0].trim();
}

function codesOf(contract: ContractPlan | undefined): string[] {
  return contract && 'problems' in contract ? contract.problems.map(({ code }) => code) : [];
}

function bodyOf(text: string) {
  const stream = new Response(text).body;
  if (!stream) return null;
  return Object.assign(stream, { cancel: async () => undefined });
}

const warning = (downstream: Rules['compatibility']['downstream']) =>
  judging({ levels: new Map([['Approved', 'warn']]), downstream });

const commented = (plan: Plan, handles?: Record<string, string>) =>
  renderMarkdown(planPage(plan, { isComment: true, handles }), { budget: Infinity });

/** The server, with another answer to some requests. */
const answering = (where: RegExp, status: number, text = '{}') => ({
  effects: {
    ...systemEffects,
    fetch: async (...[url, init]: Parameters<typeof systemEffects.fetch>) =>
      where.test(url.href)
        ? {
            status,
            headers: new Headers({ 'content-type': 'application/json' }),
            body: bodyOf(text),
          }
        : systemEffects.fetch(url, init),
  },
});

describe('what a plan lists', () => {
  test('assets by type and name, the nearest first, with owners, contracts and columns', async () => {
    const world = await openWorld({ seed });
    const plan = await planWith(world, withoutAmount);
    expect(downstreamOf(plan)).toMatchObject({
      assets: [
        {
          type: 'table',
          name: 'orders_daily',
          fullyQualifiedName: 'lin.shop.sales.orders_daily',
          distance: 1,
          columns: ['amount'],
          owners: ['finance'],
        },
        {
          name: 'orders_monthly',
          distance: 2,
          contract: { status: 'Approved', fullyQualifiedName: expect.stringContaining('monthly') },
        },
        { type: 'dashboard', name: 'Revenue', distance: 3, owners: ['finance'] },
      ],
    });
    expect(lineOf(plan)).toBe(
      'read by  orders_daily.amount (finance) · orders_monthly (finance, contract Approved) · dashboard Revenue (finance)',
    );
    expect(world.requests().filter((line) => /lineage|owners/u.test(line))).toHaveLength(4);
  });

  test('a renamed column counts by its old name, a retyped one by its own', async () => {
    const world = await openWorld({ seed });
    const renamed = await planWith(world, fileWith('order_id', 'sum', 'note'));
    expect(namesOf(downstreamOf(renamed))[0]).toBe('orders_daily.amount');
    const retyped = fileWith('order_id', 'amount', 'note').replace(
      'amount, dataType: INT',
      'amount, dataType: CHAR',
    );
    expect(namesOf(downstreamOf(await planWith(world, retyped)))[0]).toBe('orders_daily.amount');
  });

  test('a column without column lineage keeps all readers in the list, with a note', async () => {
    const world = await openWorld({ seed });
    const plan = await planWith(world, fileWith('order_id', 'amount'));
    expect(namesOf(downstreamOf(plan))).toEqual(['orders_daily.', 'orders_monthly.', 'Revenue.']);
    expect(lineOf(plan)).toContain('orders_daily (finance, other columns)');
  });

  test('a retirement concerns the asset as a whole', async () => {
    const world = await openWorld({ seed });
    const plan = await planWith(world, `fullyQualifiedName: ${name}\nentityStatus: Deprecated\n`);
    expect(namesOf(downstreamOf(plan))).toEqual(['orders_daily', 'orders_monthly', 'Revenue']);
  });

  test('so does one of a contract that no file declares', async () => {
    const world = await openWorld({ seed });
    const source = { file: 'contract-sync.yaml', line: 1, column: 1 };
    const rules = { scope: [['lin', '**']], unmanaged: { rule: 'deprecate', source } } as const;
    const monthly = 'fullyQualifiedName: lin.shop.sales.orders_monthly.dataContract_monthly\n';
    const plan = await planWith(world, monthly, { rules: { ...judging(), ...rules } });
    expect(plan.summary).toMatchObject({ update: 1, unchanged: 1, transitions: 1 });
    expect(namesOf(downstreamOf(plan))).toEqual(['orders_daily', 'orders_monthly', 'Revenue']);
  });

  test("a removed column counts also where compatibility isn't judged", async () => {
    const world = await openWorld({ seed });
    const plan = await planWith(world, withoutAmount, { rules: judging({ mode: 'none' }) });
    expect(plan.summary.breaking).toBe(0);
    expect(namesOf(downstreamOf(plan))[0]).toBe('orders_daily.amount');
  });

  test('so does a schema that is emptied', async () => {
    const world = await openWorld({ seed });
    const emptied = `fullyQualifiedName: ${name}\nschema: []\n`;
    const plan = await planWith(world, emptied, { rules: judging({ mode: 'none' }) });
    expect(namesOf(downstreamOf(plan))).toEqual(['orders_daily', 'orders_monthly', 'Revenue']);
  });

  test("a cycle ends, an asset doesn't read itself, and a deleted reader is left out", async () => {
    const cycle = { from: 'lin.shop.sales.orders_monthly', to: asset };
    const world = await openWorld({ seed: { ...seed, lineage: [...(seed.lineage ?? []), cycle] } });
    const { body } = await world.ask('GET', '/dashboards/name/bi.revenue');
    await world.ask('DELETE', `/dashboards/${body.id}`);
    const plan = await planWith(world, withoutAmount);
    expect(namesOf(downstreamOf(plan))).toEqual(['orders_daily.amount', 'orders_monthly']);
  });

  test('of 150 direct readers ten are named, the rest counted, and all are in the plan', async () => {
    const many = Array.from({ length: 150 }, (_, index) =>
      table(`leaf_${String(index).padStart(3, '0')}`),
    );
    const world = await openWorld({
      seed: {
        ...seed,
        assets: many,
        lineage: many.map(({ fullyQualifiedName: to }) => ({ from: asset, to })),
      },
    });
    const plan = await planWith(world, withoutAmount);
    expect(namesOf(downstreamOf(plan))).toHaveLength(150);
    expect(lineOf(plan)?.split(' · ').slice(-2)).toEqual(['leaf_009 (finance)', '140 more']);
    expect(commented(plan)).toMatch(/`leaf_009` \(finance\) · 140 more/u);
    const requests = world.requests();
    expect(requests.filter((line) => line.includes('/lineage/'))).toHaveLength(1);
    expect(requests.filter((line) => line.includes('fields=owners'))).toHaveLength(150);
    expect(plan.planHash).toBe(
      (await planWith(world, withoutAmount, { downstream: false })).planHash,
    );
  });

  test('owners are read eight at a time', async () => {
    const many = Array.from({ length: 20 }, (_, index) => table(`leaf_${index}`));
    const lineage = many.map(({ fullyQualifiedName: to }) => ({ from: asset, to }));
    const world = await openWorld({ seed: { ...seed, assets: many, lineage } });
    const [atOnce, most] = [new Set<string>(), { asked: 0 }];
    const fetch: typeof systemEffects.fetch = async (url, init) => {
      if (!url.href.includes('fields=owners')) return systemEffects.fetch(url, init);
      atOnce.add(url.href);
      most.asked = Math.max(most.asked, atOnce.size);
      const response = await systemEffects.fetch(url, init);
      atOnce.delete(url.href);
      return response;
    };
    await planWith(world, withoutAmount, { connection: { effects: { ...systemEffects, fetch } } });
    expect(most.asked).toBe(8);
  });

  test('lineage is not requested where no change breaks, nor where it is off', async () => {
    const world = await openWorld({ seed });
    await planWith(world, `fullyQualifiedName: ${name}\ndescription: New.\n`);
    await planWith(
      world,
      fileWith('order_id', 'amount', 'note').replace(/$/u, 'description: New.\n'),
    );
    const plan = await planWith(world, withoutAmount, { downstream: false });
    expect(world.requests().filter((line) => /lineage|owners/u.test(line))).toEqual([]);
    expect(lineOf(plan)).toBeUndefined();
  });
});

describe("where lineage can't be read or is incomplete,", () => {
  test.for([
    [403, 'lacks the permission to read lineage'],
    [404, 'the catalog has no lineage of this table'],
    [500, 'failed to read lineage'],
    [200, "the catalog's answer has another form"],
  ] as const)('an answer of %i is a warning, and blocks nothing', async ([status, why]) => {
    const world = await openWorld({ seed });
    const rules = judging({ levels: new Map([['Approved', 'warn']]), downstream: 'block' });
    const connection = answering(/\/lineage\//u, status);
    const plan = await planWith(world, withoutAmount, { rules, connection });
    expect(plan).toMatchObject({ errored: false, summary: { update: 1, breaking: 1 } });
    expect(lineOf(plan)).toContain(why);
    expect(lineOf(plan)).toContain('so `compatibility.downstream: block` does nothing here');
    const said = await planWith(world, withoutAmount, { connection });
    expect(lineOf(said)).toMatch(/^downstream unknown: /u);
    expect(lineOf(said)).not.toContain('compatibility.downstream');
  });

  test('a slow server gets one request, and no further one for owners', async () => {
    const world = await openWorld({ seed });
    let asked = 0;
    const hanging = {
      effects: {
        ...systemEffects,
        fetch: async (...[url, init]: Parameters<typeof systemEffects.fetch>) => {
          if (!url.href.includes('/lineage/')) return systemEffects.fetch(url, init);
          asked += 1;
          return new Promise<never>((_, reject) => {
            init.signal.addEventListener('abort', () => reject(init.signal.reason));
          });
        },
      },
      timeoutMs: 100,
    };
    const plan = await planWith(world, withoutAmount, { connection: hanging });
    expect(plan.summary).toMatchObject({ blocked: 1 });
    expect(lineOf(plan)).toMatch(/^downstream unknown: \S+ (?:took|gave|did|sent)/u);
    expect(asked).toBe(1);
  });

  test('owners that cannot be read are unknown, the assets are listed', async () => {
    const world = await openWorld({ seed });
    const connection = answering(/fields=owners/u, 403);
    const plan = await planWith(world, withoutAmount, { connection });
    expect(lineOf(plan)).toContain('orders_daily.amount (owners unknown)');
  });

  test("an empty answer doesn't prove that there are no readers", async () => {
    const world = await openWorld({ seed: { ...seed, lineage: [] } });
    expect(lineOf(await planWith(world, withoutAmount))).toBe(
      "no downstream assets in the catalog's lineage",
    );
  });

  test('contracts outside of the list count as unknown; with a policy they are read', async () => {
    const world = await openWorld({ seed });
    const { body } = await world.ask('GET', `/tables/name/${asset}`);
    const identity = `name: orders\nentity: { type: table, id: ${body.id} }\n`;
    const text = identity + withoutAmount.replace(/^.*\n/u, '');
    const rules = { ...judging(), unmanaged: { rule: 'ignore' } as const };
    const narrow = await planWith(world, text, { rules });
    expect(downstreamOf(narrow)).toMatchObject({ contractsUnread: true });
    expect(lineOf(narrow)).toMatch(/ · their contracts were not asked for$/u);
    const strict = { ...rules, ...judging({ downstream: 'warn' }) };
    expect(downstreamOf(await planWith(world, text, { rules: strict }))).not.toHaveProperty(
      'contractsUnread',
    );
  });
});

const endedAt =
  (source: SourcePosition): Rules['exceptionsFor'] =>
  () => [
    {
      pattern: [],
      rule: 'column-removed',
      reason: 'agreed',
      until: '2026-01-31',
      expired: true,
      isShared: false,
      source,
    },
  ];

/** The place of the first problem of a plan. */
function sourceOf({ contracts }: Plan): Partial<SourcePosition> {
  return contracts.flatMap(contractProblems)[0]?.source ?? {};
}

describe('the policy', () => {
  test('does nothing where a run reads no lineage, as the plan notes', async () => {
    const world = await openWorld({ seed });
    const plan = await planWith(world, withoutAmount, {
      rules: warning('block'),
      downstream: false,
    });
    expect(plan.errored).toBe(false);
    expect(lineOf(plan)).toBe(
      "downstream unknown: this run doesn't ask for lineage; so `compatibility.downstream: block` does nothing here",
    );
    expect(world.requests().filter((line) => /lineage|owners/u.test(line))).toEqual([]);
  });

  test.for([
    ['report', false, []],
    ['warn', false, ['downstream-promised']],
    ['block', true, ['downstream-promised']],
  ] as const)(
    '%s decides whether promised assets are named, and block the change',
    async ([rule, errored, codes]) => {
      const world = await openWorld({ seed });
      const plan = await planWith(world, withoutAmount, { rules: warning(rule) });
      expect(plan.errored).toBe(errored);
      expect(codesOf(plan.contracts[0]).filter((code) => code !== 'column-removed')).toEqual(codes);
      expect(plan.contracts[0]?.action === 'blocked').toBe(errored);
      const message = '1 downstream asset has a contract in the status Approved: orders_monthly.';
      const named = plan.contracts.flatMap(contractProblems).map((problem) => problem.message);
      expect(named.includes(message)).toBe(codes.length > 0);
    },
  );

  test('gives way to `allow`, and holds also for changes that are neither breaking nor promised', async () => {
    const world = await openWorld({ seed });
    const source = { file: 'contract-sync.yaml', line: 1, column: 1 };
    const exceptionsFor: Rules['exceptionsFor'] = () => [
      {
        pattern: [],
        rule: 'column-removed',
        reason: 'agreed',
        expired: false,
        isShared: false,
        source,
      },
    ];
    const agreed = { ...warning('block'), exceptionsFor };
    const lifted = await planWith(world, withoutAmount, { rules: agreed });
    expect(lifted.errored).toBe(false);
    expect(lifted.contracts[0]).toMatchObject({
      action: 'update',
      problems: [{ severity: 'warning', hint: 'Allowed: agreed', allowed: { reason: 'agreed' } }],
    });
    const ending = `fullyQualifiedName: ${name}\nentityStatus: Deprecated\n`;
    expect((await planWith(world, ending, { rules: warning('block') })).errored).toBe(false);
    const drafts = seed.contracts?.map((each) =>
      each['name'] === 'monthly' ? { ...each, entityStatus: 'Draft' } : each,
    );
    const other = await openWorld({ seed: { ...seed, contracts: drafts ?? [] } });
    expect((await planWith(other, withoutAmount, { rules: warning('block') })).errored).toBe(false);
  });

  test.each([
    ['warn', ['column-removed', 'downstream-promised', 'exception-expired']],
    ['error', ['column-removed', 'exception-expired', 'downstream-promised']],
  ] as const)('reports once that an exception ended, at the level %s', async (level, codes) => {
    const world = await openWorld({ seed });
    const levels = new Map([['Approved', level]]);
    const judged = judging({ levels, downstream: 'block' });
    const { line = 1, column = 1 } = sourceOf(
      await planWith(world, withoutAmount, { rules: judged }),
    );
    // The same line and column of another file.
    const rules = {
      ...judged,
      exceptionsFor: endedAt({ file: 'contract-sync.yaml', line, column }),
    };
    const plan = await planWith(world, withoutAmount, { rules });
    const problems = plan.contracts.flatMap((each) => ('problems' in each ? each.problems : []));
    expect(problems.map(({ code }) => code)).toEqual(codes);
  });
});

test('a new reader since the review invalidates no review', async () => {
  const world = await openWorld({ seed });
  const rules = judging({ levels: new Map([['Approved', 'warn']]) });
  const reviewed = await planWith(world, withoutAmount, { rules });
  for (const last of ['a', 'b', 'c']) await addReader(world, `new_${last}`);
  const fresh = await planWith(world, withoutAmount, { rules });
  expect(fresh.planHash).toBe(reviewed.planHash);
  expect(comparePlans(reviewed, fresh).verdict).toBe('same');
});

describe('in a comment', () => {
  test('owners are names, and mentioned by the handles of the configuration alone', async () => {
    const world = await openWorld({ seed });
    const plan = await planWith(world, withoutAmount);
    const text = commented(plan);
    expect(text).toContain('<br>read by  `orders_daily.amount` (finance) · ');
    expect(text).not.toContain('@acme');
    expect(commented(plan, { finance: 'acme/finance' })).toContain('(@acme/finance)');
    const page = renderHtml(planPage(plan, { isWhole: true })).replaceAll(/<[^>]*>/gu, '');
    expect(page).toContain('read by  orders_daily.amount (finance) · orders_monthly (finance');
  });

  test('names of the catalog are escaped, and mention no user of GitHub', async () => {
    const hostile = '@everyone <!-- ';
    const world = await openWorld({
      seed: {
        ...seed,
        users: [{ name: hostile }],
        assets: [
          { ...table('orders_daily'), owners: [{ type: 'user', name: hostile }] },
          {
            type: 'dashboard',
            fullyQualifiedName: 'bi.x',
            displayName: '`@here` <img>\u202E\n## no',
          },
        ],
        lineage: [
          { from: asset, to: 'lin.shop.sales.orders_daily' },
          { from: asset, to: 'bi.x' },
        ],
      },
    });
    const plan = await planWith(world, withoutAmount);
    expect(commented(plan)).not.toMatch(/@everyone|<img|<!--|^## no|\u202E/mu);
    const page = renderHtml(planPage(plan, { isWhole: true }));
    expect(page).toContain('orders_daily');
    expect(page).not.toMatch(/<img|<!-- |\u202E/u);
    expect(lineOf(plan)).not.toMatch(/\u202E|\n/u);
  });
});

const latency = 'sla: { maxLatency: { value: 1, unit: hour } }\n';

test.for([
  { where: 'no reader is known', lineage: [], codes: ['takes-back', 'column-removed'] },
  { where: 'it has a reader', codes: ['column-removed'] },
  {
    where: 'it has a reader, and a promise of the whole contract goes too',
    brings: latency,
    codes: ['sla-worsened', 'column-removed'],
  },
  { where: "the lineage can't be read", isUnreadable: true, codes: ['column-removed'] },
])(
  'a column that the last version brought, where $where',
  async ({ lineage = seed.lineage ?? [], codes, brings = '', isUnreadable = false }) => {
    const contracts = seed.contracts?.map((each) => ({
      ...each,
      schema: [
        { name: 'order_id', dataType: 'INT' },
        { name: 'note', dataType: 'INT' },
      ],
    }));
    const assets = [...(seed.assets ?? []), table('orders')];
    const world = await openWorld({
      seed: { ...seed, assets, lineage, ...(contracts && { contracts }) },
    });
    const rules = judging({ revert: Infinity });
    const file = fileWith('order_id', 'note', 'amount') + brings;
    const merge = await planWith(world, file, { rules });
    expect((await world.apply(merge)).summary.applied).toBe(1);
    const connection = isUnreadable ? answering(/\/lineage\//u, 500) : {};
    const text = withoutAmount + (brings && 'sla: null\n');
    const [revert] = (await planWith(world, text, { rules, connection })).contracts;
    expect(revert?.action).toBe(codes[0] === 'takes-back' ? 'update' : 'blocked');
    expect(codesOf(revert).toSorted()).toEqual(codes.toSorted());
  },
);
