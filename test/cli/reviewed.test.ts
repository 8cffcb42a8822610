import { expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { record } from '../support/recorder.ts';
import { idOf, serve } from '../support/server.ts';
import { openWorld, planIn } from '../support/world.ts';

const names = ['carts', 'orders', 'refunds'];

const fileOf = (name: string, description = 'New.') =>
  `id: ${idOf(names.indexOf(name))}\ndescription: ${description}\nsemantics: [{ name: positive, rule: x }]\n`;

/** Three contracts whose files want a description and a rule, and a plan of that in plan.json. */
async function openReview() {
  const seed = names.map((name, index) => ({
    id: idOf(index),
    name,
    fullyQualifiedName: `shop.sales.${name}`,
    description: 'Old.',
    semantics: [],
  }));
  const files = Object.fromEntries(names.map((name) => [`contracts/${name}.yaml`, fileOf(name)]));
  const world = await openWorld(seed, files);
  await world.run('plan', '--out', 'plan.json');
  const plan: Plan = JSON.parse(world.read('plan.json'));
  return {
    ...world,
    hash: plan.planHash ?? '',
    reword: (name: string, value: string) =>
      world.edit(name, [{ op: 'replace', path: '/description', value }]),
    versions: async () => (await world.list()).map(({ version }) => version),
  };
}

test.for<{ name: string; code: string; args: string[]; edit?: (text: string) => string }>([
  {
    name: 'an edited file',
    code: 'plan-edited',
    args: [],
    edit: (text) => text.replaceAll('New.', 'Other.'),
  },
  {
    name: 'a plan for another catalog',
    code: 'other-catalog',
    args: ['--catalog-url', 'http://127.0.0.1:1/api'],
  },
  {
    name: 'another hash',
    code: 'plan-changed',
    args: ['--expect-hash', `sha256:${'0'.repeat(64)}`],
  },
])('apply --plan refuses $name before the first write', async ({ code, args, edit }) => {
  const { apply, read, write, versions } = await openReview();
  if (edit) write('plan.json', edit(read('plan.json')));
  const refused = await apply('--plan', 'plan.json', ...args);
  expect(refused.code).toBe(1);
  expect(refused.diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  expect(await versions()).toEqual([0.1, 0.1, 0.1]);
});

test.for(['--expect-hash', '--plan'] as const)(
  '%s applies the reviewed plan, then what is left of it, then nothing',
  async (flag) => {
    const { run, apply, hash, versions } = await openReview();
    const expecting = flag === '--expect-hash' ? [flag, hash] : [flag, 'plan.json'];
    expect((await run('plan', '--expect-hash', hash)).code).toBe(0);
    await run('apply', '--yes', 'contracts/carts.yaml', 'contracts/refunds.yaml');
    const planned = await run('plan', '--expect-hash', hash);
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain('[plan-partly-applied]');
    expect(planned.stdout).toContain('shop.sales.carts  already landed');
    expect((await apply(...expecting)).outcomes).toMatchObject([
      { result: 'applied', fullyQualifiedName: 'shop.sales.orders' },
    ]);
    expect(await versions()).toEqual([0.2, 0.2, 0.2]);
    expect(await run('apply', '--yes', ...expecting)).toMatchObject({ code: 0 });
    expect(await versions()).toEqual([0.2, 0.2, 0.2]);
    const whole = await openReview();
    const all = flag === '--expect-hash' ? [flag, whole.hash] : expecting;
    expect((await whole.apply(...all)).summary.applied).toBe(3);
  },
);

test('with --expect-hash, a contract edited since the review stops the apply before the first write, place by place', async () => {
  const { run, hash, reword, versions } = await openReview();
  await run('apply', '--yes', 'contracts/carts.yaml');
  await reword('orders', 'New.');
  const refused = await run('apply', '--yes', '--expect-hash', hash);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('[plan-changed]');
  expect(refused.stdout.slice(refused.stdout.indexOf('Since the review:')).split('\n')).toEqual([
    'Since the review:',
    '✓ shop.sales.carts  already landed',
    '~ shop.sales.orders  differs from what was reviewed',
    '    = semantics[positive]: {"name":"positive","rule":"x"} added',
    '    - description: "Old." → "New."',
    '',
  ]);
  expect(await versions()).toEqual([0.2, 0.2, 0.1]);
  const planned = await run('plan', '--format', 'json', '--expect-hash', hash);
  expect(planned.code).toBe(1);
  expect(planned.stderr).toContain('Since the review:');
  const plan = planIn(planned.stdout);
  expect(plan.errored).toBe(true);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(['plan-changed']);
});

test.for([
  [
    'leads to nothing that was reviewed',
    200,
    ["the history can't recover", 'apply --plan FILE compares'],
  ],
  ['may not be read', 403, ["can't be read: The owner of the access token lacks the permission"]],
] as const)(
  'a file that changed since the review stops an apply by hash where the history %s',
  async ([, status, says]) => {
    const { run, hash, catalog, write, versions } = await openReview();
    write('contracts/orders.yaml', fileOf('orders', 'Newest.'));
    const closed = await serve((_request, response) => response.writeHead(403).end());
    let asked = '';
    const remember = (line: string): void => void (asked = line);
    const { url } = await record(catalog.url, remember, () =>
      status === 403 && asked.endsWith('/versions') ? closed.url.href : catalog.url,
    );
    const refused = await run('apply', '--yes', '--expect-hash', hash, '--catalog-url', url);
    expect(refused.code).toBe(1);
    for (const words of says) expect(refused.stdout).toContain(words);
    expect(await versions()).toEqual([0.1, 0.1, 0.1]);
  },
);

async function withdraw({ write, edit }: Awaited<ReturnType<typeof openReview>>) {
  write('contracts/orders.yaml', `id: ${idOf(1)}\ndescription: Old.\n`);
  await edit('orders', [{ op: 'add', path: '/displayName', value: 'Orders' }]);
}

test('a reviewed change that its files no longer ask for is not found, by its hash either', async () => {
  const world = await openReview();
  await withdraw(world);
  const expected = ['--plan', 'plan.json', '--expect-hash', world.hash, '--report', 'o.json'];
  const applied = await world.apply(...expected);
  expect(applied).toMatchObject({
    code: 1,
    summary: { applied: 0, 'not-found': 1 },
    outcomes: [{ result: 'not-found', fullyQualifiedName: 'shop.sales.orders' }],
  });
  // The version is the review's, which no hash covers.
  expect(applied.outcomes[0]).not.toHaveProperty('versionBefore');
  expect(applied.stderr).not.toContain('already landed');
  expect(await world.versions()).toEqual([0.1, 0.2, 0.1]);
});

test('a reviewed change that its files no longer ask for has landed where a version shows it', async () => {
  const world = await openReview();
  await world.run('apply', '--yes', '--plan', 'plan.json');
  await world.reword('orders', 'Old.');
  await world.edit('orders', [{ op: 'remove', path: '/semantics/0' }]);
  await withdraw(world);
  const applied = await world.run('apply', '--yes', '--plan', 'plan.json');
  expect(applied.code).toBe(0);
  expect(applied.stdout).toContain('shop.sales.orders  landed, and was changed again since');
  expect(applied.stdout).toContain('shop.sales.carts  already landed');
});

test('--plan sends change by change, and with --expect-hash beside it the whole plan or nothing', async () => {
  const { run, apply, hash, reword, versions } = await openReview();
  await reword('orders', 'By hand.');
  const both = await run('apply', '--yes', '--plan', 'plan.json', '--expect-hash', hash);
  expect(both.code).toBe(1);
  expect(await versions()).toEqual([0.1, 0.2, 0.1]);
  const applied = await apply('--plan', 'plan.json');
  expect(applied).toMatchObject({
    code: 1,
    outcomes: [
      { result: 'applied' },
      { result: 'not-reviewed', error: { code: 'not-reviewed' } },
      { result: 'applied' },
    ],
    summary: { applied: 2, 'not-reviewed': 1 },
  });
  expect(applied.stderr).toContain('+ description: "By hand." → "New."');
  expect(await versions()).toEqual([0.2, 0.2, 0.2]);
  const again = await apply('--plan', 'plan.json');
  expect(again).toMatchObject({ code: 1, outcomes: [{ result: 'not-reviewed' }] });
});

test('a reviewed change outside of the paths of an apply is not found, and the run fails', async () => {
  const { apply, versions } = await openReview();
  expect(await apply('--plan', 'plan.json', 'contracts/carts.yaml')).toMatchObject({
    code: 1,
    outcomes: [
      { result: 'applied', fullyQualifiedName: 'shop.sales.carts' },
      { result: 'not-found', fullyQualifiedName: 'shop.sales.orders' },
      { result: 'not-found', fullyQualifiedName: 'shop.sales.refunds' },
    ],
  });
  expect(await versions()).toEqual([0.2, 0.1, 0.1]);
});
