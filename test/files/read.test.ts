import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import { readContracts, type ReadOptions, type ReadResult } from '../../src/files/files.ts';
import { largestFile } from '../../src/files/find/walk.ts';
import { makeFolder } from './folder.ts';

function read(files: Readonly<Record<string, string>>, options?: ReadOptions): Promise<ReadResult> {
  return readContracts({ root: makeFolder(files), include: ['.'], exclude: [] }, options);
}

function places(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(
    ({ code, source }) => `${source?.file}:${source?.line}:${source?.column} ${code}`,
  );
}

const id = (digit: number) => `id: 00000000-0000-4000-8000-00000000000${digit}\n`;

describe('a file', () => {
  test('declares a contract: its identity, its managed fields and its place', async () => {
    const { contracts, diagnostics, fileCount } = await read({
      'deep/orders.yaml': `# Orders\nname: orders\nentity:\n  type: table\n  fullyQualifiedName: a.b\ndescription: null\nsla: { refresh: 1 }\n`,
    });
    expect(diagnostics).toEqual([]);
    expect(fileCount).toBe(1);
    expect(contracts).toMatchObject([
      {
        identity: { name: 'orders', entity: { type: 'table', fullyQualifiedName: 'a.b' } },
        managed: { description: null, sla: { refresh: 1 } },
        source: { file: 'deep/orders.yaml', line: 2, column: 1 },
      },
    ]);
    expect(contracts[0]?.managed).not.toHaveProperty('name');
    const place = (pointer: readonly string[], isRemoved?: boolean) =>
      contracts[0]?.locate(pointer, isRemoved);
    const file = 'deep/orders.yaml';
    expect(place(['sla', 'refresh'])).toEqual({ file, line: 7, column: 17 });
    // Of a removed element, the list; the element there now is another one.
    expect(place(['entity', 'type'], true)).toEqual({ file, line: 4, column: 3 });
    expect(place(['sla'], true)).toEqual({ file, line: 2, column: 1 });
  });

  test('declares several contracts in several documents, in their order', async () => {
    const { contracts } = await read({ 'b.yaml': `${id(3)}---\n${id(1)}`, 'a.yaml': id(2) });
    expect(contracts.map(({ source }) => `${source.file}:${source.line}`)).toEqual([
      'a.yaml:1',
      'b.yaml:1',
      'b.yaml:3',
    ]);
  });

  test('with a broken document declares nothing: where the others begin is not sure', async () => {
    const { contracts, diagnostics } = await read({ 'a.yaml': `${id(1)}---\na: [\n---\n${id(2)}` });
    expect(contracts).toEqual([]);
    expect(places(diagnostics)).toEqual(['a.yaml:3:4 yaml-syntax']);
  });

  test('with a quoted text whose lines are not indented has one error, at the quote', async () => {
    const lines = 'and so on: "no", it\'s more\n'.repeat(40);
    const { diagnostics } = await read({ 'a.yaml': `${id(1)}description: "One row\n${lines}"\n` });
    expect(places(diagnostics)).toEqual(['a.yaml:2:14 yaml-syntax']);
  });

  test('of exactly the largest size is read, and one byte more is refused', async () => {
    const head = `${id(1)}description: `;
    const fits = `${head}${'x'.repeat(largestFile - head.length)}`;
    expect((await read({ 'a.yaml': fits })).diagnostics).toEqual([]);
    expect(places((await read({ 'a.yaml': `${fits}x` })).diagnostics)).toEqual([
      'a.yaml:1:1 file-too-large',
    ]);
  });

  test('puts members in the order of the interface', async () => {
    const { contracts } = await read({ 'a.yaml': `sla: {}\ndescription: x\n${id(1)}` });
    expect(Object.keys(contracts[0]?.managed ?? {})).toEqual(['description', 'sla']);
  });
});

