import { describe, expect, test } from 'vitest';
import { restateQuality } from '../../../../src/files/formats/odcs/columns.ts';
import { listAt, makeScope, objectsIn } from '../../../../src/files/formats/odcs/scope.ts';
import { defaultOdcsRules } from '../../../../src/files/formats/odcs/settings.ts';
import { importedFields, mapSections, problemsOf, yamlValue } from './mapping.ts';

const settings = { fields: ['schema', 'odcsQualityRules', 'tags'] } as const;

describe('quality rules become one list, in which each names what it is about', () => {
  test.each([
    ['schema: [{ name: t }]', undefined],
    ['schema: [{ name: t, quality: [] }]', '[]'],
    ['schema: [{ name: t, quality: [{ metric: rowCount }] }]', '[{ metric: rowCount, column: t }]'],
    [
      'schema: [{ name: t, properties: [{ name: c, physicalName: C, logicalType: string, quality: [{ id: 1, metric: nullValues, mustBe: 0 }] }] }]',
      '[{ id: 1, metric: nullValues, mustBe: 0, column: C }]',
    ],
    [
      'schema: [{ name: t, properties: [{ name: c, logicalType: array, items: { properties: [{ name: d, logicalType: string, quality: [{ rule: r }] }] } }] }]',
      '[{ rule: r, column: d }]',
    ],
    [
      'schema: [{ name: t, quality: [{ rule: r, column: other }] }]',
      '[{ rule: r, column: other }]',
    ],
    ['quality: [{ rule: r }]\nschema: [{ name: t }]', '[{ rule: r }]'],
    [
      'schema: [{ name: t, quality: [{ query: "SELECT ${x}", customProperties: [], implementation: {} }] }]',
      '[{ query: "SELECT ${x}", column: t }]',
    ],
  ])('%s', (file, expected) => {
    const { odcsQualityRules } = importedFields(file, { settings });
    expect(odcsQualityRules).toEqual(expected && yamlValue(expected));
  });

  test('of several objects each contract has its own', () => {
    const file = `schema:
      - { name: a, quality: [{ metric: rowCount }] }
      - { name: b, quality: [{ metric: nullValues }] }`;
    const rules = mapSections(file, { settings }).contracts.map(
      ({ fields }) => fields['odcsQualityRules'],
    );
    expect(rules).toEqual([
      [{ metric: 'rowCount', column: 'a' }],
      [{ metric: 'nullValues', column: 'b' }],
    ]);
  });

  test('only with `odcsQualityRules` in `odcs.fields`', () => {
    expect(importedFields('schema: [{ name: t, quality: [{ rule: r }] }]')).toEqual({});
  });

  test('and must be lists of mappings', () => {
    const file =
      'schema: [{ name: t, quality: [text], properties: [{ name: c, physicalType: int, quality: none }] }]';
    expect(problemsOf(mapSections(file, { settings }))).toEqual([
      'error wrong-type /schema/0/quality/0',
      'error wrong-type /schema/0/properties/0/quality',
    ]);
  });
});

test.each([
  ['{ name: t }', '[{ rule: r, tags: [], column: t }]', '{ name: t, quality: [{ rule: r }] }'],
  [
    '{ name: t, properties: [{ name: c }] }',
    '[{ rule: r, column: c }]',
    '{ name: t, properties: [{ name: c, quality: [{ rule: r }] }] }',
  ],
  ['{ name: t }', '[{ rule: r, column: x }]', '{ name: t, quality: [{ rule: r, column: x }] }'],
  ['{ name: t, quality: [{ rule: r }] }', '[]', '{ name: t, quality: [] }'],
  [
    '{ name: t, quality: [{ metric: rowCount, tags: [] }] }',
    '[{ type: library, metric: rowCount, validValues: [], column: t }]',
    '{ name: t, quality: [{ metric: rowCount, tags: [] }] }',
  ],
  [
    '{ name: t, quality: [{ rule: r, mustBe: 1, customProperties: [{ property: x }] }, { rule: s }] }',
    '[{ rule: s, column: t }, { rule: r, mustBe: 2, column: t }]',
    '{ name: t, quality: [{ rule: s }, { rule: r, mustBe: 2, customProperties: [{ property: x }] }] }',
  ],
  [
    '{ name: t, quality: [{ metric: rowCount, mustBe: 1, customProperties: [{ property: ann }] }, { metric: rowCount, mustBe: 2, customProperties: [{ property: bob }] }] }',
    '[{ metric: rowCount, mustBe: 1, column: t }, { metric: rowCount, mustBe: 3, column: t }]',
    '{ name: t, quality: [{ metric: rowCount, mustBe: 1, customProperties: [{ property: ann }] }, { metric: rowCount, mustBe: 3, customProperties: [{ property: bob }] }] }',
  ],
  [
    '{ name: t, quality: [{ metric: rowCount, mustBeLessThan: 9 }, { metric: rowCount, mustBe: 1, tags: [] }] }',
    '[{ metric: rowCount, mustBe: 1, column: t }, { metric: rowCount, mustBeLessThan: 9, column: t }]',
    '{ name: t, quality: [{ metric: rowCount, mustBe: 1, tags: [] }, { metric: rowCount, mustBeLessThan: 9 }] }',
  ],
])('live rules go back to what they are about: %s with live %s', (object, live, after) => {
  const value = { schema: [yamlValue(object)] };
  const scope = makeScope({ value, pointer: [] }, { odcs: defaultOdcsRules });
  const [own] = objectsIn(listAt(scope.document, 'schema'));
  const rules = { odcsQualityRules: yamlValue(live) };
  const restated = restateQuality({ ...scope, object: own }, rules);
  expect(restated).toEqual({ schema: [yamlValue(after)] });
});

test('members of rules that the catalog refuses, and tags of objects, are reported as not synced', () => {
  const file = `schema:
    - name: t
      tags: [finance]
      quality: [{ rule: r, customProperties: [] }]
      properties: [{ name: c, logicalType: string, tags: [PII.None] }]`;
  const { diagnostics } = mapSections(file, { settings });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'of objects and columns tags; of quality rules customProperties: not synced.',
  ]);
});

test.each([
  ['tags: [PII.None, a.b]', { tags: [{ tagFQN: 'PII.None' }, { tagFQN: 'a.b' }] }],
  ['tags: []', { tags: null }],
  ['', {}],
])('tags of columns: %s', (members, expected) => {
  const file = `schema: [{ name: t, properties: [{ name: c, physicalType: int, ${members} }] }]`;
  const { schema } = importedFields(file, { settings });
  expect(schema).toEqual([{ name: 'c', dataType: 'INT', ...expected }]);
});
