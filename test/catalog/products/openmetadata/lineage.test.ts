/** Lineage as a real server has answered it. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openmetadata } from '../../../../src/catalog/products/openmetadata/openmetadata.ts';
import type { Trace } from '../../../sandbox/openmetadata/replay.ts';

const folder = join(import.meta.dirname, '../../../sandbox/openmetadata/traces');

const answers = readdirSync(folder)
  .filter((file) => file.startsWith('lineage-'))
  .map((file): Trace => JSON.parse(readFileSync(join(folder, file), 'utf8')))
  .flatMap(({ name, steps }) =>
    steps.flatMap(({ request, response }) =>
      request?.method === 'GET' && request.path.startsWith('/v1/lineage/') && response?.body
        ? [{ name, status: response.status, body: response.body }]
        : [],
    ),
  )
  .filter(({ status }) => status === 200);

test('each recorded answer is read with all of its nodes and edges', () => {
  expect(answers.length).toBeGreaterThan(10);
  for (const { name, body } of answers) {
    const { nodes, downstreamEdges } = Object(body);
    expect(openmetadata.parseLineage?.(body), name).toMatchObject({
      assets: { length: nodes.length },
      edges: { length: downstreamEdges.length },
    });
  }
});

const read = (of: string) =>
  answers.filter(({ name }) => name === of).map(({ body }) => openmetadata.parseLineage?.(body));

test('columns and deletions are those of the answer', () => {
  expect(read('lineage-columns').at(-1)?.edges).toMatchObject([
    {
      from: '$table1.id',
      to: '$table2.id',
      columns: [
        {
          from: ['wh.shop.sales.lineage_columns.amount', 'wh.shop.sales.lineage_columns.id'],
          to: 'wh.shop.sales.lineage_columns_2.amount',
        },
      ],
    },
    { columns: [] },
  ]);
  const [deleted, restored] = read('lineage-soft-deleted');
  expect(deleted?.assets.map(({ isDeleted }) => isDeleted)).toEqual([true, false]);
  expect(restored?.assets.map(({ isDeleted }) => isDeleted)).toEqual([false, false]);
});

test('with a hole in it, a list is not read at all', () => {
  const node = { id: 'b', type: 'table', name: 'b' };
  const edge = { fromEntity: 'a', toEntity: 'b' };
  const whole = { entity: { id: 'a', type: 'table' }, nodes: [node], downstreamEdges: [edge] };
  expect(openmetadata.parseLineage?.(whole)).toBeDefined();
  expect(openmetadata.parseLineage?.({ ...whole, nodes: [node, { id: 'c' }] })).toBeUndefined();
  expect(openmetadata.parseLineage?.({ ...whole, downstreamEdges: [edge, null] })).toBeUndefined();
  expect(openmetadata.parseLineage?.({ ...whole, entity: null })).toBeUndefined();
  const torn = { ...edge, lineageDetails: { columnsLineage: [{ toColumn: 'b.x' }] } };
  expect(
    openmetadata.parseLineage?.({ ...whole, downstreamEdges: [torn] })?.edges[0]?.columns,
  ).toEqual([]);
});
