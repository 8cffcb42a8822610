/** Every kind of edit that a file can ask for, as data: what there is before, and what is wanted. */

import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import { statuses } from './openmetadata-world.ts';

/** The people that an edit may name, by name. */
export type People = Readonly<Record<string, JsonObject>>;

/** One edit: `from` is what differs from the usual contract before it. */
export type Case = {
  readonly to: JsonObject | ((people: People) => JsonObject);
  readonly from?: JsonObject | ((people: People) => JsonObject);
  /** What is answered afterwards, where that is worded otherwise than in the file. */
  readonly stored?: JsonObject;
  /** Whether there is no contract before. */
  readonly creates?: true;
};

/** A row of the table; where it has several cases, they must come to the same. */
export type Edit = {
  readonly section: string;
  readonly name: string;
  readonly cases: readonly Case[];
};

const id = { name: 'id', dataType: 'BIGINT' };
const amount = {
  name: 'amount',
  dataType: 'DECIMAL',
  dataLength: 10,
  precision: 10,
  scale: 2,
  constraint: 'NOT_NULL',
  ordinalPosition: 2,
  description: 'In cents.',
  displayName: 'Amount',
};
const city = { name: 'city', dataType: 'VARCHAR', dataLength: 80 };
const address = { name: 'address', dataType: 'STRUCT', children: [city] };

const positive = {
  name: 'positive',
  description: 'No refunds.',
  rule: '{">":[{"var":"amount"},0]}',
  enabled: true,
};
const complete = { ...positive, name: 'complete', rule: '{"!=":[{"var":"id"},null]}' };

const serviceLevel = {
  refreshFrequency: { interval: 1, unit: 'day' },
  maxLatency: { value: 4, unit: 'hour' },
  retention: { period: 1, unit: 'year' },
  availabilityTime: '09:00',
  columnName: 'id',
};

/** What is in the catalog before each edit. */
export const usual: JsonObject = {
  description: 'Old.',
  entityStatus: 'Draft',
  schema: [id, amount],
  semantics: [positive, complete],
  sla: serviceLevel,
};

function column(changes: JsonObject): Case {
  return { to: { schema: [id, { ...amount, ...changes }] } };
}

function rule(changes: JsonObject): Case {
  return { to: { semantics: [{ ...positive, ...changes }, complete] } };
}

function level(changes: JsonObject): Case {
  return { to: { sla: { ...serviceLevel, ...changes } } };
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = object;
  return rest;
}

function row(section: string, name: string, ...cases: readonly Case[]): Edit {
  return { section, name, cases };
}

const ada = { type: 'user', name: 'ada' };
const mira = { type: 'user', name: 'mira' };
const crew = { type: 'team', name: 'crew' };

function byName(field: string, reference: JsonObject): Case {
  return { to: { [field]: [reference] } };
}

function created(to: JsonObject, stored?: JsonObject): Case {
  return { creates: true, to, ...(stored && { stored }) };
}

const nested = (children: JsonValue): Case => ({
  from: { schema: [id, address] },
  to: { schema: [id, { ...address, children }] },
});

const units = (member: string, amountOf: string, ...names: readonly string[]): Case[] =>
  names.map((unit) => level({ [member]: { [amountOf]: 3, unit } }));

