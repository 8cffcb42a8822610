import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/core/json.ts';
import {
  detectFormat,
  mapOdcs,
  type MappedContract,
  type OdcsMapping,
} from '../../../../src/files/formats/odcs/read.ts';
import {
  defaultOdcsSettings,
  type OdcsRun,
  type OdcsSettings,
} from '../../../../src/files/formats/odcs/settings.ts';
import { originIn } from '../../../../src/files/formats/odcs/scope.ts';
import { checkYaml } from '../../../../src/files/read/document.ts';
import { formatPointer, type Pointer } from '../../../../src/patch/pointer.ts';
import { expectGolden } from '../../../support/golden.ts';
import { rule } from './mapping.ts';

const folder = join(import.meta.dirname, 'examples');
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));

/** One configuration, as a team with all of these files would have it. */
const settings: OdcsSettings = {
  ...defaultOdcsSettings,
  entity: [
    rule(null, { 'object.name': 'scratch_*' }),
    { ...rule('kafka.{object.physicalName|quote}', { 'server.type': 'kafka' }), type: 'topic' },
    rule('duckdb.jaffle.main.{object.name}', { 'contract.id': 'jaffle' }),
    rule('{property.catalogName}'),
    rule('bigquery.{server.project}.{server.dataset}.{object.name}'),
    rule('unity.{server.catalog}.{server.schema}.{object.physicalName}'),
    rule('pg.{server.database}.{object.physicalName}', { 'object.physicalName': '*.*' }),
    rule('pg.{server.database}.{server.schema}.{object.physicalName}'),
  ],
  server: 'production',
  fields: ['entityStatus', 'description', 'schema', 'sla', 'owners', 'extension'],
  status: { 'In Development': 'Draft' },
  extension: ['costCenter'],
  variables: { SENSORS_SCHEMA: 'plant_7' },
};

const run: OdcsRun = {
  today: '2026-11-21',
  takesAnyUnit: false,
};
const statuses = ['Draft', 'In Review', 'Approved', 'Deprecated', 'Rejected', 'Unprocessed'];

type Place = (pointer: Pointer) => string;

test.each(files)('%s maps to what its golden file has', (file) => {
  const text = readFileSync(join(folder, file), 'utf8');
  const mappings: OdcsMapping[] = [];
  const { documents, lines } = checkYaml(text, (value) => {
    expect(detectFormat(value).format).toBe('odcs');
    const mapping = mapOdcs(value, { statuses, odcs: { settings, run } });
    mappings.push(mapping);
    return mapping.diagnostics;
  });
  const place = (offset: number): string => {
    const { line, column } = lines.place(offset);
    return `${line}:${column}`;
  };
  const described = documents.map(({ locate, findings }, index) => {
    return [
      ...findings
        .toSorted((a, b) => a.offset - b.offset)
        .map(
          ({ severity = 'error', code, message, hint, offset }) =>
            `${place(offset)} ${severity} ${code}\n  ${message}\n${hint === undefined ? '' : `  ${hint}\n`}`,
        ),
      ...(mappings[index]?.contracts ?? []).map((contract) =>
        describeContract(contract, (pointer) => place(locate(pointer))),
      ),
    ].join('\n');
  });
  expectGolden(join(folder, 'golden', `${file}.txt`), described.join('\n---\n'));
});

/** Each value of the fields, the place that says so, and the key where it has another name. */
function describeContract(
  { fields, trace, pointer, coarse }: MappedContract,
  place: Place,
): string {
  const agreements = new Map(
    coarse.map((each) => [formatPointer(each.pointer), each.agrees] as const),
  );
  const lines = leavesOf(fields).map(([at, value]) => {
    const source = originIn(trace, at);
    const agrees = agreements.get(formatPointer(at));
    const or =
      typeof agrees === 'string'
        ? agrees
        : agrees
            ?.map((each) => (each === null ? 'none' : JSON.stringify(each)))
            .join(' ')
            .replaceAll('"', '');
    return `  ${at.join('.')} = ${JSON.stringify(value)}  :${place(source.pointer)}${
      source.key === undefined ? '' : ` (${source.key})`
    }${or === undefined ? '' : `  or ${or}`}`;
  });
  return `${place(pointer)} contract\n${lines.join('\n')}\n`;
}

function leavesOf(value: JsonValue, pointer: Pointer = []): (readonly [Pointer, JsonValue])[] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[pointer, value]];
  return entries.flatMap(([name, child]) => leavesOf(child, [...pointer, name]));
}
