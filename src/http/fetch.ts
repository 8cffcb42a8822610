import type { ClientRequest, IncomingMessage, ProxyEnv } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { ConfigError } from '../core/diagnostic.ts';
import {
  type AnswerHeaders,
  type Effects,
  type Fetch,
  type Fetched,
  offlineEffects,
} from '../core/effects.ts';
import { defined } from '../core/json.ts';

// Looked up at each call: the caller of a library may have set up undici.
const globalFetch: Fetch = async (url, init) => globalThis.fetch(url, init);

export const systemEffects: Effects = { ...offlineEffects, fetch: globalFetch };

export function programFetch(environment: NodeJS.ProcessEnv): Fetch {
  return async (url, init) =>
    proxiesOf(environment) ? globalFetch(url, init) : fetchDirectly(url, init);
}

// The global `fetch` loads undici, which takes longer than a plan of sixty contracts. Commands that
// send nothing load no module of Node for it.
export const fetchDirectly: Fetch = async (url, { method, headers, body, signal }) => {
  signal.throwIfAborted();
  const isSecure = url.protocol === 'https:';
  const { request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http');
  const usual = { accept: '*/*', 'accept-encoding': 'gzip', 'user-agent': 'node' };
  const sent = request(url, { method, headers: { ...usual, ...headers } });
  const answered = answerTo(sent, signal);
  limitConnecting(sent, isSecure ? 'secureConnect' : 'connect');
  sent.end(body ?? undefined);
  const answer = await answered;
  return { status: answer.statusCode ?? 0, headers: headersOf(answer), body: bodyOf(answer) };
};

async function answerTo(sent: ClientRequest, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined;
    const giveUp = (): void => void (answer ?? sent).destroy(signal.reason);
    signal.addEventListener('abort', giveUp);
    sent.once('close', () => signal.removeEventListener('abort', giveUp));
    sent.on('error', reject);
    sent.once('response', (message) => {
      answer = message;
      resolve(message);
    });
  });
}

// Milliseconds, as in undici: tells a firewall that drops packets from a slow server.
const longestConnecting = 10_000;

function limitConnecting(sent: ClientRequest, connected: 'connect' | 'secureConnect'): void {
  sent.once('socket', (socket) => {
    if (!socket.connecting) return; // It was there already.
    const giveUp = (): void => {
      const late = new Error(`no connection within ${longestConnecting / 1000} seconds`);
      sent.destroy(Object.assign(late, { code: 'ETIMEDOUT', syscall: 'connect' }));
    };
    const clock = setTimeout(giveUp, longestConnecting);
    const stop = (): void => clearTimeout(clock);
    socket.once(connected, stop);
    sent.once('close', stop);
  });
}

function headersOf(answer: IncomingMessage): AnswerHeaders {
  const headers = new Map(
    Object.entries(answer.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
  );
  return {
    get: (name) => headers.get(name) ?? null,
    has: (name) => headers.has(name),
    [Symbol.iterator]: () => headers.entries(),
  };
}

function bodyOf(answer: IncomingMessage): Fetched['body'] {
  const isZipped = /^(?:x-)?gzip$/iu.test(answer.headers['content-encoding'] ?? '');
  const body: Readable = isZipped ? unzip(answer) : answer;
  return {
    [Symbol.asyncIterator]: () => body[Symbol.asyncIterator](),
    // Node uses a connection again only after its answer has been read to the end.
    cancel: async () => void (answer.complete ? body.resume() : answer.destroy()),
  };
}

// Like `fetch`, it takes an empty body, and one without the end of its compression: HTTP itself says
// where a body ends.
function unzip(answer: IncomingMessage): Readable {
  const { constants, createGunzip } = process.getBuiltinModule('node:zlib');
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  return pipeline(answer, gunzip, () => undefined);
}

export function useEnvironmentProxy(environment: NodeJS.ProcessEnv): void {
  const proxies = proxiesOf(environment);
  // Loaded only where it is needed; absent before Node 24.14, which has NODE_USE_ENV_PROXY alone.
  if (proxies) process.getBuiltinModule('node:http').setGlobalProxyFromEnv?.(proxies);
}

// This machine is never behind a proxy: the sandbox is here, and its token goes in plain text.
const thisMachine = 'localhost,127.0.0.1,[::1]';

export function proxiesOf(environment: NodeJS.ProcessEnv): ProxyEnv | undefined {
  const http = proxyUrl(environment, 'http_proxy');
  const https = proxyUrl(environment, 'https_proxy');
  if (http === undefined && https === undefined) return undefined;
  const exempt = environment['no_proxy'] ?? environment['NO_PROXY'];
  const no_proxy = exempt ? `${exempt},${thisMachine}` : thisMachine;
  return { ...defined({ http_proxy: http, https_proxy: https }), no_proxy };
}

// The message leaves the value out: it may hold a password.
function proxyUrl(environment: NodeJS.ProcessEnv, name: string): string | undefined {
  const value = environment[name] ?? environment[name.toUpperCase()];
  if (value === undefined || value === '') return undefined;
  // curl takes `proxy:3128` too; a URL parser sees the scheme "proxy:".
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  // Text behind the host may be the rest of a password with a slash; Node takes none of it.
  if (isWeb && `${url.pathname}${url.search}${url.hash}` === '/') return url.href;
  const hint = 'Use an http or https proxy, such as http://proxy.example.com:3128.';
  throw new ConfigError('invalid-proxy', `${name} is not a proxy URL.`, { hint });
}
