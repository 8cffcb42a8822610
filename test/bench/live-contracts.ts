import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/core/json.ts';

const columnCount = 14;
const dataTypes = ['BIGINT', 'VARCHAR', 'DECIMAL', 'TIMESTAMP', 'BOOLEAN'] as const;

/** The contract of that number as a catalog lists it: 4 kB of JSON. */
export function liveContract(number: number): JsonObject {
  const table = `warehouse.sales.public.${tableName(number)}`;
  return {
    id: uuid('c', number),
    name: tableName(number),
    fullyQualifiedName: `${table}.dataContract_${tableName(number)}`,
    description: description(number),
    entityStatus: 'Draft',
    version: 0.1,
    updatedAt: 1_700_000_000_000 + number,
    updatedBy: 'admin',
    entity: { id: uuid('e', number), type: 'table', name: tableName(number) },
    semantics: [
      { name: 'amount is positive', rule: '{">": [{"var": "amount"}, 0]}', enabled: true },
      { name: 'key is given', rule: '{"!!": [{"var": "order_id"}]}', enabled: true },
    ],
    sla: { refreshFrequency: { interval: 1, unit: 'day' } },
    schema: Array.from({ length: columnCount }, (_, rank) => column(rank)),
  };
}

function column(rank: number): JsonObject {
  const dataType = dataTypes[rank % dataTypes.length] ?? 'BIGINT';
  return {
    name: `order_column_${rank}`,
    dataType,
    dataTypeDisplay: dataType.toLowerCase(),
    description: meaning(rank),
    tags: [],
  };
}

/** What a file manages: the status and the description, or the schema too, in some fifty lines. */
type FileSize = 'short' | 'long';

/** The file of that contract: as it is live, or with a change of its status. */
function contractFile(number: number, size: FileSize, isChanged: boolean): string {
  return `id: ${uuid('c', number)}
entityStatus: ${isChanged ? 'Active' : 'Draft'}
description: ${description(number)}
${size === 'long' ? schemaText() : ''}`;
}

type Files = {
  readonly files: number;
  readonly size: FileSize;
  /** A file for every so-manieth contract. */
  readonly every?: number;
  /** One in so many asks for a change. */
  readonly changed?: number;
};

/** A new folder with files of contracts. */
export function makeContracts({ files, size, every = 1, changed = 10 }: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'contract-sync-bench-'));
  mkdirSync(join(folder, 'contracts'));
  // Pages of drafts don't tell the kind of their catalog.
  writeFileSync(join(folder, 'contract-sync.yaml'), 'catalog: { dialect: openmetadata }\n');
  for (let rank = 0; rank < files; rank += 1) {
    const text = contractFile(rank * every, size, rank % changed === 0);
    writeFileSync(join(folder, 'contracts', `${rank}.yaml`), text);
  }
  return folder;
}

function schemaText(): string {
  const columns = Array.from(
    { length: columnCount },
    (_, rank) => `  - name: order_column_${rank}
    dataType: ${dataTypes[rank % dataTypes.length]}
    description: ${meaning(rank)}
`,
  );
  return `schema:\n${columns.join('')}`;
}

function meaning(rank: number): string {
  return `What the order says about its part ${rank}, in the currency and the time zone of the shop where it was placed, as it was known when the parcel left.`;
}

function description(number: number): string {
  return `Table ${number} has one row per order placed, with what was paid for it and where it went.`;
}

function tableName(number: number): string {
  return `orders_${String(number).padStart(6, '0')}`;
}

function uuid(kind: 'c' | 'e', number: number): string {
  return `0000000${kind}-0000-4000-8000-${String(number).padStart(12, '0')}`;
}
