import { describe, expect, test } from 'vitest';
import type { Conventions } from '../../src/contract/conventions.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { canonicalSegments, indexPatterns } from '../../src/contract/names.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { defaultRules, type Rules } from '../../src/plan/rules.ts';
import { planUnmanaged } from '../../src/plan/contract-plan.ts';
import { lenientRules } from '../support/rules.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';

const source = { file: 'contract-sync.yaml', line: 1, column: 1 };

/** The codes of what is said against a change of a contract with these names. */
function judge(names: JsonObject, rules: Partial<Rules>): string[] {
  const live = liveOf({ fullyQualifiedName: null, description: 'Old.', ...names });
  const desired = { ...desiredOf({ description: 'New.' }), identity: { id: live.id } };
  const planned = planUpdate(live, desired, { ...lenientRules, ...rules });
  expect(planned.action).toBe(planned.problems.length > 0 ? 'blocked' : 'update');
  return planned.problems.map(({ code }) => code);
}

const finance = { protected: [canonicalSegments('warehouse.finance.**')] };
const sales = { scope: [canonicalSegments('warehouse.sales.**')] };

const spellings = [
  ['in another case', 'Warehouse.FINANCE.ledger'],
  ['decomposed', 'warehouse.finance.caf\u0065\u0301'],
  ['with a ligature', 'warehouse.\uFB01nance.ledger'],
  ['with a character of no width', 'warehouse.fin\u200Bance.ledger'],
  ['with quoted segments', '"warehouse"."finance"."ledger"'],
  ['with blanks at its end', 'warehouse.finance .ledger '],
] as const;

describe('a protected contract is protected', () => {
  test.for(spellings)('where its name is written %s', ([, name]) => {
    expect(judge({ fullyQualifiedName: name }, finance)).toEqual(['contract-protected']);
    expect(judge({ entity: { fullyQualifiedName: name } }, finance)).toEqual([
      'contract-protected',
    ]);
  });

  test.for(spellings)('where the pattern is written %s', ([, pattern]) => {
    const name = canonicalSegments(pattern).join('.');
    const rules = { protected: [canonicalSegments(pattern)] };
    expect(judge({ fullyQualifiedName: name }, rules)).toEqual(['contract-protected']);
  });

  test('and another one is not', () => {
    expect(judge({ fullyQualifiedName: 'warehouse.sales.orders' }, finance)).toEqual([]);
  });
});

describe('a contract without a qualified name', () => {
  const nameless: readonly JsonObject[] = [
    {},
    { name: 'ledger' },
    { name: 'ledger', entity: { id: 'a', name: 'ledger' } },
    { fullyQualifiedName: '' },
    { fullyQualifiedName: ' \u200B' },
    { entity: { fullyQualifiedName: '""."\u00AD"' } },
  ];

  test.for(nameless)('%j counts as protected where anything is', (names) => {
    expect(judge(names, finance)).toEqual(['contract-protected']);
    expect(judge(names, { protected: [] })).toEqual([]);
  });

  test.for(nameless)('%j counts as outside of any scope', (names) => {
    expect(judge(names, sales)).toEqual(['outside-scope']);
    expect(judge(names, { scope: [canonicalSegments('**')] })).toEqual(['outside-scope']);
    expect(judge(names, { scope: [] })).toEqual([]);
  });

  test.for(nameless)('%j is allowed no exception', (names) => {
    const pattern = canonicalSegments('**');
    const exception = { pattern, rule: 'column-removed', reason: 'agreed on it' } as const;
    const live = liveOf({
      fullyQualifiedName: null,
      entityStatus: 'Active',
      schema: [{ name: 'a' }],
      ...names,
    });
    const planned = planUpdate(live, desiredOf({ schema: [] }), {
      ...lenientRules,
      compatibility: { ...lenientRules.compatibility, mode: 'full' },
      exceptionsFor: indexPatterns([{ ...exception, expired: false, isShared: false, source }]),
    });
    expect(planned).toMatchObject({ action: 'blocked' });
  });

  test('has a message of its own', () => {
    const live = liveOf({ fullyQualifiedName: null });
    const { problems } = planUpdate(live, desiredOf({ description: 'New.' }), {
      ...lenientRules,
      ...finance,
      ...sales,
    });
    expect(problems.map(({ message }) => message)).toEqual([
      'This contract has no qualified name, so it counts as outside `scope`.',
      'This contract has no qualified name, so it counts as protected.',
    ]);
  });

  test('is never retired, nor listed as one of this repository', () => {
    const rules = { ...lenientRules, ...sales, unmanaged: { rule: 'deprecate', source } } as const;
    expect(planUnmanaged({ live: liveOf({ fullyQualifiedName: null }) }, rules)).toBeUndefined();
  });
});

