import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { JsonObject } from '../../core/json.ts';
import {
  endpointOf,
  findRoute,
  type ReceivedRequest,
  maximumBytes,
  type Parameters,
  type Reply,
  type Route,
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
  /** A strong tag is without quotes. */
  readonly tag?: string;
  readonly change?: string;
  readonly location?: string;
};

export type Endpoint = {
  readonly run: (world: World, call: ApiCall) => ApiReply;
  /** Media types of a body; defaults to JSON alone. */
  readonly takes?: readonly string[];
  readonly open?: true;
};

export type ApiRoute = Route<Endpoint>;

export const patchType = 'application/json-patch+json';

const nobody: Caller = { name: '', isAdmin: false, isBot: false, roles: [] };

export type Api = {
  readonly world: World;
  readonly routes: readonly ApiRoute[];
  readonly base: string;
  readonly identify: (headers: IncomingHttpHeaders) => Promise<Caller>;
};

/** Route, method and media types are checked before the token. */
export async function answerCall(request: ReceivedRequest, api: Api): Promise<Reply> {
  const { method, query, headers } = request;
  const found = findRoute(api.routes, request.path);
  if (!found) throw httpError(404);
  const Allow = [...Object.keys(found.route.endpoints), 'OPTIONS'].join(',');
  if (method === 'OPTIONS') return { headers: { Allow } };
  const endpoint = endpointOf(found.route, method);
  if (!endpoint) return { ...explainError(httpError(405)), headers: { Allow } };
  const mediaType = checkMediaTypes(request, endpoint);
  const body = plainBody(request);
  const caller = endpoint.open ? nobody : await api.identify(headers);
  const { base } = api;
  const call = { params: found.params, query, headers, body, mediaType, caller, base };
  return toReply(endpoint.run(api.world, call));
}

function checkMediaTypes(
  { method, headers, body }: ReceivedRequest,
  { takes = ['application/json'] }: Endpoint,
): string {
  const admits = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))/iu;
  if (!admits.test(headers.accept ?? '*/*')) throw httpError(406);
  const [mediaType = ''] = (headers['content-type'] ?? '').split(';');
  const plain = mediaType.trim().toLowerCase();
  if ((body.length > 0 || method === 'PATCH') && !takes.includes(plain)) throw httpError(415);
  return plain;
}

function plainBody({ headers, body }: ReceivedRequest): string {
  const isZipped = headers['content-encoding'] === 'gzip';
  return (isZipped ? gunzipSync(body, { maxOutputLength: maximumBytes }) : body).toString();
}

function toReply({ status = 200, document, tag, change, location }: ApiReply): Reply {
  return {
    status,
    ...(document && { document }),
    headers: {
      ...(tag !== undefined && { ETag: tag.endsWith('"') ? tag : `"${tag}"` }),
      ...(change !== undefined && { 'X-OpenMetadata-Change': change }),
      ...(location !== undefined && { Location: location }),
    },
  };
}
