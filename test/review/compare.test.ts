import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Operation } from '../../src/patch/operation.ts';
import { planHash } from '../../src/plan/fingerprint.ts';
import type { ContractPlan, Plan, UpdatePlan } from '../../src/plan/plan.ts';
import { comparePlans } from '../../src/review/compare.ts';

const describeIt: Operation = { op: 'replace', path: '/description', value: 'New.' };
const activate: Operation = { op: 'replace', path: '/entityStatus', value: 'Active' };

function update(id: string, patch: readonly Operation[], version = 1): UpdatePlan {
  return {
    action: 'update',
    id,
    fullyQualifiedName: `shop.${id}`,
    source: { file: 'a.yaml', line: 1, column: 1 },
    liveVersion: `0.${version}`,
    liveUpdatedAt: version,
    predictedVersions: [],
    patch,
    guard: [],
    changes: [],
    target: {},
    problems: [],
  };
}

function unchanged(id: string, version: number): ContractPlan {
  const { source } = update(id, []);
  return {
    action: 'unchanged',
    id,
    source,
    liveVersion: `0.${version}`,
    liveUpdatedAt: version,
    problems: [],
  };
}

function plan(...contracts: ContractPlan[]): Plan {
  const summary = {
    update: 0,
    unchanged: 0,
    missing: 0,
    unmanaged: 0,
    blocked: 0,
    transitions: 0,
    breaking: 0,
  };
  return {
    formatVersion: '1.0',
    catalogUrl: 'http://catalog.test/api',
    planHash: planHash(contracts),
    errored: false,
    summary,
    contracts,
    diagnostics: [],
  };
}

test('the same changes are the same plan', () => {
  const both = plan(update('a', [describeIt]), update('b', [activate]));
  expect(comparePlans(both, both)).toEqual({ verdict: 'same', contracts: [] });
});

test('what the catalog shows since is landed, and the rest is as approved', () => {
  const approved = plan(update('a', [describeIt]), update('b', [activate]));
  const proposed = plan(unchanged('a', 2), update('b', [activate]));
  expect(comparePlans(approved, proposed)).toMatchObject({
    verdict: 'rest',
    contracts: [{ id: 'a', kind: 'landed' }],
  });
});

test.for<{ name: string; proposed: Plan; contract: object }>([
  {
    name: 'a contract that was not approved',
    proposed: plan(update('a', [describeIt]), update('b', [activate])),
    contract: { id: 'b', kind: 'new', operations: [{ kind: 'new', operation: activate }] },
  },
  {
    name: 'a contract that is no longer planned and was not written: its file is another',
    proposed: plan(unchanged('a', 1)),
    contract: { id: 'a', kind: 'gone', operations: [{ kind: 'gone', operation: describeIt }] },
  },
  {
    name: 'a contract that has vanished',
    proposed: plan(),
    contract: { id: 'a', kind: 'gone' },
  },
  {
    name: 'the same operations on another version',
    proposed: plan(update('a', [describeIt], 2)),
    contract: { id: 'a', kind: 'moved', approvedVersion: '0.1', proposedVersion: '0.2' },
  },
  {
    name: 'another value',
    proposed: plan(update('a', [{ ...describeIt, value: 'Newer.' }])),
    contract: {
      id: 'a',
      kind: 'changed',
      operations: [
        { kind: 'changed', approved: describeIt, operation: { ...describeIt, value: 'Newer.' } },
      ],
    },
  },
  {
    name: 'one more operation',
    proposed: plan(update('a', [activate, describeIt])),
    contract: {
      id: 'a',
      kind: 'changed',
      operations: [
        { kind: 'new', operation: activate },
        { kind: 'same', operation: describeIt },
      ],
    },
  },
  {
    name: 'another operation',
    proposed: plan(update('a', [activate])),
    contract: {
      id: 'a',
      kind: 'changed',
      operations: [
        { kind: 'new', operation: activate },
        { kind: 'gone', operation: describeIt },
      ],
    },
  },
])('$name is a difference', ({ proposed, contract }) => {
  const comparison = comparePlans(plan(update('a', [describeIt])), proposed);
  expect(comparison).toMatchObject({ verdict: 'different', contracts: [contract] });
});

test('the operations of one contract in another order are a difference', () => {
  const comparison = comparePlans(
    plan(update('a', [describeIt, activate])),
    plan(update('a', [activate, describeIt])),
  );
  expect(comparison).toMatchObject({ verdict: 'different', contracts: [{ kind: 'changed' }] });
});

test('plans are the same exactly when their hashes are, whatever they hold', () => {
  const operation = fc.constantFrom(describeIt, activate, { ...describeIt, value: 'Newer.' });
  const change = fc
    .tuple(
      fc.constantFrom('a', 'b', 'c'),
      fc.array(operation, { minLength: 1, maxLength: 3 }),
      fc.nat(2),
    )
    .map(([id, patch, version]) => update(id, patch, version));
  const anyPlan = fc
    .uniqueArray(change, { selector: ({ id }) => id })
    .map((contracts) => plan(...contracts));
  fc.assert(
    fc.property(anyPlan, anyPlan, (approved, proposed) => {
      const { verdict } = comparePlans(approved, proposed);
      expect(verdict === 'same').toBe(approved.planHash === proposed.planHash);
      expect(verdict).not.toBe('rest');
    }),
  );
});
