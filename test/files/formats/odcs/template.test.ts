import { describe, expect, test } from 'vitest';
import { isObject } from '../../../../src/core/json.ts';
import { parseTemplate, placeholderProblem } from '../../../../src/files/formats/odcs/settings.ts';
import { mapValue, rule } from './mapping.ts';

/** The name of the entity, or the placeholders without a value. */
function filled(text: string, physicalName = 'ORDERS'): string | readonly string[] {
  const { contracts, diagnostics } = mapValue(
    {
      apiVersion: 'v3.1.0',
      kind: 'DataContract',
      id: 'x',
      version: '1.0.0',
      servers: [
        { server: 'a', type: 'custom', catalog: 'Main', database: 'Sales', schema: 'public' },
      ],
      schema: [{ name: 'orders', physicalName }],
      customProperties: [{ property: 'asset.id', value: 'A1' }],
    },
    { settings: { entity: [rule(text)], variables: { ENV: 'prod' } } },
  );
  const [contract] = contracts;
  if (!contract)
    return diagnostics.flatMap(({ message }) => message.match(/(?<=\{)[\w.]+(?=\})/gu) ?? []);
  const { entity } = contract.fields;
  const name = isObject(entity) && entity['fullyQualifiedName'];
  return typeof name === 'string' ? name : '';
}

describe('a template', () => {
  test.each([
    ['pg.shop.orders', 'pg.shop.orders'],
    ['wh.{server.database}.{server.schema}.{object.physicalName}', 'wh.Sales.public.ORDERS'],
    ['{object.name}', 'orders'],
    ['wh_{server.schema}.x-{ object.name }', 'wh_public.x-orders'],
    ['{server.database|lower}.{object.name | upper}', 'sales.ORDERS'],
    ['{property.asset.id}', 'A1'],
    ['${ENV}.{server.schema}.$1', 'prod.public.$1'],
  ])('%s becomes %s', (text, name) => {
    expect(filled(text)).toBe(name);
  });

  test('lists its placeholders without a value', () => {
    expect(filled('{server.project}.{server.schema}.{contract.domain}')).toEqual([
      'server.project',
      'contract.domain',
    ]);
  });
});

describe('a physical name with dots', () => {
  test.each([
    ['shop.orders.v1', 'kafka."shop.orders.v1"'],
    ['orders', 'kafka.orders'],
    ['a"b', 'kafka."a""b"'],
  ])('is one segment where it is quoted: %s', (physicalName, name) => {
    expect(filled('kafka.{object.physicalName|quote}', physicalName)).toBe(name);
  });
});

test.each([
  ['', 'The template is empty.', 'Write the qualified name'],
  ['{server.databse}', 'Unknown placeholder "server.databse".', 'Did you mean "server.database"?'],
  ['{table}', 'Unknown placeholder "table".', 'object.physicalName'],
  ['{property.}', 'Unknown placeholder "property.".', 'Use server.*'],
  ['{}', 'Unknown placeholder "".', 'Use server.*'],
  ['{object.name|loweer}', 'Unknown filter "loweer".', 'Did you mean "lower"?'],
  ['wh.{object.name', 'The template has a stray "{".', '${NAME}'],
  ['wh.object.name}', 'The template has a stray "}".', '${NAME}'],
  ['wh.${NAME', 'The template has a stray "{".', '${NAME}'],
])('a template is refused: %s', (text, message, hint) => {
  expect(parseTemplate(text)).toEqual({
    problem: { message, hint: expect.stringContaining(hint) as string },
  });
});

test('conditions use the same placeholders', () => {
  expect(placeholderProblem('contract.id')).toBeUndefined();
  expect(placeholderProblem('contract.uuid')).toBeDefined();
});
