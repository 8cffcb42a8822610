import { describe, expect, test } from 'vitest';
import { importedFields, type MapOptions, mapSections, problemsOf } from './mapping.ts';

const openmetadata = ['Draft', 'In Review', 'Approved', 'Deprecated', 'Rejected', 'Unprocessed'];

describe('the status', () => {
  test.each([
    ['draft', undefined, 'Draft'],
    ['proposed', undefined, 'Draft'],
    ['active', undefined, 'Active'],
    [' ACTIVE ', undefined, 'Active'],
    ['deprecated', undefined, 'Deprecated'],
    ['retired', undefined, 'Deprecated'],
    ['active', openmetadata, 'Approved'],
    ['retired', openmetadata, 'Deprecated'],
    ['retired', [...openmetadata, 'Archived'], 'Archived'],
  ])('%s in the lifecycle %j is %s', (word, statuses, status) => {
    expect(importedFields(`status: "${word}"`, { statuses })).toEqual({
      entityStatus: status,
    });
  });

  test('can be any word of the configuration, which beats the known words', () => {
    const settings = { status: { 'In Development': 'Draft', active: 'Published' } };
    expect(importedFields('status: in  development', { settings })).toEqual({
      entityStatus: 'Draft',
    });
    expect(importedFields('status: active', { settings })).toEqual({ entityStatus: 'Published' });
  });

  test.each([
    ['current', undefined, 'odcs.status: { "current": Draft }'],
    ['actve', undefined, 'Did you mean "active"?'],
    ['rejected', openmetadata, 'odcs.status: { "rejected": Rejected }'],
    ['constructor', undefined, 'odcs.status'],
  ])('of another word is an error with a hint: %s', (word, statuses, hint) => {
    const { contracts, diagnostics } = mapSections(`status: ${word}\nschema: [{ name: t }]`, {
      statuses,
    });
    expect(contracts).toEqual([]);
    expect(problemsOf({ diagnostics })).toEqual(['error unknown-status /status']);
    expect(diagnostics[0]?.hint).toContain(hint);
  });

  test('must be one that the lifecycle has', () => {
    const options: MapOptions = { statuses: ['Draft', 'Live'] };
    expect(problemsOf(mapSections('status: active\nschema: [{ name: t }]', options))).toEqual([
      'error unknown-status /status',
    ]);
  });

  test.each(['', 'status: null', 'status: ~'])(
    'is not managed where it is not stated: %j',
    (text) => {
      expect(importedFields(text)).toEqual({});
    },
  );

  test('of a draft agrees with what OpenMetadata exports as draft', () => {
    const [contract] = mapSections('status: proposed\nschema: [{ name: t }]').contracts;
    expect(contract?.coarse).toEqual([
      { pointer: ['entityStatus'], agrees: ['In Review', 'Rejected', 'Unprocessed'] },
    ]);
    const [active] = mapSections('status: active\nschema: [{ name: t }]').contracts;
    expect(active?.coarse).toEqual([]);
  });
});

describe('the description', () => {
  const all = 'P\n\n**Limitations:**\nL\n\n**Usage:**\nU';
  test.each([
    ['description: { usage: U, purpose: P, limitations: L }', all],
    ['description: { purpose: P, usage: U }', 'P\n\n**Usage:**\nU'],
    ['description: { usage: U }', 'U'],
    ['description: { limitations: L, usage: U }', 'L\n\n**Usage:**\nU'],
    ['description: { purpose: "", limitations: L }', 'L'],
    ['description: { purpose: ~, usage: U }', 'U'],
    ['description: { purpose: P, limitations: "", usage: " " }', 'P'],
    ['description: { purpose: P, limitations: "", usage: U }', 'P\n\n**Usage:**\nU'],
    ['description: A mere text.', 'A mere text.'],
    ['description: " P "', ' P '],
  ])('%s is the text that OpenMetadata imports', (text, description) => {
    expect(importedFields(text)).toEqual({ description });
  });

  test.each([
    ['', 'O'],
    ['description: {}', 'O'],
    ['description: { purpose: "" }', 'O'],
    ['description: { customProperties: [] }', 'O'],
    ['description: P', 'P'],
  ])("is the object's where the document lacks one: %j", (text, description) => {
    expect(importedFields(`${text}\nschema: [{ name: t, description: O }]`)).toEqual({
      description,
    });
  });

  test.each([
    ['description: ""', { description: null }],
    ['description: { purpose: "" }', { description: null }],
    ['description: { purpose: ~, limitations: "", usage: "" }', { description: null }],
    ['description: {}', {}],
    ['description: ~', {}],
  ])('is removed where it is stated to be empty: %s', (text, fields) => {
    expect(importedFields(text)).toEqual(fields);
  });
});

