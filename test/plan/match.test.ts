import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DesiredContract, Identity, LiveContract } from '../../src/contract/contract.ts';
import { indexFiles } from '../../src/contract/identity.ts';
import { sortDiagnostics } from '../../src/core/diagnostic.ts';
import { matchContracts, type Revisions } from '../../src/plan/pair.ts';
import { desiredOf, liveOf } from '../support/contracts.ts';

function file(name: string, identity: Identity): DesiredContract {
  return { ...desiredOf({}), identity, source: { file: name, line: 1, column: 1 } };
}

function match(
  desired: readonly DesiredContract[],
  contracts: readonly LiveContract[],
  revisions: Revisions = {},
) {
  return matchContracts(desired, indexFiles(desired), { contracts, deleted: [] }, revisions);
}

test('the strongest identity decides which file a contract has', () => {
  const byName = file('name.yaml', { fullyQualifiedName: 'shop.a' });
  const byId = file('id.yaml', { id: '2' });
  const { pairs, diagnostics } = match(
    [byName, byId, file('gone.yaml', { id: '9' })],
    [
      liveOf({ id: '1', fullyQualifiedName: 'shop.a' }),
      liveOf({ id: '2', fullyQualifiedName: 'shop.b' }),
      liveOf({ id: '3', fullyQualifiedName: 'shop.c' }),
    ],
  );
  expect(pairs.map(({ live, desired }) => [live?.id, desired?.source.file])).toEqual([
    ['1', 'name.yaml'],
    ['2', 'id.yaml'],
    ['3', undefined],
    [undefined, 'gone.yaml'],
  ]);
  expect(diagnostics).toEqual([]);
});

test('an ambiguous identity gives the same error in any order of the contracts', () => {
  const entity = { id: 'e', type: 'table' };
  const desired = [
    file('a.yaml', { name: 'orders', entity }),
    file('b.yaml', { id: '2' }),
    file('c.yaml', { fullyQualifiedName: 'shop.3' }),
  ];
  const lives = ['1', '2', '3', '4'].map((id) =>
    liveOf({ id, name: 'orders', fullyQualifiedName: `shop.${id}`, entity }),
  );
  const diagnose = (order: typeof lives) => sortDiagnostics(match(desired, order).diagnostics);
  expect(diagnose(lives).map(({ code, source }) => [source?.file, code])).toEqual([
    ['a.yaml', 'ambiguous-identity'],
    ['a.yaml', 'duplicate-contract'],
    ['a.yaml', 'duplicate-contract'],
  ]);
  expect(diagnose(lives)[0]?.message).toContain('several live contracts: 1, 2, 3, 4.');
  fc.assert(
    fc.property(fc.shuffledSubarray(lives, { minLength: 4 }), (order) => {
      expect(diagnose(order)).toEqual(diagnose(lives));
    }),
  );
});

function revisionOf(revision: string, contracts: readonly DesiredContract[]) {
  return { revision, commit: revision, isHead: false, contracts };
}

test('the plain base names the file that a contract had, a later base does not', () => {
  const carts = liveOf({ id: '1', fullyQualifiedName: 'shop.carts' });
  const returns = liveOf({ id: '2', fullyQualifiedName: 'shop.returns' });
  const returned = file('returns.yaml', { fullyQualifiedName: 'shop.returns' });
  const bases = [
    revisionOf('main', [file('carts.yaml', { fullyQualifiedName: 'shop.carts' })]),
    { ...revisionOf('later', [returned]), appliesTo: ({ id }: { id: string }) => id === '2' },
  ];
  const { pairs } = match([], [carts, returns], { bases });
  expect(pairs).toMatchObject([
    { base: { commit: 'main' }, hadFile: { file: 'carts.yaml', until: 'main' } },
    { base: { commit: 'later', declared: returned } },
  ]);
  expect(pairs[1]).toHaveProperty('hadFile', undefined);
});

test('a file that matches all contracts of a long list by their asset takes no longer than others', () => {
  const entity = { fullyQualifiedName: 'shop.orders' };
  const lives = Array.from({ length: 150_000 }, (_, index) => liveOf({ id: `${index}`, entity }));
  const [problem] = match([file('orders.yaml', { entity })], lives).diagnostics;
  expect(problem).toMatchObject({ code: 'ambiguous-identity' });
});
