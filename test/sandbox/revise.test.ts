import { fc, test as property } from '@fast-check/vitest';
import { expect, test } from 'vitest';
import { nextVersion } from '../../src/sandbox/contract.ts';

test.each<[number, string[], number]>([
  [0.1, ['description'], 0.2],
  [0.1, ['displayName', 'semantics', 'sla', 'owners'], 0.2],
  [0.2, ['entityStatus'], 1],
  [0.2, ['schema'], 1],
  [0.2, ['entity'], 1],
  [1, ['entity', 'entityStatus', 'schema'], 2],
  [1, ['description'], 1.1],
  // The one mixed change that the interface shows (§3).
  [0.1, ['description', 'entityStatus'], 0.2],
  // A decimal number: what follows 0.9 is 1.0.
  [0.9, ['description'], 1],
])('version %d with a change of %j is followed by %d', (version, changed, next) => {
  expect(nextVersion(version, changed)).toBe(next);
});

property.prop([
  fc.nat({ max: 1_000_000 }),
  fc.array(fc.constantFrom('description', 'sla', 'entityStatus', 'schema'), { minLength: 1 }),
])('a version always grows, and keeps to one decimal', (tenths, changed) => {
  const next = nextVersion(tenths / 10, changed);
  expect(next).toBeGreaterThan(tenths / 10);
  expect(String(next)).toMatch(/^\d+(\.\d)?$/u);
});