describe('one contract that two places claim is an error naming both', () => {
  test.each([
    ['one id', id(1), `${id(1)}name: x\n`],
    ['one qualified name', 'fullyQualifiedName: a.b\n', `${id(1)}fullyQualifiedName: a.b\n`],
    [
      'one name at one entity',
      'name: n\nentity: { fullyQualifiedName: a.b }\n',
      'name: n\nentity: { fullyQualifiedName: a.b, type: table }\n',
    ],
    [
      'one name at one entity by its id',
      `name: n\nentity: { ${id(1).trim()} }\n`,
      `name: n\nentity: { ${id(1).trim()}, type: table }\n`,
    ],
  ])('by %s', async (_how, first, second) => {
    const { contracts, diagnostics } = await read({ 'a.yaml': first, 'b.yaml': second });
    expect(contracts).toHaveLength(1);
    expect(places(diagnostics)).toEqual(['b.yaml:1:1 duplicate-contract']);
    expect(diagnostics[0]?.message).toContain('a.yaml:1:1');
  });

  test('but not by a name alone', async () => {
    const { diagnostics } = await read({
      'a.yaml': 'name: n\nentity: { fullyQualifiedName: a.b }\n',
      'b.yaml': 'name: n\nentity: { fullyQualifiedName: a.c }\n',
    });
    expect(diagnostics).toEqual([]);
  });
});

describe('a value', () => {
  test.each([
    ['sla: { refreshFrequency: { interval: "99", unit: day } }', '38 wrong-type'],
    ['sla: { maxLatency: { value: true } }', '29 wrong-type'],
    ['sla: { retention: { period: "1" } }', '29 wrong-type'],
    ['schema: [{ name: a, dataLength: "8" }]', '33 wrong-type'],
    ['schema: [{ name: a, precision: "8" }]', '32 wrong-type'],
    ['schema: [{ name: 2024 }]', '18 wrong-type'],
    ['schema: [{ name: a, children: [{ name: true }] }]', '40 wrong-type'],
    ['semantics: [{ name: 5, rule: "{}" }]', '21 wrong-type'],
    ['extension: { a: 12345678901234567890 }', '17 number-too-long'],
    ['extension: { a: 1e400 }', '17 number-not-finite'],
    ['extension: { a: -.inf }', '17 number-not-finite'],
    ['extension: { a: 1e-400 }', '17 number-too-long'],
    ['extension: { a: 0.1000000000000000055 }', '17 number-too-long'],
    ['extension: { a: 123456789012345.67890123 }', '17 number-too-long'],
    ['extension: { a: [+1234567890123456789.5e3] }', '18 number-too-long'],
    [String.raw`description: "a \ud83d b"`, '14 lone-surrogate'],
    [String.raw`extension: { a: [{ b: "\U0000DE00" }] }`, '23 lone-surrogate'],
    [String.raw`extension: { "\udc00": 1 }`, '14 lone-surrogate'],
  ])('that would not be sent as %s is an error at its place', async (line, problem) => {
    const { diagnostics } = await read({ 'a.yaml': `${id(1)}${line}\n` });
    expect(places(diagnostics)).toEqual([`a.yaml:2:${problem}`]);
  });

  // Each holds a number with a leading zero, of which there is a warning besides.
  test.each([
    ['<<: 017', 'a.yaml:2:5 yaml-alias'],
    ['extension: { <<: [{ b: 2 }, 017] }', 'a.yaml:2:29 yaml-alias'],
    ['extension: { <<: [{ b: 017 }, text] }', 'a.yaml:2:31 yaml-alias'],
    ['extension: { <<: [[{ b: 017 }]] }', 'a.yaml:2:19 yaml-alias'],
    ['extension: { a: [{ <<: { <<: 017 } }] }', 'a.yaml:2:30 yaml-alias'],
    ['extension: { a: &a 017, <<: *a }', 'a.yaml:2:29 yaml-alias'],
    ['extension: { a: &a { b: 017 }, <<: [*a, *b] }', 'a.yaml:2:41 yaml-alias'],
    ['extension: { a: &a 017, ? *a : 1 }', 'a.yaml:2:27 non-string-key'],
    ['description: 017', 'a.yaml:2:14 wrong-type'],
    ['schema: 017', 'a.yaml:2:9 wrong-type'],
    ['schema: [{ name: 017 }]', 'a.yaml:2:18 wrong-type'],
    ['owners: [017]', 'a.yaml:2:10 wrong-type'],
    ['extension: { a: &a 017 }\nname: *a', 'a.yaml:2:20 wrong-type'],
  ])('that does not fit is an error beside other problems too: %s', async (line, error) => {
    const { contracts, diagnostics } = await read({ 'a.yaml': `${id(1)}${line}\n` });
    expect(contracts).toEqual([]);
    expect(places(diagnostics.filter(({ severity }) => severity === 'error'))).toEqual([error]);
  });

  test.each([
    ['0x1F', 31],
    ['-0', 0],
    ['1e20', 1e20],
    ['0.30000000000000004', 0.30000000000000004],
    ['100000000000000000000.0', 1e20],
    ['.50', 0.5],
    [String.raw`"\ud83d\ude00"`, '😀'],
  ])('%s keeps its type', async (text, value) => {
    const { contracts, diagnostics } = await read({
      'a.yaml': `${id(1)}extension: { a: ${text} }\n`,
    });
    expect(diagnostics).toEqual([]);
    expect(contracts[0]?.managed).toEqual({ extension: { a: value } });
  });

  test.for([
    ['schema: [{ name: a, dataLength: "8" }]', 'Write a number, without quotes.'],
    ['schema: [{ name: a, dataLength: eight }]', 'Write a number.'],
    ['sla: { maxLatency: { value: 30 minutes } }', 'Write `value: 30, unit: minute`.'],
  ] as const)(
    'that is text in place of a number gets the way to write it: %s',
    async ([field, hint]) => {
      const { diagnostics } = await read({ 'a.yaml': `${id(1)}${field}\n` });
      expect(diagnostics).toMatchObject([{ code: 'wrong-type', hint }]);
    },
  );
});

