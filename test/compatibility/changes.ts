import type { RuleId } from '../../src/compatibility/rule.ts';
import type { JsonObject, JsonValue } from '../../src/core/json.ts';

/** A change of one contract that falls under exactly one rule. */
export type ChangeCase = {
  readonly name: string;
  readonly rule: RuleId;
  readonly before: JsonObject;
  readonly after: JsonObject;
};

/** A column beside another one, so that the schema is not emptied with it. */
function column(
  name: string,
  rule: RuleId,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): ChangeCase {
  const first = { name: 'id', dataType: 'BIGINT' };
  const schemaOf = (members: JsonObject | undefined) => ({
    schema: members ? [first, { name: 'a', ...members }] : [first],
  });
  return { name, rule, before: schemaOf(before), after: schemaOf(after) };
}

function sla(
  name: string,
  rule: RuleId,
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ChangeCase {
  const [promise = ''] = name.split(' ');
  const slaOf = (value: JsonValue | undefined) => ({
    sla: { note: 'x', ...(value !== undefined && { [promise]: value }) },
  });
  return { name, rule, before: slaOf(before), after: slaOf(after) };
}

function field(name: string, rule: RuleId, before: JsonObject, after: JsonObject): ChangeCase {
  return { name, rule, before, after };
}

const int = { dataType: 'INT' };
const text = { dataType: 'TEXT' };
const struct = (...children: readonly JsonObject[]) => ({ dataType: 'STRUCT', children });

/** At least one change for each rule, and one for each way in which it can be met. */
export const changes: readonly ChangeCase[] = [
  column('a column gone', 'column-removed', int, undefined),
  column('a nested column gone', 'column-removed', struct({ name: 'x' }), struct()),
  column('a column under a new name', 'column-renamed', int, { ...int, name: 'b' }),
  column(
    'a nested column under a new name',
    'column-renamed',
    struct({ name: 'x', ...int }),
    struct({ name: 'y', ...int }),
  ),
  column('text for a number', 'type-changed', int, { dataType: 'VARCHAR' }),
  column('a type gone', 'type-changed', int, {}),
  column('BIGINT → INT', 'type-narrowed', { dataType: 'BIGINT' }, int),
  column('DOUBLE → INTEGER', 'type-narrowed', { dataType: 'double' }, { dataType: 'integer' }),
  column(
    'CHAR(8) → VARCHAR(4)',
    'type-narrowed',
    { dataType: 'CHAR', dataLength: 8 },
    { dataType: 'VARCHAR', dataLength: 4 },
  ),
  column(
    'ARRAY<BIGINT> → ARRAY<INT>',
    'type-narrowed',
    { dataType: 'ARRAY', arrayDataType: 'BIGINT' },
    { dataType: 'ARRAY', arrayDataType: 'INT' },
  ),
  column(
    'VARCHAR(8) → VARCHAR(4)',
    'length-shortened',
    { dataType: 'VARCHAR', dataLength: 8 },
    { dataType: 'VARCHAR', dataLength: 4 },
  ),
  column(
    'VARCHAR(8) → VARCHAR(4) in one word',
    'length-shortened',
    { dataType: 'varchar(8)' },
    { dataType: 'VARCHAR( 4 )' },
  ),
  column('TEXT → TEXT(9)', 'length-shortened', text, { ...text, dataLength: 9 }),
  column(
    'DECIMAL(10, 2) → DECIMAL(10, 4): fewer digits in front',
    'length-shortened',
    { dataType: 'DECIMAL', precision: 10, scale: 2 },
    { dataType: 'DECIMAL', precision: 10, scale: 4 },
  ),
  column(
    'DECIMAL(10,2) → NUMERIC(9,1) in one word',
    'length-shortened',
    { dataType: 'DECIMAL(10,2)' },
    { dataType: 'NUMERIC(9,1)' },
  ),
  column('NOT_NULL gone', 'required-dropped', { ...int, constraint: 'NOT_NULL' }, int),
  column('PRIMARY_KEY gone', 'required-dropped', { ...int, constraint: 'PRIMARY_KEY' }, int),
  column(
    'NOT_NULL → UNIQUE',
    'required-dropped',
    { ...int, constraint: 'NOT_NULL' },
    { ...int, constraint: 'UNIQUE' },
  ),
  column('UNIQUE gone', 'unique-dropped', { ...int, constraint: 'UNIQUE' }, int),
  column(
    'PRIMARY_KEY → NOT NULL',
    'unique-dropped',
    { ...int, constraint: 'PRIMARY_KEY' },
    { ...int, constraint: 'not null' },
  ),
  sla('refreshFrequency less often', 'sla-worsened', every(1, 'day'), every(36, 'hours')),
  sla('maxLatency up', 'sla-worsened', { value: 30, unit: 'minute' }, { value: 1, unit: 'Hour' }),
  sla(
    'retention down',
    'sla-worsened',
    { period: 1, unit: 'year' },
    { period: 11, unit: 'months' },
  ),
  sla('availability down', 'sla-worsened', '99.9%', '99 %'),
  sla('availability down, as a number', 'sla-worsened', 99.9, 99),
  sla('availabilityTime later', 'sla-worsened', '08:30', '09:00'),
  sla('retention gone', 'sla-worsened', { period: 1, unit: 'year' }, undefined),
  field('all of the SLA gone', 'sla-worsened', { sla: { note: 'x' } }, {}),
  field('all of the schema gone', 'contract-emptied', { schema: [{ name: 'a' }] }, {}),
  field('the last column gone', 'contract-emptied', { schema: [{ name: 'a' }] }, { schema: [] }),
  column('INT → BIGINT', 'type-widened', int, { dataType: 'BIGINT' }),
  column('TINYINT → DOUBLE', 'type-widened', { dataType: 'TINYINT' }, { dataType: 'DOUBLE' }),
  column('VARCHAR(8) → TEXT', 'type-widened', { dataType: 'VARCHAR', dataLength: 8 }, text),
  column(
    'VARCHAR(4) → VARCHAR(8)',
    'length-extended',
    { dataType: 'VARCHAR', dataLength: 4 },
    { dataType: 'VARCHAR', dataLength: 8 },
  ),
  column(
    'VARCHAR(4) → VARCHAR',
    'length-extended',
    { dataType: 'VARCHAR(4)' },
    { dataType: 'VARCHAR' },
  ),
  column(
    'DECIMAL(10, 2) → DECIMAL(12, 4)',
    'length-extended',
    { dataType: 'DECIMAL', precision: 10, scale: 2 },
    { dataType: 'DECIMAL', precision: 12, scale: 4 },
  ),
  field('a rule gone', 'semantics-rule-removed', { semantics: [{ name: 'r' }] }, {}),
  field(
    'a rule switched off',
    'semantics-rule-disabled',
    { semantics: [{ name: 'r', enabled: true }] },
    { semantics: [{ name: 'r', enabled: false }] },
  ),
  field(
    'a rule switched off that was on by default',
    'semantics-rule-disabled',
    { semantics: [{ name: 'r' }] },
    { semantics: [{ name: 'r', enabled: false }] },
  ),
  field('no owner left', 'owners-emptied', { owners: [{ name: 'ann' }] }, { owners: [] }),
  column('UNIQUE new', 'unique-added', int, { ...int, constraint: 'UNIQUE' }),
  column('PRIMARY_KEY new', 'unique-added', int, { ...int, constraint: 'PRIMARY_KEY' }),
  column('a column more', 'column-added', undefined, int),
  field('a first schema', 'column-added', {}, { schema: [{ name: 'a' }] }),
  column('NOT_NULL new', 'required-added', int, { ...int, constraint: 'NOT_NULL' }),
  column(
    'UNIQUE → PRIMARY_KEY',
    'required-added',
    { ...int, constraint: 'UNIQUE' },
    { ...int, constraint: 'PRIMARY_KEY' },
  ),
  field('a rule more', 'semantics-rule-added', {}, { semantics: [{ name: 'r' }] }),
  field('another description', 'description-changed', { description: 'a' }, { description: 'b' }),
  column("a column's description", 'description-changed', int, { ...int, description: 'b' }),
  field(
    'columns in another order',
    'order-changed',
    { schema: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
    { schema: [{ name: 'c' }, { name: 'a' }, { name: 'b' }] },
  ),
  field(
    'rules in another order',
    'order-changed',
    { semantics: [{ name: 'a' }, { name: 'b' }] },
    { semantics: [{ name: 'b' }, { name: 'a' }] },
  ),
  column("a column's tags", 'tags-changed', { ...int, tags: [] }, { ...int, tags: ['pii'] }),
  column('INT → INTEGER', 'other-changed', int, { dataType: 'INTEGER' }),
  column('a display name', 'other-changed', int, { ...int, displayName: 'A' }),
  sla('refreshFrequency more often', 'other-changed', every(1, 'day'), every(6, 'hour')),
  sla(
    'retention in an unknown unit',
    'other-changed',
    { period: 9, unit: 'moon' },
    every(1, 'day'),
  ),
  sla('timezone new', 'other-changed', undefined, 'UTC'),
  field('another extension', 'other-changed', { extension: { a: 1 } }, { extension: { a: 2 } }),
  field('another owner', 'other-changed', { owners: ['ann'] }, { owners: ['bob'] }),
  field(
    'another rule under the same name',
    'other-changed',
    { semantics: [{ name: 'r', rule: '1' }] },
    { semantics: [{ name: 'r', rule: '2' }] },
  ),
];

function every(interval: number, unit: string): JsonObject {
  return { interval, unit };
}
