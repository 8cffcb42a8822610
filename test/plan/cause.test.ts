import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DesiredContract } from '../../src/contract/contract.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { evaluate } from '../../src/patch/evaluate.ts';
import { valueByKey } from '../../src/patch/identity.ts';
import { parsePointer } from '../../src/patch/pointer.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { makePlan, patchOf } from '../../src/plan/seal.ts';
import { planUnmanaged } from '../../src/plan/contract-plan.ts';
import { canonicalSegments } from '../../src/contract/names.ts';
import { openmetadata } from '../../src/catalog/products/openmetadata/openmetadata.ts';
import { adoptConventions, defaultRules, type Rules } from '../../src/plan/rules.ts';
import type { UpdatePlan } from '../../src/plan/plan.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import { rounds } from '../support/rounds.ts';

const amount = { name: 'amount', dataType: 'INT' };
const note = { name: 'note', dataType: 'TEXT' };
const hand = { name: 'by_hand', dataType: 'TEXT' };

const before: JsonObject = { description: 'Old.', schema: [amount, note] };

type Sides = { readonly base?: JsonObject; readonly file: JsonObject; readonly live: JsonObject };

function plan({ base, file, live }: Sides, rules: Partial<Rules> = {}) {
  return planUpdate(
    liveOf(live),
    desiredOf(file),
    { ...defaultRules, ...rules },
    { declared: base && desiredOf(base) },
  );
}

describe('with a base', () => {
  test('a hand edit beside a change of the file survives', () => {
    const file = { ...before, description: 'New.' };
    const live = { ...before, schema: [amount, note, hand], updatedBy: 'alice', updatedAt: 7 };
    const planned = plan({ base: before, file, live });
    expect(planned).toMatchObject({
      action: 'update',
      changes: [{ kind: 'replace', path: '/description', after: 'New.', cause: 'file' }],
      drift: {
        differences: [{ place: '/schema/{name=by_hand}', before: hand }],
        updatedBy: 'alice',
        updatedAt: 7,
      },
      problems: [expect.objectContaining({ severity: 'information' })],
    });
  });

  test("dates read as files write them, and a removed value lacks the server's additions", () => {
    const rule = { name: 'positive', description: 'd', rule: '{}' };
    const stored = { ...rule, enabled: true, ignoredEntities: [], provider: 'user' };
    const day = Date.UTC(2026, 0, 1);
    const conventions = adoptConventions(defaultRules, openmetadata);
    const live = { semantics: [stored], effectiveFrom: day };
    const file = { semantics: [], effectiveFrom: '2026-02-01' };
    const words = [
      { place: '/effectiveFrom', inWords: { before: '2026-01-01', after: '2026-02-01' } },
      { place: '/semantics/{name=positive}', before: stored, inWords: { before: rule } },
    ];
    expect(plan({ base: file, file, live }, conventions)).toMatchObject({
      drift: { differences: words },
    });
    const { changes } = plan({ base: live, file, live }, conventions) as UpdatePlan;
    expect(changes.filter(({ carrier }) => !carrier)).toMatchObject(words);
  });

  test('a contract with nothing but hand edits is left alone, and blocks no other', () => {
    const live = { ...before, entityStatus: 'Active', schema: [amount, note, hand] };
    const planned = plan({ base: before, file: before, live });
    expect(planned).toMatchObject({ action: 'unchanged', problems: [] });
    const whole = makePlan('http://x', [planned], []);
    expect(whole).toMatchObject({ errored: false, summary: { drift: 1, update: 0 } });
  });

  test('a new file is a change of its whole contract', () => {
    const planned = plan({ file: before, live: { description: 'By hand.', schema: [hand] } });
    expect(planned).not.toHaveProperty('drift');
    const causes = 'changes' in planned ? planned.changes.map(({ cause }) => cause) : [];
    expect(new Set(causes)).toEqual(new Set(['file']));
  });

  test('what both have changed is as the file has it, with a warning', () => {
    const file = { ...before, description: 'New.' };
    const live = { ...before, description: 'By hand.' };
    expect(plan({ base: before, file, live })).toMatchObject({
      action: 'update',
      changes: [{ cause: 'conflict', before: 'By hand.', after: 'New.' }],
      problems: expect.arrayContaining([
        expect.objectContaining({ code: 'conflict', severity: 'warning' }),
      ]),
    });
  });

  test('what both have changed alike is nothing to do', () => {
    const both = { ...before, description: 'New.' };
    const planned = plan({ base: before, file: both, live: both });
    expect(planned).toMatchObject({ action: 'unchanged' });
    expect(planned).not.toHaveProperty('drift');
  });

  test.for<[string, Partial<Rules>, Sides]>([
    [
      'drift-blocked',
      { drift: 'block' },
      { base: before, file: before, live: { ...before, description: 'By hand.' } },
    ],
    [
      'conflict-blocked',
      { conflicts: 'block' },
      {
        base: before,
        file: { ...before, description: 'New.' },
        live: { ...before, description: 'By hand.' },
      },
    ],
  ])('%s holds back its own contract and no other', ([code, rules, sides]) => {
    const planned = plan(sides, rules);
    expect(planned.action).toBe('blocked');
    expect(planned.problems.map((problem) => problem.code)).toContain(code);
    expect(makePlan('http://x', [planned], []).errored).toBe(false);
  });

  test('a blocked edit needs no carrier, since the plan sends nothing', () => {
    const rules = {
      ...adoptConventions(defaultRules, openmetadata),
      drift: 'block',
    } as const;
    const name = { name: 'orders', displayName: 'Orders' };
    const live = { ...before, ...name, schema: [amount, { ...note, description: 'By hand.' }] };
    const planned = plan({ base: before, file: before, live }, rules);
    expect(planned).toMatchObject({ action: 'blocked', changes: [] });
    expect(planned.problems.map(({ code }) => code)).toEqual(['drift-blocked']);
  });

  test('undoing an edit is judged as an edit, and blames no author of a file', () => {
    const live = { ...before, entityStatus: 'Active', schema: [amount, note, hand] };
    const file = { ...before, description: 'New.' };
    const planned = plan({ base: before, file, live }, { drift: 'overwrite' });
    expect(planned.action).toBe('blocked');
    const removed = planned.problems.find(({ code }) => code === 'column-removed');
    expect(removed).toMatchObject({ isDrift: true, severity: 'error' });
    expect(removed?.hint).not.toContain('Take it back');
    expect(makePlan('http://x', [planned], []).errored).toBe(false);
    expect('changes' in planned && planned.changes.map(({ cause }) => cause)).toEqual([
      'file',
      'drift',
    ]);
  });

  test('a contract whose file was deleted since is retired; one that never had a file is not', () => {
    const rules: Rules = {
      ...defaultRules,
      scope: [canonicalSegments('shop.**')],
      unmanaged: { rule: 'deprecate', source: { file: 'c.yaml', line: 1, column: 1 } },
    };
    const live = liveOf({ entityStatus: 'Active' });
    const basedOn = (declared: DesiredContract | undefined) => ({
      live,
      base: { declared, commit: 'c', isPlain: false },
    });
    expect(planUnmanaged(basedOn(desiredOf(before)), rules)).toMatchObject({
      action: 'update',
      changes: [{ cause: 'file', after: 'Deprecated' }],
    });
    expect(planUnmanaged(basedOn(undefined), rules)).toMatchObject({
      action: 'unmanaged',
    });
    expect(planUnmanaged({ live }, rules)).toMatchObject({ action: 'update' });
  });
});

