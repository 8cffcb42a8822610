import { describe, expect, test } from 'vitest';
import { noRepository } from './support/git-folder.ts';
import type { Product } from '../src/catalog/products/product.ts';
import { standard } from '../src/catalog/products/standard.ts';
import { openmetadata } from '../src/catalog/products/openmetadata/openmetadata.ts';
import type { CatalogReader } from '../src/catalog/catalog.ts';
import { createReader } from '../src/catalog/client.ts';
import { parseLiveContract } from '../src/contract/contract.ts';
import { canonicalSegments } from '../src/contract/names.ts';
import type { JsonObject } from '../src/core/json.ts';
import type { Plan } from '../src/plan/plan.ts';
import type { Selection } from '../src/plan/selection.ts';
import { adoptConventions, type Rules } from '../src/plan/rules.ts';
import { planFiles } from '../src/commands/plan.ts';
import {
  type Answering,
  connectTo,
  contractDocument,
  idOf,
  sendJson,
  serve,
  type TestServer,
} from './support/server.ts';
import { lenientRules } from './support/rules.ts';
import { makeFolder } from './support/workspace.ts';

function liveContract(number: number): JsonObject {
  const name = `t${number}`;
  return contractDocument(number, {
    name,
    fullyQualifiedName: `shop.sales.${name}`,
    entity: { id: idOf(9000 + number), fullyQualifiedName: `shop.sales.${name}` },
  });
}

const byName = (number: number) => `fullyQualifiedName: shop.sales.t${number}\ndescription: New.\n`;
const byAsset = (number: number) =>
  `name: t${number}\nentity: { id: ${idOf(9000 + number)} }\ndescription: New.\n`;

/** Offset cursors, over rows that are others once the first page has been read. */
function shiftingCatalog(before: readonly number[], after: readonly number[]): Answering {
  let isRead = false;
  return ({ query }, response) => {
    const from = Number(query.get('after') ?? '0');
    const asset = query.get('entity');
    const all = (isRead ? after : before).map(liveContract);
    const wanted = all.filter(({ entity }) => !asset || JSON.stringify(entity).includes(asset));
    const to = Math.min(wanted.length, from + Number(query.get('limit')));
    const paging = { total: wanted.length, ...(to < wanted.length && { after: String(to) }) };
    sendJson(response, { data: wanted.slice(from, to), paging });
    isRead = true;
  };
}

type Way = {
  readonly rules?: Partial<Rules>;
  readonly fetchContract?: CatalogReader['fetchContract'];
  readonly product?: Product;
  readonly selection?: Selection;
  readonly told?: string[];
};

/** The plan of these files, by pages of two contracts. */
async function planAgainst(
  { url }: TestServer,
  texts: readonly string[],
  { rules = {}, fetchContract, product = standard, selection, told }: Way = {},
): Promise<Plan> {
  const connection = connectTo(url, { pageSize: 2, timeoutMs: 20_000 });
  const files = Object.fromEntries(texts.map((text, index) => [`${index}.yaml`, text]));
  return planFiles({
    catalogUrl: 'http://catalog.test/api',
    files: { root: makeFolder(files), include: ['**/*.yaml'], exclude: [] },
    repository: noRepository,
    reader: { ...createReader(connection), ...(fetchContract && { fetchContract }) },
    rules: adoptConventions({ ...lenientRules, ...rules }, product),
    product,
    ...(selection && { selection }),
    onPage: (read, total) => told?.push(`${read} of ${total}`),
  });
}

const queries = ({ received }: TestServer) =>
  received.map(({ query }) => query.get('entity') ?? query.get('after'));

const slipped = { before: [0, 1, 2, 3, 4, 5], after: [1, 2, 3, 4, 5, 6] } as const;

test('a row that slipped between two pages is found by one more walk', async () => {
  const server = await serve(shiftingCatalog(slipped.before, slipped.after));
  const plan = await planAgainst(server, [byName(2), byName(4)]);
  expect(plan.errored).toBe(false);
  expect(plan.summary).toMatchObject({ update: 2, missing: 0, unmanaged: 5 });
  expect(queries(server)).toEqual([null, '2', '4', null, '2', '4']);
});

