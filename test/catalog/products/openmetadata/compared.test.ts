import { describe, expect, test } from 'vitest';
import { openmetadata } from '../../../../src/catalog/products/openmetadata/openmetadata.ts';
import { targetDocument } from '../../../../src/contract/equality.ts';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';

/** The field that the live contract becomes, with nothing but that field in it. */
function targetOf(field: string, live: JsonValue, wanted: JsonValue): JsonValue | undefined {
  const document: JsonObject = live === undefined ? { id: 'x' } : { id: 'x', [field]: live };
  const equivalence = { ...openmetadata.equivalence, ignore: [] };
  return targetDocument({ id: 'x', document }, { [field]: wanted }, equivalence, {})[field];
}

const rule = { name: 'r', description: 'd', rule: '{}' };
const answered = {
  ...rule,
  enabled: true,
  ignoredEntities: [],
  provider: 'user',
  inherited: false,
};
const zone = 'GMT+00:00 (Europe/London)';
const day = Date.UTC(2026, 0, 1);

/** A live value, and a file's that asks for nothing. */
const agreeing: readonly (readonly [
  what: string,
  field: string,
  live: JsonValue,
  file: JsonValue,
])[] = [
  ['a rule without what is usual', 'semantics', [answered], [rule]],
  ['a rule with what is usual', 'semantics', [answered], [answered]],
  ['a rule that lacks what is usual', 'semantics', [rule], [{ ...rule, enabled: true }]],
  ['no time zone', 'sla', { timezone: zone }, {}],
  ['the usual time zone', 'sla', {}, { timezone: zone }],
  ['a column without tags', 'schema', [{ name: 'a', tags: [], children: [] }], [{ name: 'a' }]],
  [
    'a name that the server gives',
    'schema',
    [{ name: 'a', fullyQualifiedName: 'x.a' }],
    [{ name: 'a' }],
  ],
  ['terms of use', 'termsOfUse', { content: 'Be kind.', inherited: false }, 'Be kind.'],
  [
    'no policies',
    'security',
    { dataClassification: 'PII', policies: [] },
    { dataClassification: 'PII' },
  ],
  ['a day', 'effectiveFrom', day, '2026-01-01'],
  ['the same instant elsewhere', 'effectiveUntil', day, '2026-01-01T02:00:00+02:00'],
  ['the old word for a status', 'entityStatus', 'Approved', 'Active'],
  ['no status', 'entityStatus', 'Unprocessed', null],
  [
    'a test case by its name',
    'qualityExpectations',
    [{ id: '1', type: 'testCase', name: 't' }],
    [{ name: 't' }],
  ],
];

test.for(agreeing)("%s doesn't count as a change", ([, field, live, file]) => {
  expect(targetOf(field, live, file)).toEqual(live);
});

describe('another value than the usual one is drift that shows', () => {
  const drifted: readonly (readonly [string, JsonValue, JsonValue, JsonValue])[] = [
    ['semantics', [{ ...answered, enabled: false }], [rule], [answered]],
    ['semantics', [{ ...answered, provider: 'system' }], [rule], [answered]],
    [
      'semantics',
      [{ ...answered, ignoredEntities: ['table'] }],
      [rule],
      [without(answered, 'ignoredEntities')],
    ],
    ['sla', { timezone: 'GMT+01:00 (Europe/Paris)' }, {}, { timezone: zone }],
    ['sla', { timezone: 'GMT+01:00 (Europe/Paris)' }, { timezone: null }, { timezone: zone }],
    [
      'schema',
      [{ name: 'a', tags: [{ tagFQN: 'PII.Sensitive' }] }],
      [{ name: 'a' }],
      [{ name: 'a' }],
    ],
    ['schema', [{ name: 'a', dataLength: 99 }], [{ name: 'a' }], [{ name: 'a', dataLength: 1 }]],
  ];
  test.for(drifted)('in %s: %j', ([field, live, file, target]) => {
    expect(targetOf(field, live, file)).toEqual(target);
  });

  test('also where the file gives it and the catalog lacks it', () => {
    const disabled = { ...rule, enabled: false };
    expect(targetOf('semantics', [rule], [disabled])).toEqual([disabled]);
  });
});

describe('what a patch needs is worded so', () => {
  const worded: readonly (readonly [string, JsonValue, JsonValue, JsonValue])[] = [
    ['effectiveFrom', day, '2026-02-01', '2026-02-01T00:00:00.000Z'],
    ['effectiveFrom', day, '2026-01-01T12:30:00.5+01:00', '2026-01-01T11:30:00.500Z'],
    [
      'termsOfUse',
      { content: 'Old.', inherited: false },
      'New.',
      { content: 'New.', inherited: false },
    ],
    ['entityStatus', 'Draft', 'Active', 'Approved'],
    ['entityStatus', 'Draft', null, 'Unprocessed'],
  ];
  test.for(worded)('%s: from %j by %j', ([field, live, file, target]) => {
    expect(targetOf(field, live, file)).toEqual(target);
  });
});

test.for([
  ['effectiveFrom', day, '2026-01-01'],
  ['effectiveFrom', day + 1000, '2026-01-01T00:00:01Z'],
  ['effectiveFrom', '2026-02-01T00:00:00.000Z', '2026-02-01'],
  ['effectiveFrom', 'soon', 'soon'],
  ['effectiveFrom', day * 1e6, day * 1e6],
  ['termsOfUse', { content: 'Be kind.' }, 'Be kind.'],
  ['description', 'As it is.', 'As it is.'],
] as const)('a reader sees %s %j as %j', ([field, value, written]) => {
  expect(openmetadata.asWritten(field, value)).toBe(written);
});

test('no date is tested by a guard, as answers write it otherwise than the server keeps it', () => {
  const fields = ['description', 'effectiveFrom', 'effectiveUntil'];
  expect(fields.filter((field) => openmetadata.isTestable(field))).toEqual(['description']);
});

test.for([
  ['0.1', ['0.2']],
  ['0.4', ['0.4', '0.5']],
  ['0.9', ['0.9', '1.0']],
  ['none', []],
] as const)('after version %s comes one of %j', ([version, expected]) => {
  expect(openmetadata.predictVersions(version, ['schema'])).toEqual(expected);
});

function without(object: JsonObject, member: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}
