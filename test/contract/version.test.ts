import { expect, test } from 'vitest';
import { formatVersion, predictVersions } from '../../src/contract/contract.ts';

test.for([
  [0.1, '0.1'],
  [1, '1.0'],
  [10, '10.0'],
  ['2', '2.0'],
  ['0.2', '0.2'],
] as const)('the version %j is written %s', ([version, text]) => {
  expect(formatVersion(version)).toBe(text);
});

test.for([
  { version: '0.1', fields: ['description'], next: ['0.2'] },
  { version: '0.2', fields: ['entityStatus'], next: ['1.0'] },
  { version: '0.2', fields: ['schema', 'schema'], next: ['1.0'] },
  { version: '0.1', fields: ['description', 'entityStatus'], next: ['0.2', '1.0'] },
  { version: '0.9', fields: ['sla'], next: ['1.0'] },
  { version: '1.2', fields: ['owners'], next: ['1.3'] },
  { version: '2.9', fields: ['schema'], next: ['3.0'] },
  { version: 'unheard of', fields: ['schema'], next: [] },
])('a change of $fields at $version leads to $next', ({ version, fields, next }) => {
  expect(predictVersions(version, fields)).toEqual(next);
});
