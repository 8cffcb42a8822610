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
  readonly code: 'sandbox-port' | 'unreadable-file';
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

  constructor(
    status: number,
    message: string,
    { errorType, headers }: Partial<Pick<ErrorAnswer, 'errorType' | 'headers'>> = {},
  ) {
    super(message);
    this.status = status;
    this.errorType = errorType;
    this.headers = headers;
  }
}

export function badRequest(message: string): ErrorAnswer {
  return new ErrorAnswer(400, message);
}

type Headers = Readonly<Record<string, string>>;

export type ReceivedRequest = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

export type Reply = {
  readonly status?: number;
  readonly document?: JsonObject | undefined;
  readonly text?: string;
  readonly headers?: Headers | undefined;
};

export type Service = {
  readonly answer: (request: ReceivedRequest) => Promise<Reply>;
  readonly explain: (error: unknown) => Reply;
  readonly zips: boolean;
  readonly now: () => number;
};

/** On loopback only: the sandbox issues its own tokens and is no server to share. */
export async function openServer(port: number, makeService: (base: string) => Service) {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch (cause) {
    throw new SandboxError('sandbox-port', `The sandbox can't listen on port ${port}.`, {
      hint: 'Another program may be using it: choose another with --port; --port 0 takes any free one.',
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
  { answer, explain, zips, now }: Service,
): Promise<void> {
  const { method = 'GET', url = '/', headers } = request;
  const [path = ''] = url.split('?', 1);
  const query = new URLSearchParams(url.slice(path.length));
  let reply: Reply;
  try {
    reply = await answer({ method, path, query, headers, body: await readBody(request) });
  } catch (error) {
    reply = explain(error);
  }
  response.setHeader('Date', new Date(now()).toUTCString());
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

const minimumCompressed = 256;

function writeReply(
  { method = 'GET', headers }: IncomingMessage,
  response: ServerResponse,
  { reply, zips }: { readonly reply: Reply; readonly zips: boolean },
): void {
  const { document, text = '', status = 200, headers: added = {} } = reply;
  for (const [name, value] of Object.entries(added)) response.setHeader(name, value);
  if (document) response.setHeader('Content-Type', 'application/json');
  else if (text) response.setHeader('Content-Type', 'text/plain');
  const body = Buffer.from(document ? JSON.stringify(document) : text);
  // Answers to changes are never compressed.
  const isZipped = zips && ['GET', 'HEAD', 'POST'].includes(method);
  const sent = isZipped ? zip(body, headers, response) : body;
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

export type Routes<Endpoint> = { readonly [route: string]: Endpoint };

export type Parameters = Readonly<Record<string, string>>;

/** The first path that matches counts: those without parameters come before the others. */
export function findRoute<Endpoint>(routes: Routes<Endpoint>, { method, path }: ReceivedRequest) {
  const steps = path.replace(/\/$/u, '').split('/');
  const known = Object.keys(routes);
  for (const [, pattern = ''] of known.map((each) => each.split(' '))) {
    const params = matchRoute(`/api/v1${pattern}`.split('/'), steps);
    if (!params) continue;
    const same = known.filter((each) => each.endsWith(` ${pattern}`));
    const methods = same.map((each) => each.slice(0, each.indexOf(' ')));
    const route = `${method === 'HEAD' ? 'GET' : method} ${pattern}`;
    return { route, endpoint: routes[route], methods, params };
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
