/** What files and people may ask of the contract of orders, and the world that it is in. */

import { fc } from '@fast-check/vitest';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { rules } from '../apply/openmetadata-world.ts';
import { openWorld, type World } from './world.ts';

/** Milliseconds: within the ten minutes of a session, and longer. */
export const pauses = [0, 300_000, 660_000];

const maybe = <Value>(values: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: fc.constant(undefined) });

/** An object of some of these members. */
function some(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  const all = Object.entries(members).map(([name, values]) => [name, maybe(values)] as const);
  return fc
    .record(Object.fromEntries(all))
    .map((object) => JSON.parse(JSON.stringify(object)) as JsonObject);
}

const text = fc.constantFrom('Old.', 'New.', '', 'Zeilen\nund "mehr"', 'ä 名 🙂');
const amount = fc.constantFrom(0, 1, 2, 80, 2_147_483_647);
const lists = (of: fc.Arbitrary<unknown>, key: string) =>
  fc.uniqueArray(of as fc.Arbitrary<JsonObject>, {
    maxLength: 4,
    selector: (item) => item[key],
  });

const nested = some({ description: text, dataLength: amount, constraint: fc.constant('UNIQUE') });
const children = fc.uniqueArray(fc.constantFrom('city', 'street', 'zip'), { maxLength: 3 });

const column = fc
  .tuple(
    fc.constantFrom('id', 'amount', 'address', 'note', 'city', 'ghost'),
    fc.constantFrom('INT', 'VARCHAR', 'STRUCT', 'ARRAY'),
    some({
      description: text,
      displayName: text,
      dataLength: amount,
      precision: amount,
      scale: amount,
      ordinalPosition: amount,
      dataTypeDisplay: text,
      arrayDataType: fc.constantFrom('INT', 'STRING'),
      constraint: fc.constantFrom('NULL', 'NOT_NULL', 'UNIQUE', 'PRIMARY_KEY'),
      children: fc
        .tuple(children, nested)
        .map(([names, rest]) => names.map((name) => ({ name, dataType: 'VARCHAR', ...rest }))),
    }),
  )
  .map(([name, dataType, rest]) => ({ name, dataType, ...rest }));

const rule = fc
  .tuple(
    fc.constantFrom('positive', 'complete', 'recent', 'a/b~c'),
    some({
      enabled: fc.boolean(),
      ignoredEntities: fc.subarray(['topic', 'table', 'chart']),
      jsonTree: fc.constantFrom('{}', '[1, 2]'),
      entityType: fc.constantFrom('table', 'topic'),
      provider: fc.constantFrom('user', 'system'),
    }),
    text,
    fc.constantFrom('{}', '{">":[{"var":"amount"},0]}'),
  )
  .map(([name, rest, description, expression]) => ({
    name,
    description,
    rule: expression,
    ...rest,
  }));

const period = (member: string, ...units: readonly string[]) =>
  fc
    .tuple(amount, fc.constantFrom(...units))
    .map(([value, unit]): JsonObject => ({ [member]: value, unit }));

const serviceLevel = some({
  refreshFrequency: period('interval', 'hour', 'day', 'week', 'month', 'year'),
  maxLatency: period('value', 'minute', 'hour', 'day'),
  retention: period('period', 'day', 'week', 'month', 'year'),
  availabilityTime: fc.constantFrom('09:00', ''),
  timezone: fc.constantFrom('GMT+00:00 (Europe/London)', 'GMT+01:00 (Europe/Paris)'),
  columnName: fc.constantFrom('id', 'amount'),
});

const person = fc.constantFrom(
  { type: 'user', name: 'ada' },
  { type: 'user', name: 'ADA' },
  { type: 'user', name: 'mira' },
  { type: 'user', name: 'zoe' },
  { type: 'team', name: 'crew' },
  { type: 'user', name: 'nobody' },
);
const people = fc.array(person, { maxLength: 3 });