describe('the lifecycle', () => {
  test('is not checked where the caller names no statuses', async () => {
    const { diagnostics } = await read({ 'a.yaml': `${id(1)}entityStatus: Anything\n` });
    expect(diagnostics).toEqual([]);
  });

  test('refuses a status that it does not have, and suggests one', async () => {
    const statuses = ['Draft', 'In Review', 'Approved'];
    const { diagnostics } = await read(
      {
        'a.yaml': `${id(1)}entityStatus: Aproved\n`,
        'b.yaml': `${id(2)}entityStatus: In Review\n`,
      },
      { statuses },
    );
    expect(places(diagnostics)).toEqual(['a.yaml:2:15 unknown-status']);
    expect(diagnostics[0]?.hint).toBe('Did you mean "Approved"?');
  });

  test('may remove a status', async () => {
    const files = { 'a.yaml': `${id(1)}entityStatus: null\n` };
    expect((await read(files, { statuses: ['Draft'] })).diagnostics).toEqual([]);
  });
});

test('all problems of all files are reported at once, in order', async () => {
  const { diagnostics } = await read({
    'b.yaml': 'whatever: 1\nversion: 2\n',
    'a.yaml': '',
    'c.yaml': `${id(1)}sla: [\n`,
  });
  expect(places(diagnostics)).toEqual([
    'a.yaml:1:1 no-contract',
    'b.yaml:1:1 identity-missing',
    'b.yaml:1:1 unknown-key',
    'b.yaml:2:1 server-owned-field',
    'c.yaml:2:6 yaml-syntax',
  ]);
});

