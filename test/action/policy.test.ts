/** A pull request that changes the policy together with what the policy decides. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeText } from '../../src/action/policy.ts';
import type { PolicyChange } from '../../src/config/policy.ts';
import { serve } from '../sandbox/openmetadata/served.ts';
import { liveContract } from './catalog.ts';
import { describing, docsOnly, openWorld } from './review-world.ts';
import { git } from '../support/git-folder.ts';

const [orders, carts] = [describing('orders', 'By 7.'), describing('carts', 'By 7.')];
const oldOrders = describing('orders', 'Old.')['contracts/orders.yaml'] ?? '';
const allThree = { ...orders, ...carts, ...describing('refunds', 'By 7.') };
const devOrders = {
  'contracts/orders.yaml': 'fullyQualifiedName: dev.sales.orders\ndescription: By 7.\n',
};

describe('where the apply would make another plan, the comment warns and the apply sends nothing', () => {
  test.for([
    ['ignore: [/description]', orders, '1 error', 'no changes', 'after'],
    [
      'protected: [shop.sales.orders]',
      { ...orders, ...carts },
      '1 error',
      'nothing&#58; 1 blocked',
      'after',
    ],
    ['names: [{ from: dev, to: shop }]', devOrders, '1 error, 1 missing', '1 to update', 'before'],
    ['limits: { updates: 3 }', allThree, '2 errors', '3 to update', 'before'],
  ] as const)('%s', async ([setting, files, byBase, byHead, order]) => {
    const world = await openWorld({ config: 'limits: { updates: 2, from: 2 }\n' });
    world.openPull(7, { 'contract-sync.yaml': `${setting}\n`, ...files });
    const plan = await world.plan(7);
    expect(plan).toMatchObject({ code: 1, outputs: { 'failure-reason': 'unsafe-plan' } });
    const said = world.bodyOf(7);
    expect(said).toContain(
      `## contract-sync: nothing: ${byBase}\n\n> [!CAUTION]\n> If you merge this, nothing is`,
    );
    expect(said).toContain(`which the apply goes by, it is another, &#34;${byHead}&#34;.`);
    expect(said).toContain(`own, and merge that one ${order} this one.`);
    world.merge(7);
    await world.apply();
    expect(await world.live()).toEqual({ carts: 'Old.', orders: 'Old.', refunds: 'Old.' });
  });
});

const exception = {
  contract: 'shop.orders',
  rule: 'column-removed',
  place: 'schema.a',
  reason: 'By 7',
};
const move = { from: 'Draft', to: 'Active', rule: 'warn' };
const shownException =
  '{ contract: shop.orders, rule: column-removed, place: schema.a, reason: "By 7" }';

test.each([
  [
    'allow',
    [exception],
    [exception, { contract: '**', rule: 'column-removed', reason: 'spring cleaning' }],
    'adds { contract: "**", rule: column-removed, reason: "spring cleaning" }',
  ],
  ['allow', [exception], [], `removes ${shownException}`],
  [
    'allow',
    [{ ...exception, contract: 'shop.carts' }, exception],
    [{ ...exception, place: 'schema.b' }],
    `changes ${shownException} → ${shownException.replace('schema.a', 'schema.b')}, removes ${shownException.replace('orders', 'carts')}`,
  ],
  [
    'allow',
    [],
    [{ ...exception, reason: `\`${'long '.repeat(99)}` }, exception, exception],
    'changes in 3 entries',
  ],
  [
    'lifecycle.transitions',
    [move],
    [{ ...move, rule: 'allow' }],
    'changes { from: Draft, to: Active, rule: warn } → { from: Draft, to: Active, rule: allow }',
  ],
  ['scope', undefined, ['shop.**'], 'adds "shop.**"'],
  ['scope', ['a.b', 'c.d'], ['c.d', 'a.b'], 'orders its entries anew'],
  ['reviews.breaking', 'finance', ['finance', 'sales'], 'adds sales'],
  [
    'comment.handles',
    { a: '@a', b: '@b' },
    { a: '@a', c: '@c' },
    'adds { c: @c }, removes { b: @b }',
  ],
  ['limits.updates', 1, '9%', '1 → 9%'],
  ['drift', undefined, 'leave', 'none → leave'],
] as const)(
  'of `%s`, what changes is named and nothing else: %#',
  (setting, before, after, words) => {
    const change = { setting, key: setting, before, after, loosens: true } as PolicyChange;
    expect(changeText(change)).toBe(`\`${setting}\` ${words}`);
  },
);

const entryFor = (contract: string, more = '') =>
  `  - { contract: "${contract}", rule: column-removed, reason: "agreed with all who read it, ${'a'.repeat(60)}"${more} }\n`;

test('a plan names the entry of `allow` for a breaking change, to be merged in a pull request of its own, until one brings it', async () => {
  const schema = [
    { name: 'id', dataType: 'INT' },
    { name: 'fax', dataType: 'INT' },
  ];
  const world = await openWorld({
    catalog: { seed: [{ ...liveContract('orders'), entityStatus: 'Active', schema }] },
    names: ['orders'],
  });
  const removal = {
    'contracts/orders.yaml':
      'name: orders\nfullyQualifiedName: shop.sales.orders\nentityStatus: Active\nschema:\n  - { name: id, dataType: INT }\n',
  };
  world.openPull(7, removal);
  const { stdout } = await world.plan(7);
  const lead =
    'To allow what breaks consumers, once they agree, add to contract-sync.yaml with a reason and a last day, in a pull request of its own, merged before this one';
  expect(stdout).toContain(`${lead}:`);
  expect(world.bodyOf(7)).toContain(lead);
  const entry =
    '{ contract: shop.sales.orders, rule: column-removed, place: schema.fax, reason: agreed, until: 2999-12-31 }';
  world.openPull(8, { ...removal, 'contract-sync.yaml': `allow:\n  - ${entry}\n` });
  const again = await world.plan(8);
  expect(again.code).toBe(1);
  expect(again.stdout).not.toContain('To allow what breaks');
  expect(world.bodyOf(8)).not.toContain('To allow what breaks');
  expect(world.bodyOf(8)).toContain('own, and merge that one before this one.');
});

test('a pull request that adds exceptions names each whole, and those without a place', async () => {
  const old = `allow:\n${entryFor('shop.sales.carts')}`;
  const world = await openWorld({ config: old });
  const news =
    entryFor('**') + entryFor('shop.sales.orders', ', place: schema.b, until: 2099-01-01');
  world.openPull(7, {
    'contract-sync.yaml': `${old}${news}${entryFor('shop.sales.refunds', ', place: schema.c')}`,
    ...orders,
  });
  const run = await world.plan(7);
  const policy = 'contract-sync.yaml,line=2,col=3,title=policy-changed::';
  const reason = `reason: "agreed with all who read it, ${'a'.repeat(60)}"`;
  const added = (contract: string, more: string) =>
    `${policy}\`allow\` adds { contract: ${contract}, rule: column-removed, ${reason}${more} }.`;
  expect(run.stdout).toContain(
    `${policy}This pull request loosens its own checks: \`allow\` changes in 3 entries.`,
  );
  expect(run.stdout).toContain(added('"**"', ''));
  expect(run.stdout).toContain(added('shop.sales.orders', ', place: schema.b, until: 2099-01-01'));
  expect(run.stdout).toContain(added('shop.sales.refunds', ', place: schema.c'));
  expect(run.stdout).toContain('line=3,col=5,title=exception-wide');
  expect(run.stdout.match(/line=2,col=5,title=exception-wide/gu)).toHaveLength(1);
  expect(world.bodyOf(7)).toMatch(/`allow` adds &#123; contract&#58; &#34;&#42;&#42;&#34;, /u);
});

test('where the apply plans the same, it applies what the comment shows', async () => {
  const world = await openWorld();
  world.openPull(7, { 'contract-sync.yaml': 'protected: [shop.sales.refunds]\n', ...orders });
  expect(await world.plan(7)).toMatchObject({ code: 0, outputs: { updates: '1' } });
  expect(world.bodyOf(7)).toContain('by the changed one it is the same');
  world.merge(7);
  expect(await world.apply()).toMatchObject({ code: 0, outputs: { applied: '1' } });
});

test('the first pull request of a repository is judged by the policy that it brings', async () => {
  const world = await openWorld({ names: [] });
  world.commit({ 'contract-sync.yaml': null, ...docsOnly });
  const { url, tokenOf } = await serve();
  const inputs = { 'catalog-url': url, token: await tokenOf('admin') };
  world.openPull(7, {
    'contract-sync.yaml':
      'catalog: { dialect: openmetadata }\ncreate: true\nlimits: { updates: 10 }\nscope: ["shop.**"]\n',
    'contracts/orders.yaml':
      'name: orders\nentity: { type: table, fullyQualifiedName: shop.sales.web.orders }\nentityStatus: Draft\n',
  });
  const strict = await world.plan(7, { ...inputs, policy: 'base' });
  expect(strict).toMatchObject({ code: 1, outputs: { missing: '1' } });
  expect(world.bodyOf(7)).toMatch(
    /it is another, &#34;1 to create, .* merge that one before this one/u,
  );
  expect(await world.plan(7, inputs)).toMatchObject({ code: 0, outputs: { missing: '0' } });
  expect(world.bodyOf(7)).toMatch(
    /`create` false → true.* It judges this plan, since the base has/u,
  );
  world.merge(7);
  expect(await world.apply({ inputs })).toMatchObject({ code: 0, outputs: { applied: '1' } });
});

test('a pull request that adds a configuration to existing contracts is judged by the base', async () => {
  const world = await openWorld();
  world.commit({ 'contract-sync.yaml': null });
  world.openPull(7, { 'contract-sync.yaml': 'ignore: [/description]\n', ...orders });
  expect(await world.plan(7)).toMatchObject({ code: 1, outputs: { updates: '1' } });
});

test('a pull request that brings the first contracts is judged by the policy of the base', async () => {
  const world = await openWorld({ names: [], config: 'limits: { updates: 1, from: 1 }\n' });
  world.openPull(7, { 'contract-sync.yaml': 'limits: { updates: 9, from: 1 }\n', ...orders });
  await world.plan(7);
  expect(world.bodyOf(7)).toContain('The policy of the base judges this plan');
});

const newOrders = orders['contracts/orders.yaml'] ?? '';
const inData = { 'working-directory': 'data' };
const elsewhere = 'contracts: { include: [new] }\nignore: [/description]\n';
type Files = Parameters<Awaited<ReturnType<typeof openWorld>>['commit']>[0];

test.for<[title: string, base: Files, changed: Files, inputs?: Readonly<Record<string, string>>]>([
  [
    'moves contracts to where only its own configuration looks',
    {},
    {
      'contract-sync.yaml': elsewhere,
      'contracts/orders.yaml': null,
      'new/orders.yaml': newOrders,
    },
  ],
  [
    'configures the contracts of a working directory',
    { 'data/contracts/orders.yaml': oldOrders },
    {
      'data/contract-sync.yaml': 'ignore: [/description]\n',
      'data/contracts/orders.yaml': newOrders,
    },
    inData,
  ],
  [
    'adds a configuration above a working directory, which looks elsewhere',
    { 'data/contracts/orders.yaml': oldOrders },
    { 'contract-sync.yaml': elsewhere, 'new/orders.yaml': newOrders },
    inData,
  ],
])('a pull request that %s is judged by the base', async ([, base, changed, inputs]) => {
  const names = inputs ? ['carts', 'orders', 'refunds'] : [];
  const away = Object.fromEntries(names.map((name) => [`contracts/${name}.yaml`, null]));
  const world = await openWorld();
  world.commit({ 'contract-sync.yaml': null, ...away, ...base });
  world.openPull(7, changed);
  await world.plan(7, inputs);
  expect(world.bodyOf(7)).toContain('The policy of the base judges this plan');
});

const sharedLimit = (updates: number) =>
  `contracts: { include: [../contracts] }\nlimits: { updates: ${updates}, from: 1 }\n`;

const strict = 'protected: [shop.sales.orders]\n';

test.for<
  [
    title: string,
    base: Files,
    changed: Files,
    says: string,
    inputs?: Readonly<Record<string, string>>,
  ]
>([
  [
    'from above the working directory',
    { 'shared.yaml': sharedLimit(1), 'data/NOTES.md': 'Words.\n' },
    { 'shared.yaml': sharedLimit(9), ...allThree },
    '`limits.updates` 1 → 9',
    { ...inData, config: '../shared.yaml' },
  ],
  [
    'from a folder that a link replaces',
    { 'data/contract-sync.yaml': strict, 'data/contracts/orders.yaml': oldOrders },
    {
      'lax/contract-sync.yaml': 'ignore: []\n',
      'lax/contracts/orders.yaml': newOrders,
      data: { link: 'lax' },
    },
    'loosens its own checks&#58; `protected` removes shop.sales.orders',
    inData,
  ],
  [
    'through its links',
    { 'policy/strict.yaml': strict, 'contract-sync.yaml': { link: 'policy/strict.yaml' } },
    { ...orders, 'policy/strict.yaml': 'ignore: []\n' },
    '`protected` removes shop.sales.orders',
  ],
  [
    'but by no link that leads out of the repository',
    { 'contract-sync.yaml': { link: '/nowhere/policy.yaml' } },
    { ...orders, 'contract-sync.yaml': null },
    'contract-sync.yaml is a link to no file of it',
  ],
])('the policy of the base is read %s', async ([, base, changed, says, inputs]) => {
  const world = await openWorld();
  world.commit(base);
  world.openPull(7, changed);
  await world.plan(7, inputs);
  expect(world.bodyOf(7)).toContain(says);
});

test('a configuration of another repository is not reported as changed by the pull request', async () => {
  const world = await openWorld();
  world.openPull(7, orders);
  const other = join(world.folder, '.policy');
  mkdirSync(other);
  writeFileSync(join(other, 'central.yaml'), 'limits: { updates: 1, from: 1 }\n');
  git(other, 'init', '--quiet');
  const inputs = { config: '.policy/central.yaml' };
  expect(await world.plan(7, inputs)).toMatchObject({ code: 0, outputs: { updates: '1' } });
  expect(world.bodyOf(7)).toContain("is unknown&#58; the policy of the base can't be read");
  expect(world.bodyOf(7)).not.toContain('changes the policy&#58;');
});