describe('a file may claim a contract in scope', () => {
  test('however its name is written', () => {
    expect(judge({ fullyQualifiedName: '"Warehouse".SALES.orders ' }, sales)).toEqual([]);
    expect(judge({ fullyQualifiedName: 'warehouse.finance.orders' }, sales)).toEqual([
      'outside-scope',
    ]);
  });
});

test('a change that the catalog would not keep is an error at its own line, not at an equal field', () => {
  const semantics = [{ name: 'positive', rule: '{}' }];
  const conventions: Conventions = {
    ...lenientRules.conventions,
    findCarrier: () => ({ kind: 'impossible', message: 'Not kept.', hint: 'Carry it.' }),
  };
  const planned = planUpdate(
    liveOf({ semantics, description: 'Old.' }),
    desiredOf({ semantics: structuredClone(semantics), description: 'New.' }),
    { ...lenientRules, conventions },
  );
  expect(planned.problems).toMatchObject([{ code: 'change-not-stored', source: { line: 3 } }]);
});

const shrinks = {
  before: { entityStatus: 'Active', schema: [{ name: 'id' }, { name: 'fax' }] },
  after: { schema: [{ name: 'id' }] },
};
const agree = 'Revert it, or agree it with consumers and add it to `allow` in contract-sync.yaml.';
const decide =
  'Or set `compatibility.active: warn`: then those who read it decide, by `reviews.breaking: readers`.';
const slip = {
  code: 'key-unknown',
  severity: 'warning',
  message: 'Unknown key `shema`.',
  pointer: ['schema'],
} as const;

test.for([
  ['without readers', false, [], agree],
  ['with readers', true, [], `${agree} ${decide}`],
  ['with readers, by a slip in the file', true, [slip], undefined],
] as const)('the block of a breaking change says who can decide: %s', ([, asks, slips, hint]) => {
  const reviews = { ...lenientRules.reviews, ...(asks && { readers: { handles: {} } }) };
  const { compatibility } = defaultRules;
  const rules = { ...lenientRules, compatibility, reviews };
  const desired = { ...desiredOf(shrinks.after), slips };
  const { problems } = planUpdate(liveOf(shrinks.before), desired, rules);
  expect(problems.map((problem) => problem.hint)).toEqual([hint]);
});

test('what goes from an element has the place of that element, though another of its index is null there', () => {
  const schema = ['a', 'b', 'c'].map((name) => ({
    name,
    note: 'long '.repeat(20),
    description: 'Old.',
  }));
  const [, b = {}, c = {}] = schema;
  const { description: _gone, ...bare } = b as JsonObject;
  const managed = { schema: [bare, { ...c, description: null }] };
  const desired = {
    ...desiredOf(managed),
    locate: (_: readonly string[], isRemoved = false) => ({ ...source, line: isRemoved ? 1 : 2 }),
  };
  const planned = planUpdate(liveOf({ schema }), desired, lenientRules);
  const changes = planned.action === 'unchanged' ? [] : planned.changes;
  expect(changes.map(({ path, source: at }) => [path, at?.line])).toEqual([
    ['/schema/1/description', 1],
    ['/schema/2/description', 2],
    ['/schema/0', 1],
  ]);
});