test.each([
  ['a saved plan', '{"formatVersion":"1.0","planHash":"sha256:1","contracts":[]}', true],
  ['a workflow', 'on: push\njobs: {}\n', true],
  ['a misspelt key beside another', 'fullyQualifedName: a.b\nteam: x\n', false],
])('%s is one problem if it has no key of a contract', async (_, text, isForeign) => {
  const { diagnostics } = await read({ 'a.yaml': text });
  const codes = diagnostics.map(({ code }) => code);
  if (isForeign) expect(codes).toEqual(['not-a-contract']);
  else expect(codes).not.toContain('not-a-contract');
});

test.each([
  ['columns: []', 'schema'],
  ['status: Draft', 'entityStatus'],
  ['rules: []', 'semantics'],
])('a key of other tools is an error that names ours: %s', async (text, meant) => {
  const { diagnostics } = await read({ 'a.yaml': `${id(1)}${text}\n` });
  expect(diagnostics.map(({ hint }) => hint)).toEqual([`Did you mean "${meant}"?`]);
});

async function slips(text: string): Promise<string[]> {
  const { contracts, diagnostics } = await read({ 'a.yaml': `${id(1)}${text}\n` });
  const severities = diagnostics.map(({ severity }) => severity);
  expect(contracts).toHaveLength(severities.includes('error') ? 0 : 1);
  return diagnostics.map(({ severity, code, message, hint }) =>
    [severity, code, message, hint].join(' '),
  );
}

