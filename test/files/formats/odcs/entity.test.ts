import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/core/json.ts';
import { type MapOptions, mapSections, problemsOf, rule, template } from './mapping.ts';

const uuid = '6f2d8a52-9f0d-4f4e-8b6e-0f6a3d1c2b7a';
const byServer = { entity: [rule('wh.{server.database}.{server.schema}.{object.physicalName}')] };
const oneServer = 'servers: [{ server: a, type: postgres, database: db, schema: s }]';
const twoServers =
  'servers: [{ server: a, environment: dev, database: d1, schema: s }, { server: b, environment: prod, database: d2, schema: s }]';

function entities(text: string, settings: MapOptions['settings']): (JsonValue | undefined)[] {
  return mapSections(text, { settings }).contracts.map(({ fields }) => fields['entity']);
}

function problems(text: string, settings: MapOptions['settings']): string[] {
  return problemsOf(mapSections(text, { settings }));
}

describe('an object', () => {
  test('is the entity that the template names', () => {
    expect(entities(`${oneServer}\nschema: [{ name: orders }]`, byServer)).toEqual([
      { type: 'table', fullyQualifiedName: 'wh.db.s.orders' },
    ]);
  });

  test('is the entity of the first rule that holds and has values for all', () => {
    const settings = {
      entityType: 'table',
      entity: [
        { ...rule('kafka.{object.name}', { 'server.type': 'kafka' }), type: 'topic' },
        rule('special.orders', { 'contract.id': 'x', 'object.name': 'ord*' }),
        rule('bq.{server.project}.{object.name}'),
        rule('wh.{object.name}'),
      ],
    };
    const objects = 'schema: [{ name: orders }, { name: lines }]';
    expect(entities(`${oneServer}\n${objects}`, settings)).toEqual([
      { type: 'table', fullyQualifiedName: 'special.orders' },
      { type: 'table', fullyQualifiedName: 'wh.lines' },
    ]);
    expect(entities(`servers: [{ server: k, type: kafka }]\n${objects}`, settings)).toEqual([
      { type: 'topic', fullyQualifiedName: 'kafka.orders' },
      { type: 'topic', fullyQualifiedName: 'kafka.lines' },
    ]);
  });

  test('is left out by a rule of null', () => {
    const settings = { entity: [rule(null, { 'object.name': 'tmp_*' }), rule('wh.{object.name}')] };
    const text = 'schema: [{ name: tmp_1 }, { name: orders }]';
    expect(entities(text, settings)).toEqual([{ type: 'table', fullyQualifiedName: 'wh.orders' }]);
    expect(problems(text, settings)).toEqual([]);
  });

  test('can come from a custom property of its own, else of the document', () => {
    const text = `
      customProperties: [{ property: db, value: shop }, { property: layer, value: 1 }]
      schema:
        - { name: a, customProperties: [{ property: db, value: own }] }
        - { name: b }`;
    const settings = { entity: [rule('wh.{property.db}.{property.layer}.{object.name}')] };
    expect(entities(text, settings)).toMatchObject([
      { fullyQualifiedName: 'wh.own.1.a' },
      { fullyQualifiedName: 'wh.shop.1.b' },
    ]);
  });

  test('gives its contract a name where the configuration has a template for that', () => {
    const settings = { entity: [rule('wh.{object.name}')], name: template('{contract.domain}') };
    const { contracts } = mapSections('domain: sales\nschema: [{ name: t }]', { settings });
    expect(contracts[0]?.fields).toMatchObject({ name: 'sales' });
    expect(problems('schema: [{ name: t }]', settings)).toEqual(['error entity-unknown /schema/0']);
  });
});

