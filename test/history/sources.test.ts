import { expect, test } from 'vitest';
import { comparableCommits } from '../../src/commands/history.ts';
import type { DesiredContract } from '../../src/contract/contract.ts';
import type { FilePast } from '../../src/files/past.ts';
import { findProvenance } from '../../src/history/reason.ts';
import { defaultRules } from '../../src/plan/rules.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';
import { at, versionsOf } from './histories.ts';

test('a version of a contract that swapped its name with another is from the file of its name then', () => {
  const states = [
    { fullyQualifiedName: 'shop.b', description: 'One.' },
    { fullyQualifiedName: 'shop.a', description: 'Three.' },
  ];
  const commits = [
    commit('c2', 0.5, [declared('shop.a', 'Three.'), declared('shop.b', 'Four.')]),
    commit('c1', -0.5, [declared('shop.a', 'Two.'), declared('shop.b', 'One.')]),
  ];
  const contract = {
    live: liveOf(states[1]),
    desired: declared('shop.a', 'Three.'),
  };
  const versions = versionsOf(states);
  const known = { past: () => ({ commits }), snapshots: states, rules: defaultRules };
  const comparable = comparableCommits(versions, contract, known);
  expect(findProvenance(versions, comparable, defaultRules)).toEqual([
    { kind: 'git', commit: 'c2', author: 'Ada' },
    { kind: 'git', commit: 'c1', author: 'Ada' },
  ]);
});

function declared(name: string, description: string): DesiredContract {
  return { ...desiredOf({ description }), identity: { fullyQualifiedName: name } };
}

function commit(
  id: string,
  hours: number,
  contracts: readonly DesiredContract[],
): FilePast['commits'][number] {
  return { commit: id, author: 'Ada', time: at(hours), contracts, isDeleted: false };
}