test('the contract of a file that names its asset is requested by that alone', async () => {
  const server = await serve(shiftingCatalog(slipped.before, slipped.after));
  const plan = await planAgainst(server, [byAsset(2), byName(4)]);
  expect(plan.summary).toMatchObject({ update: 2, missing: 0 });
  expect(queries(server)).toEqual([null, '2', '4', idOf(9002)]);
});

test('however many are missing, there is one more walk and no third', async () => {
  const server = await serve(shiftingCatalog([0, 1, 2, 3], [0, 1, 2, 3]));
  const texts = [7, 8, 9].map(byName);
  const plan = await planAgainst(server, [...texts, byAsset(6)]);
  expect(plan.summary).toMatchObject({ missing: 4, unmanaged: 4 });
  expect(queries(server)).toEqual([null, '2', null, '2']);
});

test('a contract that gets its name between two walks is planned once', async () => {
  let walks = 0;
  const server = await serve(({ query }, response) => {
    if (!query.has('after')) walks += 1;
    const renamed = { ...liveContract(1), fullyQualifiedName: 'shop.sales.other' };
    const first = walks === 1 ? renamed : liveContract(1);
    const page = query.has('after')
      ? { data: [liveContract(2)], paging: { total: 2 } }
      : { data: [first], paging: { total: 2, after: '1' } };
    sendJson(response, page);
  });
  const plan = await planAgainst(server, [byName(1)]);
  expect(plan.contracts).toMatchObject([
    { action: 'update', id: idOf(1) },
    { action: 'unmanaged', id: idOf(2) },
  ]);
});

test('a contract that the only page of a list lacks is missing, and not looked for again', async () => {
  const told: string[] = [];
  const server = await serve(shiftingCatalog([1], [1, 7]));
  const plan = await planAgainst(server, [byName(1), byName(7)], { told });
  expect(plan.summary).toMatchObject({ update: 1, missing: 1 });
  expect(told).toEqual(['1 of 1']);
});

test('progress counts the pages of each of both walks by itself', async () => {
  const told: string[] = [];
  const server = await serve(shiftingCatalog([0, 1, 2], [0, 1, 2]));
  await planAgainst(server, [byName(1), byName(7), byName(8)], { told });
  expect(told).toEqual(['2 of 3', '3 of 3', '2 of 3', '3 of 3']);
});

describe('what a run leaves out is not requested again', () => {
  const all = { only: [], exclude: [] };
  test.each<[string, Selection, number]>([
    ['by --only', { ...all, only: ['shop.sales.t1'] }, 1],
    ['by --only and a file', { ...all, only: ['0.yaml'] }, 1],
    ['by --exclude', { ...all, exclude: ['**.t7'] }, 1],
    [
      'by --changed-since',
      { ...all, changed: { since: 'v1', has: (file) => file === '0.yaml' } },
      1,
    ],
    ['but what is meant is', { ...all, only: ['**.t7'] }, 2],
  ])('%s', async (_way, selection, walks) => {
    const server = await serve(shiftingCatalog([1, 2, 3], [1, 2, 3]));
    await planAgainst(server, [byName(1), byName(7)], { selection });
    expect(queries(server).filter((after) => after === null)).toHaveLength(walks);
  });

  test('unless its file gives no name, so that its contract may be any', async () => {
    const server = await serve(shiftingCatalog(slipped.before, slipped.after));
    const plan = await planAgainst(server, [`id: ${idOf(2)}\ndescription: New.\n`], {
      selection: { ...all, only: ['shop.sales.t2'] },
    });
    expect(plan.summary).toMatchObject({ update: 1, missing: 0 });
  });
});