const security = some({
  dataClassification: text,
  policies: fc.array(some({ accessPolicy: text, identities: fc.subarray(['a', 'b']) }), {
    maxLength: 2,
  }),
});

const date = fc.constantFrom('2026-01-01', '2026-12-31T12:00:00+01:00', '2027-01-01T00:00:00.5Z');

const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  description: text,
  displayName: fc.constantFrom('Orders', 'orders', ''),
  entityStatus: fc.constantFrom(...rules.lifecycle.statuses, 'Active'),
  schema: lists(column, 'name'),
  semantics: lists(rule, 'name'),
  sla: serviceLevel,
  owners: people,
  reviewers: people,
  extension: some({ tier: fc.constantFrom('gold', 'silver', '') }),
  termsOfUse: text,
  security,
  effectiveFrom: date,
  effectiveUntil: date,
  sourceUrl: text,
  odcsQualityRules: lists(some({ name: text, mustBe: fc.nat(3) }), 'name'),
};

/** Some fields, some of them to be removed. */
export const file = some(
  Object.fromEntries(
    Object.entries(fields).map(([name, values]) => [
      name,
      fc.option(values, { freq: 6, nil: null }),
    ]),
  ),
).chain((whole) =>
  fc
    .subarray(Object.keys(whole))
    .map((names) => Object.fromEntries(names.map((name) => [name, whole[name] ?? null]))),
);

/** What somebody may do by hand meanwhile; where it does not fit the contract, it is refused. */
export const byHand: readonly JsonObject[] = [
  { op: 'add', path: '/description', value: 'By hand.' },
  { op: 'add', path: '/displayName', value: 'By hand' },
  { op: 'add', path: '/displayName', value: 'orders' },
  { op: 'remove', path: '/displayName' },
  { op: 'add', path: '/entityStatus', value: 'In Review' },
  { op: 'remove', path: '/schema/0' },
  { op: 'remove', path: '/schema/0/dataType' },
  { op: 'add', path: '/schema/0/description', value: 'By hand.' },
  { op: 'add', path: '/schema/0/tags', value: [{ tagFQN: 'PII.None', source: 'Classification' }] },
  { op: 'move', from: '/schema/1', path: '/schema/0' },
  { op: 'add', path: '/semantics/0/enabled', value: false },
  { op: 'add', path: '/semantics/0/ignoredEntities', value: ['topic'] },
  { op: 'remove', path: '/semantics/0/rule' },
  { op: 'copy', from: '/semantics/0', path: '/semantics/-' },
  { op: 'move', from: '/semantics/1', path: '/semantics/0' },
  { op: 'add', path: '/sla', value: {} },
  { op: 'add', path: '/sla/byHand', value: 'kept' },
  { op: 'remove', path: '/sla/maxLatency/unit' },
  { op: 'add', path: '/sla/inherited', value: true },
  { op: 'add', path: '/termsOfUse', value: { content: 'By hand.', inherited: true } },
  { op: 'add', path: '/extension', value: { tier: 'by hand' } },
  { op: 'add', path: '/owners', value: [] },
  { op: 'add', path: '/security', value: { dataClassification: 'by hand' } },
];

export const entity = { type: 'table', fullyQualifiedName: 'shop.sales.web.orders' };
export const run = { rules: { lifecycle: rules.lifecycle, create: true } };

export async function openOrders(release?: string): Promise<World> {
  const columns: JsonValue[] = ['id', 'amount', 'note'].map((name) => ({ name, dataType: 'INT' }));
  const city = { name: 'city', dataType: 'VARCHAR' };
  return openWorld({
    release,
    seed: {
      users: ['ada', 'mira', 'zoe'].map((name) => ({ name })),
      teams: [{ name: 'crew', users: ['ada'] }],
      tables: [
        {
          ...entity,
          columns: [...columns, { name: 'address', dataType: 'STRUCT', children: [city] }],
        },
      ],
      properties: [{ name: 'tier', description: 'How good it is.', type: 'string' }],
    },
  });
}
