import {
  type FoundEntity,
  type LiveContract,
  type PropertyDefinition,
  textMembers,
} from '../contract/contract.ts';
import { idKey } from '../contract/identity.ts';
import { farthest } from '../contract/lineage.ts';
import { ConfigError } from '../core/diagnostic.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../core/json.ts';
import { isProtected } from '../http/address.ts';
import { systemEffects } from '../http/fetch.ts';
import type { Answer } from '../http/send.ts';
import {
  readAnyJson,
  readContract,
  readHistory,
  readJson,
  readPage,
  unexpected,
} from './answers.ts';
import type {
  CatalogCaller,
  CatalogConnection,
  CatalogReader,
  CatalogRequest,
  CatalogWriter,
  ContractAddress,
  EntityAddress,
  ListQuery,
  OperationName,
  Page,
} from './catalog.ts';
import { ApiError, type Attempt, heldFault } from './fault.ts';
import { askKind } from './kind.ts';
import { listContracts, type PageParameters, type SourceOf } from './list.ts';
import type { Product } from './products/product.ts';
import { createSender, type Send } from './send.ts';

export function createReader(
  connection: CatalogConnection,
  { keyCursors }: Pick<Product, 'keyCursors'> = {},
): CatalogReader {
  const { baseUrl, pageSize } = connection;
  const send = openSender(connection);
  const get = getter(baseUrl);
  const sourceOf: SourceOf = (query, signal) => ({
    request: (page) => ({
      ...get('list', `v1/dataContracts?${listParameters(query, page)}`),
      signal,
    }),
    send,
    pageSize,
    keyCursors,
    reduce: query.reduce,
  });
  const fetchContract: CatalogReader['fetchContract'] = async (address, { fields, signal }) => {
    const path = contractPath(address, fields);
    const id = address.by === 'id' ? address.id : undefined;
    const found = await send({ ...get('contract', path), signal }, (answer) =>
      readContract(answer, id),
    ).catch(undefinedIfAbsent);
    if (address.by !== 'asset' || !found) return found;
    // The read by asset mixes in, or is, what the asset inherits from the contract of another.
    const own = await fetchContract({ by: 'id', id: found.id }, { fields, signal });
    return own?.entity?.id !== undefined && idKey(own.entity.id) === idKey(address.id)
      ? own
      : undefined;
  };
  return {
    list: (query = {}, signal) => listContracts(sourceOf, query, signal),
    fetchContract,
    fetchEntity: async (address) => {
      const path = entityPath(address);
      if (path === undefined) return undefined;
      return send(get('entity', path), (answer) =>
        readJson(answer, (body) => parseEntity(body, address.type)),
      ).catch(undefinedIfAbsent);
    },
    fetchCaller: async () => fetchCaller(send, get),
    fetchOwners: async ({ id, type }) => {
      const path = entityPath({ id, type }, 'owners');
      if (path === undefined) return undefined;
      return send({ ...get('entity', path), ...once }, (answer) => readJson(answer, parseOwners));
    },
    fetchLineage: async ({ id, type }) => {
      const depths = `upstreamDepth=0&downstreamDepth=${farthest}`;
      const request = get('lineage', `v1/lineage/${segment(type)}/${segment(id)}?${depths}`);
      return send({ ...request, ...once }, (answer) =>
        readJson(answer, (value) => ({ value })),
      ).catch(undefinedIfAbsent);
    },
    versions: async (id) =>
      send(get('versions', `v1/dataContracts/${segment(id)}/versions`), readHistory),
  };
}

// A plan does without what these requests read: they hold it up no longer than this.
const once = { mostAttempts: 1, timeoutMs: 5000 } as const;

export type FirstPage = Page & {
  /** Milliseconds that the server's clock is ahead of this machine's. */
  readonly clockAhead: number | undefined;
};

export type ServerReader = Readonly<ReturnType<typeof createServerReader>>;

export function createServerReader(connection: CatalogConnection) {
  const { baseUrl, effects } = connection;
  const send = openSender(connection);
  const get = getter(baseUrl);
  // Few bytes, on which a run waits.
  const release = { ...get('release', 'v1/system/version'), timeoutMs: 5000, mostRefusals: 10 };
  return {
    firstPage: async (limit: number): Promise<FirstPage> =>
      send(get('list', `v1/dataContracts?${listParameters({}, { limit })}`), (answer) => {
        const page = readPage(answer);
        if ('fault' in page) return page;
        const { contracts, total } = page.value;
        const date = Date.parse(answer.headers.get('date') ?? '');
        // Milliseconds, rounded up by less than 1000: a date is cut to the second (RFC 9110 §5.6.7).
        const clockAhead = Number.isNaN(date) ? undefined : date - (effects?.now ?? Date.now)();
        return { value: { contracts, total, clockAhead } };
      }),
    kind: async () => askKind(async () => send(release, readRelease)),
    caller: async () => fetchCaller(send, get),
  };
}