const owners = (text: string, settings: MapOptions['settings'] = {}): unknown =>
  importedFields(text, { settings: { fields: ['owners'], ...settings } })['owners'];

describe('owners', () => {
  test('are members with the role of an owner, in either shape of a team', () => {
    const list = '[{ username: ann, role: " Owner " }, { username: bo, role: dev }]';
    expect(owners(`team: ${list}`)).toEqual([{ type: 'user', name: 'ann' }]);
    expect(owners(`team: { name: x, members: ${list} }`)).toEqual([{ type: 'user', name: 'ann' }]);
  });

  test('are of the roles, kind and name that the configuration wants', () => {
    const settings = {
      owners: { roles: ['Steward', 'dpo'], name: 'name', type: 'team', team: false },
    } as const;
    const text =
      'team: [{ name: A, username: a, role: steward }, { name: B, role: DPO }, { username: c, role: owner }]';
    expect(owners(text, settings)).toEqual([
      { type: 'team', name: 'A' },
      { type: 'team', name: 'B' },
    ]);
  });

  test('are the team where the configuration sets that', () => {
    const settings = {
      owners: { roles: ['owner'], name: 'username', type: 'user', team: true },
    } as const;
    expect(
      owners('team: { name: checkout, members: [{ username: a, role: owner }] }', settings),
    ).toEqual([{ type: 'team', name: 'checkout' }]);
    expect(owners('team: { members: [] }', settings)).toBeUndefined();
  });

  test.each([
    ['2026-11-20', false],
    ['2026-11-21', true],
    ['2026-11-22T10:00:00Z', true],
    ['soon', true],
  ])('are owners until the day that they left: %s', (dateOut, isOwner) => {
    const found = owners(`team: [{ username: a, role: owner, dateOut: "${dateOut}" }]`);
    expect(found !== undefined).toBe(isOwner);
  });

  test.each([
    '',
    'team: []',
    'team: { members: [{ username: a, role: dev }] }',
    'team: [{ role: owner }]',
  ])('are not managed by a file without any: %j', (text) => {
    expect(owners(text)).toBeUndefined();
  });

  test('are not managed where the configuration does not list them', () => {
    expect(importedFields('team: [{ username: a, role: owner }]')).toEqual({});
  });
});

describe('the extension', () => {
  const settings = { fields: ['extension'], extension: ['costCenter', 'tier'] } as const;

  test('has the custom properties that the configuration names', () => {
    const text = `
      customProperties: [{ property: costCenter, value: 47 }, { property: tier, value: gold }, { property: other, value: x }]
      schema: [{ name: t, customProperties: [{ property: tier, value: false }] }]`;
    expect(importedFields(text, { settings })).toEqual({
      extension: { costCenter: 47, tier: false },
    });
  });

  test.each([
    '',
    'customProperties: [{ property: other, value: 1 }]',
    'customProperties: [{ property: tier, value: ~ }]',
  ])('is not managed where the file states no such property: %j', (text) => {
    expect(importedFields(text, { settings })).toEqual({});
  });

  test('takes lists too', () => {
    const text = 'customProperties: [{ property: tier, value: [a] }]\nschema: [{ name: t }]';
    expect(importedFields(text, { settings })).toEqual({ extension: { tier: ['a'] } });
  });
});

test("of several objects each one's own description comes before the document's", () => {
  const objects = '[{ name: a, description: Own. }, { name: b, description: "" }, { name: c }]';
  const { contracts } = mapSections(`description: All.\nschema: ${objects}`);
  expect(contracts.map(({ fields }) => fields['description'])).toEqual(['Own.', 'All.', 'All.']);
});

const movedFrom = (value: string) =>
  mapSections(`
    customProperties: [{ property: contractSync.movedFrom, value: ${value} }]
    schema: [{ name: t }]`);

describe('a former name', () => {
  test.each([
    ['a.b', ['a.b']],
    ['[a.b, a.c]', ['a.b', 'a.c']],
  ])('may be one or several: %s', (value, names) => {
    expect(movedFrom(value).contracts[0]?.fields['movedFrom']).toEqual(names);
  });

  test.each(['" "', '[a.b, ""]', '1', '[]', '{ a: b }'])(
    'is a text that is not blank: %s',
    (value) => {
      const mapping = movedFrom(value);
      expect(problemsOf(mapping)).toEqual(['error wrong-type /customProperties/0/value']);
      expect(mapping.contracts).toEqual([]);
    },
  );
});
