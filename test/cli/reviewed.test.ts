import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Operation } from '../../src/patch/evaluate.ts';
import type { Outcomes } from '../../src/apply/outcome.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { serve } from '../support/server.ts';
import { record } from '../support/recorder.ts';
import type { CliRun } from '../support/run-cli.ts';
import { runInProcess } from '../support/run-program.ts';
import { expectValid } from '../support/schema.ts';
import { accessTo, makeFolder, serveCatalog } from '../support/workspace.ts';

const names = ['carts', 'orders', 'refunds'] as const;
type Name = (typeof names)[number];

const idOf = (name: Name) => `00000000-0000-4000-8000-00000000000${names.indexOf(name)}`;

function fileOf(name: Name, description = 'New.'): string {
  const rule = '{ name: positive, rule: x }';
  return `id: ${idOf(name)}\ndescription: ${description}\nsemantics: [${rule}]\n`;
}

/** Three contracts whose files want a description and a rule, and a plan of that in plan.json. */
async function openReview() {
  const catalog = await serveCatalog({
    seed: names.map((name) => ({
      id: idOf(name),
      name,
      fullyQualifiedName: `shop.sales.${name}`,
      description: 'Old.',
      semantics: [],
    })),
  });
  const folder = makeFolder(
    Object.fromEntries(names.map((name) => [`contracts/${name}.yaml`, fileOf(name)])),
  );
  const world = { folder, environment: accessTo(catalog) };
  const run = (...args: string[]): Promise<CliRun> => runInProcess(args, world);
  await run('plan', '--out', 'plan.json');
  const readPlan = (file = 'plan.json'): Plan =>
    JSON.parse(readFileSync(join(folder, file), 'utf8'));
  return {
    url: catalog.url,
    run,
    readPlan,
    hash: readPlan().planHash ?? '',
    writeFile: (file: string, text: string) => writeFileSync(join(folder, file), text),
    edit: async (name: Name, patch: readonly Operation[]) => {
      const response = await fetch(`${catalog.url}/v1/dataContracts/${idOf(name)}`, {
        method: 'PATCH',
        body: JSON.stringify(patch),
        headers: {
          authorization: `Bearer ${catalog.token}`,
          'content-type': 'application/json-patch+json',
        },
      });
      expect(response.status).toBe(200);
    },
    versions: async (): Promise<unknown[]> => {
      const response = await fetch(`${catalog.url}/v1/dataContracts`, {
        headers: { authorization: `Bearer ${catalog.token}` },
      });
      const { data }: { data: JsonObject[] } = JSON.parse(await response.text());
      return data.map(({ version }) => version);
    },
  };
}

function outcomesOf({ stdout }: CliRun): Outcomes {
  const outcomes: Outcomes = JSON.parse(stdout);
  expectValid('outcomes', outcomes);
  return outcomes;
}

const applyJson = ['apply', '--yes', '--format', 'json'] as const;

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
  const { run, readPlan, writeFile, versions } = await openReview();
  const text = JSON.stringify(readPlan(), null, 2);
  if (edit) writeFile('plan.json', edit(text));
  const refused = await run(...applyJson, '--plan', 'plan.json', ...args);
  expect(refused.code).toBe(1);
  expect(outcomesOf(refused).diagnostics.map((diagnostic) => diagnostic.code)).toContain(code);
  expect(await versions()).toEqual([0.1, 0.1, 0.1]);
});

describe.for(['--expect-hash', '--plan'] as const)('%s', (flag) => {
  const expecting = (hash: string): string[] =>
    flag === '--expect-hash' ? [flag, hash] : [flag, 'plan.json'];

  test('the reviewed plan is applied', async () => {
    const { run, hash } = await openReview();
    expect((await run('plan', '--expect-hash', hash)).code).toBe(0);
    const applied = await run(...applyJson, ...expecting(hash));
    expect(applied.code).toBe(0);
    expect(outcomesOf(applied).summary.applied).toBe(3);
  });

  test('what is left of it, because the rest has landed, is applied', async () => {
    const { run, hash, versions } = await openReview();
    await run('apply', '--yes', 'contracts/carts.yaml', 'contracts/refunds.yaml');
    const planned = await run('plan', '--expect-hash', hash);
    expect(planned.code).toBe(0);
    expect(planned.stdout).toContain('[plan-partly-applied]');
    expect(planned.stdout).toContain('shop.sales.carts  already landed');
    const applied = await run(...applyJson, ...expecting(hash));
    expect(applied.code).toBe(0);
    expect(outcomesOf(applied).outcomes).toMatchObject([
      { result: 'applied', fullyQualifiedName: 'shop.sales.orders' },
    ]);
    expect(await versions()).toEqual([0.2, 0.2, 0.2]);
  });

  test('when all of it has landed, nothing is left to do', async () => {
    const { run, hash } = await openReview();
    await run('apply', '--yes');
    const applied = await run(...applyJson, ...expecting(hash));
    expect(applied.code).toBe(0);
    expect(outcomesOf(applied).outcomes).toEqual([]);
  });
});

