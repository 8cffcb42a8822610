import { expect, test } from 'vitest';
import {
  type DesiredContract,
  type Identity,
  parseLiveContract,
} from '../../src/contract/contract.ts';
import { pairStrays } from '../../src/contract/strays.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { idOf } from '../support/server.ts';

/** The strays of these names, or of these documents; all of them to be retired. */
function straysOf(documents: readonly (string | JsonObject)[], isRetired = true) {
  return documents.flatMap((each, index) => {
    const document = typeof each === 'string' ? { fullyQualifiedName: each } : each;
    const live = parseLiveContract({ id: idOf(index), ...document });
    return live ? [{ live, isRetired }] : [];
  });
}

type Strays = ReturnType<typeof straysOf>;

function fileOf(identity: Identity, managed: JsonObject = {}): DesiredContract {
  const source = { file: 'a.yaml', line: 1, column: 1 };
  return { identity, managed, source, locate: () => source };
}

function partnerOf(strays: Strays, identity: Identity, managed: JsonObject = {}) {
  const file = fileOf(identity, managed);
  const partner = pairStrays(strays, [file]).partners.get(file);
  return partner && { is: partner.stray.label, differsIn: partner.differsIn };
}

const schemaOf = (...names: string[]) => ({ schema: names.map((name) => ({ name })) });

test.each<[string, Identity, readonly (string | JsonObject)[], object | undefined]>([
  [
    'a letter is missing',
    { fullyQualifiedName: 'lake.support.custmers' },
    ['lake.support.customers', 'lake.support.tickets'],
    { is: 'lake.support.customers', differsIn: 'spelling' },
  ],
  [
    'only the case is off',
    { fullyQualifiedName: 'LAKE.Support.Customers' },
    ['lake.support.customers'],
    { is: 'lake.support.customers', differsIn: 'spelling' },
  ],
  [
    'the id is another',
    { id: idOf(77), fullyQualifiedName: 'lake.sales.orders' },
    ['lake.sales.order', 'lake.sales.orders'],
    { is: 'lake.sales.orders', differsIn: 'identity' },
  ],
  [
    'the name is another, the entity the same',
    { name: 'ordres_contract', entity: { fullyQualifiedName: 'lake.sales.orders' } },
    [{ name: 'orders', entity: { fullyQualifiedName: 'lake.sales.orders' } }],
    { is: 'lake.sales.orders', differsIn: 'name' },
  ],
  [
    'the entity has moved',
    { fullyQualifiedName: 'lake.crm.customers' },
    ['lake.support.customers'],
    { is: 'lake.support.customers', differsIn: 'entity' },
  ],
  [
    'two of that name are elsewhere',
    { fullyQualifiedName: 'lake.crm.customers' },
    ['lake.support.customers', 'lake.sales.customers'],
    undefined,
  ],
  ['no name is like it', { fullyQualifiedName: 'lake.crm.leads' }, ['lake.crm.tickets'], undefined],
  [
    'the same name is of another house',
    { fullyQualifiedName: 'acme.shop.orders' },
    ['lake.sales.orders'],
    undefined,
  ],
])('where %s', (_case, identity, documents, expected) => {
  expect(partnerOf(straysOf(documents), identity)).toEqual(expected);
});

test('of several that are alike, the one with the columns of the file is it', () => {
  const strays = straysOf([
    { fullyQualifiedName: 'lake.a.orders', ...schemaOf('id', 'at') },
    { fullyQualifiedName: 'lake.b.orders', ...schemaOf('amount', 'id') },
  ]);
  expect(
    partnerOf(strays, { fullyQualifiedName: 'pond.z.orders' }, schemaOf('id', 'amount')),
  ).toEqual({
    is: 'lake.b.orders',
    differsIn: 'entity',
  });
});

const named = (number: number, table = 'table') =>
  `warehouse.sales.public.${table}_${number}_of_2024`;

test('ten thousand files against ten thousand contracts take a moment', () => {
  const numbers = Array.from({ length: 10_000 }, (_, number) => 100_000 + number * 7);
  const strays = straysOf(numbers.map((number) => named(number)));
  const files = numbers.map((number) => fileOf({ fullyQualifiedName: named(number, 'tbale') }));
  const { result: pairs, seconds } = measure(() => pairStrays(strays, files).partners);
  expect(seconds).toBeLessThan(15);
  expect(pairs.size).toBe(10_000);
  expect(pairs.get(files[9] ?? fileOf({}))?.stray.label).toBe(named(100_063));
});

test('thousands of files that resemble no contract take a moment', () => {
  const strays = straysOf(
    Array.from({ length: 100_000 }, (_, number) => `a.b.t_${number}`),
    false,
  );
  const files = Array.from({ length: 10_000 }, (_, number) =>
    fileOf({ fullyQualifiedName: `x.y.u${number}` }),
  );
  expect(measure(() => pairStrays(strays, files)).seconds).toBeLessThan(15);
});

/** Seconds of work, however busy the machine is with others. */
function measure<Result>(work: () => Result) {
  const before = process.threadCpuUsage();
  const result = work();
  const { user, system } = process.threadCpuUsage(before);
  return { result, seconds: (user + system) / 1e6 };
}
