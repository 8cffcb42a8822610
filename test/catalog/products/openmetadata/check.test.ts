import { describe, expect, test } from 'vitest';
import { openmetadata } from '../../../../src/catalog/products/openmetadata/openmetadata.ts';
import { standard } from '../../../../src/catalog/products/standard.ts';
import type { JsonObject, JsonValue } from '../../../../src/core/json.ts';
import { readOptionsOf } from '../../../../src/config/settings.ts';
import { adoptConventions } from '../../../../src/plan/rules.ts';
import { lenientRules } from '../../../support/rules.ts';
import { defaultOdcsRules } from '../../../../src/files/formats/odcs/settings.ts';

/** The problems of fields, one line each. */
function problemsOf(fields: JsonObject): string[] {
  return openmetadata
    .checkFields(fields)
    .map(
      ({ code, pointer, message, hint }) =>
        `${code} /${pointer.join('/')} ${message} ${hint ?? ''}`,
    );
}

const column = (members: JsonObject): JsonObject => ({
  schema: [{ name: 'a', dataType: 'INT', ...members }],
});
const rule = (members: JsonObject): JsonObject => ({
  semantics: [{ name: 'r', description: 'd', rule: '{}', ...members }],
});

test.for<[string, JsonObject, string]>([
  [
    'a type in small letters',
    column({ dataType: 'bigint' }),
    'The catalog has no dataType "bigint". Did you mean "BIGINT"?',
  ],
  ['a type that is none', column({ dataType: 'OBJECT-LIKE' }), 'Use a data type of the catalog.'],
  [
    'a nested type',
    column({ dataType: 'STRUCT', children: [{ name: 'b', dataType: 'string ' }] }),
    '/schema/0/children/0/dataType',
  ],
  ['a constraint', column({ constraint: 'PRIMARY KEY' }), 'Did you mean "PRIMARY_KEY"?'],
  [
    'a constraint far from any',
    column({ constraint: 'X' }),
    'Write NULL, NOT_NULL, UNIQUE, PRIMARY_KEY.',
  ],
  [
    'a length as text',
    column({ dataLength: '80' }),
    'wrong-type /schema/0/dataLength `dataLength` must be a whole number. Remove the quotes.',
  ],
  [
    'a length that is no whole number',
    column({ dataLength: 2.5 }),
    'Use a whole number up to 2147483647.',
  ],
  ['a length that is too large', column({ dataLength: 3_000_000_000 }), 'must be a whole number'],
  [
    'a description that is a number',
    column({ description: 7 }),
    '`description` must be text. Quote it.',
  ],
  [
    'an unknown key of a column',
    column({ datatype: 'INT' }),
    'unknown-key /schema/0/datatype Unknown key "datatype" in `schema`. Did you mean "dataType"?',
  ],
  [
    'a type with its length',
    column({ dataType: 'varchar(32)' }),
    'Write `dataType: VARCHAR` and `dataLength: 32`.',
  ],
  [
    'a type with its precision',
    column({ dataType: 'DECIMAL(10, 2)' }),
    'Write `dataType: DECIMAL`, `precision: 10`, `scale: 2`.',
  ],
  [
    'an unknown key of a rule',
    rule({ colour: 'blue' }),
    'The catalog knows name, description, rule, enabled',
  ],
  [
    'true as text',
    rule({ enabled: 'false' }),
    '`enabled` must be true or false. Write it without quotes.',
  ],
  [
    'a rule that is a mapping',
    rule({ rule: { '>': [1, 0] } }),
    '`rule` must be text. Write it on one line, in single quotes.',
  ],
  [
    'a tree that is no JSON',
    rule({ jsonTree: '{"id": ' }),
    '`jsonTree` must be JSON as text. Check its quotes, commas and brackets.',
  ],
  [
    'a unit',
    { sla: { refreshFrequency: { interval: 1, unit: 'minute' } } },
    '/sla/refreshFrequency/unit The catalog has no unit "minute". Write hour, day, week, month, year.',
  ],
  [
    'a unit in the plural',
    { sla: { maxLatency: { value: 4, unit: 'hours' } } },
    'Did you mean "hour"?',
  ],
  [
    'a unit of retention',
    { sla: { retention: { period: 1, unit: 'hour' } } },
    'Write day, week, month, year.',
  ],
  [
    'a number as text',
    { sla: { maxLatency: { value: '5', unit: 'hour' } } },
    '`value` must be a whole number. Remove the quotes.',
  ],
  ['a time zone', { sla: { timezone: 'UTC' } }, 'Write it like "GMT+00:00 (Europe/London)".'],
  [
    'a time zone by its place',
    { sla: { timezone: 'Europe/Paris' } },
    'Did you mean "GMT+01:00 (Europe/Paris)"?',
  ],
  [
    'a time zone with the offset of another',
    { sla: { timezone: 'GMT+02:00 (Europe/Paris)' } },
    'Did you mean "GMT+01:00 (Europe/Paris)"?',
  ],
  [
    'an unknown provider of a rule',
    { semantics: [{ name: 'r', provider: 'me' }] },
    'Write system, user, automation.',
  ],
  ['an item that is no mapping', { semantics: ['r'] }, '`semantics[0]` must be a mapping.'],
  ['an item without a value', { schema: [null] }, '`schema[0]` must be a value.'],
  ['a column without a name', { schema: [{ dataType: 'INT' }] }, '`schema[0]` needs a `name`.'],
  ['tags that are a word', column({ tags: 'PII' }), '`tags` must be a list.'],
  ['children that are a word', column({ children: 'city' }), '`children` must be a list.'],
  ['a nested type', column({ children: [{ name: 'c', dataType: 'int' }] }), 'Did you mean "INT"?'],
  ['a number in a list of texts', rule({ ignoredEntities: [1] }), '`ignoredEntities[0]` must be'],
  ['a period in words', { sla: { maxLatency: '4 hours' } }, '`maxLatency` must be a mapping.'],
  ['a classification that is a number', { security: { dataClassification: 3 } }, 'must be text.'],
  ['a policy in words', { security: { policies: ['all'] } }, '`policies[0]` must be a mapping.'],
  ['identities that are a word', { security: { policies: [{ identities: 'a' }] } }, 'a list.'],
  [
    'a value of a row filter that is a number',
    { security: { policies: [{ rowFilters: [{ columnName: 'id', values: [1] }] }] } },
    '`values[0]` must be text.',
  ],
  [
    'a NUL',
    { description: 'a\0b' },
    "`description` contains a character that the catalog can't store.",
  ],
  ['half of a character', column({ description: '\uD83D' }), '`schema.0.description` contains'],
  [
    'an owner with an empty name',
    { owners: [{ type: 'user', name: '' }] },
    'not-a-reference /owners/0',
  ],
  [
    'a time that is a number',
    { sla: { availabilityTime: 540 } },
    '`availabilityTime` must be text.',
  ],
  [
    'a key that is nearly one of the sla',
    { sla: { refreshfrequency: {} } },
    'Did you mean "refreshFrequency"?',
  ],
  ['a date', { effectiveFrom: 'soon' }, 'invalid-date /effectiveFrom "soon" is not a date.'],
  ['a day that no calendar has', { effectiveUntil: '2026-02-30' }, 'is not a date'],
  ['a time without a zone', { effectiveUntil: '2026-02-03T10:00:00' }, 'or a time with its zone'],
])('%s is an error with its place and what to write', ([, fields, says]) => {
  const problems = problemsOf(fields);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(says);
});

