import type { JsonObject, JsonValue } from '../../core/json.ts';
import { badRequest, ErrorAnswer } from '../http.ts';
import { isRecord, toList, toText } from '../json.ts';
import { linked } from './contract.ts';
import { idOf } from './contract-routes.ts';
import { parseRequestBody } from './create.ts';
import { findNamed, requireDocument } from './entities.ts';
import { parseCount } from './list.ts';
import { type Caller, requirePermission } from './people.ts';
import type { ApiCall, ApiReply, ApiRoutes } from './router.ts';
import { type Entity, referenceTo, requireEntity, type World } from './world.ts';

export const lineageRoutes: ApiRoutes = {
  'PUT /lineage': (world, call) => {
    const { edge } = requireDocument(parseRequestBody(call.body));
    storeEdge(world, isRecord(edge) ? edge : {}, call.caller);
    return {};
  },
  'GET /lineage/{type}/name/{name}': showLineage,
  'GET /lineage/{type}/{id}': showLineage,
  'DELETE /lineage/{fromType}/{from}/{toType}/{to}': (world, { params, caller }) => {
    requirePermission(world, caller, ['EditLineage']);
    if (world.edges.delete(`${params['from']} ${params['to']}`)) return {};
    throw new ErrorAnswer(404, 'Lineage edge not found');
  },
};

export function storeEdge(world: World, edge: JsonObject, caller: Caller): void {
  const { fromEntity, toEntity, lineageDetails } = edge;
  const from = requireEnd(world, 'fromEntity', fromEntity);
  const to = requireEnd(world, 'toEntity', toEntity);
  requirePermission(world, caller, ['EditLineage']);
  const given = isRecord(lineageDetails) ? lineageDetails : {};
  const [at, by] = [world.now(), caller.name];
  const written = { createdAt: at, createdBy: by, updatedAt: at, updatedBy: by };
  const columnsLineage = toList(given['columnsLineage']).filter(
    (line) =>
      isRecord(line) &&
      columnNames(to).has(line['toColumn']) &&
      toList(line['fromColumns']).every((column) => columnNames(from).has(column)),
  );
  const details = { source: 'Manual', ...given, columnsLineage, ...written };
  world.edges.set(`${from.id} ${to.id}`, { from: from.id, to: to.id, details });
}

function requireEnd(world: World, name: string, end: JsonValue | undefined): Entity {
  if (!isRecord(end)) throw badRequest(`[query param ${name} must not be null]`);
  return requireEntity(world, toText(end['type']), toText(end['id']));
}

function columnNames({ rest }: Entity): ReadonlySet<JsonValue | undefined> {
  return new Set(
    toList(rest['columns']).map((column) => (isRecord(column) ? column['fullyQualifiedName'] : '')),
  );
}

function showLineage(world: World, call: ApiCall): ApiReply {
  const { params, query, base } = call;
  const { type = '', name } = params;
  const asset =
    name === undefined ? requireEntity(world, type, idOf(call)) : findNamed(world, type, name);
  const nodes = new Map<string, JsonObject>();
  const walk = (id: string, depth: number, side: 'from' | 'to'): readonly JsonObject[] => {
    if (depth === 0) return [];
    return [...world.edges.values()].flatMap((edge) => {
      const next = world.entities.get(side === 'from' ? edge.to : edge.from);
      if (edge[side] !== id || !next) return [];
      nodes.set(next.id, linked(referenceTo(next), base));
      const { from: fromEntity, to: toEntity, details: lineageDetails } = edge;
      return [{ fromEntity, toEntity, lineageDetails }, ...walk(next.id, depth - 1, side)];
    });
  };
  const depth = (name: string): number => parseCount(query.get(name), name, 3, 1);
  const upstreamEdges = walk(asset.id, depth('upstreamDepth'), 'to');
  const downstreamEdges = walk(asset.id, depth('downstreamDepth'), 'from');
  const entity = linked(referenceTo(asset), base);
  return { document: { entity, nodes: [...nodes.values()], upstreamEdges, downstreamEdges } };
}
