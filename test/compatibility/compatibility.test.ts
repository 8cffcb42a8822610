import { describe, expect, test } from 'vitest';
import configSchema from '../../schemas/config.schema.json' with { type: 'json' };
import { defaultCompatibility, judgeCompatibility } from '../../src/compatibility/compatibility.ts';
import { compatibilityRules, type Mode } from '../../src/compatibility/rule.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Impact } from '../../src/core/diagnostic.ts';
import { declaredIn } from '../../src/files/files.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import { changes } from './policy-table.ts';

const warning = 'warning';
const information = 'information';

/** What a status makes of an impact, by default. */
const severities: Readonly<Record<string, Readonly<Record<Impact, string | undefined>>>> = {
  Draft: { breaking: undefined, warning: undefined, information: undefined },
  Active: { breaking: 'error', warning, information },
  Deprecated: { breaking: warning, warning, information },
  // A status that the configuration says nothing about is as grave as Active.
  Proposed: { breaking: 'error', warning, information },
};

function judge(mode: Mode, status: string, before: JsonObject, after: JsonObject) {
  return judgeCompatibility(
    liveOf({ ...before, entityStatus: status }),
    { ...after, entityStatus: status },
    desiredOf(after),
    { ...defaultCompatibility, mode },
  );
}

describe('the tables of changes.md', () => {
  test.for(changes)('$name', ({ before, after, rules, forward, backward }) => {
    const judged = (mode: Mode) => judge(mode, 'Active', before, after);
    expect(
      judged('forward')
        .map(({ code }) => code)
        .toSorted(),
    ).toEqual(rules);
    expect(gravestOf(judged('forward'))).toBe(forward);
    expect(gravestOf(judged('backward'))).toBe(backward);
    expect(gravestOf(judged('full'))).toBe(gravestOf([{ impact: forward }, { impact: backward }]));
    expect(judged('none')).toEqual([]);
  });

  test('has more than 80 changes, and one for each rule', () => {
    expect(changes.length).toBeGreaterThan(80);
    expect([...new Set(changes.flatMap(({ rules }) => rules))].toSorted()).toEqual(
      Object.keys(compatibilityRules).toSorted(),
    );
  });
});

function gravestOf(problems: readonly { readonly impact?: string }[]): string | undefined {
  return ['breaking', 'warning', 'information'].find((impact) =>
    problems.some((problem) => problem.impact === impact),
  );
}

test.for(Object.entries(severities))(
  'how grave an impact is for a contract that is %s',
  ([status, bySeverity]) => {
    for (const { before, after } of changes) {
      const expected = judge('full', 'Active', before, after).flatMap(
        ({ impact = 'information' }) => bySeverity[impact] ?? [],
      );
      const found = judge('full', status, before, after).map(({ severity }) => severity);
      expect(found.toSorted()).toEqual(expected.toSorted());
    }
  },
);

test('an exception can be of each rule by which a change breaks consumers', () => {
  expect(configSchema.properties.allow.items.properties.rule.enum).toEqual([
    ...Object.entries(compatibilityRules).flatMap(([rule, { forward, backward }]) =>
      [forward, backward].includes('breaking') ? [rule] : [],
    ),
    'transition-blocked',
  ]);
});

test('a contract without a status is judged like an active one', () => {
  const target = { schema: [{ name: 'a', dataType: 'TEXT' }] };
  const live = liveOf({ schema: [{ name: 'a', dataType: 'INT' }] });
  const problems = judgeCompatibility(live, target, desiredOf(target), defaultCompatibility);
  expect(problems).toMatchObject([{ code: 'type-changed', severity: 'error' }]);
});

test.each<[written: string, code: string, before: JsonObject]>([
  [
    'schema: [{ name: a, constraint: NOTNULL }]',
    'unknown-value "NOTNULL" is no known `constraint`.',
    { schema: [{ name: 'a', constraint: 'NOT_NULL' }] },
  ],
  [
    'sla: { maxLatency: 15m }',
    'unknown-value "15m" is text, where catalogs have an amount and a unit.',
    { sla: { maxLatency: { value: 15, unit: 'minute' } } },
  ],
  [
    'sla: { retention: { period: 1, unit: fortnight } }',
    'unknown-value "fortnight" is no known `unit`.',
    { sla: { retention: { period: 14, unit: 'day' } } },
  ],
])('a misspelt word is an error, and its effect is not judged: %s', (written, code, before) => {
  const text = `id: 00000000-0000-4000-8000-000000000001\n${written}\n`;
  const [desired] = declaredIn({ file: 'a.yaml', text }, {}).contracts;
  if (!desired) throw new Error('no contract was read');
  const live = liveOf({ ...before, entityStatus: 'Active' });
  const problems = judgeCompatibility(live, desired.managed, desired, defaultCompatibility);
  expect(problems.map((each) => `${each.code} ${each.message}`)).toEqual([code]);
  expect(problems).toMatchObject([{ severity: 'error', scope: 'contract' }]);
});