describe('a slip inside of a section', () => {
  test.each([
    ['schema: [{ name: a, datatype: INT }]', 'Unknown key "datatype" in a column.', 'dataType'],
    ['schema: [{ name: a, dataTyp: INT }]', 'Unknown key "dataTyp" in a column.', 'dataType'],
    [
      'schema: [{ name: a, children: [{ nmae: b, name: b, Tags: [] }] }]',
      '"Tags" in a column',
      'tags',
    ],
    ['semantics: [{ name: r, rul: a }]', 'Unknown key "rul" in a semantic rule.', 'rule'],
    ['sla: { retentoin: { period: 1, unit: day } }', 'Unknown key "retentoin"', 'retention'],
    ['schema: [{ column: a }]', 'Unknown key "column" in a column.', 'name'],
    ['sla: { maxLatency: { value: 1, Unit: day } }', 'Unknown key "Unit" in a promise.', 'unit'],
  ])('is an error where a known key is absent for it: %s', async (text, message, meant) => {
    const found = await slips(text);
    const error = found.find((each) => each.startsWith('error'));
    expect(error).toContain(message);
    expect(error).toContain(`Did you mean "${meant}"?`);
  });

  test.each([
    'schema: [{ name: a, datatype: INT, dataType: INT }]',
    'schema: [{ name: a, datatype: null }]',
  ])('is a warning where no value is lost: %s', async (text) => {
    expect(await slips(text)).toEqual([
      'warning key-misspelt Unknown key "datatype" in a column. Did you mean "dataType"?',
    ]);
  });

  test("isn't suspected where the key resembles no known one", async () => {
    expect(await slips('schema: [{ name: a, sensitivity: high }]')).toEqual([]);
  });

  test.each([
    ['schema: [{ name: a, constraint: NOTNULL }]', 'NOTNULL', 'constraint', 'NOT_NULL'],
    ['schema: [{ name: a, constraint: not null }]', 'not null', 'constraint', 'NOT_NULL'],
    ['schema: [{ name: a, dataType: CHRA }]', 'CHRA', 'dataType', 'CHAR'],
    ['schema: [{ name: a, dataType: VARCHR }]', 'VARCHR', 'dataType', 'VARCHAR'],
    ['sla: { maxLatency: { value: 30, unit: minutse } }', 'minutse', 'unit', 'minute'],
    ['owners: [{ type: tema, name: a }]', 'tema', 'type', 'team'],
  ])('in a word is a warning: %s', async (text, word, key, meant) => {
    expect(await slips(text)).toEqual([
      `warning unknown-value "${word}" is no known \`${key}\`. Did you mean "${meant}"?`,
    ]);
  });

  test.each([
    [
      'schema: [{ name: a, type: INT }]',
      'key-misspelt Unknown key "type" in a column. Did you mean "dataType"?',
    ],
    [
      'schema: [{ name: a, dataLength: -5 }]',
      "unknown-value `dataLength` can't be negative. Use a whole number from 0 on.",
    ],
    [
      'sla: { maxLatency: { value: -1, unit: hour } }',
      "unknown-value `value` can't be negative. Use a whole number from 0 on.",
    ],
    [
      'sla: { availabilityTime: "25:99" }',
      'unknown-value "25:99" is not a time of day. Write hours and minutes, 08:30, up to 23:59.',
    ],
    [
      'sla: { retention: { period: 1, unit: fortnight } }',
      'unknown-value "fortnight" is no known `unit`. Count in days: it is 14 of them.',
    ],
    [
      'sla: { maxLatency: 3 fortnights }',
      'unknown-value "3 fortnights" is text, where catalogs have an amount and a unit. Write { value: 42, unit: day }.',
    ],
    [
      'sla: { maxLatency: 15m }',
      'unknown-value "15m" is text, where catalogs have an amount and a unit. Write { value: 15, unit: minute }.',
    ],
    [
      'sla: { refreshFrequency: hourly }',
      'unknown-value "hourly" is text, where catalogs have an amount and a unit. Write { interval: 1, unit: hour }.',
    ],
    [
      'sla: { maxLatency: { value: 5, unit: minutes } }',
      'unknown-value "minutes" is no known `unit`. Did you mean "minute"?',
    ],
    [
      'sla: { retention: { value: 7, unit: day } }',
      'key-misspelt Unknown key "value" in a promise. Did you mean "period"?',
    ],
    [
      'sla: { unit: minutes }',
      'key-misspelt `unit` stands beside the promises of the SLA. Indent it below the one it belongs to: refreshFrequency, maxLatency, retention.',
    ],
    [
      `semantics: [{ name: r, rule: '["a"]' }]`,
      String.raw`rule-not-json "["a"]" is JSON, but JSON logic is an object. Write it like '{">": [{"var": "amount"}, 0]}'.`,
    ],
  ])(
    'that a plan or a catalog refuses is a warning, whichever catalog it is: %s',
    async (text, told) => {
      expect(await slips(text)).toEqual([`warning ${told}`]);
    },
  );

  test.each([
    ['schema', 'type logicalType', 'dataType'],
    ['schema', 'length size max_length', 'dataLength'],
    ['schema', 'desc comment doc', 'description'],
    ['schema', 'title businessName', 'displayName'],
    ['schema', 'labels classifications', 'tags'],
    ['schema', 'fields columns', 'children'],
    ['schema', 'nullable is_nullable required notNull unique primaryKey pk', 'constraint'],
    ['semantics', 'expression condition sql', 'rule'],
    ['semantics', 'desc', 'description'],
    ['sla', 'freshness frequency', 'refreshFrequency'],
    ['sla', 'retention_period', 'retention'],
    ['sla', 'tz', 'timezone'],
    ['owners', 'kind', 'type'],
    ['reviewers', 'fqn', 'fullyQualifiedName'],
  ])("in %s names the known key beside the other tool's: %s", async (field, words, meant) => {
    const constraints =
      meant === 'constraint' ? ', one of NULL, NOT_NULL, UNIQUE, PRIMARY_KEY' : '';
    for (const word of words.split(' ')) {
      const item = `{ name: a, ${word}: b }`;
      const found = await slips(`${field}: ${field === 'sla' ? `{ ${word}: b }` : `[${item}]`}`);
      expect(found).toEqual([
        expect.stringMatching(
          `^warning key-misspelt Unknown key "${word}" in .*. Did you mean "${meant}"${constraints}\\?$`,
        ),
      ]);
    }
  });

  test.each([
    ['s sec secs', 'Did you mean "second"?'],
    ['m min mins', 'Did you mean "minute"?'],
    ['h hr hrs hourly', 'Did you mean "hour"?'],
    ['d daily', 'Did you mean "day"?'],
    ['w wk wks weekly', 'Did you mean "week"?'],
    ['mo mos monthly', 'Did you mean "month"?'],
    ['y yr yrs yearly', 'Did you mean "year"?'],
    ['fortnight fortnights', 'Count in days: it is 14 of them.'],
    ['quarter', 'Count in months: it is 3 of them.'],
    ['sol', 'Use second, minute, hour, day, week, month, year.'],
  ])('in a unit names the known one: %s', async (words, hint) => {
    for (const word of words.split(' '))
      expect(await slips(`sla: { retention: { period: 1, unit: ${word} } }`)).toEqual([
        `warning unknown-value "${word}" is no known \`unit\`. ${hint}`,
      ]);
  });

  test.each([
    ['15m', 'period: 15, unit: minute'],
    ['2 hrs', 'period: 2, unit: hour'],
    ['PT15M', 'period: 15, unit: minute'],
    ['P1Y', 'period: 1, unit: year'],
    ['2 fortnights', 'period: 28, unit: day'],
  ])('in a duration as text shows its amount and unit: %s', async (text, meant) => {
    expect(await slips(`sla: { retention: ${text} }`)).toEqual([
      `warning unknown-value "${text}" is text, where catalogs have an amount and a unit. Write { ${meant} }.`,
    ]);
  });

  test.each([
    ...'bigint BSON BYTE DATETIME2 FLOAT8 GUID INT8 INTEGER JSONB my_type NCHAR NVARCHAR'.split(
      ' ',
    ),
    ...'REAL TIMESTAMPTZ VARCHAR2 VARCHAR(20)'.split(' '),
  ])("isn't suspected in a type of another database: %s", async (type) => {
    expect(await slips(`schema: [{ name: a, dataType: ${type} }]`)).toEqual([]);
  });

  test("is reported where another problem keeps the file from the catalog's check", async () => {
    const text = `${id(1)}sla: { retentoin: 1, maxlatency: 2 }\n`;
    const pointer = ['sla', 'retentoin'];
    const check = () => [{ code: 'unknown-key', severity: 'error', message: '', pointer } as const];
    const { contracts, diagnostics } = await read({ 'a.yaml': text }, { check });
    expect(contracts).toEqual([]);
    expect(places(diagnostics)).toEqual(['a.yaml:2:8 key-misspelt', 'a.yaml:2:22 key-misspelt']);
  });
});

