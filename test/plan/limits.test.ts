import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enforceLimits, defaultLimits, type Limits, parseLimit } from '../../src/plan/limits.ts';
import { makePlan } from '../../src/plan/seal.ts';
import { defaultLifecycle, type Lifecycle } from '../../src/contract/conventions.ts';
import { type ContractPlan, type Plan, type SelectionSummary } from '../../src/plan/plan.ts';

const defaults = { limits: defaultLimits, lifecycle: defaultLifecycle };

const source = { file: 'a.yaml', line: 1, column: 1 };

function unchanged(id: string): ContractPlan {
  return { action: 'unchanged', id, source, problems: [] };
}

function update(id: string, to?: string): ContractPlan {
  const rest = {
    predictedVersions: [],
    changes: [],
    fingerprint: id,
    target: {},
    problems: [],
  };
  const transition = to === undefined ? {} : { transition: { from: 'Active', to } };
  return { action: 'update', id, source, ...rest, ...transition };
}

function planOf(contracts: readonly ContractPlan[], selection?: SelectionSummary): Plan {
  return makePlan('https://catalog.example.com/api', contracts, [], selection && { selection });
}

function many(count: number, make: (id: string) => ContractPlan): ContractPlan[] {
  return Array.from({ length: count }, (_, index) => make(`${make.name}-${index}`));
}

function stray(id: string): ContractPlan {
  return { action: 'unmanaged', id, inScope: true };
}

function foreign(id: string): ContractPlan {
  return { action: 'unmanaged', id };
}

function deprecate(id: string): ContractPlan {
  return update(id, 'Deprecated');
}

describe('the default limits', () => {
  test.for([
    { updates: 5, rest: 5, errored: false, why: 'half is not more than half' },
    { updates: 6, rest: 4, errored: true, why: 'six of ten are' },
    { updates: 9, rest: 0, errored: false, why: 'nine are fewer than ten' },
    { updates: 0, rest: 0, errored: false, why: 'there is nothing' },
  ])('$updates updates beside $rest unchanged: $why', ({ updates, rest, errored }) => {
    const plan = planOf([...many(updates, update), ...many(rest, unchanged)]);
    const limited = enforceLimits(plan, defaults);
    expect(limited.errored).toBe(errored);
    expect(limited.diagnostics.map(({ code }) => code)).toEqual(errored ? ['limit-exceeded'] : []);
    expect(limited.planHash).toBe(plan.planHash);
  });

  test('deprecations have a limit of their own, by file or by retirement', () => {
    const plan = planOf([...many(3, deprecate), ...many(9, unchanged)]);
    expect(enforceLimits(plan, defaults).diagnostics).toMatchObject([
      { severity: 'error', message: expect.stringContaining('deprecates 3 of 12 contracts (25%)') },
    ]);
  });
});

describe('every move out of use counts as a deprecation', () => {
  const longer: Lifecycle = {
    statuses: ['Draft', 'Review', 'Active', 'Sunset', 'Deprecated', 'Retired', 'Archived'],
    transitions: [
      { from: 'Draft', to: 'Review' },
      { from: 'Review', to: 'Active' },
      { from: 'Active', to: 'Sunset' },
      { from: 'Sunset', to: 'Active' },
      { from: 'Sunset', to: 'Deprecated', rule: 'block' },
      { from: 'Deprecated', to: 'Active' },
      { from: 'Deprecated', to: 'Retired' },
      { from: 'Retired', to: 'Archived' },
    ],
  };
  test.for([
    { to: 'Deprecated', counts: true, why: 'although one may come back from it' },
    { to: 'Retired', counts: true, why: 'although it leads on' },
    { to: 'Archived', counts: true, why: 'nothing leads on from it' },
    { to: 'Sunset', counts: true, why: 'what leads on is blocked, and what leads back does not' },
    { to: 'Review', counts: false, why: 'it leads on' },
    { to: 'Active', counts: false, why: 'it is in use' },
    { to: 'Draft', counts: false, why: 'it is not in use yet' },
  ])('to $to: $counts, $why', ({ to, counts }) => {
    const moves = many(3, (id) => update(id, to));
    const plan = planOf([...moves, ...many(9, unchanged)]);
    const limited = enforceLimits(plan, { ...defaults, lifecycle: longer });
    expect(limited.errored).toBe(counts);
  });

  test('also where all moves are only warned of, and where a status is written in small letters', () => {
    const transitions = [
      { from: 'Draft', to: 'Published', rule: 'warn' },
      { from: 'Published', to: 'archived', rule: 'warn' },
    ] as const;
    const lifecycle = { statuses: ['Draft', 'Published', 'archived'], transitions };
    const errored = (to: string) => {
      const plan = planOf([...many(3, (id) => update(id, to)), ...many(9, unchanged)]);
      return enforceLimits(plan, { ...defaults, lifecycle }).errored;
    };
    expect([errored('Published'), errored('archived')]).toEqual([false, true]);
  });
});

