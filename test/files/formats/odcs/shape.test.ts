import type { OdcsField } from '../../../../src/files/formats/odcs/settings.ts';
import { describe, expect, test } from 'vitest';
import { mapSections, mapValue, problemsOf } from './mapping.ts';

const problems = (text: string, fields?: readonly OdcsField[]): string[] =>
  problemsOf(mapSections(text, { settings: fields && { fields } }));
const messages = (text: string): string[] =>
  mapSections(text)
    .diagnostics.filter(({ code }) => code !== 'not-synced')
    .map(({ message, hint }) => `${message} ${hint}`);

describe('a mapped member of another shape is an error', () => {
  test.each([
    ['status: 1', '/status'],
    ['description: [a]', '/description'],
    ['description: { purpose: 1 }', '/description/purpose'],
    ['servers: {}', '/servers'],
    ['servers: [a]', '/servers/0'],
    ['schema: [{ name: 1, physicalName: t }]', '/schema/0/name'],
    ['schema: [{ name: t, properties: {} }]', '/schema/0/properties'],
    ['schema: [{ name: t, properties: [c] }]', '/schema/0/properties/0'],
    ['schema: [{ name: t, properties: [~] }]', '/schema/0/properties/0'],
    [
      'schema: [{ name: t, properties: [{ name: c, physicalType: 9 }] }]',
      '/schema/0/properties/0/physicalType',
    ],
    [
      'schema: [{ name: t, properties: [{ name: c, physicalType: int, required: yes }] }]',
      '/schema/0/properties/0/required',
    ],
    [
      'schema: [{ name: t, properties: [{ name: c, physicalType: int, items: [] }] }]',
      '/schema/0/properties/0/items',
    ],
    [
      'schema: [{ name: t, properties: [{ name: c, physicalType: list, items: { physicalType: struct, properties: [{ name: d, physicalType: int, unique: 1 }] } }] }]',
      '/schema/0/properties/0/items/properties/0/unique',
    ],
    [
      'schema: [{ name: t, properties: [{ name: c, logicalType: string, logicalTypeOptions: { maxLength: "8" } }] }]',
      '/schema/0/properties/0/logicalTypeOptions/maxLength',
    ],
    ['schema: [{ name: t, properties: [{ name: 2024 }] }]', '/schema/0/properties/0/name'],
    ['slaProperties: {}', '/slaProperties'],
    ['slaProperties: [retention]', '/slaProperties/0'],
    ['slaProperties: [{ property: [retention], value: 1 }]', '/slaProperties/0/property'],
  ])('%s', (text, pointer) => {
    const withObject = text.startsWith('schema') ? text : `${text}\nschema: [{ name: t }]`;
    const mapping = mapSections(withObject);
    expect(problemsOf(mapping)).toEqual([`error wrong-type ${pointer}`]);
    expect(mapping.contracts).toEqual([]);
  });

  test('even if it is all of the schema', () => {
    expect(problems('schema: [t]')).toEqual([
      'error wrong-type /schema/0',
      'error no-object /schema',
    ]);
    expect(problems('schema: t')).toEqual(['error wrong-type /schema']);
    expect(problems('schema: { t: {} }')).toEqual(['error wrong-type /schema']);
  });

  test('unless its field is not managed', () => {
    const text = 'slaProperties: {}\nschema: [{ name: t, properties: {} }]';
    expect(problems(text, ['schema'])).toEqual(['error wrong-type /schema/0/properties']);
    expect(problems(text, ['sla'])).toEqual(['error wrong-type /slaProperties']);
  });

  test('of one object only where it is within one', () => {
    const { contracts } = mapSections(
      'schema: [{ name: a, properties: [{ name: 1 }] }, { name: b, properties: [] }]',
    );
    expect(contracts.map(({ pointer }) => pointer)).toEqual([['schema', '1']]);
  });
});

