/** What people write for the keys of a contract's parts: the names of other tools. */

const written: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  contract: {
    schema: 'columns fields',
    semantics: 'rules',
    entityStatus: 'status state',
    entity: 'asset table dataset',
    fullyQualifiedName: 'fqn',
  },
  schema: {
    name: 'column columnName',
    displayName: 'title businessName',
    dataType: 'type logicalType physicalType',
    dataLength: 'length size maxLength',
    description: 'desc comment comments doc remarks',
    constraint: 'nullable isNullable required notNull unique isUnique primaryKey isPrimaryKey pk',
    tags: 'label labels classification classifications',
    children: 'fields columns',
    ordinalPosition: 'position ordinal',
  },
  semantics: {
    description: 'desc comment comments doc',
    rule: 'expression condition check logic sql',
    enabled: 'active isEnabled',
  },
  sla: {
    refreshFrequency: 'frequency freshness refreshRate',
    retention: 'retentionPeriod retentionTime',
    availabilityTime: 'availableAt availableFrom timeOfAvailability',
    timezone: 'tz zone',
    interval: 'amount count every value period',
    value: 'amount count interval period',
    period: 'amount count interval value',
    unit: 'uom',
  },
  owners: { type: 'kind', name: 'username login', fullyQualifiedName: 'fqn' },
};

/** The one of the known keys that a word in that field stands for; at the top: of `contract`. */
export function keyMeantBy(
  word: string,
  field: string,
  known: readonly string[],
): string | undefined {
  const plain = plainWord(word);
  const names = written[field === 'reviewers' ? 'owners' : field] ?? {};
  return known.find((key) => names[key]?.split(' ').some((each) => plainWord(each) === plain));
}

// `is_nullable`, `is-nullable` and `isNullable` are one word.
function plainWord(word: string): string {
  return word.replaceAll(/[_-]/gu, '').toLowerCase();
}