test('a missing contract is requested alone where the catalog can serve it', async () => {
  const server = await serve(shiftingCatalog(slipped.before, slipped.after));
  const asked: unknown[] = [];
  const plan = await planAgainst(server, [`${byName(2)}owners: []\n`, byName(8)], {
    product: openmetadata,
    fetchContract: async (address, { fields }) => {
      asked.push([address, fields]);
      const isSecond = address.by === 'name' && address.fullyQualifiedName === 'shop.sales.t2';
      return isSecond ? parseLiveContract(liveContract(2)) : undefined;
    },
  });
  expect(asked).toEqual([
    [{ by: 'name', fullyQualifiedName: 'shop.sales.t2' }, ['owners']],
    [{ by: 'name', fullyQualifiedName: 'shop.sales.t8' }, []],
  ]);
  expect(plan.summary).toMatchObject({ update: 1, missing: 1 });
  expect(queries(server)).toEqual([null, '2', '4']);
});

test.each([
  ['an id alone', '', 'blocked'],
  ['a name as well', 'fullyQualifiedName: shop.sales.old\n', 'update'],
])('a file of a deleted contract, by %s', async (_identity, name, action) => {
  const server = await serve(shiftingCatalog([1], [1]));
  const plan = await planAgainst(server, [`id: ${idOf(9)}\n${name}description: New.\n`], {
    product: openmetadata,
    rules: {
      scope: [canonicalSegments('shop.**')],
      unmanaged: { rule: 'deprecate', source: { file: 'config.yaml', line: 1, column: 1 } },
    },
    fetchContract: async () => parseLiveContract(contractDocument(9, { deleted: true })),
  });
  expect(plan.contracts).toMatchObject([
    { action: 'missing', problems: [{ code: 'contract-deleted' }] },
    { action, id: idOf(1) },
  ]);
});

const problemsOf = ({ contracts }: Plan) =>
  contracts.flatMap((contract) => (contract.action === 'missing' ? contract.problems : []));

describe('a missing contract', () => {
  test('is an error that keeps no other from being applied', async () => {
    const server = await serve(shiftingCatalog([1], [1]));
    const plan = await planAgainst(server, [byName(1), byName(700)]);
    expect(plan).toMatchObject({ errored: false, summary: { update: 1, missing: 1 } });
    expect(problemsOf(plan)).toMatchObject([{ code: 'contract-missing', severity: 'error' }]);
    expect(problemsOf(plan)[0]?.hint).toContain('`missing: report`');
  });

  test('is a remark where the configuration says so', async () => {
    const server = await serve(shiftingCatalog([], []));
    const plan = await planAgainst(server, [byName(1)], { rules: { missing: 'report' } });
    expect(problemsOf(plan)).toMatchObject([{ code: 'contract-missing', severity: 'warning' }]);
    expect(problemsOf(plan)[0]?.hint).not.toContain('missing: report');
  });

  test.each([
    ['one letter too many', 'fullyQualifiedName: shop.sales.orderss\n'],
    ['two letters swapped', 'fullyQualifiedName: shop.slaes.orders\n'],
    ['a wrong asset', 'name: orders\nentity: { fullyQualifiedName: shop.sale.orders }\n'],
    ['another id', `id: ${idOf(5)}\nfullyQualifiedName: shop.sales.orders\n`],
  ])('suggests the nearest live name: %s', async (_slip, text) => {
    const server = await serve((_, response) => {
      const orders = { fullyQualifiedName: 'shop.sales.orders', name: 'orders' };
      const entity = { id: idOf(9), fullyQualifiedName: 'shop.sales.orders' };
      const data = [contractDocument(1, { ...orders, entity }), liveContract(2)];
      sendJson(response, { data, paging: { total: 2 } });
    });
    const [problem] = problemsOf(await planAgainst(server, [text]));
    expect(problem?.hint).toMatch(
      /^Did you mean "shop\.sales\.orders" \(live, without a file\)\?/u,
    );
  });

  test('suggests no name that already has a file or differs too much', async () => {
    const server = await serve(shiftingCatalog([1, 2], [1, 2]));
    const plan = await planAgainst(server, [byName(1), byName(2), byName(3)]);
    expect(problemsOf(plan)[0]?.hint).not.toContain('Did you mean');
    const far = await planAgainst(server, ['fullyQualifiedName: shop.sales.orders\n']);
    expect(problemsOf(far)[0]?.hint).not.toContain('Did you mean');
  });
});
