import { expect, test } from 'vitest';
import { originIn } from '../../../../src/files/formats/odcs/scope.ts';
import { formatPointer } from '../../../../src/patch/pointer.ts';
import { mapSections } from './mapping.ts';

const [contract] = mapSections(`
  description: { purpose: P }
  slaProperties: [{ property: retention, value: 1, unit: d }]
  schema: [{ name: t, properties: [{ name: a, physicalType: int }] }]`).contracts;

test.each([
  ['description', '/description/purpose', 'purpose'],
  ['schema/0/name', '/schema/0/properties/0/name', undefined],
  ['schema/0/dataType', '/schema/0/properties/0/physicalType', 'physicalType'],
  ['sla/retention/unit', '/slaProperties/0/unit', undefined],
  ['sla/retention/period', '/slaProperties/0/value', 'value'],
  ['sla/maxLatency', '/slaProperties', 'slaProperties'],
  // Of what the file does not have, the nearest parent.
  ['schema/0/tags/1', '/schema/0/properties/0', undefined],
  ['schema/7', '/schema/0/properties', undefined],
  ['description/0', '/description/purpose', undefined],
  ['owners', '/schema/0', undefined],
])('%s comes from %s', (pointer, from, key) => {
  const source = contract && originIn(contract.trace, pointer.split('/'));
  expect(source && formatPointer(source.pointer)).toBe(from);
  expect(source?.key).toBe(key);
});