test('with --expect-hash, a contract edited since the review stops the apply before the first write, place by place', async () => {
  const { run, hash, edit, versions } = await openReview();
  await run('apply', '--yes', 'contracts/carts.yaml');
  await edit('orders', [{ op: 'replace', path: '/description', value: 'New.' }]);
  const refused = await run('apply', '--yes', '--expect-hash', hash);
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain('[plan-changed]');
  const told = refused.stdout.slice(refused.stdout.indexOf('Since the review:'));
  expect(told.split('\n')).toEqual([
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
  const plan: Plan = JSON.parse(planned.stdout);
  expectValid('plan', plan);
  expect(plan.errored).toBe(true);
  expect(plan.diagnostics.map(({ code }) => code)).toEqual(['plan-changed']);
});

describe('files that are others than at the review', () => {
  test('stop an apply that expects a hash, which leads nowhere', async () => {
    const { run, hash, writeFile, versions } = await openReview();
    writeFile('contracts/orders.yaml', fileOf('orders', 'Newest.'));
    const refused = await run('apply', '--yes', '--expect-hash', hash);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain("the history can't recover");
    expect(refused.stdout).toContain('apply --plan FILE compares');
    expect(await versions()).toEqual([0.1, 0.1, 0.1]);
  });

  test('and name a history that may not be read', async () => {
    const { run, hash, url, writeFile, versions } = await openReview();
    writeFile('contracts/orders.yaml', fileOf('orders', 'Newest.'));
    const closed = await serve((_request, response) => response.writeHead(403).end());
    let asked = '';
    const remember = (line: string): void => void (asked = line);
    const { url: through } = await record(url, remember, () =>
      asked.endsWith('/versions') ? closed.url.href : url,
    );
    const expected = ['--expect-hash', hash, '--catalog-url', through];
    const refused = await run('apply', '--yes', ...expected);
    expect(refused.code).toBe(1);
    expect(refused.stdout).toContain(
      "can't be read: The owner of the access token lacks the permission",
    );
    expect(await versions()).toEqual([0.1, 0.1, 0.1]);
  });
});

async function withdraw({ writeFile, edit }: Awaited<ReturnType<typeof openReview>>) {
  writeFile('contracts/orders.yaml', `id: ${idOf('orders')}\ndescription: Old.\n`);
  await edit('orders', [{ op: 'add', path: '/displayName', value: 'Orders' }]);
}

describe('a reviewed change that its files no longer ask for', () => {
  test('is not found by its hash either, and the outcomes say so', async () => {
    const world = await openReview();
    await withdraw(world);
    const expected = ['--plan', 'plan.json', '--expect-hash', world.hash, '--report', 'o.json'];
    const applied = await world.run(...applyJson, ...expected);
    expect(applied.code).toBe(1);
    expect(outcomesOf(applied)).toMatchObject({
      summary: { applied: 0, 'not-found': 1 },
      outcomes: [{ result: 'not-found', fullyQualifiedName: 'shop.sales.orders' }],
    });
    // The version is the review's, which no hash covers.
    expect(outcomesOf(applied).outcomes[0]).not.toHaveProperty('versionBefore');
    expect(applied.stderr).not.toContain('already landed');
    expect(await world.versions()).toEqual([0.1, 0.2, 0.1]);
  });

  test('has landed where a version shows it, and the plan reports the later change', async () => {
    const world = await openReview();
    await world.run('apply', '--yes', '--plan', 'plan.json');
    await world.edit('orders', [
      { op: 'replace', path: '/description', value: 'Old.' },
      { op: 'remove', path: '/semantics/0' },
    ]);
    await withdraw(world);
    const applied = await world.run('apply', '--yes', '--plan', 'plan.json');
    expect(applied.code).toBe(0);
    expect(applied.stdout).toContain('shop.sales.orders  landed, and was changed again since');
    expect(applied.stdout).toContain('shop.sales.carts  already landed');
  });
});

describe('--plan is change by change', () => {
  const expecting = ['--plan', 'plan.json'] as const;

  test('a value that was corrected by hand since is not overwritten; the others land', async () => {
    const { run, edit, versions } = await openReview();
    await edit('orders', [{ op: 'replace', path: '/description', value: 'By hand.' }]);
    const applied = await run(...applyJson, ...expecting);
    expect(applied.code).toBe(1);
    const { outcomes, summary } = outcomesOf(applied);
    expect(outcomes).toMatchObject([
      { result: 'applied' },
      { result: 'not-reviewed', error: { code: 'not-reviewed' } },
      { result: 'applied' },
    ]);
    expect(summary).toMatchObject({ applied: 2, 'not-reviewed': 1 });
    expect(applied.stderr).toContain('+ description: "By hand." → "New."');
    expect(await versions()).toEqual([0.2, 0.2, 0.2]);
    const again = await run(...applyJson, ...expecting);
    expect(again.code).toBe(1);
    expect(outcomesOf(again).outcomes).toMatchObject([{ result: 'not-reviewed' }]);
  });

  test('a reviewed change that narrower paths do not see is not found, and the run is red', async () => {
    const { run, versions } = await openReview();
    const applied = await run(...applyJson, ...expecting, 'contracts/carts.yaml');
    expect(applied.code).toBe(1);
    expect(outcomesOf(applied).outcomes).toMatchObject([
      { result: 'applied', fullyQualifiedName: 'shop.sales.carts' },
      { result: 'not-found', fullyQualifiedName: 'shop.sales.orders' },
      { result: 'not-found', fullyQualifiedName: 'shop.sales.refunds' },
    ]);
    expect(await versions()).toEqual([0.2, 0.1, 0.1]);
  });

  test('with the hash beside it, it is the whole plan or nothing', async () => {
    const { run, hash, edit, versions } = await openReview();
    await edit('orders', [{ op: 'replace', path: '/description', value: 'By hand.' }]);
    const refused = await run('apply', '--yes', ...expecting, '--expect-hash', hash);
    expect(refused.code).toBe(1);
    expect(await versions()).toEqual([0.1, 0.2, 0.1]);
  });
});
