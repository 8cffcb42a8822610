import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  type DesiredContract,
  type LiveContract,
  parseLiveContract,
} from '../../../src/contract/contract.ts';
import { contractLabel } from '../../../src/contract/identity.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { planMissing } from '../../../src/plan/contract-plan.ts';
import { planUpdate } from '../../../src/plan/update.ts';
import type { ContractPlan } from '../../../src/plan/plan.ts';
import { erroredPlan, makePlan } from '../../../src/plan/seal.ts';
import { coloured, plain } from '../../../src/report/blocks.ts';
import { renderPlanText } from '../../../src/report/plan.ts';
import { expectGolden } from '../../support/golden.ts';
import { lenientRules } from '../../support/rules.ts';

function live(document: JsonObject & { readonly name: string }): LiveContract {
  const contract = parseLiveContract({ id: document.name, version: 1, ...document });
  if (!contract) throw new Error('no contract');
  return contract;
}

/** Each member of the file stands on a line of its own, from line 2 on. */
function desired(name: string, managed: JsonObject): DesiredContract {
  const file = `contracts/${name}.yaml`;
  const fields = Object.keys(managed);
  return {
    identity: { name, fullyQualifiedName: `shop.${name}` },
    managed,
    source: { file, line: 1, column: 1 },
    locate: ([field = '']) => ({ file, line: 2 + fields.indexOf(field), column: 1 }),
  };
}

function plan(name: string, before: JsonObject, after: JsonObject) {
  const identity = { name, fullyQualifiedName: `shop.${name}` };
  return planUpdate(live({ ...identity, ...before }), desired(name, after), lenientRules);
}

function strayPlan(name: string) {
  return { action: 'unmanaged', id: name, name } as const;
}

const columns = ['id', 'name', 'email', 'city'].map((name) => ({ name, dataType: 'TEXT' }));

const everything = makePlan(
  'https://catalog.example.com/api',
  [
    plan(
      'scalars',
      { description: 'Short.', sla: { days: 1, zone: '' } },
      {
        description: 'A little longer.',
        sla: { days: 2, zone: 'UTC', strict: true },
      },
    ),
    plan(
      'text',
      { description: 'one\ntwo\nthree\nfour\nfive\n' },
      {
        description: 'one\ntwo\n3\nfour\nfive\nsix\n',
      },
    ),
    plan(
      'columns',
      { schema: columns },
      {
        schema: [
          ...columns.slice(3),
          ...columns.slice(0, 1),
          { name: 'name', dataType: 'VARCHAR' },
          { name: 'phone' },
        ],
      },
    ),
    plan('removed', { sla: { days: 1 }, description: 'Gone.' }, { sla: null, description: null }),
    plan('deprecated', { entityStatus: 'Deprecated' }, { entityStatus: 'Active' }),
    plan(
      'blocked',
      { entityStatus: 'Active', description: 'a' },
      {
        description: 'b',
        entityStatus: 'Draft',
      },
    ),
    plan('same', { description: 'Same.' }, { description: 'Same.' }),
    plan(
      'hostile',
      { description: 'plain' },
      {
        description: '\u001B[2J::error::gone\u202E',
        semantics: [{ name: 'rule\r\n::error::', rule: '\u001B]0;title\u0007' }],
      },
    ),
    planMissing({ desired: desired('nowhere', {}) }, lenientRules),
    ...Array.from({ length: 12 }, (_, n) => strayPlan(`stray_${n + 10}`)),
  ],
  [
    {
      code: 'example-warning',
      severity: 'warning',
      message: 'Something is odd.',
      hint: 'Look at it.',
      source: { file: 'contracts/same.yaml', line: 3, column: 7 },
    },
  ],
);

test.for(['changes', 'all', 'totals'] as const)('a plan of every kind of change: %s', (detail) => {
  expectGolden(
    join(import.meta.dirname, 'golden', `plan-${detail}.txt`),
    renderPlanText(everything, { palette: plain, detail, more: '--all' }),
  );
});

