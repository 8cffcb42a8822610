import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DesiredContract, Identity } from '../../src/contract/contract.ts';
import { sortDiagnostics } from '../../src/core/diagnostic.ts';
import { createMatcher } from '../../src/plan/match.ts';
import { desiredOf, liveOf } from './contracts.ts';

function file(name: string, identity: Identity): DesiredContract {
  return { ...desiredOf({}), identity, source: { file: name, line: 1, column: 1 } };
}

test('the strongest identity decides, and a contract that no file means has none', () => {
  const byName = file('name.yaml', { fullyQualifiedName: 'shop.a' });
  const byId = file('id.yaml', { id: '2' });
  const matcher = createMatcher([byName, byId, file('gone.yaml', { id: '9' })]);
  expect(matcher.match(liveOf({ id: '1', fullyQualifiedName: 'shop.a' }))).toBe(byName);
  expect(matcher.match(liveOf({ id: '2', fullyQualifiedName: 'shop.b' }))).toBe(byId);
  expect(matcher.match(liveOf({ id: '3', fullyQualifiedName: 'shop.c' }))).toBeUndefined();
  expect(matcher.unmatched().map(({ source }) => source.file)).toEqual(['gone.yaml']);
  expect(matcher.diagnostics()).toEqual([]);
});

test('what is ambiguous is told alike, in whatever order the contracts come', () => {
  const entity = { id: 'e', type: 'table' };
  const desired = [
    file('a.yaml', { name: 'orders', entity }),
    file('b.yaml', { id: '2' }),
    file('c.yaml', { fullyQualifiedName: 'shop.3' }),
  ];
  const lives = ['1', '2', '3', '4'].map((id) =>
    liveOf({ id, name: 'orders', fullyQualifiedName: `shop.${id}`, entity }),
  );
  const diagnose = (order: typeof lives) => {
    const matcher = createMatcher(desired);
    for (const live of order) matcher.match(live);
    return sortDiagnostics(matcher.diagnostics());
  };
  expect(diagnose(lives).map(({ code, source }) => [source?.file, code])).toEqual([
    ['a.yaml', 'ambiguous-identity'],
    ['a.yaml', 'contract-claimed-twice'],
    ['a.yaml', 'contract-claimed-twice'],
  ]);
  expect(diagnose(lives)[0]?.message).toContain('several live contracts: 1, 2, 3, 4.');
  fc.assert(
    fc.property(fc.shuffledSubarray(lives, { minLength: 4 }), (order) => {
      expect(diagnose(order)).toEqual(diagnose(lives));
    }),
  );
});
