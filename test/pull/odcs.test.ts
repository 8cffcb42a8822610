import fc from 'fast-check';
import { keepUnstated } from '../../src/contract/equality.ts';
import { expect, test } from 'vitest';
import type { DesiredContract, LiveContract } from '../../src/contract/contract.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { declaredIn } from '../../src/files/files.ts';
import type { FormatRules } from '../../src/files/formats/format.ts';
import { defaultOdcsSettings, parseTemplate } from '../../src/files/formats/odcs/settings.ts';
import { valuesIn } from '../../src/files/read/document.ts';
import { planUpdate } from '../../src/plan/update.ts';
import { restateFile } from '../../src/pull/restate.ts';
import { invalidities } from './odcs-schema.ts';
import { lenientRules as rules } from '../support/rules.ts';
import { rounds } from '../support/rounds.ts';

const parsed = parseTemplate('shop.{object.name}');
const template = 'template' in parsed ? parsed.template : [];
const formats: FormatRules = {
  statuses: ['Draft', 'Active', 'Deprecated'],
  odcs: {
    settings: {
      ...defaultOdcsSettings,
      entity: [{ when: {}, is: template }],
      fields: [...defaultOdcsSettings.fields, 'odcsQualityRules', 'tags'],
    },
    run: { today: '2026-01-01', takesAnyUnit: true },
  },
};

const head = `# Kept by hand.
apiVersion: v3.1.0
kind: DataContract
id: urn:x:orders # ours
`;

/** Sections as people write them. */
const statuses = ['', 'status: Active # now\n', 'status: proposed\n'];
const descriptions = [
  '',
  'description: { usage: Reports. }\n',
  "description:\n  purpose: 'All orders.' # all\n  customProperties: []\n",
  'description: >-\n  All\n  orders.\n',
];
const columns = [
  '      - name: a # key\n        primaryKey: true\n        logicalType: integer\n        quality: [{ metric: rowCount }]\n',
  '      - { name: b, physicalType: VARCHAR(20), required: true, description: The b., tags: [PII.None] }\n',
  '      - name: c\n        physicalName: c_col\n        logicalType: string\n        logicalTypeOptions: { maxLength: 10, pattern: "[a-z]+", format: email }\n',
  '\n      # Told by many.\n      - name: d\n        physicalType: numeric(10, 2)\n        unique: false\n',
  '      - name: e\n        logicalType: array\n        items: { logicalType: integer }\n',
  '      - name: f\n        logicalType: object\n        properties:\n          - { name: x, logicalType: date }\n          - name: y\n            physicalType: text\n',
  '      - name: h\n        logicalType: date\n        logicalTypeOptions: { format: yyyy-MM-dd, minimum: "2020-01-01" }\n',
  '      - { name: i, logicalType: integer, logicalTypeOptions: { minimum: 0, format: i32 } }\n',
  '      - { name: j, logicalType: array, items: { logicalType: string, logicalTypeOptions: { pattern: x } } }\n',
  '      - { name: g, semanticType: measure, logicalType: number }\n',
];
const slas = [
  '',
  'slaProperties: []\n',
  'slaProperties:\n  - { property: Retention, value: P3Y } # law\n  - property: latency\n    value: 30\n    unit: min\n  - { property: timeOfAvailability, value: "09:00" }\n  - { property: availability, value: 99.9, unit: "%" }\n',
  'slaProperties:\n  - { property: freshness, value: 24h }\n  - { property: retention, value: "2", unit: d, element: o.a }\n',
];

const files = fc
  .tuple(
    fc.constantFrom(...statuses),
    fc.constantFrom(...descriptions),
    fc.subarray(columns, { minLength: 1 }),
    fc.constantFrom(...slas),
  )
  .map(
    ([status, description, own, sla]) =>
      `${head}${status}${description}schema:\n  - name: o\n    description: The object.\n    properties:\n${own.join('')}${sla}team: { name: sales }\n`,
  );

