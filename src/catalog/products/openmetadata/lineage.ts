import { textMembers } from '../../../contract/contract.ts';
import type { Lineage, LineageAsset, LineageEdge } from '../../../contract/lineage.ts';
import { isArray, isObject, type JsonValue } from '../../../core/json.ts';

/** GET /v1/lineage/{type}/{id}; undefined where a member has another form. */
export function parseLineage(answer: JsonValue): Lineage | undefined {
  if (!isObject(answer)) return undefined;
  const { entity = null, nodes = null, downstreamEdges = null } = answer;
  const [asset] = [entity].flatMap(assetOf);
  const [assets, edges] = [listOf(nodes, assetOf), listOf(downstreamEdges, edgeOf)];
  return asset && assets && edges && { asset, assets, edges };
}

// No item is left out: with a hole, the list would say less than the server does.
function listOf<Item>(value: JsonValue, read: (item: JsonValue) => readonly Item[]) {
  const items = isArray(value) ? value.flatMap(read) : [];
  return isArray(value) && items.length === value.length ? items : undefined;
}

function assetOf(node: JsonValue): readonly LineageAsset[] {
  if (!isObject(node)) return [];
  const { id, type, fullyQualifiedName, ...names } = textMembers(node, [
    'id',
    'type',
    'name',
    'fullyQualifiedName',
    'displayName',
  ]);
  if (id === undefined || type === undefined) return [];
  const name = fullyQualifiedName ?? names.name ?? id;
  const { displayName } = names;
  return [{ id, type, fullyQualifiedName: name, displayName, isDeleted: node['deleted'] === true }];
}

function edgeOf(edge: JsonValue): readonly LineageEdge[] {
  if (!isObject(edge)) return [];
  const { fromEntity: from, toEntity: to, lineageDetails } = edge;
  if (typeof from !== 'string' || typeof to !== 'string') return [];
  const { columnsLineage = null } = isObject(lineageDetails) ? lineageDetails : {};
  return [{ from, to, columns: listOf(columnsLineage, lineOf) ?? [] }];
}

function lineOf(line: JsonValue): LineageEdge['columns'] {
  const { fromColumns = null, toColumn: to } = isObject(line) ? line : {};
  const from = listOf(fromColumns, (column) => (typeof column === 'string' ? [column] : []));
  return from && typeof to === 'string' ? [{ from, to }] : [];
}