test('a repository that lost its files is not small by that', () => {
  const plan = planOf([...many(6, deprecate), ...many(9, stray)]);
  expect(enforceLimits(plan, defaults).errored).toBe(true);
});

test("contracts of other repositories don't count", () => {
  const plan = planOf([...many(6, update), ...many(4, unchanged), ...many(90, foreign)]);
  expect(enforceLimits(plan, defaults).errored).toBe(true);
});

test('what a selection leaves out does', () => {
  const leftOut = Array.from({ length: 20 }, (_, index) => `left.${index}`);
  const selection = { only: ['a.**'], exclude: [], leftOut };
  expect(enforceLimits(planOf(many(10, update), selection), defaults).errored).toBe(false);
});

describe('a limit is lifted', () => {
  const plan = planOf([...many(8, deprecate), ...many(2, unchanged)]);
  const overrides = [{ limit: 'deprecations', reason: 'moved to the lake' }] as const;

  test('alone, and the plan keeps the reason', () => {
    const limited = enforceLimits(plan, defaults, overrides);
    expect(limited).toMatchObject({ errored: true, overrides });
    expect(limited.diagnostics.map(({ severity }) => severity)).toEqual(['error', 'warning']);
  });

  test('alone, however often it is named', () => {
    const limited = enforceLimits(plan, defaults, [...overrides, ...overrides]);
    expect(limited).toMatchObject({ errored: true, overrides });
    expect(limited.overrides).toHaveLength(1);
  });

  test('with the other one', () => {
    const both = [{ limit: 'updates', reason: 'moved to the lake' }, ...overrides] as const;
    const limited = enforceLimits(plan, defaults, both);
    expect(limited).toMatchObject({ errored: false, overrides: both });
  });

  test('and the plan does not mention a reason that no limit needed', () => {
    const small = planOf(many(2, unchanged));
    expect(enforceLimits(small, defaults, overrides)).toEqual(small);
  });
});

test('a limit is a share or a number', () => {
  expect(parseLimit('12.5%')).toEqual({ kind: 'share', percent: 12.5 });
  expect(parseLimit(3)).toEqual({ kind: 'count', most: 3 });
  for (const text of ['', '5', '101%', '-1%', '50 %', '1e1%']) {
    expect(parseLimit(text)).toBeUndefined();
  }
});

test('a limit may be a number of contracts; 100% allows all, and `from: 0` holds for any number', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), fc.nat(30), (updates, rest, most) => {
      const plan = planOf([...many(updates, update), ...many(rest, unchanged)]);
      const limits: Limits = { ...defaultLimits, updates: { kind: 'count', most }, from: 0 };
      expect(enforceLimits(plan, { ...defaults, limits }).errored).toBe(updates > most);
      const none: Limits = { ...limits, updates: { kind: 'share', percent: 100 } };
      expect(enforceLimits(plan, { ...defaults, limits: none }).errored).toBe(false);
    }),
  );
});
