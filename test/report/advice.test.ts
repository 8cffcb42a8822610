import { expect, test } from 'vitest';
import { makePlan } from '../../src/plan/seal.ts';
import { exceptionsFor } from '../../src/report/problems.ts';
import { update } from './plans.ts';

function entriesFor(names: readonly string[], others: readonly string[] = []): string[] {
  const blocked = names.map((fullyQualifiedName) =>
    update(fullyQualifiedName, {
      action: 'blocked',
      fullyQualifiedName,
      problems: [
        {
          code: 'column-removed',
          severity: 'error',
          impact: 'breaking',
          message: 'Column fax is removed.',
          place: 'schema.fax',
        },
      ],
    }),
  );
  const rest = others.map((fullyQualifiedName) =>
    update(fullyQualifiedName, { fullyQualifiedName }),
  );
  const plan = makePlan('https://catalog.example.com/api', [...blocked, ...rest], []);
  return exceptionsFor(plan).flatMap((block) =>
    block.kind === 'command' ? block.command.split('\n').slice(1) : [],
  );
}

const rest = 'rule: column-removed, place: schema.fax, reason: "…", until: YYYY-MM-DD }';

test.for<[string, string[], string[]]>([
  [
    '"w.sales.table_*"',
    ['w.sales.table_1', 'w.sales.table_2', 'w.sales.table_10'],
    ['w.sales.carts'],
  ],
  ['"w.sales.*"', ['w.sales.a', 'w.sales.b', 'w.sales.c'], []],
  ['"w.*.a"', ['w.x.a', 'w.y.a', 'w.z.a'], ['w.x.b']],
  ['"w.sales.**"', ['w.sales.a', 'w.sales.b.c', 'w.sales.d'], []],
  ['"w.\\"a.b\\".*"', ['w."a.b".x', 'w."a.b".y', 'w."a.b".z'], []],
])(
  'one entry with the pattern %s covers contracts that lose the same column',
  ([pattern, names, others]) => {
    expect(entriesFor(names, others)).toEqual([`  - { contract: ${pattern}, ${rest}`]);
  },
);

test('it says how many contracts the pattern covers besides', () => {
  expect(entriesFor(['w.a1', 'w.a2', 'w.a3'], ['w.a', 'w.b'])).toEqual([
    `  - { contract: "w.a*", ${rest} # and 1 other contract`,
  ]);
});

test('two contracts have an entry each', () => {
  expect(entriesFor(['w.a1', 'w.a2'])).toEqual([
    `  - { contract: w.a1, ${rest}`,
    `  - { contract: w.a2, ${rest}`,
  ]);
});
