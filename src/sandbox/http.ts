import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '../core/json.ts';

export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: 'sandbox-port' | 'sandbox-seed';
  readonly hint: string | undefined;

  constructor(
    code: SandboxError['code'],
    message: string,
    { hint, cause }: { readonly hint?: string; readonly cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
}

export class ErrorAnswer extends Error {
  override readonly name = 'ErrorAnswer';
  readonly status: number;
  readonly errorType: string | undefined;
  readonly headers: Headers | undefined;

  constructor(status: number, message: string, { errorType, headers }: ErrorDetails = {}) {
    super(message);
    this.status = status;
    this.errorType = errorType;
    this.headers = headers;
  }
}

type Headers = Readonly<Record<string, string>>;

type ErrorDetails = { readonly errorType?: string; readonly headers?: Headers | undefined };

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Reply = {
  readonly status?: number;
  readonly document?: JsonObject;
  readonly text?: string;
  readonly headers?: Headers | undefined;
};

export type Service = {
  readonly answer: (request: ReceivedRequest) => Promise<Reply>;
  readonly explain: (error: unknown) => Reply;
  readonly zips: boolean;
};

/** On loopback only: the sandbox issues its own tokens and is no server to share. */
export async function openServer(port: number, makeService: (base: string) => Service) {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    throw new SandboxError('sandbox-port', `The sandbox can't listen on port ${port}.`, {
      hint: 'Another program may be using it: choose another port, or 0 for any free port.',
      cause,
    });
  }
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  const url = `http://127.0.0.1:${bound}/api`;
  const service = makeService(url);
  server.on('request', (request, response) => void serve(request, response, service));
  return {
    url,
    /** Connections that clients keep open would delay the end. */
    close: async (): Promise<void> => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

// Never rejects: every error becomes an answer.
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { answer, explain, zips }: Service,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = new URLSearchParams(mark === -1 ? '' : url.slice(mark));
  let reply: Reply;
  try {
    reply = await answer({ method, path, query, headers, body: await readBody(request) });
  } catch (error) {
    reply = explain(error);
  }
  writeReply(request, response, { reply, zips });
}

export const maximumBytes = 10 * 1024 * 1024;

// Reads a body that is too long to its end, since clients read no answer before.
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    const bytes = Buffer.from(part);
    length += bytes.length;
    if (length <= maximumBytes) parts.push(bytes);
  }
  if (length > maximumBytes) throw new ErrorAnswer(413, 'HTTP 413 Request Entity Too Large');
  return Buffer.concat(parts);
}

// Bytes. Answers to changes are never compressed.
const minimumCompressed = 256;

const compressedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

function writeReply(
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  { reply, zips }: { readonly reply: Reply; readonly zips: boolean },
): void {
  const { document, text = '', status = 200 } = reply;
  for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
  if (document) response.setHeader('Content-Type', 'application/json');
  else if (text) response.setHeader('Content-Type', 'text/plain');
  const body = Buffer.from(document ? JSON.stringify(document) : text);
  const sent = zips && compressedMethods.has(method) ? zip(body, headers, response) : body;
  response.writeHead(status, { 'Content-Length': sent.length });
  response.end(method === 'HEAD' ? undefined : sent);
}

function zip(body: Buffer, headers: IncomingHttpHeaders, response: ServerResponse): Buffer {
  response.setHeader('Vary', 'Accept-Encoding');
  const accepts = /\bgzip\b/iu.test(String(headers['accept-encoding']));
  if (!accepts || body.length < minimumCompressed) return body;
  response.setHeader('Content-Encoding', 'gzip');
  const tag = response.getHeader('ETag');
  if (typeof tag === 'string') response.setHeader('ETag', tag.replace(/"$/u, '--gzip"'));
  return gzipSync(body);
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Route<Endpoint> = {
  readonly path: string;
  readonly endpoints: { readonly [method in Method]?: Endpoint };
};

export type Parameters = Readonly<Record<string, string>>;

/** The first match counts: routes without parameters come before the others. */
export function findRoute<Endpoint>(routes: readonly Route<Endpoint>[], path: string) {
  const steps = path.replace(/\/$/u, '').split('/');
  for (const route of routes) {
    const params = matchRoute(`/api/v1${route.path}`.split('/'), steps);
    if (params) return { route, params };
  }
  return undefined;
}

function matchRoute(pattern: readonly string[], steps: readonly string[]): Parameters | undefined {
  if (pattern.length !== steps.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, step] of steps.entries()) {
    const [, name] = /^\{(\w+)\}$/u.exec(pattern[index] ?? '') ?? [];
    const value = name === undefined || step === '' ? undefined : decode(step);
    if (name !== undefined && value !== undefined) params[name] = value;
    else if (step !== pattern[index]) return undefined;
  }
  return params;
}

function decode(step: string): string | undefined {
  try {
    return decodeURIComponent(step);
  } catch {
    return undefined;
  }
}

export function endpointOf<Endpoint>({ endpoints }: Route<Endpoint>, method: string) {
  const name = method === 'HEAD' ? 'GET' : method;
  return Object.entries(endpoints).find(([known]) => known === name)?.[1];
}