test.each([
  ['status: 1\nschema: [{ name: t }]', '`status` must be text, not a number. Quote it.'],
  [
    'schema: [{ name: t, properties: [{ name: c, physicalType: int, unique: no }] }]',
    '`unique` must be true or false, not text. Write true or false: "no" is text in YAML 1.2, and a flag only in YAML 1.1.',
  ],
  [
    'schema: [{ name: t, properties: [{ name: c, physicalType: int, unique: "true" }] }]',
    '`unique` must be true or false, not text. Write true or false, without quotes.',
  ],
  [
    'slaProperties: [retention]\nschema: [{ name: t }]',
    'An item of `slaProperties` must be a mapping, not text. Write `key: value` for each of its members.',
  ],
  [
    'schema: [{ name: t, properties: c }]',
    '`properties` must be a list, not text. Begin each item with a hyphen and a space.',
  ],
])('a message names the expected shape, with a hint: %s', (text, message) => {
  expect(messages(text)).toEqual([message]);
});

test("a member that isn't mapped may have any shape", () => {
  const text = `
    version: 1.0
    tags: a
    price: free
    roles: {}
    team: x
    schema:
      - { name: t, tags: a, properties: [{ name: c, physicalType: int, tags: a, examples: 1 }] }
      - { name: u, tags: a }`;
  expect(problems(text)).toEqual([]);
  expect(problems(text, ['owners'])).toEqual(['error wrong-type /team']);
});

test('null is as good as absent', () => {
  const text = `
    name: ~
    status: ~
    description: { purpose: ~ }
    tags: ~
    team: ~
    slaProperties: ~
    schema: [{ name: t, physicalName: ~, description: ~, properties: [{ name: c, physicalType: ~, logicalType: string, required: ~ }] }]`;
  expect(problems(text)).toEqual([]);
});

test.each([[[]], ['text'], [null]])('a document without keys holds no contract: %j', (value) => {
  const { contracts, diagnostics } = mapValue(value);
  expect(contracts).toEqual([]);
  expect(problemsOf({ diagnostics })).toEqual(['error wrong-type ']);
});

const notSyncedLine = (text: string): string | undefined =>
  mapSections(text).diagnostics.find(({ code }) => code === 'not-synced')?.message;

describe('a list of the members that are not synced', () => {
  test('is reported in one line', () => {
    const text = `
      roles: [{ role: r }]
      support: [{ channel: c }]
      tags: []
      description: { purpose: P }
      team: { members: [] }
      slaProperties: [{ property: availability, value: 99 }, { property: latency, value: 1, unit: h }]
      schema:
        - name: t
          description: D
          quality: [{ type: sql }]
          properties:
            - { name: a, physicalType: int, partitioned: false, classification: secret, quality: [{ type: text }, { type: text }] }
            - { name: b, physicalType: list, items: { physicalType: int, quality: [{ type: text }], businessName: B } }
            - { name: c, physicalType: text, logicalTypeOptions: { maxLength: 3 } }
            - { name: d, physicalType: text, logicalTypeOptions: { pattern: x } }`;
    expect(notSyncedLine(text)).toBe(
      'roles, support, team; of objects and columns businessName, classification, description, logicalTypeOptions, quality; of the SLA availability: not synced.',
    );
  });

  test('is nothing where all is synced', () => {
    expect(
      notSyncedLine('status: draft\nschema: [{ name: t, description: D, properties: [] }]'),
    ).toBeUndefined();
  });

  test('depends on the configured fields', () => {
    const text =
      'status: draft\nteam: { name: x }\ncustomProperties: [{ property: a, value: 1 }]\nschema: [{ name: t }]';
    const { diagnostics } = mapSections(text, {
      settings: { fields: ['owners', 'extension'], extension: ['a'] },
    });
    expect(diagnostics).toMatchObject([
      { message: 'status: not synced.', severity: 'information' },
    ]);
    const withoutNames = mapSections(text, { settings: { fields: ['owners', 'extension'] } });
    expect(withoutNames.diagnostics).toMatchObject([
      { message: 'customProperties, status: not synced.' },
    ]);
  });
});

