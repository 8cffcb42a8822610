import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../core/json.ts';
import {
  findRoute,
  type ReceivedRequest,
  maximumBytes,
  type Parameters,
  type Reply,
  type Routes,
} from '../http.ts';
import { explainError, httpError } from './error-answer.ts';
import type { Caller } from './people.ts';
import type { World } from './world.ts';

export type ApiCall = {
  readonly params: Parameters;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly mediaType: string;
  readonly caller: Caller;
  readonly base: string;
};

export type ApiReply = {
  readonly status?: number;
  readonly document?: JsonObject;
  readonly tag?: string;
  readonly change?: string;
  readonly location?: string;
};

export type Endpoint = (world: World, call: ApiCall) => ApiReply;

export type ApiRoutes = Routes<Endpoint>;

export type Api = {
  readonly world: World;
  readonly routes: ApiRoutes;
  readonly base: string;
  readonly identify: (headers: IncomingHttpHeaders) => Promise<Caller>;
};

/** Route, method and media types are checked before the token. */
export async function answerCall(request: ReceivedRequest, api: Api): Promise<Reply> {
  const { method, query, headers } = request;
  const found = findRoute(api.routes, request);
  if (!found) throw httpError(404);
  const { route, endpoint, methods, params } = found;
  const Allow = [...methods, 'OPTIONS'].join(',');
  if (method === 'OPTIONS') return { headers: { Allow } };
  if (!endpoint) return { ...explainError(httpError(405)), headers: { Allow } };
  const mediaType = checkMediaTypes(request, route);
  const isZipped = headers['content-encoding'] === 'gzip';
  const sent = request.body;
  const body = (isZipped ? gunzipSync(sent, { maxOutputLength: maximumBytes }) : sent).toString();
  const nobody: Caller = { name: '', isAdmin: false, isBot: false, roles: [] };
  const caller = route === 'GET /system/version' ? nobody : await api.identify(headers);
  const call = { params, query, headers, body, mediaType, caller, base: api.base };
  const { status = 200, document, tag, change, location } = endpoint(api.world, call);
  const added = {
    ...(tag !== undefined && { ETag: tag.endsWith('"') ? tag : `"${tag}"` }),
    ...(change !== undefined && { 'X-OpenMetadata-Change': change }),
    ...(location !== undefined && { Location: location }),
  };
  return { status, document, headers: added };
}

function checkMediaTypes({ method, headers, body }: ReceivedRequest, route: string): string {
  const admits = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))/iu;
  if (!admits.test(headers.accept ?? '*/*')) throw httpError(406);
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  const plain = mediaType.trim().toLowerCase();
  const isRead = body.length > 0 || method === 'PATCH';
  const isPatch = route.startsWith('PATCH ');
  const known = [
    isPatch ? 'application/json-patch+json' : 'application/json',
    ...(/^(?:POST|PUT) \/dataContracts$/u.test(route) ? ['application/yaml', 'text/yaml'] : []),
  ];
  if (isRead && !known.includes(plain)) throw httpError(415);
  return plain;
}
