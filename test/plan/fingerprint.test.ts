import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planHash } from '../../src/plan/fingerprint.ts';
import type { UpdatePlan } from '../../src/plan/plan.ts';

const base: UpdatePlan = {
  action: 'update',
  id: 'a',
  source: { file: 'a.yaml', line: 1, column: 1 },
  liveVersion: '0.1',
  predictedVersions: ['0.2'],
  patch: [{ op: 'replace', path: '/description', value: 'New.' }],
  guard: [],
  changes: [],
  target: { description: 'New.' },
  problems: [],
};

test('the hash does not depend on the order of the contracts', () => {
  const contracts = ['a', 'b', 'c', 'd'].map((id) => ({ ...base, id }));
  const expected = planHash(contracts);
  fc.assert(
    fc.property(fc.shuffledSubarray(contracts, { minLength: 4 }), (shuffled) => {
      expect(planHash(shuffled)).toBe(expected);
    }),
  );
});

test('the hash depends on what is sent and on the version that was reviewed', () => {
  const other: UpdatePlan[] = [
    { ...base, id: 'b' },
    { ...base, liveVersion: '0.2' },
    { ...base, patch: [{ op: 'replace', path: '/description', value: 'Newer.' }] },
  ];
  expect(new Set([base, ...other].map((contract) => planHash([contract]))).size).toBe(4);
});

test('the hash depends on nothing else', () => {
  const elsewhere: UpdatePlan = {
    ...base,
    source: { file: 'b.yaml', line: 9, column: 3 },
    liveUpdatedAt: 1,
    predictedVersions: [],
    patch: [{ value: 'New.', path: '/description', op: 'replace' }],
  };
  expect(planHash([elsewhere, { action: 'unmanaged', id: 'z' }])).toBe(planHash([base]));
});
