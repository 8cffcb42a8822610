import type { JsonObject } from '../../src/core/json.ts';
import type { Random } from './random.ts';

export type Column = JsonObject & {
  readonly name: string;
  readonly dataType: string;
  readonly description: string;
  readonly children?: readonly Column[];
};

export type Contract = JsonObject & {
  readonly description: string;
  readonly entityStatus: string;
  readonly schema: readonly Column[];
  readonly semantics: readonly JsonObject[];
  readonly sla: JsonObject;
};

const dataTypes = ['BIGINT', 'VARCHAR', 'DECIMAL', 'TIMESTAMP', 'BOOLEAN', 'DOUBLE'] as const;
const words =
  'order customer amount of the date when item was shipped paid currency net gross source system key for each row in this table'.split(
    ' ',
  );

/** A contract as a catalog returns it; 50 columns make about 13 kB. */
export function contract(columns: number, random: Random): Contract {
  return {
    id: '5b0d2f5a-4d2f-4b51-9d3e-7a8c0f6f2f11',
    name: 'orders',
    fullyQualifiedName: 'warehouse.sales.public.orders.dataContract_orders',
    description: sentence(30, random),
    entityStatus: 'Draft',
    version: 0.1,
    updatedAt: 1_700_000_000_000,
    semantics: Array.from({ length: 4 }, (_, rank) => rule(rank, random)),
    sla: { refreshFrequency: { interval: 1, unit: 'day' }, maxLatency: { value: 4, unit: 'hour' } },
    schema: Array.from({ length: columns }, (_, rank) => column(rank, random)),
  };
}

/** A column that no other rank gives; every fifth has children. */
export function column(rank: number, random: Random): Column {
  const dataType = random.pick(dataTypes);
  const child = (name: string): Column => ({
    name,
    dataType: 'VARCHAR',
    description: sentence(4, random),
  });
  return {
    name: `${random.pick(words)}_${random.pick(words)}_${rank}`,
    dataType,
    dataTypeDisplay: dataType.toLowerCase(),
    description: sentence(18, random),
    constraint: random.pick(['NULL', 'NOT_NULL', 'UNIQUE']),
    tags: [],
    ...(rank % 5 === 4 && { children: [child('street'), child('city')] }),
  };
}

export function rule(rank: number, random: Random): JsonObject {
  return {
    name: `rule ${rank}`,
    description: sentence(12, random),
    rule: `{">": [{"var": "${random.pick(words)}"}, ${rank}]}`,
    enabled: true,
  };
}

export function sentence(length: number, random: Random): string {
  return Array.from({ length }, () => random.pick(words)).join(' ');
}
