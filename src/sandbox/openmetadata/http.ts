import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ErrorAnswer, httpError, isChallenged, PlainError, unhandled } from './error-answer.ts';
import type { Caller } from './permissions.ts';
import { allowed, endpointOf, findRoute, type Reply, type Route } from './router.ts';

type Settings = {
  readonly routes: readonly Route[];
  readonly base: string;
  readonly identify: (authorization: string | undefined) => Promise<Caller>;
};

/** Serves one request, and never fails: what goes wrong is the answer. */
export async function serveRequest(
  request: IncomingMessage,
  response: ServerResponse,
  settings: Settings,
): Promise<void> {
  try {
    const body = await readBody(request);
    const reply = await findReply(request, body, settings);
    writeReply(request, response, reply);
  } catch (error) {
    writeReply(request, response, replyTo(error));
  }
}

const maximumBytes = 10 * 1024 * 1024;

/** A body that is too long is read to its end all the same: only then is its answer heard. */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length <= maximumBytes) parts.push(bytes);
  }
  if (length > maximumBytes) throw httpError(413);
  return Buffer.concat(parts);
}

async function findReply(
  request: IncomingMessage,
  body: Buffer,
  settings: Settings,
): Promise<Reply> {
  const { method = 'GET', url = '/', headers } = request;
  const [path = '', query = ''] = split(url);
  const { route, params } = findRoute(settings.routes, path);
  const allow = allowed(route);
  if (method === 'OPTIONS') return { headers: { Allow: allow } };
  const endpoint = endpointOf(route, method);
  if (!endpoint) return { ...replyTo(httpError(405)), headers: { Allow: allow } };
  checkAccept(headers.accept);
  const mediaType = mediaTypeOf(headers);
  if (body.length > 0 || method === 'PATCH') checkMediaType(mediaType, endpoint.takes);
  return endpoint.run({
    params,
    query: new URLSearchParams(query),
    headers,
    body: textOf(body, headers['content-encoding']),
    mediaType,
    caller: endpoint.open ? nobody : await settings.identify(headers.authorization),
    base: settings.base,
  });
}

const nobody: Caller = { name: '', isAdmin: false, isBot: false, roles: [] };

function split(url: string): readonly string[] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url] : [url.slice(0, mark), url.slice(mark + 1)];
}

function checkAccept(accept = '*/*'): void {
  const admits = /(?:^|[\s,])(?:\*\/\*|application\/(?:\*|json))/iu.test(accept);
  if (!admits) throw httpError(406);
}

function mediaTypeOf(headers: IncomingHttpHeaders): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function checkMediaType(
  mediaType: string,
  takes = ['application/json'] as readonly string[],
): void {
  if (!takes.includes(mediaType)) throw httpError(415);
}

function textOf(body: Buffer, encoding: string | undefined): string {
  const plain = encoding === 'gzip' ? gunzipSync(body, { maxOutputLength: maximumBytes }) : body;
  return plain.toString();
}

function replyTo(error: unknown): Reply {
  const answer = error instanceof ErrorAnswer ? error : unhandled(reasonOf(error));
  const { status, message, errorType } = answer;
  if (error instanceof PlainError) return { status, text: message };
  return {
    status,
    document: { code: status, ...(errorType !== undefined && { errorType }), message },
    ...(isChallenged(answer) && { headers: { 'WWW-Authenticate': 'om-auth' } }),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Answers of fewer bytes are not compressed, nor are those of changes. */
const minimumCompressed = 256;

const compressedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

function writeReply(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  const { method = 'GET', headers } = request;
  const body = Buffer.from(reply.document ? JSON.stringify(reply.document) : (reply.text ?? ''));
  const varies = compressedMethods.has(method);
  const accepts = /\bgzip\b/iu.test(String(headers['accept-encoding']));
  const zips = varies && accepts && body.length >= minimumCompressed;
  const sent = zips ? gzipSync(body) : body;
  response.writeHead(reply.status ?? 200, {
    ...headersOf(reply, zips),
    ...(varies && { Vary: 'Accept-Encoding' }),
    'Content-Length': sent.length,
  });
  response.end(method === 'HEAD' ? undefined : sent);
}

function headersOf(reply: Reply, zips: boolean): Readonly<Record<string, string>> {
  const { document, text, tag, change, headers } = reply;
  return {
    ...(document && { 'Content-Type': 'application/json' }),
    ...(text !== undefined && { 'Content-Type': 'text/plain' }),
    ...(tag !== undefined && { ETag: `"${tag}${zips ? '--gzip' : ''}"` }),
    ...(change !== undefined && { 'X-OpenMetadata-Change': change }),
    ...(zips && { 'Content-Encoding': 'gzip' }),
    ...headers,
  };
}