test('colours change nothing but the colours', () => {
  const text = renderPlanText(everything, { palette: coloured, detail: 'all' });
  expect(text).toContain('\u001B[');
  // oxlint-disable-next-line no-control-regex -- the colours themselves
  expect(text.replaceAll(/\u001B\[\d+m/gu, '')).toBe(
    renderPlanText(everything, { palette: plain, detail: 'all' }),
  );
});

test('the same contracts in another order give the same plan', () => {
  const { contracts, diagnostics, catalogUrl } = everything;
  expect(makePlan(catalogUrl, contracts.toReversed(), diagnostics)).toEqual(everything);
});

test('contracts and files sort by the value of numbers in their names', () => {
  const names = ['table_10', 'table_2', 'table_1'];
  const contracts = names.map((name) =>
    plan(name, { description: 'Old.' }, { description: 'New.' }),
  );
  const diagnostics = names.map((name) => ({
    code: 'odd',
    severity: 'warning' as const,
    message: 'It is odd.',
    source: { file: `${name}.yaml`, line: 1, column: 1 },
  }));
  const made = makePlan('https://catalog.example.com/api', contracts, diagnostics);
  const sorted = ['table_1', 'table_2', 'table_10'];
  expect(made.contracts.map(contractLabel)).toEqual(sorted.map((name) => `shop.${name}`));
  expect(made.diagnostics.map(({ source }) => source?.file)).toEqual(
    sorted.map((name) => `${name}.yaml`),
  );
});

const many = Array.from({ length: 12 }, (_, number) =>
  plan(
    `table_${String(number).padStart(2, '0')}`,
    { description: 'Old.' },
    { description: 'New.' },
  ),
);
const isBroken = { code: 'broken', severity: 'error', message: 'It is broken.' } as const;
const broken = many.map((each, index) =>
  index === 3 && each.action === 'update'
    ? { ...each, action: 'blocked' as const, problems: [{ ...isBroken, source: each.source }] }
    : each,
);

test('the end of a long plan repeats its errors', () => {
  const made = makePlan('https://catalog.example.com/api', broken, []);
  const options = { palette: plain, detail: 'changes' } as const;
  expectGolden(
    join(import.meta.dirname, 'golden/long.txt'),
    renderPlanText(made, { ...options, more: '--all', width: 200 }),
  );
  const short = renderPlanText({ ...made, contracts: broken.slice(0, 5) }, options);
  expect(short).not.toContain('First error:');
});

test('errors of the whole run come first at the end of a long plan, and its last line names one', () => {
  const made = makePlan('https://catalog.example.com/api', broken, []);
  const tooMany = { code: 'limit-exceeded', severity: 'error', message: 'Too many.' } as const;
  const text = renderPlanText(
    { ...made, errored: true, diagnostics: [tooMany] },
    { palette: plain, detail: 'changes' },
  );
  expect(text.slice(text.lastIndexOf('\nerror: Too many.') + 1)).toBe(`\
error: Too many. [limit-exceeded]
contracts/table_03.yaml:1:1: error: It is broken. [broken] shop.table_03

Plan: 11 to update, 1 blocked, 0 unchanged, 1 error.
Plan hash: ${made.planHash}

First error: Too many. [limit-exceeded]
`);
});

test('where no plan was made for many errors, the last line names the first', () => {
  const errors = Array.from({ length: 12 }, (_, index) => ({
    code: 'broken',
    severity: 'error' as const,
    message: `It is broken (${index}).`,
    source: { file: `table_${index}.yaml`, line: 2, column: 1 },
  }));
  const made = erroredPlan({ catalogUrl: 'https://catalog.example.com/api' }, errors);
  const text = renderPlanText(made, { palette: plain, detail: 'changes' });
  expect(text).toContain('\n… and 2 more errors\n\nNo plan was made.\n');
  expect(text).toMatch(/\nFirst error: table_0\.yaml:2: It is broken \(0\)\. \[broken\]\n$/u);
});

test("a plan with errors doesn't claim that there are no changes", () => {
  const missing = { ...isBroken, message: 'It has no contract.' };
  const text = renderPlanText(
    { ...makePlan('https://catalog.example.com/api', [], []), diagnostics: [missing] },
    { palette: plain, detail: 'changes' },
  );
  expect(text).not.toContain('No changes');
  expect(text).toContain('Nothing to apply, 1 error.\n');
});

test('totals alone say how many contracts are left out', () => {
  const selection = { only: [], exclude: ['shop.orders'], leftOut: ['shop.orders'] };
  const plan = makePlan('https://catalog.example.com/api', [], [], { selection });
  const options = { palette: plain, detail: 'totals' } as const;
  expect(renderPlanText(plan, options)).toContain('No changes. 0 unchanged, 1 left out.\n');
});

test('the totals count updates that overwrite an edit', () => {
  const [each] = many;
  if (each?.action !== 'update') throw new Error('no update');
  const changes = each.changes.map((change) => ({ ...change, cause: 'conflict' as const }));
  const made = makePlan('https://catalog.example.com/api', [{ ...each, changes }], []);
  for (const detail of ['changes', 'totals'] as const) {
    const shown = renderPlanText(made, { palette: plain, detail });
    expect(shown).toContain('Plan: 1 to update, 0 unchanged, 1 overwrites an edit.\n');
  }
});

test('an edit in the catalog is shown in the words of files, and line by line in a text of several', () => {
  const text = 'First.\nSecond.\nThird.\n';
  const differences = [
    { place: '/description', before: text.replace('Second.', 'By hand.'), after: text },
    { place: '/termsOfUse', before: text },
    { place: '/displayName', before: 'Orders!', after: 'Orders' },
    {
      place: '/effectiveFrom',
      before: 1_767_225_600_000,
      after: '2026-02-01T00:00:00.000Z',
      inWords: { before: '2026-01-01', after: '2026-02-01' },
    },
    {
      place: '/owners/{name=ada}',
      before: { id: 'x', type: 'user', name: 'ada', href: 'http://x' },
    },
  ];
  const [each] = many;
  if (each?.action !== 'update') throw new Error('no update');
  const made = makePlan(
    'https://catalog.example.com/api',
    [{ ...each, drift: { differences } }],
    [],
  );
  const shown = renderPlanText(made, { palette: plain, detail: 'changes' });
  expect(shown).toContain(`\
    description:
        First.
      - Second.
      + By hand.
        Third.
    termsOfUse was added:
        First.
        Second.
        Third.
    displayName: "Orders" → "Orders!"
    effectiveFrom: "2026-02-01" → "2026-01-01"
    owner user ada was added
`);
});

test('--verbose shows each operation of a patch on a line below its contract', () => {
  const created: ContractPlan = {
    action: 'create',
    fingerprint: '',
    name: 'orders',
    fullyQualifiedName: 'shop.orders',
    entity: { id: 'e', type: 'table' },
    source: { file: 'contracts/orders.yaml', line: 1, column: 1 },
    document: { name: 'orders', entity: { id: 'e', type: 'table' }, description: 'a\u202Eb' },
    changes: [],
    problems: [],
  };
  const moved = plan('columns', { schema: columns }, { schema: columns.toReversed() });
  const blocked = plan('blocked', { entityStatus: 'Active' }, { entityStatus: 'Draft' });
  const made = makePlan('https://catalog.example.com/api', [created, moved, blocked, ...many], []);
  const shown = { palette: plain, detail: 'changes', width: 60 } as const;
  const text = renderPlanText(made, { ...shown, verbose: true });
  const sent = text.split('\n').filter((line) => /^ +(?:\{"|patch:|document:)/u.test(line));
  expect(sent.join('\n')).toMatchInlineSnapshot(`
    "  patch:
        {"op":"move","from":"/schema/1","path":"/schema/0"}
        {"op":"move","from":"/schema/2","path":"/schema/0"}
        {"op":"move","from":"/schema/3","path":"/schema/0"}
      document:
        {"name":"orders","entity":{"id":"e","type":"table"},"description":"a\\u202Eb"}
      patch:
        {"op":"replace","path":"/description","value":"New."}"
  `);
  expect(renderPlanText(made, shown)).not.toMatch(/patch:|document:/u);
});
