import { describe, expect, test } from 'vitest';
import { resolveVariables } from '../../../../src/files/formats/odcs/scope.ts';
import { type MapOptions, mapSections, mapValue, problemsOf, rule } from './mapping.ts';

const variables = { REGION: 'eu', ORDERS_DB: 'sales', EMPTY: '' };

describe('a text', () => {
  test.each([
    ['a ${REGION} b ${ORDERS_DB}', 'a eu b sales'],
    ['${OTHER:-else}', 'else'],
    ['${OTHER:-}', ''],
    ['${EMPTY:-else}', 'else'],
    ['${REGION:-else}', 'eu'],
    ['$REGION ${1} ${} $', '$REGION ${1} ${} $'],
    ['${OTHER:-${REGION}}', '${REGION}'],
  ])('%s becomes %s', (text, resolved) => {
    expect(resolveVariables(text, variables).text).toBe(resolved);
  });

  test('lists the variables without a value, each once', () => {
    expect(resolveVariables('${A} ${OTHER} ${A} ${EMPTY}', variables)).toEqual({
      text: '${A} ${OTHER} ${A} ${EMPTY}',
      missing: ['A', 'OTHER', 'EMPTY'],
      added: 0,
    });
  });

  test.each(['${A', '${A:-', '${A}', '${A:-x}', '${A:-${A:-'])(
    'of many %s is soon read',
    (piece) => {
      const start = process.cpuUsage();
      resolveVariables(`${piece.repeat(100_000)}!`, variables);
      expect(process.cpuUsage(start).user).toBeLessThan(1_000_000);
    },
  );

  test.each(['toString', '__proto__', 'constructor', 'HOME'])('has no value for %s', (name) => {
    expect(resolveVariables(`\${${name}}`, variables).missing).toEqual([name]);
  });
});

describe('a document', () => {
  const head = { kind: 'DataContract', id: 'x', version: '1.0.0' };
  const options: MapOptions = {
    settings: {
      entity: [rule('${STAGE:-prod}.{server.database}.{object.name}')],
      variables: { DB: 'sales', PLANT: 'north' },
    },
  };
  const described = (apiVersion: string, purpose: string, database: string) =>
    mapValue(
      {
        ...head,
        apiVersion,
        description: { purpose },
        servers: [{ server: 'a', database }],
        schema: [{ name: 't' }],
      },
      options,
    );

  test('grows by a million characters at most', () => {
    const bomb = {
      ...options,
      settings: { ...options.settings, variables: { A: 'a'.repeat(40_000) } },
    };
    const texts = { purpose: '${A}'.repeat(200_000), usage: '${A}'.repeat(200_000) };
    const document = { ...head, apiVersion: 'v3.2.0', description: texts, schema: [{ name: 't' }] };
    const mapping = mapValue(document, bomb);
    expect(mapping.contracts).toEqual([]);
    expect(problemsOf(mapping)).toContain('error file-too-complex /description/purpose');
  });

  test('of 3.2.0 has variables everywhere', () => {
    expect(described('v3.2.0', 'Of ${PLANT}.', '${DB}').contracts[0]?.fields).toMatchObject({
      entity: { fullyQualifiedName: 'prod.sales.t' },
      description: 'Of north.',
    });
  });

  test.each(['v3.0.0', 'v3.1.0'])('of %s has them in servers alone', (apiVersion) => {
    expect(described(apiVersion, 'Of ${PLANT}.', '${DB}').contracts[0]?.fields).toMatchObject({
      entity: { fullyQualifiedName: 'prod.sales.t' },
      description: 'Of ${PLANT}.',
    });
  });

  test('with a variable without a value gives no contract', () => {
    const mapping = described('v3.2.0', '${NONE}', '${DB_2}');
    expect(mapping.contracts).toEqual([]);
    expect(problemsOf(mapping)).toEqual([
      'error variable-unresolved /servers/0/database',
      'error variable-unresolved /description/purpose',
    ]);
  });

  test('does not have to resolve unused variables', () => {
    const text = `
      apiVersion: v3.2.0
      servers: [{ server: a, host: "\${HOST}" }]
      support: [{ channel: "\${CHANNEL}" }]
      schema: [{ name: t, businessName: "\${NAME}" }]`;
    expect(problemsOf(mapSections(text))).toEqual([]);
  });

  test('cannot bring a variable of its own into the template', () => {
    const mapping = described('v3.1.0', 'x', 'a');
    expect(mapping.contracts).toHaveLength(1);
    const sneaky = mapValue(
      { ...head, apiVersion: 'v3.1.0', schema: [{ name: '${OTHER}' }] },
      { ...options, settings: { ...options.settings, entity: [rule('wh.{object.name}')] } },
    );
    expect(sneaky.contracts[0]?.fields['entity']).toMatchObject({
      fullyQualifiedName: 'wh.${OTHER}',
    });
  });
});
