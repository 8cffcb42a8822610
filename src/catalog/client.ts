import { ConfigError } from '../core/errors.ts';
import type { Answer } from '../http/body.ts';
import { systemEffects } from '../http/fetch.ts';
import type { Patch } from '../patch/operation.ts';
import { readContract, readHistory } from './answers.ts';
import { ApiError } from './api-error.ts';
import type { CatalogReader, CatalogWriter, ContractAddress, ListQuery } from './catalog.ts';
import { entityPath, readEntity } from './entity.ts';
import type { ServerRelease } from './dialects/release.ts';
import { checkBaseUrl, type CatalogConnection } from './connection.ts';
import { listContracts, type Lister } from './list.ts';
import type { PageParameters } from './walk.ts';
import type { CatalogRequest, OperationName } from './request.ts';
import { createSender, type Send } from './retry.ts';
import { parseCaller, parseFirstPage, parseRelease, type ServerReader } from './server-reader.ts';

export type { CatalogConnection } from './connection.ts';

/** A reader of the catalog: it sends GET and nothing else. */
export function createReader(connection: CatalogConnection): CatalogReader {
  const { baseUrl, pageSize } = connection;
  const send = openSender(connection);
  const get = getter(baseUrl);
  const list: Lister['request'] = (query, page, signal) => ({
    ...get('list', `v1/dataContracts?${listParameters(query, page)}`),
    signal,
  });
  const lister = { request: list, send, pageSize };
  return {
    list: (query = {}, signal) => listContracts(lister, query, signal),
    fetchContract: async (address, { fields, signal }) => {
      const path = contractPath(address, fields);
      const request = { ...get('contract', path), ...(signal && { signal }) };
      const id = address.by === 'id' ? address.id : undefined;
      return send(request, (answer) => readContract(answer, id)).catch(undefinedIfAbsent);
    },
    fetchEntity: async (address) => {
      const path = entityPath(address, segment);
      if (path === undefined) return undefined;
      const read = (answer: Answer) => readEntity(answer, address.type);
      return send(get('entity', path), read).catch(undefinedIfAbsent);
    },
    versions: async (id) => send(get('versions', versionsPath(id)), readHistory),
  };
}

/** A reader of how the catalog's server answers: it sends GET and nothing else. */
export function createServerReader(connection: CatalogConnection): ServerReader {
  const { baseUrl, effects } = connection;
  const send = openSender(connection);
  const get = getter(baseUrl);
  const release = { ...get('release', 'v1/system/version'), mostAttempts: 3 };
  return {
    firstPage: async (limit) =>
      send(get('list', `v1/dataContracts?${listParameters({}, { limit })}`), (answer) =>
        parseFirstPage(answer, (effects?.now ?? Date.now)()),
      ),
    release: async (stop) =>
      send({ ...release, ...(stop && { signal: stop }) }, parseRelease).catch(unreadRelease),
    caller: async () => send(get('caller', 'v1/users/loggedInUser'), parseCaller),
  };
}

/** The writer of the catalog: it sends PATCH and POST and nothing else. */
export function createWriter(connection: CatalogConnection): CatalogWriter {
  const send = openSender(connection);
  let type = patchType;
  const request = (id: string, patch: Patch): CatalogRequest => ({
    operation: 'patch',
    method: 'PATCH',
    url: resolve(connection.baseUrl, `v1/dataContracts/${segment(id)}`),
    body: { type, text: JSON.stringify(patch) },
  });
  const patch: CatalogWriter['patch'] = async (id, operations, options = {}) => {
    try {
      return await send({ ...request(id, operations), ...options }, (answer) =>
        readContract(answer, id),
      );
    } catch (error) {
      // Not sent again in here: what is refused so may have landed all the same.
      if (isUnsupportedType(error)) type = plainType;
      throw error;
    }
  };
  const create: CatalogWriter['create'] = async (body, lastTry) => {
    const url = resolve(connection.baseUrl, 'v1/dataContracts');
    const text = { type: plainType, text: JSON.stringify(body) };
    const about = { operation: 'create', method: 'POST', url, body: text } as const;
    // A second of the same name is refused.
    return send({ ...about, lastTry, repeats: true }, (answer) => readContract(answer));
  };
  return { patch, create };
}

/** RFC 6902 §6. The interface does not say which type it takes (§4.2): there is one to fall back to. */
const patchType = 'application/json-patch+json';
const plainType = 'application/json';

function isUnsupportedType(error: unknown): boolean {
  return error instanceof ApiError && error.status === 415;
}

/** What reads and writes over one connection shares its retries and its place in flight. */
const senders = new WeakMap<CatalogConnection, Send>();

function openSender(connection: CatalogConnection): Send {
  checkBaseUrl(connection);
  const effects = { ...systemEffects, ...connection.effects };
  const send = senders.get(connection) ?? createSender({ ...connection, effects });
  senders.set(connection, send);
  return send;
}

function getter(baseUrl: URL): (operation: OperationName, path: string) => CatalogRequest {
  return (operation, path) => ({ operation, method: 'GET', url: resolve(baseUrl, path) });
}

/** The base URL may end in a slash or not; its path, often `/api`, stays in front. */
function resolve(baseUrl: URL, path: string): URL {
  return new URL(`${baseUrl.href.replace(/(?<!\/)\/+$/u, '')}/${path}`);
}

/** Interface §4.1. */
function listParameters(query: ListQuery, { limit, after }: PageParameters): string {
  const parameters = new URLSearchParams({
    ...(query.fields?.length && { fields: query.fields.join(',') }),
    limit: String(limit),
    ...(query.include && { include: query.include }),
    ...(query.status && { status: query.status }),
    ...(query.entity && { entity: query.entity }),
    ...(after !== undefined && { after }),
  });
  return parameters.toString();
}

/** Of a deleted contract it is said that it is deleted, not that there is none. */
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

function undefinedIfAbsent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return;
  throw error;
}

/** A server that has no such endpoint says nothing of its release; of others it is not known. */
function unreadRelease(error: unknown): ServerRelease {
  if (!(error instanceof ApiError)) return { kind: 'unread', why: 'no answer in time' };
  if (error.status === 404) return { kind: 'other' };
  return {
    kind: 'unread',
    why: error.status === undefined ? error.code : `status ${error.status}`,
  };
}

function versionsPath(id: string): string {
  return `v1/dataContracts/${segment(id)}/versions`;
}

/** `..` would climb out of the path, and encoding leaves dots alone. */
function segment(text: string): string {
  if (/^\.{0,2}$/u.test(text))
    throw new ConfigError('invalid-id', `"${text}" is not a contract id.`);
  return encodeURIComponent(text);
}