async function fetchCaller(
  send: Send,
  get: ReturnType<typeof getter>,
): Promise<CatalogCaller | undefined> {
  return send(get('caller', 'v1/users/loggedInUser?fields=teams'), (answer) =>
    readJson(answer, (body) => {
      const { name, isAdmin, isBot, teams = null } = isObject(body) ? body : {};
      const flags = { isAdmin: isAdmin === true, isBot: isBot === true };
      const ofTeams = isArray(teams) ? teams.flatMap(namesOf) : [];
      return { value: typeof name === 'string' ? { name, ...flags, teams: ofTeams } : undefined };
    }),
  );
}

// Null for an answer that is no JSON. One that begins like an object was cut short.
function readRelease(answer: Answer): Attempt<JsonValue> {
  const read = readAnyJson(answer);
  return 'value' in read || answer.text.trimStart().startsWith('{') ? read : { value: null };
}

export function createWriter(connection: CatalogConnection): CatalogWriter {
  const send = openSender(connection);
  let type = patchType;
  const patch: CatalogWriter['patch'] = async (id, operations, options = {}) => {
    const url = resolve(connection.baseUrl, `v1/dataContracts/${segment(id)}`);
    const body = { type, text: JSON.stringify(operations) };
    const request = { operation: 'patch', method: 'PATCH', url, body, ...options } as const;
    try {
      return await send(request, (answer) => readUnlessHeld(answer, id));
    } catch (error) {
      // Not sent again here: a request refused with 415 may have landed all the same.
      if (error instanceof ApiError && error.status === 415) type = plainType;
      throw error;
    }
  };
  const create: CatalogWriter['create'] = async (body, lastTry) => {
    const url = resolve(connection.baseUrl, 'v1/dataContracts');
    const text = { type: plainType, text: JSON.stringify(body) };
    const how = { lastTry, repeats: true };
    return send({ operation: 'create', method: 'POST', url, body: text, ...how }, (answer) =>
      readUnlessHeld(answer),
    );
  };
  return { patch, create };
}

// Accepted is not carried out (RFC 9110 §15.3.3).
function readUnlessHeld(answer: Answer, id?: string): Attempt<LiveContract> {
  return answer.status === 202 ? { fault: heldFault } : readContract(answer, id);
}

// RFC 6902 §6. The interface names no type (§4.2), so there is one to fall back to.
const patchType = 'application/json-patch+json';
const plainType = 'application/json';

const senders = new WeakMap<CatalogConnection, Send>();

function openSender(connection: CatalogConnection): Send {
  checkBaseUrl(connection);
  const effects = { ...systemEffects, ...connection.effects };
  const send = senders.get(connection) ?? createSender({ ...connection, effects });
  senders.set(connection, send);
  return send;
}

function checkBaseUrl({ baseUrl, allowHttp = false }: CatalogConnection): void {
  if (baseUrl.protocol !== 'https:' && baseUrl.protocol !== 'http:') {
    throw invalidUrl(
      `must start with https://, not ${baseUrl.protocol}`,
      'Use https://catalog.example.com/api, or http://localhost:8585/api for a catalog on this machine.',
    );
  }
  if (baseUrl.username !== '' || baseUrl.password !== '')
    throw invalidUrl("can't contain a user name or password", 'Set a token instead.');
  if (baseUrl.search !== '' || baseUrl.hash !== '')
    throw invalidUrl("can't have a query or a fragment", 'It usually ends in /api.');
  if (!allowHttp && !isProtected(baseUrl)) {
    throw invalidUrl(
      `would send the token unencrypted to ${baseUrl.host}`,
      'Use https://. On a network that you trust, the command line takes --allow-http.',
    );
  }
}

function invalidUrl(complaint: string, hint: string): ConfigError {
  return new ConfigError('invalid-catalog-url', `The catalog URL ${complaint}.`, { hint });
}

function getter(baseUrl: URL): (operation: OperationName, path: string) => CatalogRequest {
  return (operation, path) => ({ operation, method: 'GET', url: resolve(baseUrl, path) });
}

function resolve(baseUrl: URL, path: string): URL {
  return new URL(`${baseUrl.href.replace(/(?<!\/)\/+$/u, '')}/${path}`);
}

