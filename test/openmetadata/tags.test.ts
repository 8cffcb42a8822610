import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { standard } from '../../src/catalog/products/standard.ts';
import { patchOf } from '../../src/plan/seal.ts';
import { creations, updates } from '../../src/plan/plan.ts';
import { makeContract } from '../sandbox/openmetadata/served.ts';
import { runInProcess } from '../support/run-program.ts';
import { accessTo, makeFolder } from '../support/workspace.ts';
import { manyContracts, nameOf, openWorld, problemsOf, resultsOf } from './world.ts';

const seed = {
  contracts: manyContracts(2),
  tables: [
    { fullyQualifiedName: 'shop.sales.web.orders', columns: [{ name: 'id', dataType: 'INT' }] },
  ],
  assets: [{ type: 'glossaryTerm', fullyQualifiedName: 'business.NetAmount' }],
};

const tagged = (number: number, ...tags: readonly string[]) =>
  `fullyQualifiedName: ${nameOf(number)}
schema:
  - name: id
    dataType: INT
    tags:
${tags.map((name) => `      - tagFQN: ${name}\n`).join('')}`;

test('a bare name is sent as the tag or the glossary term that it is, looked up once', async () => {
  const world = await openWorld({ seed });
  const texts = [tagged(0, 'business.NetAmount', 'PII.Sensitive'), tagged(1, 'business.NetAmount')];
  const plan = await world.plan(texts);
  expect(updates(plan).map(({ changes }) => patchOf(changes))).toMatchObject([
    [
      { path: '/displayName' },
      {
        path: '/schema/0/tags',
        value: [{ tagFQN: 'business.NetAmount', source: 'Glossary' }, { tagFQN: 'PII.Sensitive' }],
      },
    ],
    [
      { path: '/displayName' },
      { path: '/schema/0/tags/-', value: { tagFQN: 'business.NetAmount', source: 'Glossary' } },
    ],
  ]);
  const lookups = world.requests().filter((request) => /tags|glossaryTerms/u.test(request));
  expect(lookups.toSorted()).toEqual([
    'GET /v1/glossaryTerms/name/business.NetAmount',
    'GET /v1/tags/name/PII.Sensitive',
    'GET /v1/tags/name/business.NetAmount',
  ]);
  expect(resultsOf(await world.apply(plan))).toEqual(['applied', 'applied']);
  world.requests();
  expect((await world.plan(texts)).summary).toMatchObject({ update: 0, unchanged: 2 });
  expect(world.requests().filter((request) => /tags|glossaryTerms/u.test(request))).toEqual([]);
});

test('a contract is created with glossary terms as such', async () => {
  const world = await openWorld({ seed });
  const text = `name: orders
entity: { type: table, fullyQualifiedName: shop.sales.web.orders }
schema: [{ name: id, dataType: INT, tags: [{ tagFQN: business.NetAmount }] }]
`;
  const plan = await world.plan([text], { rules: { create: true } });
  expect(creations(plan)).toMatchObject([
    { document: { schema: [{ tags: [{ tagFQN: 'business.NetAmount', source: 'Glossary' }] }] } },
  ]);
});

test('a name that is neither blocks its contract, with the nearest at its line', async () => {
  const world = await openWorld({ seed });
  await world.apply(await world.plan([tagged(1, 'PII.Sensitive')]));
  const texts = [tagged(0, 'PII.None', 'PII.Sensitve', '..'), tagged(1, 'PII.Sensitive')];
  const problems = problemsOf(await world.plan(texts));
  expect(problems.filter(({ code }) => code === 'unknown-reference')).toMatchObject([
    {
      message: 'The catalog has no tag and no glossary term "PII.Sensitve".',
      hint: 'Did you mean "PII.Sensitive"?',
      source: { file: '0.yaml', line: 7, column: 17 },
    },
    {
      message: 'The catalog has no tag and no glossary term "..".',
      hint: 'Correct it, or create it in the catalog first.',
    },
  ]);
});

test("a deleted tag that the live contract still has isn't a problem", async () => {
  const world = await openWorld({ seed });
  await world.apply(await world.plan([tagged(0, 'PII.Sensitive')]));
  const { body } = await world.ask('GET', '/tags/name/PII.Sensitive');
  await world.ask('DELETE', `/tags/${body.id}`);
  const plan = await world.plan([tagged(0, 'PII.Sensitive')]);
  expect(plan).toMatchObject({ errored: false, summary: { unchanged: 1 } });
});

test('tags are not looked up in a catalog of another kind', async () => {
  const world = await openWorld({ seed });
  await world.plan([tagged(0, 'PII.Sensitve')], { product: standard });
  expect(world.requests().filter((request) => request.includes('/tags/'))).toEqual([]);
});

test('an imported file has of tags only what the catalog would not assume', async () => {
  const world = await openWorld();
  await makeContract(world, {
    schema: [
      {
        name: 'id',
        dataType: 'BIGINT',
        tags: [
          { tagFQN: 'PII.Sensitive', name: 'Sensitive', description: 'Of people.', style: {} },
          { tagFQN: 'business.Net', source: 'Glossary', labelType: 'Derived', name: 'Net' },
        ],
      },
    ],
  });
  const options = { folder: makeFolder({}), environment: accessTo(world) };
  await runInProcess(['import', '--into', 'contracts/{name}.yaml'], options);
  const text = readFileSync(join(options.folder, 'contracts/orders.yaml'), 'utf8');
  expect(text.slice(text.indexOf('schema:'))).toBe(`schema:
  - name: id
    dataType: BIGINT
    tags:
      - { tagFQN: PII.Sensitive }
      - { tagFQN: business.Net, source: Glossary, labelType: Derived }
`);
  const plan = await runInProcess(['plan'], options);
  expect(plan.stdout).toMatch(/^No changes/mu);
});