describe('of several servers', () => {
  const schema = 'schema: [{ name: orders }]';

  test.each([
    ['b', 'wh.d2.s.orders'],
    ['prod', 'wh.d2.s.orders'],
    ['dev', 'wh.d1.s.orders'],
  ])('the configuration selects one by name or environment: %s', (server, name) => {
    expect(entities(`${twoServers}\n${schema}`, { ...byServer, server })).toMatchObject([
      { fullyQualifiedName: name },
    ]);
  });

  test.each([undefined, 'test'])('no server is guessed: %s', (server) => {
    const settings = { ...byServer, ...(server && { server }) };
    const { diagnostics } = mapSections(`${twoServers}\n${schema}`, { settings });
    expect(problemsOf({ diagnostics })).toEqual(['error server-ambiguous /servers']);
    expect(diagnostics[0]?.message).toContain('a, b');
  });

  test.each([
    [8, 's1, s2, s3, s4, s5, s6, s7, s8.'],
    [9, 's1, s2, s3, s4, s5, s6, s7, s8, ….'],
  ])('the first eight of %i are listed', (amount, listed) => {
    const servers = Array.from({ length: amount }, (_, index) => `{ server: s${index + 1} }`);
    const text = `servers: [${servers.join(', ')}]\n${schema}`;
    expect(mapSections(text, { settings: byServer }).diagnostics[0]?.message).toBe(
      `The file has ${amount} servers, and none is selected: ${listed}`,
    );
  });

  test('a template without server placeholders needs none of them', () => {
    const settings = { entity: [rule('wh.{object.name}')] };
    expect(entities(`${twoServers}\n${schema}`, settings)).toHaveLength(1);
  });

  test('a selection does not matter where there is one', () => {
    expect(entities(`${oneServer}\n${schema}`, { ...byServer, server: 'prod' })).toHaveLength(1);
  });
});

describe('an object without an entity is an error', () => {
  test.each([
    ['no `odcs.entity`', 'schema: [{ name: t }]', [], "doesn't say which entity"],
    [
      'a placeholder without a value',
      'servers: [{ server: a, database: db }]\nschema: [{ name: t }]',
      byServer.entity,
      'no value for {server.schema}',
    ],
    [
      'no server',
      'schema: [{ name: t }]',
      byServer.entity,
      '{server.database} and {server.schema}',
    ],
    [
      'no rule that holds',
      'schema: [{ name: t }]',
      [rule('x', { 'object.name': 'y' })],
      'No rule of `odcs.entity` applies to "t"',
    ],
    [
      'an empty physical name',
      'schema: [{ physicalName: "" }]',
      [rule('{object.physicalName}')],
      'this object',
    ],
  ])('for want of %s', (_why, text, entity, message) => {
    const { diagnostics, contracts } = mapSections(text, { settings: { entity } });
    expect(contracts).toEqual([]);
    expect(problemsOf({ diagnostics })).toEqual(['error entity-unknown /schema/0']);
    expect(diagnostics[0]?.message).toContain(message);
  });

  test('and the others of the document are contracts all the same', () => {
    const settings = { entity: [rule('wh.{property.db}.{object.name}')] };
    const text =
      'schema: [{ name: a }, { name: b, customProperties: [{ property: db, value: d }] }]';
    expect(entities(text, settings)).toMatchObject([{ fullyQualifiedName: 'wh.d.b' }]);
    expect(problems(text, settings)).toEqual(['error entity-unknown /schema/0']);
  });
});

describe('without `odcs.entity`', () => {
  test.each([
    ['one object', 'schema: [{ name: t }]'],
    ['no object', 'status: draft'],
  ])('the UUID of a document with %s is the id of the contract', (_which, text) => {
    const { contracts, diagnostics } = mapSections(`id: ${uuid}\n${text}`, {
      settings: { entity: [] },
    });
    expect(diagnostics).toEqual([]);
    expect(contracts[0]?.fields).toMatchObject({ id: uuid });
    expect(contracts[0]?.fields).not.toHaveProperty('entity');
  });

  test('the UUID of a document with two objects is the id of neither', () => {
    expect(problems(`id: ${uuid}\nschema: [{ name: a }, { name: b }]`, { entity: [] })).toEqual([
      'error entity-unknown /schema/0',
      'error entity-unknown /schema/1',
    ]);
  });
});

test('a document without objects is an error', () => {
  expect(problems('status: draft', byServer)).toEqual(['error no-object ']);
  expect(problems('schema: []', byServer)).toEqual(['error no-object /schema']);
});

test('two objects of one name are an error', () => {
  expect(problems('schema: [{ name: a }, { name: b }, { name: a }]', undefined)).toEqual([
    'error duplicate-name /schema/2/name',
  ]);
});