test.for<[string, JsonObject]>([
  [
    'what the catalog takes',
    {
      ...column({ dataType: 'VARCHAR', dataLength: 80, constraint: 'UNIQUE' }),
      ...rule({ enabled: false, jsonTree: '{}' }),
    },
  ],
  ['nulls', column({ constraint: null, dataLength: null })],
  ['unknown members of the sla', { sla: { colour: 'blue' } }],
  ['a rule in words', rule({ rule: 'amount is positive' })],
  ['open parts', { security: { anything: [1] }, extension: { costCentre: 4711 } }],
  ['shapes that others check', { schema: 'none', semantics: 7, sla: [] }],
])('%s is good', ([, fields]) => {
  expect(problemsOf(fields)).toEqual([]);
});

function needed(fields: JsonObject): readonly string[] | undefined {
  return openmetadata.creation?.checkNew(fields).map(({ message }) => message);
}

test('a contract that is to be created must have what a create request needs', () => {
  expect(
    needed({
      schema: [{ name: 'a', children: [{ dataType: 'INT' }] }],
      semantics: [{ name: 'r' }],
      sla: { maxLatency: { value: 4 }, retention: null },
    }),
  ).toEqual([
    '`schema[0]` needs a `dataType`.',
    '`children[0]` needs a `name`.',
    '`semantics[0]` needs a `description`.',
    '`semantics[0]` needs a `rule`.',
    '`maxLatency` needs a `unit`.',
  ]);
  expect(needed({ ...column({}), ...rule({}), sla: {}, description: null })).toEqual([]);
});