test('two problems of one kind at one place are both reported, and one that is met twice is reported once', async () => {
  const { diagnostics } = await read({
    'a.yaml': `${id(1)}extension: { number: &n 5, repeated: [&l [.inf], *l] }\nname: *n\nfullyQualifiedName: *n\n`,
  });
  expect(diagnostics.map(({ message }) => message)).toEqual([
    '`fullyQualifiedName` must be text, not a number.',
    '`name` must be text, not a number.',
    'JSON can\'t represent the number ".inf".',
  ]);
});

test.each([
  ['a list at the end of the file', 'sla: [a,\n  "]",\n  b # ]\n', '2:6'],
  ['a mapping within a closed one', 'sla: [{ a: 1 }, { b: [1], c: 2\nname: x\n', '2:17'],
  ['one that the other kind closes', 'sla: { a: [1, 2 } }\n', '2:11'],
])('an unclosed bracket is an error at its place: %s', async (_, text, place) => {
  const { diagnostics } = await read({ 'a.yaml': `${id(1)}${text}` });
  expect(places(diagnostics)).toEqual([`a.yaml:${place} yaml-syntax`]);
});

test('all syntax errors of a file are reported, with the problems of its other sections', async () => {
  const text = `nam: x
schema:
  - { name: a, dataTyp: INT }
owners: [
sla: { maxLatency: 1
semantics:
  - name: b
  -{ name: c }
---
fullyQualifiedName: "a.b
descripton: y
`;
  const { contracts, diagnostics } = await read({ 'a.yaml': text });
  expect(contracts).toEqual([]);
  expect(places(diagnostics)).toEqual([
    'a.yaml:1:1 unknown-key',
    'a.yaml:3:16 key-misspelt',
    'a.yaml:4:9 yaml-syntax',
    'a.yaml:5:6 yaml-syntax',
    'a.yaml:8:3 yaml-syntax',
    'a.yaml:10:21 yaml-syntax',
    'a.yaml:11:1 unknown-key',
  ]);
});

