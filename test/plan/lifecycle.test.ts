import { describe, expect, test } from 'vitest';
import { defaultLifecycle, type Lifecycle } from '../../src/contract/conventions.ts';
import { findTransition, judgeTransition } from '../../src/plan/judge.ts';
import { desiredOf } from '../support/contracts.ts';

function judge(from: string | null, to: string | null, lifecycle: Lifecycle = defaultLifecycle) {
  return judgeTransition({ from, to }, desiredOf({ entityStatus: to }), lifecycle);
}

describe('every default transition', () => {
  test.for([
    { from: 'Draft', to: 'Active', codes: [] },
    { from: 'Draft', to: 'Deprecated', codes: [] },
    { from: 'Active', to: 'Draft', codes: ['transition-blocked'] },
    { from: 'Active', to: 'Deprecated', codes: [] },
    { from: 'Deprecated', to: 'Draft', codes: ['transition-blocked'] },
    { from: 'Deprecated', to: 'Active', codes: ['transition-unusual'] },
    { from: null, to: 'Draft', codes: [] },
    { from: null, to: 'Active', codes: [] },
    { from: null, to: 'Deprecated', codes: [] },
    { from: 'Draft', to: null, codes: ['transition-blocked'] },
    { from: 'Active', to: null, codes: ['transition-blocked'] },
    { from: 'Deprecated', to: null, codes: ['transition-blocked'] },
    { from: 'Retired', to: 'Active', codes: ['transition-blocked'] },
  ])('$from → $to: $codes', ({ from, to, codes }) => {
    expect(judge(from, to).map(({ code }) => code)).toEqual(codes);
  });
});

test('a contract that stays in its status makes no transition', () => {
  expect(findTransition({ entityStatus: 'Draft' }, { entityStatus: 'Draft' })).toBeUndefined();
  expect(findTransition({}, {})).toBeUndefined();
});

const longer: Lifecycle = {
  statuses: ['Draft', 'Proposed', 'Active', 'Deprecated', 'Retired'],
  transitions: [
    { from: 'Draft', to: 'Proposed' },
    { from: 'Proposed', to: 'Active' },
    { from: 'Active', to: 'Deprecated' },
    { from: 'Deprecated', to: 'Retired', rule: 'warn' },
    { from: 'Proposed', to: 'Draft' },
    { from: 'Draft', to: 'Active' },
    { from: 'Active', to: 'Retired', rule: 'block' },
  ],
};

describe('a blocked transition names the way', () => {
  test('step by step', () => {
    expect(judge('Active', 'Retired', longer)).toMatchObject(
      [{ code: 'transition-blocked', hint: /Active → Deprecated → Retired/u }].map(expectHint),
    );
    expect(judge('Draft', 'Deprecated', longer)).toMatchObject(
      [{ code: 'transition-blocked', hint: /Draft → Active → Deprecated/u }].map(expectHint),
    );
  });

  test('a rule that blocks it is named, and not to be added again', () => {
    const [blocked] = judge('Active', 'Retired', longer);
    expect(blocked?.message).toContain('`rule: block` in `lifecycle.transitions`');
    expect(blocked?.hint).toContain('`rule: transition-blocked`');
    expect(blocked?.hint).not.toContain('add the transition');
  });

  test('or the next statuses, where no way leads there', () => {
    expect(judge('Retired', 'Active', longer)[0]?.hint).toBe(
      'Allow it for this contract in `allow`, with `rule: transition-blocked` and a reason, or for all contracts in `lifecycle.transitions`, which replaces the default list.',
    );
    expect(judge('Active', 'Draft', longer)[0]?.hint).toMatch(/can become Deprecated\./u);
  });
});

function expectHint<Expected extends { readonly hint: RegExp }>(expected: Expected) {
  return { ...expected, hint: expect.stringMatching(expected.hint) };
}