const text = fc.constantFrom('New.', 'Two\nlines\n', 'yes', 'All orders.');
const sized = fc.oneof(
  fc
    .constantFrom('BIGINT', 'DATE', 'TIMESTAMPZ', 'STRING', 'UUID', 'BINARY', 'JSON', 'DECIMAL')
    .map((dataType) => ({ dataType })),
  fc.integer({ min: 1, max: 99 }).map((dataLength) => ({ dataType: 'VARCHAR', dataLength })),
  fc.integer({ min: 3, max: 9 }).map((precision) => ({ dataType: 'NUMERIC', precision, scale: 2 })),
  fc.constantFrom('STRING', 'INT').map((arrayDataType) => ({ dataType: 'ARRAY', arrayDataType })),
);
const details = fc.record(
  {
    constraint: fc.constantFrom('PRIMARY_KEY', 'UNIQUE', 'NOT_NULL', 'NULL'),
    description: text,
    displayName: text,
    tags: fc.constantFrom([], [{ tagFQN: 'PII.None', labelType: 'Manual' }, { tagFQN: 'a.b' }]),
  },
  { requiredKeys: [] },
);
function columnNamed(name: string): fc.Arbitrary<JsonObject> {
  return fc.tuple(sized, details).map(([type, more]) => ({ name, ...type, ...more }));
}
const struct = fc
  .subarray(['x', 'y', 'z'], { minLength: 1 })
  .chain((names) => fc.tuple(...names.map(columnNamed)))
  .map((children) => ({ name: 'f', dataType: 'STRUCT', children }));
const liveColumns = fc
  .shuffledSubarray(['a', 'b', 'c_col', 'd', 'e', 'f', 'h', 'i', 'j', 'new', 'newer'])
  .chain((names) => fc.tuple(...names.map((name) => (name === 'f' ? struct : columnNamed(name)))));

const amount = fc.integer({ min: 1, max: 90 });
const liveSla = fc.record(
  {
    retention: fc.record({ period: amount, unit: fc.constantFrom('day', 'year') }),
    maxLatency: fc.record({ value: amount, unit: fc.constantFrom('minute', 'hour') }),
    refreshFrequency: fc.record({ interval: amount, unit: fc.constantFrom('day', 'month') }),
    availabilityTime: fc.constantFrom('10:00', '09:00'),
    timezone: fc.constant('UTC'),
  },
  { requiredKeys: [] },
);
const description = fc
  .tuple(text, fc.option(text), fc.option(text))
  .map(([purpose, limitations, usage]) =>
    [
      purpose,
      ...(limitations === null ? [] : [`**Limitations:**\n${limitations}`]),
      ...(usage === null ? [] : [`**Usage:**\n${usage}`]),
    ].join('\n\n'),
  );
const liveRules = [
  { type: 'library', metric: 'rowCount', mustBe: 1, column: 'o' },
  { metric: 'rowCount', column: 'a' },
  { name: 'none', metric: 'nullValues', mustBe: 0, column: 'b' },
  { type: 'sql', query: 'SELECT 1', column: 'x' },
];
const lives = fc.record(
  {
    entityStatus: fc.constantFrom('Draft', 'Active', 'Deprecated'),
    description,
    schema: liveColumns,
    sla: liveSla,
    odcsQualityRules: fc.subarray(liveRules),
  },
  { requiredKeys: ['entityStatus', 'description'] },
);

function declare(source: string): DesiredContract {
  const { contracts, diagnostics } = declaredIn({ file: 'a.yaml', text: source }, formats);
  const [desired] = contracts;
  if (!desired) throw new Error(source + JSON.stringify(diagnostics));
  return desired;
}

function planOf(source: string, live: LiveContract) {
  const desired = declare(source);
  return planUpdate(live, keepUnstated(live, desired), rules);
}