// Interface §4.1.
function listParameters(query: ListQuery, { limit, after }: PageParameters): string {
  const parameters = new URLSearchParams({
    ...(query.fields?.length && { fields: query.fields.join(',') }),
    limit: String(limit),
    ...(query.include && { include: query.include }),
    ...(query.entity && { entity: query.entity }),
    ...(after !== undefined && { after }),
  });
  return parameters.toString();
}

// `include=all`: a deleted contract is returned as deleted, not as absent.
function contractPath(address: ContractAddress, fields: readonly string[]): string {
  const asked = { ...(fields.length > 0 && { fields: fields.join(',') }) };
  const all = new URLSearchParams({ ...asked, include: 'all' }).toString();
  switch (address.by) {
    case 'id':
      return `v1/dataContracts/${segment(address.id)}?${all}`;
    case 'name':
      return `v1/dataContracts/name/${segment(address.fullyQualifiedName)}?${all}`;
    case 'asset': {
      const asset = { entityId: address.id, entityType: address.type };
      return `v1/dataContracts/entity?${new URLSearchParams({ ...asset, ...asked }).toString()}`;
    }
  }
}

const regular = `user team table database databaseSchema storedProcedure topic container dashboard
  chart pipeline mlmodel apiCollection apiEndpoint dataProduct metric tag glossaryTerm`.split(
  /\s+/u,
);

const collections: ReadonlyMap<string, string> = new Map([
  ...regular.map((type) => [type, `${type}s`] as const),
  ['dashboardDataModel', 'dashboard/datamodels'],
  ['searchIndex', 'searchIndexes'],
  ['directory', 'drives/directories'],
  ['file', 'drives/files'],
  ['spreadsheet', 'drives/spreadsheets'],
  ['worksheet', 'drives/worksheets'],
  ['type', 'metadata/types'],
]);

function entityPath(address: EntityAddress, fields = fieldsOfEntity[address.type]) {
  const collection = collections.get(address.type);
  if (collection === undefined) return undefined;
  const named = 'id' in address ? segment(address.id) : `name/${segment(address.name)}`;
  return `v1/${collection}/${named}${fields === undefined ? '' : `?fields=${fields}`}`;
}

const fieldsOfEntity: Readonly<Record<string, string>> = {
  table: 'columns',
  type: 'customProperties',
};

function parseEntity(entity: JsonValue, type: string): Attempt<FoundEntity> {
  if (!isObject(entity)) return unexpected('it is not a JSON object');
  const members = ['id', 'name', 'fullyQualifiedName', 'teamType'] as const;
  const { id = '', ...texts } = textMembers(entity, members);
  const { customProperties } = entity;
  const columns = columnsOf(entity);
  return {
    value: {
      id,
      type,
      ...texts,
      ...(columns && { columns: columns.flatMap(namesOf) }),
      ...(isArray(customProperties) && { properties: customProperties.flatMap(definitionOf) }),
    },
  };
}

function parseOwners(entity: JsonValue): Attempt<readonly string[]> {
  const { owners = null } = isObject(entity) ? entity : {};
  const present = (isArray(owners) ? owners : []).filter(isObject);
  return {
    value: present.flatMap(({ name, deleted }) =>
      typeof name === 'string' && deleted !== true ? [name] : [],
    ),
  };
}

function definitionOf(property: JsonValue): PropertyDefinition[] {
  const {
    name,
    propertyType = null,
    customPropertyConfig = null,
  } = isObject(property) ? property : {};
  const { name: type } = isObject(propertyType) ? propertyType : {};
  const { config = null } = isObject(customPropertyConfig) ? customPropertyConfig : {};
  return typeof name === 'string' && typeof type === 'string' ? [{ name, type, config }] : [];
}

// Those of a topic and of an API endpoint are in its schemas.
function columnsOf({ columns, ...entity }: JsonObject): readonly JsonValue[] | undefined {
  if (isArray(columns)) return columns;
  const schemas = ['messageSchema', 'requestSchema', 'responseSchema'].flatMap((member) => {
    const { schemaFields } = isObject(entity[member]) ? entity[member] : {};
    return isArray(schemaFields) ? [schemaFields] : [];
  });
  return schemas.length > 0 ? schemas.flat() : undefined;
}

function namesOf(element: JsonValue): string[] {
  if (!isObject(element)) return [];
  const { name, children } = element;
  const nested = isArray(children) ? children.flatMap(namesOf) : [];
  return typeof name === 'string' ? [name, ...nested] : nested;
}

function undefinedIfAbsent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return;
  throw error;
}

// `..` would climb out of the path, and encoding leaves dots alone.
function segment(text: string): string {
  if (/^\.{0,2}$/u.test(text))
    throw new ConfigError('no-such-contract', `"${text}" is not a contract id.`);
  return encodeURIComponent(text);
}
