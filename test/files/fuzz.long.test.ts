import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fc, test as property } from '@fast-check/vitest';
import { expect } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { JsonValue } from '../../src/core/json.ts';
import { parseContractFile } from '../../src/files/files.ts';
import type { ContractDocument } from '../../src/files/formats/format.ts';
import { placeOf } from '../../src/files/read/document.ts';
import { decodeText } from '../../src/files/text.ts';

const folder = join(import.meta.dirname, 'hostile');
const hostile = readdirSync(folder)
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => readFileSync(join(folder, file)))
  .filter(({ length }) => length < 2000);

const ordinary = Buffer.from(`# yaml-language-server: $schema=contract.schema.json
name: orders
entity: &entity
  type: table
  fullyQualifiedName: warehouse.sales.public.orders
entityStatus: Active
description: |
  One row per order placed. 😀
owners:
  - { type: team, name: data-platform }
semantics:
  - name: amount is positive
    rule: '{">": [{"var": "amount"}, 0]}'
sla: { refreshFrequency: { interval: 1, unit: "day" } }
schema:
  - { name: order_id, dataType: BIGINT }
  - name: amount
extension:
  <<: { a: 1 }
  entity: *entity
`);

/** What means something in YAML, or breaks its encoding. */
const pieces = [
  '\n|\n  |\t|\r|- |? |: |:|,|[|]|{|}|#|&a |*a|!|!!str |>-\n|\'|"|%|@|`|\\|---\n|...\n|<<: |~',
  '|__proto__|id: x|null|.inf|1e999|012|9007199254740993|\ufeff|\0',
]
  .join('')
  .split('|')
  .map((text) => Buffer.from(text));
const bytes = fc.oneof(
  fc.constantFrom(...pieces, Buffer.from([0xff]), Buffer.from([0xc3])),
  fc.uint8Array({ maxLength: 3 }).map((array) => Buffer.from(array)),
);

/** Replaces what stands between two places (as parts of a million) by bytes, or by a repetition. */
const mutation = fc.record({
  from: fc.nat(1_000_000),
  length: fc.oneof(fc.constant(0), fc.nat(40)),
  insert: fc.oneof(bytes, fc.constant('repeat' as const)),
});
type Mutation = {
  readonly from: number;
  readonly length: number;
  readonly insert: Buffer | 'repeat';
};

const mutatedFile = fc
  .tuple(fc.constantFrom(ordinary, ...hostile), fc.array(mutation, { minLength: 1, maxLength: 6 }))
  .map(([file, mutations]) => mutations.reduce(mutate, file));

function mutate(file: Buffer, { from, length, insert }: Mutation): Buffer {
  const start = Math.floor((from / 1_000_000) * file.length);
  const cut = file.subarray(start, start + length);
  const middle = insert === 'repeat' ? Buffer.concat([cut, cut, cut]) : insert;
  return Buffer.concat([file.subarray(0, start), middle, file.subarray(start + length)]);
}

property.prop([mutatedFile], { numRuns: 1000 })(
  'whatever the bytes of a file, they are read or refused with diagnostics inside of the file',
  (file) => {
    const decoded = decodeText('a.yaml', file);
    if ('problem' in decoded) {
      expect(decoded.problem.severity).toBe('error');
      return;
    }
    const { text } = decoded;
    const { contracts, diagnostics } = parseContractFile({ file: 'a.yaml', text });
    for (const diagnostic of diagnostics) expectInside(diagnostic, text);
    expect(contracts.length + diagnostics.length).toBeGreaterThan(0);
    for (const contract of contracts) {
      expectLocatable(contract.fields, text, contract.index);
      expectKnownPlace(contract, text);
    }
  },
);

function expectInside({ source }: Diagnostic, text: string): void {
  const lines = text.split('\n');
  const line = lines[(source?.line ?? 0) - 1];
  expect(line).toBeDefined();
  expect(source?.column).toBeGreaterThan(0);
  expect(source?.column).toBeLessThanOrEqual((line?.length ?? 0) + 1);
}

function expectLocatable(fields: JsonValue, text: string, index: number): void {
  for (const pointer of pointersOf(fields)) {
    const source = placeOf({ file: 'a.yaml', text, index }, pointer);
    expectInside({ code: '', severity: 'error', message: '', source }, text);
  }
  expect(JSON.parse(JSON.stringify(fields))).toEqual(fields);
}

/** Where the parser says that a contract starts is where parsing the text again has it. */
function expectKnownPlace({ place, index }: ContractDocument, text: string): void {
  expect(placeOf({ file: 'a.yaml', text, index }, [])).toEqual({ file: 'a.yaml', ...place });
}

function pointersOf(value: JsonValue): string[][] {
  if (typeof value !== 'object' || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, item]) =>
      pointersOf(item).map((rest) => [key, ...rest]),
    ),
  ];
}
