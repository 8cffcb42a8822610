import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { declaredIn } from '../../src/files/files.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { liveOf } from '../support/contracts.ts';

function planOf(written: string, before: JsonObject, entityStatus: string) {
  const text = `fullyQualifiedName: shop.sales.orders\n${written}\n`;
  const { contracts, diagnostics } = declaredIn({ file: 'orders.yaml', text }, {});
  const [desired] = contracts;
  if (!desired) throw new Error('no contract was read');
  const plan = planUpdate(liveOf({ ...before, entityStatus }), desired, defaultRules);
  return { plan, diagnostics };
}

const typed = { schema: [{ name: 'a', dataType: 'INT', constraint: 'UNIQUE' }, { name: 'b' }] };

describe.each(['Draft', 'Active'])('in place of a key that the %s contract has', (status) => {
  test.each([
    [
      'schema: [{ name: b }, { name: a, type: TEXT, constraint: UNIQUE }]',
      typed,
      '2:34 `type` stands where the catalog has `dataType: INT`, which would be lost.',
      'Did you mean "dataType"? To remove it, add `dataType: null`.',
    ],
    [
      'schema: [{ name: a, dataType: INT, primaryKey: true }, { name: b }]',
      typed,
      '2:36 `primaryKey` stands where the catalog has `constraint: UNIQUE`, which would be lost.',
      'Did you mean "constraint", one of NULL, NOT_NULL, UNIQUE, PRIMARY_KEY? To remove it, add `constraint: null`.',
    ],
    [
      'sla: { frequency: { interval: 1, unit: day } }',
      { sla: { refreshFrequency: { interval: 1, unit: 'day' } } },
      '2:8 `frequency` stands where the catalog has `refreshFrequency`, which would be lost.',
      'Did you mean "refreshFrequency"? To remove it, add `refreshFrequency: null`.',
    ],
  ])('a synonym is an error that blocks the plan: %s', (written, before, message, hint) => {
    const { plan } = planOf(written, before, status);
    const told = plan.problems.map(({ source, message: says }) =>
      [`${source?.line}:${source?.column}`, says].join(' '),
    );
    expect(told).toEqual([message]);
    expect(plan).toMatchObject({ action: 'blocked', changes: [], problems: [{ hint }] });
  });
});

test("a misspelt key that blocks its contract isn't repeated as a warning about the file", () => {
  const text = 'schema: [{ name: a, type: INT, constraint: UNIQE }, { name: b }]';
  const { plan, diagnostics } = planOf(text, typed, 'Draft');
  const whole = makePlan('https://catalog.example.com', [plan], diagnostics);
  expect(whole.diagnostics.map(({ message }) => message)).toEqual([
    '"UNIQE" is no known `constraint`.',
  ]);
  // One without a place is of no file, whatever a contract is told under the same code.
  const placeless = { code: 'lookup-failed', severity: 'warning', message: 'No answer.' } as const;
  const told = makePlan('https://x', [{ ...plan, problems: [placeless] }], [placeless]);
  expect(told.diagnostics).toEqual([placeless]);
});

test.each([
  [
    'the catalog has no such value',
    'schema: [{ name: b, type: TEXT }]',
    { schema: [{ name: 'b' }] },
  ],
  ['the known key is given too', 'schema: [{ name: a, type: INT, dataType: INT }]', typed],
  ['the file removes the value', 'schema: [{ name: a, type: INT, dataType: null }]', typed],
  [
    'the catalog has both',
    'schema: [{ name: a, type: INT }]',
    { schema: [{ name: 'a', type: 'INT', dataType: 'INT' }] },
  ],
  [
    'the column is a new one',
    'schema: [{ name: a, dataType: INT }, { name: c, type: INT }]',
    typed,
  ],
])('a synonym is planned where %s', (_, written, before) => {
  expect(planOf(written, before, 'Draft').plan).toMatchObject({ action: 'update' });
});