export const edits: readonly Edit[] = [
  row('text', 'description changed', { to: { description: 'New.' } }),
  row('text', 'description removed', { to: { description: null } }),
  row(
    'status',
    'each of the six to each other (30)',
    ...statuses.flatMap((from) =>
      statuses
        .filter((to) => to !== from)
        .map((to) => ({ from: { entityStatus: from }, to: { entityStatus: to } })),
    ),
  ),
  row('status', 'Active, which means Approved', {
    to: { entityStatus: 'Active' },
    stored: { entityStatus: 'Approved' },
  }),
  row('columns', 'added', { from: { schema: [id] }, to: { schema: [id, amount] } }),
  row('columns', 'added, that the asset lacks', {
    to: { schema: [id, amount, { name: 'amuont', dataType: 'INT' }] },
  }),
  row('columns', 'renamed', { to: { schema: [id, { ...amount, name: 'address' }] } }),
  row('columns', 'removed', { to: { schema: [id] } }),
  row('columns', 'all removed', { to: { schema: null } }),
  row('columns', 'order', { to: { schema: [amount, id] } }),
  row('columns', 'dataType', column({ dataType: 'NUMERIC' })),
  row('columns', 'arrayDataType', column({ dataType: 'ARRAY', arrayDataType: 'INT' })),
  row('columns', 'description', column({ description: 'In euros.' })),
  row('columns', 'description removed', { to: { schema: [id, without(amount, 'description')] } }),
  row('columns', 'displayName', column({ displayName: 'Sum' })),
  row('columns', 'dataLength', column({ dataLength: 12 })),
  row('columns', 'precision', column({ precision: 12 })),
  row('columns', 'scale', column({ scale: 3 })),
  row(
    'columns',
    'constraint (each)',
    ...['NULL', 'UNIQUE', 'PRIMARY_KEY'].map((constraint) => column({ constraint })),
  ),
  row('columns', 'ordinalPosition', column({ ordinalPosition: 7 })),
  row('columns', 'dataTypeDisplay', column({ dataTypeDisplay: 'decimal(10,2)' })),
  row('columns', 'nested: added', nested([city, { name: 'street', dataType: 'VARCHAR' }])),
  row('columns', 'nested: removed', nested([])),
  row('columns', 'nested: description', nested([{ ...city, description: 'As written.' }])),
  row('rules', 'added', {
    from: { semantics: [positive] },
    to: { semantics: [positive, complete] },
  }),
  row('rules', 'removed', { to: { semantics: [complete] } }),
  row('rules', 'all removed', { to: { semantics: null } }),
  row('rules', 'order', { to: { semantics: [complete, positive] } }),
  row('rules', 'name', rule({ name: 'above zero' })),
  row('rules', 'description', rule({ description: 'Refunds live elsewhere.' })),
  row('rules', 'rule', rule({ rule: '{">":[{"var":"amount"},1]}' })),
  row('rules', 'enabled', rule({ enabled: false })),
  row('rules', 'entityType', rule({ entityType: 'table' })),
  row('rules', 'provider', rule({ provider: 'system' })),
  row('rules', 'ignoredEntities', rule({ ignoredEntities: ['topic'] })),
  row('rules', 'jsonTree', rule({ jsonTree: '{}' })),
  row(
    'sla',
    'refreshFrequency, each unit',
    ...units('refreshFrequency', 'interval', 'hour', 'day', 'week', 'month', 'year'),
  ),
  row('sla', 'maxLatency, each unit', ...units('maxLatency', 'value', 'minute', 'hour', 'day')),
  row(
    'sla',
    'retention, each unit',
    ...units('retention', 'period', 'day', 'week', 'month', 'year'),
  ),
  row('sla', 'availabilityTime', level({ availabilityTime: '10:00' })),
  row('sla', 'timezone', level({ timezone: 'GMT+01:00 (Europe/Paris)' })),
  row('sla', 'columnName', level({ columnName: 'amount' })),
  row('sla', 'a member removed', { to: { sla: without(serviceLevel, 'maxLatency') } }),
  row('sla', 'removed', { to: { sla: null } }),
  row('owners', 'a user by id', { to: ({ ada }) => ({ owners: [ada ?? {}] }) }),
  row('owners', 'a team by id', { to: ({ crew }) => ({ owners: [crew ?? {}] }) }),
  row('owners', 'a user by name', byName('owners', { type: 'user', name: 'ada' })),
  row('owners', 'a user by name, in another case', {
    ...byName('owners', { type: 'user', name: 'ADA' }),
    stored: { owners: [{ type: 'user', name: 'ada' }] },
  }),
  row('owners', 'users by name', {
    to: { owners: [mira, ada] },
    stored: { owners: [ada, mira] },
  }),
  row('owners', 'a user by name and one by id', {
    to: (people) => ({ owners: [ada, people['mira'] ?? {}] }),
    stored: { owners: [ada, mira] },
  }),
  row('owners', 'a team by name', byName('owners', crew)),
  row('owners', 'a team in place of a user, by name', {
    from: (people) => ({ owners: [people['ada'] ?? {}] }),
    to: { owners: [crew] },
  }),
  row('owners', 'a user in place of a team, by name', {
    from: (people) => ({ owners: [people['crew'] ?? {}] }),
    to: { owners: [ada] },
  }),
  row('owners', 'an unknown name', byName('owners', { type: 'user', name: 'nobody' })),
  row('owners', 'a user beside a team', { to: { owners: [ada, crew] } }),
  row('owners', 'one more', {
    from: ({ ada }) => ({ owners: [ada ?? {}] }),
    to: ({ ada, mira }) => ({ owners: [ada ?? {}, mira ?? {}] }),
  }),
  row('owners', 'others', {
    from: ({ ada }) => ({ owners: [ada ?? {}] }),
    to: ({ mira }) => ({ owners: [mira ?? {}] }),
  }),
  row('owners', 'removed', { from: ({ ada }) => ({ owners: [ada ?? {}] }), to: { owners: [] } }),
  row('reviewers', 'users by id', {
    to: ({ ada, mira }) => ({ reviewers: [ada ?? {}, mira ?? {}] }),
  }),
  row('reviewers', 'a team by id', { to: ({ crew }) => ({ reviewers: [crew ?? {}] }) }),
  row('reviewers', 'a user by name', byName('reviewers', ada)),
  row('reviewers', 'users by name', {
    to: { reviewers: [mira, ada] },
    stored: { reviewers: [ada, mira] },
  }),
  row('reviewers', 'a team by name', byName('reviewers', crew)),
  row('reviewers', 'others, by name', {
    from: (people) => ({ reviewers: [people['ada'] ?? {}] }),
    to: { reviewers: [mira] },
  }),
  row('reviewers', 'an unknown name', byName('reviewers', { type: 'team', name: 'nobody' })),
  row('reviewers', 'removed', {
    from: ({ ada }) => ({ reviewers: [ada ?? {}] }),
    to: { reviewers: [] },
  }),
  row('extension', 'a property added', { to: { extension: { tier: 'gold' } } }),
  row('extension', 'a property changed', {
    from: { extension: { tier: 'gold' } },
    to: { extension: { tier: 'silver' } },
  }),
  row('extension', 'removed', { from: { extension: { tier: 'gold' } }, to: { extension: null } }),
  row('displayName', 'set', { to: { displayName: 'Orders' } }),
  row('displayName', 'removed', { from: { displayName: 'Orders' }, to: { displayName: null } }),
  row('termsOfUse', 'changed', {
    to: { termsOfUse: 'Yours.' },
    stored: { termsOfUse: { content: 'Yours.' } },
  }),
  row('termsOfUse', 'removed', { to: { termsOfUse: null } }),
  row('security', 'set', { to: { security: { dataClassification: 'internal' } } }),
  row('effectiveFrom', 'set', {
    to: { effectiveFrom: '2026-01-01' },
    stored: { effectiveFrom: Date.UTC(2026, 0, 1) },
  }),
  row('effectiveUntil', 'changed', {
    from: { effectiveUntil: '2026-12-31T00:00:00.000Z' },
    to: { effectiveUntil: '2027-12-31T12:00:00+01:00' },
    stored: { effectiveUntil: Date.UTC(2027, 11, 31, 11) },
  }),
  row('effectiveUntil', 'removed', {
    from: { effectiveUntil: '2026-12-31T00:00:00.000Z' },
    to: { effectiveUntil: null },
  }),
  row('sourceUrl', 'set', { to: { sourceUrl: 'https://example.com/orders' } }),
  row('odcsQualityRules', 'set', {
    to: { odcsQualityRules: [{ metric: 'nullValues', mustBe: 0, column: 'id' }] },
  }),
  row('creation', 'minimal', created({})),
  row(
    'creation',
    'with a description and a status',
    created({ description: 'New.', entityStatus: 'Draft' }),
  ),
  row(
    'creation',
    'with status Active',
    created({ entityStatus: 'Active' }, { entityStatus: 'Approved' }),
  ),
  row('creation', 'with columns', created({ schema: [id, amount, address] })),
  row(
    'creation',
    'with rules and a service level',
    created({ semantics: [positive, complete], sla: serviceLevel }),
  ),
  row('creation', 'with owners by name', created({ owners: [ada, mira] })),
  row(
    'creation',
    'with a team as owner and reviewer, by name',
    created({ owners: [crew], reviewers: [crew] }),
  ),
  row(
    'creation',
    'with dates, terms of use and an extension',
    created(
      { effectiveFrom: '2026-01-01', termsOfUse: 'Ours.', extension: { tier: 'gold' } },
      {
        effectiveFrom: Date.UTC(2026, 0, 1),
        termsOfUse: { content: 'Ours.' },
        extension: { tier: 'gold' },
      },
    ),
  ),
  row(
    'creation',
    'with a display name, security and a source',
    created({
      displayName: 'Orders',
      security: { dataClassification: 'internal' },
      sourceUrl: 'https://example.com/orders',
    }),
  ),
  row(
    'creation',
    'with a column that the asset lacks',
    created({ schema: [{ name: 'amuont', dataType: 'INT' }] }),
  ),
  row('creation', 'with an unknown owner', created({ owners: [{ type: 'user', name: 'nobody' }] })),
  row('several at once', 'owners by name, columns and rules', {
    to: { owners: [ada], schema: [amount, id], semantics: [] },
  }),
  row('several at once', 'a column described, beside a display name of its own', {
    from: { displayName: 'Orders' },
    ...column({ description: 'In euros.' }),
  }),
  row('several at once', 'recorded and unrecorded', {
    to: { sla: null, schema: [{ ...id, description: 'A number.' }, amount] },
  }),
  row('several at once', 'all sections', {
    to: {
      description: 'New.',
      entityStatus: 'Approved',
      schema: [amount, id],
      semantics: [],
      sla: null,
    },
  }),
];