test("an alias isn't reported where a syntax error hides its anchor", async () => {
  const text = `${id(1)}schema:\n  - &id { name: id }\n  - name: a: b\nextension: { x: *id }\n`;
  const { diagnostics } = await read({ 'a.yaml': text });
  expect(places(diagnostics)).toEqual(['a.yaml:4:11 yaml-syntax']);
});

describe('a dash', () => {
  const missing = 'Begin a new item with `- `, or remove one of the two.';
  test.each([
    [
      'missing before aligned keys',
      'schema:\n  - name: a\n    dataType: INT\n    name: b\n    dataType: INT\n',
      `5:5 Duplicate key "name": the first is on line 3, and a dash may be missing here. ${missing}`,
    ],
    [
      'without a space behind it',
      'schema:\n  - { name: a }\n  -{ name: b }\n',
      '4:3 This dash has no space behind it, so it begins no item of a list. Write `- `, with a space.',
    ],
    [
      'without a space on the line above',
      'schema:\n  -name: a\n   dataType: INT\n',
      '3:3 This dash has no space behind it, so it begins no item of a list. Write `- `, with a space.',
    ],
  ])('that is %s is reported once', async (_, text, told) => {
    const { diagnostics } = await read({ 'a.yaml': `${id(1)}${text}` });
    expect(
      diagnostics.map(({ source, message, hint }) =>
        [`${source?.line}:${source?.column}`, message, hint].join(' '),
      ),
    ).toEqual([told]);
  });
});

test.each([
  [
    'schema: [{ name: a, dataType:BIGINT }]\n',
    '2:21 "dataType:BIGINT" is a key without a value: its colon has no space behind it. Write `dataType: BIGINT`.',
  ],
  [
    'description:One row.\nsla: {}\n',
    '2:12 This colon has no space behind it, so it ends no key. Write `key: value`, with a space.',
  ],
  [
    'schema:\n  - name:order_id\n    dataType: INT\n',
    '3:9 This colon has no space behind it, so it ends no key. Write `key: value`, with a space.',
  ],
])('a colon without a space behind it is an error at its place: %s', async (text, told) => {
  const { diagnostics } = await read({ 'a.yaml': `${id(1)}${text}` });
  expect(
    diagnostics.map(({ source, message, hint }) =>
      [`${source?.line}:${source?.column}`, message, hint].join(' '),
    ),
  ).toEqual([told]);
});

test('other work goes on while many files are read', async () => {
  const root = makeFolder({});
  for (let file = 0; file < 200; file += 1) {
    writeFileSync(join(root, `${file}.yaml`), `fullyQualifiedName: a.b${file}\n`);
  }
  let turns = 0;
  let reading = true;
  const count = (): void => {
    turns += 1;
    if (reading) setImmediate(count);
  };
  setImmediate(count);
  const { contracts } = await readContracts({ root, include: ['.'], exclude: [] });
  reading = false;
  expect(contracts).toHaveLength(200);
  expect(turns).toBeGreaterThan(5);
});