test('nearly a key of the sla is a warning: the server keeps it', () => {
  expect(openmetadata.checkFields({ sla: { retentions: {} } })).toMatchObject([
    { severity: 'warning' },
  ]);
});

describe('the documented interface', () => {
  test.for([
    'termsOfUse',
    'security',
    'effectiveFrom',
    'effectiveUntil',
    'sourceUrl',
    'qualityExpectations',
    'odcsQualityRules',
  ])('has no %s', (field) => {
    expect(standard.checkFields({ [field]: null })).toMatchObject([
      { code: 'field-not-in-interface', severity: 'error', pointer: [field] },
    ]);
  });

  test('has the others', () => {
    expect(standard.checkFields({ displayName: 'Orders', schema: [{ dataType: 'any' }] })).toEqual(
      [],
    );
  });
});

function check(live: JsonObject, target: JsonObject) {
  return openmetadata.checkChange(live, target);
}

describe('a change', () => {
  const reviewers: JsonValue = [{ type: 'user', name: 'mira', id: '1' }];

  test.for(['Approved', 'Rejected'])(
    'from In Review to %s needs a reviewer, if there are any',
    (to) => {
      const live = { entityStatus: 'In Review', reviewers };
      expect(check(live, { ...live, entityStatus: to })).toMatchObject([
        {
          code: 'needs-reviewer',
          severity: 'warning',
          message: `Only a reviewer of the contract can move it from In Review to ${to}: user mira.`,
        },
      ]);
      const alone = { ...live, reviewers: [] };
      expect(check(alone, { ...alone, entityStatus: to })).toEqual([]);
    },
  );

  test('whose reviewers are not known may need one', () => {
    expect(check({ entityStatus: 'In Review' }, { entityStatus: 'Approved' })).toMatchObject([
      { code: 'needs-reviewer', severity: 'information' },
    ]);
  });

  test('of any other status needs no reviewer', () => {
    const live = { entityStatus: 'Draft', reviewers };
    expect(check(live, { ...live, entityStatus: 'Approved' })).toEqual([]);
  });

  test('cannot add a test case by its name', () => {
    const target = {
      qualityExpectations: [
        { id: '1', name: 'old' },
        { type: 'testCase', name: 'new' },
      ],
    };
    expect(check({}, target)).toMatchObject([
      { code: 'unknown-reference', severity: 'error', pointer: ['qualityExpectations', '1'] },
    ]);
  });
});

const readBy = (statuses?: readonly string[]) => {
  const lifecycle = statuses ? { statuses } : {};
  const rules = adoptConventions({ ...lenientRules, lifecycle }, openmetadata);
  return readOptionsOf({ rules, odcs: defaultOdcsRules, product: openmetadata });
};

test('files may say Archived, as may ODCS where the lifecycle has it', () => {
  const { statuses, odcs } = readBy();
  expect([statuses?.includes('Archived'), odcs?.run.later]).toEqual([true, ['Archived']]);
  expect(readBy(['Draft', 'Archived']).odcs?.run.later).toEqual([]);
});