function unknown(text: string): readonly string[] {
  return mapSections(text)
    .diagnostics.filter(({ code }) => code === 'unknown-key')
    .map(({ message, hint, pointer }) => `/${pointer.join('/')} ${message} ${hint}`);
}

function listed(keys: string): string {
  return keys.replaceAll(/\w+/gu, '$&: ~,');
}

describe('a misspelt key', () => {
  test('in whose place a mapped one is absent is an error with that one', () => {
    const text = `
      slaPropertys: []
      description: { purpos: x }
      slaProperties: [{ property: retention, value: 1, unity: d }]
      schema:
        - name: t
          physicalname: u
          properties:
            - { name: a, logcalType: string }
            - { name: b, physicaltype: int, logicalTypeOptions: { maxlength: 3 } }
            - { name: d, physicalType: list, items: { propertys: [{ Name: e }] } }`;
    expect(unknown(text)).toEqual([
      '/description/purpos Unknown key "purpos" in `description`. Did you mean "purpose"?',
      '/slaProperties/0/unity Unknown key "unity" in `slaProperties`. Did you mean "unit"?',
      '/schema/0/physicalname Unknown key "physicalname" in `schema`. Did you mean "physicalName"?',
      '/schema/0/properties/0/logcalType Unknown key "logcalType" in `properties`. Did you mean "logicalType"?',
      '/schema/0/properties/1/physicaltype Unknown key "physicaltype" in `properties`. Did you mean "physicalType"?',
      '/schema/0/properties/1/logicalTypeOptions/maxlength Unknown key "maxlength" in `logicalTypeOptions`. Did you mean "maxLength"?',
      '/schema/0/properties/2/items/propertys Unknown key "propertys" in `items`. Did you mean "properties"?',
    ]);
  });

  test('is listed as not synced where the mapped one is there too, or its field is not managed', () => {
    const text =
      'statuses: x\nschema: [{ name: t, properties: [{ name: c, physicaltype: int, physicalType: int }] }]';
    const { diagnostics } = mapSections(text, { settings: { fields: ['schema'] } });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      'statuses; of objects and columns physicaltype: not synced.',
    ]);
  });

  test('leaves out the contract of each object that has it', () => {
    const { contracts } = mapSections(
      'schema: [{ name: s, propertes: [] }, { name: t, propertes: [] }, { name: u }]',
    );
    expect(contracts.map(({ pointer }) => pointer)).toEqual([['schema', '2']]);
  });

  test("isn't suspected in a key that a release of ODCS has", () => {
    const element = 'id description businessName deprecated synonyms authoritativeDefinitions tags';
    const column = `primaryKeyPosition semanticType partitioned partitionKeyPosition classification
      encryptedName transformSourceObjects enum transformLogic transformDescription examples
      criticalDataElement relationships map xOwn`;
    const options = `minLength pattern format exclusiveMaximum exclusiveMinimum maximum minimum
      multipleOf timezone defaultTimezone maxProperties minProperties required maxItems minItems
      uniqueItems dimensions elementType distanceMetric normalized embeddingModel embeddingModelVersion`;
    const text = `${listed('id version domain tenant dataProduct contractCreatedTs slaDefaultElement authoritativeDefinitions roles support tags price context').replaceAll(',', '\n')}
      slaProperties: [{ property: retention, id: a, valueExt: b, description: c, scheduler: d, schedule: e, driver: f }]
      schema: [{ name: t, ${listed(`${element} logicalType physicalType context relationships dataGranularityDescription`)}
      properties: [{ name: a, ${listed(`${element} ${column}`)} logicalTypeOptions: { ${listed(options)} } }] }]`;
    expect(unknown(text)).toEqual([]);
  });
});
