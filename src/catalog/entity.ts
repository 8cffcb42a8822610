import type { FoundEntity } from '../contract/contract.ts';
import type { EntityAddress } from './catalog.ts';
import { textMembers } from '../contract/live.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import type { Answer } from '../http/send.ts';
import { readObject } from './answers.ts';
import type { Attempt } from './fault.ts';

/** Where OpenMetadata keeps its users, teams and the assets that can have a contract, by type. */
const collections: Readonly<Record<string, string>> = {
  user: 'users',
  team: 'teams',
  table: 'tables',
  database: 'databases',
  databaseSchema: 'databaseSchemas',
  storedProcedure: 'storedProcedures',
  topic: 'topics',
  container: 'containers',
  dashboard: 'dashboards',
  dashboardDataModel: 'dashboard/datamodels',
  chart: 'charts',
  pipeline: 'pipelines',
  mlmodel: 'mlmodels',
  searchIndex: 'searchIndexes',
  apiCollection: 'apiCollections',
  apiEndpoint: 'apiEndpoints',
};

/** The path of an entity, of which each part is encoded by the caller; undefined for an unknown type. */
export function entityPath(
  address: EntityAddress,
  encode: (text: string) => string,
): string | undefined {
  if (!Object.hasOwn(collections, address.type)) return undefined;
  const path = `v1/${collections[address.type]}`;
  const columns = address.type === 'table' ? '?fields=columns' : '';
  return 'id' in address
    ? `${path}/${encode(address.id)}${columns}`
    : `${path}/name/${encode(address.name)}${columns}`;
}

/** The user, team or asset that a request was answered with. */
export function readEntity(answer: Answer, type: string): Attempt<FoundEntity> {
  const body = readObject(answer);
  return 'fault' in body ? body : { value: parseEntity(body.value, type) };
}

function parseEntity(entity: JsonObject, type: string): FoundEntity {
  const { id = '', ...names } = textMembers(entity, ['id', 'name', 'fullyQualifiedName']);
  const { columns } = entity;
  return { id, type, ...names, ...(isArray(columns) && { columns: columns.flatMap(namesIn) }) };
}

/** A contract's column may be any of them: nested ones count by their own name. */
function namesIn(column: JsonValue): string[] {
  if (!isObject(column)) return [];
  const { name, children } = column;
  const nested = isArray(children) ? children.flatMap(namesIn) : [];
  return typeof name === 'string' ? [name, ...nested] : nested;
}