test('options and items that the new type cannot have go', () => {
  const file = `${head}schema:
  - name: o
    properties:
      - name: a
        logicalType: string
        logicalTypeOptions: { minLength: 1, pattern: '[0-9]+' }
      - name: b
        logicalType: integer
        logicalTypeOptions: { minimum: 0, format: i32 }
      - name: c
        logicalType: array
        items: { logicalType: string }
      - name: d
        logicalType: array
        items: { logicalType: string, logicalTypeOptions: { pattern: x } }
      - name: e
        logicalType: object
        properties: [{ name: x, logicalType: date }]
`;
  const schema = [
    { name: 'a', dataType: 'BIGINT' },
    { name: 'b', dataType: 'DECIMAL' },
    { name: 'c', dataType: 'BOOLEAN' },
    { name: 'd', dataType: 'ARRAY', arrayDataType: 'INT' },
    { name: 'e', dataType: 'DATE' },
  ];
  const live: LiveContract = { id: 'x', document: { id: 'x', schema } };
  const difference = { live, desired: declare(file), rules };
  const turned = restateFile({ file: 'a.yaml', text: file }, [difference], formats);
  expect(turned.problems).toEqual([]);
  expect(turned.after.slice(head.length)).toBe(`schema:
  - name: o
    properties:
      - name: a
        logicalType: integer
      - name: b
        logicalType: number
      - name: c
        logicalType: boolean
      - name: d
        logicalType: array
        items: { logicalType: integer }
      - name: e
        logicalType: date
`);
  expect(invalidities(valuesIn(turned.after)[0])).toEqual([]);
  expect(planOf(turned.after, live)).toMatchObject({ action: 'unchanged' });
});

const sharing = (former: string) => `${head}schema:
  - name: a
    properties: [{ name: c, description: &shared Old., required: true }]
  - name: b
    properties: [{ name: c, description: ${former} }]
tenant: *shared
`;

test('an object whose text cannot be edited keeps it whole, and the others are pulled', () => {
  const source = { file: 'a.yaml', text: sharing('Old., required: true') };
  const differences = declaredIn(source, formats).contracts.map((desired, at) => {
    const schema = [{ name: 'c', dataType: 'INT', description: 'New.', constraint: 'UNIQUE' }];
    const live: LiveContract = { id: `x${at}`, name: `c${at}`, document: { id: `x${at}`, schema } };
    return { live, desired, rules };
  });
  const turned = restateFile(source, differences, { ...formats, inFile: differences });
  expect(turned.pulled).toEqual([differences[1]]);
  expect(turned.after).toBe(sharing('New., required: true, unique: true'));
  expect(turned.problems).toMatchObject([
    {
      code: 'edit-refused',
      message: 'c0 can\'t be pulled: Line 10 also uses the anchor "&shared": edit both yourself.',
      source: { file: 'a.yaml', line: 7 },
    },
  ]);
});

test('every field of ODCS is pulled, and the next plan is empty', () => {
  fc.assert(
    fc.property(files, lives, (file, held: JsonObject) => {
      const live: LiveContract = { id: 'x', document: { id: 'x', ...held } };
      const difference = { live, desired: declare(file), rules };
      const options = { ...formats, inFile: [difference] };
      const turned = restateFile({ file: 'a.yaml', text: file }, [difference], options);
      expect(turned.problems).toEqual([]);
      expect(invalidities(valuesIn(turned.after)[0])).toEqual([]);
      expect(planOf(turned.after, live), turned.after).toMatchObject({ action: 'unchanged' });
      expect(turned.after.match(/#.*/gu)?.at(0)).toBe('# Kept by hand.');
      const again = { live, desired: declare(turned.after), rules };
      const twice = restateFile({ file: 'a.yaml', text: turned.after }, [again], options);
      expect(twice).toMatchObject({ after: turned.after, problems: [] });
    }),
    { numRuns: rounds(40) },
  );
});
