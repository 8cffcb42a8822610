import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openmetadata } from '../../../../src/catalog/products/openmetadata/openmetadata.ts';
import { parseLiveContract } from '../../../../src/contract/contract.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../src/core/json.ts';
import { countNames, type FormatRules } from '../../../../src/files/formats/format.ts';
import { odcs } from '../../../../src/files/formats/odcs/odcs.ts';
import { compareWithLive } from '../../../../src/files/formats/odcs/read.ts';
import { defaultOdcsSettings } from '../../../../src/files/formats/odcs/settings.ts';
import { lenientRules } from '../../../support/rules.ts';

type Recorded = { readonly contract: JsonObject; readonly exported: JsonObject };

/** A contract of OpenMetadata 1.12.6, and what its own export made of it. */
const recorded: Recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded', 'export.json'), 'utf8'),
);

const settings = {
  ...defaultOdcsSettings,
  fields: [...defaultOdcsSettings.fields, 'owners', 'odcsQualityRules', 'tags'],
} as const;
const checks: FormatRules = {
  statuses: openmetadata.lifecycle?.statuses,
  odcs: { settings, run: { today: '2026-11-25', takesAnyUnit: false } },
};
const rules = { ...lenientRules, equivalence: { ...openmetadata.equivalence, ignore: [] } };

function liveOf(contract: JsonObject) {
  const live = parseLiveContract(contract);
  if (!live) throw new Error('no contract');
  return live;
}

function differences(document: JsonObject, contract: JsonObject) {
  const at = Array.isArray(document['schema']) ? ['schema', '0'] : [];
  return compareWithLive(document, at, { live: liveOf(contract), rules }, checks)?.differences;
}

/** As the server's converter spreads rules and tags, by its source: the recorded contract has none. */
const tags = [
  { tagFQN: 'PII.Sensitive', name: 'Sensitive', source: 'Classification', labelType: 'Manual' },
];
const rule = (column: string) => ({ type: 'library', metric: 'nullValues', mustBe: 0, column });
const general = { type: 'sql', query: 'SELECT 1', validValues: [] };

function withRulesAndTags({ contract, exported }: Recorded): Recorded {
  const columns = contract['schema'] as JsonObject[];
  const [object] = exported['schema'] as JsonObject[];
  const { properties: list = [] } = object ?? {};
  const [id, ...others] = list as JsonObject[];
  const properties = [{ ...id, tags: ['PII.Sensitive'], quality: [rule('id')] }, ...others];
  return {
    contract: {
      ...contract,
      schema: columns.map((each) => (each['name'] === 'id' ? { ...each, tags } : each)),
      odcsQualityRules: [rule('id'), general],
    },
    exported: { ...exported, schema: [{ ...object, properties }], quality: [general] },
  };
}

describe("the server's own export equals the contract that it was made of", () => {
  test.each([
    ['as recorded', recorded],
    ['with rules and tags', withRulesAndTags(recorded)],
  ])('%s', (_, { contract, exported }) => {
    expect(differences(exported, contract)).toEqual([]);
  });

  test.each([
    ['description', 'Other.'],
    ['entityStatus', 'Approved'],
    ['sla', { retention: { period: 1, unit: 'day' } }],
    ['owners', []],
    ['odcsQualityRules', [rule('a')]],
    ['schema', []],
  ])('and shows an edit of %s', (field, value) => {
    const { contract, exported } = withRulesAndTags(recorded);
    const fields = differences(exported, { ...contract, [field]: value })?.map(
      ({ place }) => place.split('/')[1],
    );
    expect(new Set(fields)).toEqual(new Set([field]));
  });
});

/** `path = value`, without empty members and the standard's defaults. */
function leavesOf(value: JsonValue, path = ''): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((item: JsonValue, index) => leavesOf(item, `${path}[${index}]`));
  if (isObject(value))
    return Object.entries(value).flatMap(([name, each]) => leavesOf(each, `${path}.${name}`));
  const isDefault = value === null || value === false || value === -1 || value === 'Etc/UTC';
  return isDefault ? [] : [`${path.slice(1)} = ${JSON.stringify(value)}`];
}

test('a file that import writes differs from the export of the server in these fields alone', () => {
  const { contract, exported } = withRulesAndTags(recorded);
  const { odcsQualityRules: _, ...unruled } = contract;
  const live = liveOf({ ...unruled, odcsQualityRules: [rule('id')] });
  const { quality: __, ...spread } = exported;
  const made = odcs.compose(live, { names: countNames([live]), rules, checks });
  if ('refused' in made) throw new Error(made.refused.message);
  const [theirs, ours] = [leavesOf(spread), leavesOf(made.document)];
  expect([
    ...theirs.filter((leaf) => !ours.includes(leaf)).map((leaf) => `- ${leaf}`),
    ...ours.filter((leaf) => !theirs.includes(leaf)).map((leaf) => `+ ${leaf}`),
  ]).toMatchInlineSnapshot(`
    [
      "- version = "0.1"",
      "- schema[0].physicalType = "table"",
      "- schema[0].logicalType = "object"",
      "- schema[0].properties[0].physicalName = "id"",
      "- schema[0].properties[0].physicalType = "BIGINT"",
      "- schema[0].properties[0].logicalType = "long"",
      "- schema[0].properties[0].quality[0].column = "id"",
      "- schema[0].properties[1].physicalName = "a"",
      "- schema[0].properties[1].physicalType = "VARCHAR"",
      "- schema[0].properties[1].logicalTypeOptions.maxLength = 80",
      "- schema[0].properties[2].physicalName = "b"",
      "- schema[0].properties[2].physicalType = "DECIMAL"",
      "- schema[0].properties[2].logicalType = "decimal"",
      "- team[0].username = "ada"",
      "- team[0].name = "ADA"",
      "- team[0].role = "owner"",
      "- slaProperties[0].property = "freshness"",
      "- slaProperties[0].value = "1"",
      "- slaProperties[1].value = "4"",
      "- slaProperties[2].value = "365"",
      "- contractCreatedTs = 1763996400000",
      "+ version = "0.1.0"",
      "+ schema[0].name = "dataContract_c"",
      "+ schema[0].properties[0].logicalType = "integer"",
      "+ schema[0].properties[0].physicalType = "bigint"",
      "+ schema[0].properties[1].physicalType = "varchar(80)"",
      "+ schema[0].properties[2].logicalType = "number"",
      "+ schema[0].properties[2].physicalType = "decimal"",
      "+ slaProperties[0].property = "frequency"",
      "+ slaProperties[0].value = 1",
      "+ slaProperties[1].value = 4",
      "+ slaProperties[2].value = 365",
    ]
  `);
});