const value = fc.constantFrom<JsonValue>('a', 'b', 1, true);
const names = ['p', 'q', 'r'] as const;
const column = fc.option(fc.record({ dataType: value }, { requiredKeys: [] }), { nil: undefined });
const schema = fc
  .tuple(...names.map(() => column))
  .map((found) => found.flatMap((each, at) => (each ? [{ name: names[at] ?? '', ...each }] : [])));
const fields: fc.Arbitrary<JsonObject> = fc.record(
  { description: value, schema, sla: fc.record({ x: value, y: value }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);

describe('for any base, file and live contract', () => {
  test('`leave` keeps every edit of the catalog, and `overwrite` brings about the file', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, file, live) => {
        const left = plan({ base, file, live });
        const document = liveOf(live).document;
        const after = 'target' in left ? evaluate(document, patchOf(left.changes)) : document;
        for (const { place } of left.drift?.differences ?? []) {
          const path = parsePointer(place) ?? [];
          expect(valueByKey(after, path)).toEqual(valueByKey(document, path));
        }
        const whole = plan({ base, file, live }, { drift: 'overwrite' });
        const result = 'target' in whole ? evaluate(document, patchOf(whole.changes)) : document;
        expect(result).toEqual({ ...document, ...file });
        expect(whole).not.toHaveProperty('drift');
      }),
      { numRuns: rounds(250) },
    );
  });

  test('`overwrite` makes the same changes with a base as without, fingerprints included', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, file, live) => {
        const known = plan({ base, file, live }, { drift: 'overwrite' });
        const unknown = planUpdate(liveOf(live), desiredOf(file), defaultRules);
        const print = (planned: typeof known) => 'fingerprint' in planned && planned.fingerprint;
        expect(print(known)).toBe(print(unknown));
      }),
    );
  });
});
