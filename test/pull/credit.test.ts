import { expect, test } from 'vitest';
import type { DesiredContract } from '../../src/contract/contract.ts';
import { creditFor } from '../../src/pull/credit.ts';
import { lenientRules } from '../rules.ts';

const place = { file: 'contracts/orders.yaml', line: 1, column: 1 };

const desired: DesiredContract = {
  identity: { id: 'c1' },
  managed: { description: 'As in git.' },
  source: place,
  locate: () => place,
};

const snapshots = [
  { updatedBy: 'zoe', description: 'Third.' },
  { updatedBy: 'mira', description: 'Second.' },
  { updatedBy: 'ada', description: 'As in git.' },
];

function creditOf(versions: readonly { readonly [member: string]: string }[]) {
  const live = { id: 'c1', name: 'orders', document: { id: 'c1', description: 'Third.' } };
  return creditFor({ live, desired, rules: lenientRules }, versions);
}

test('the users are those who edited since the file was right', () => {
  const named = snapshots.map((snapshot) => ({ id: 'c1', ...snapshot }));
  expect(creditOf(named)).toEqual({
    contract: 'orders',
    file: 'contracts/orders.yaml',
    users: ['zoe', 'mira'],
  });
});

test('the users are the same where the history leaves the id of the contract out', () => {
  expect(creditOf(snapshots).users).toEqual(['zoe', 'mira']);
});
